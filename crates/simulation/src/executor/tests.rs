//! Executors that are driven by hand: transfers between them take no time, and no engine is there.
//! All that one learns of another is in the parts that arrive.

use std::collections::BTreeMap;

use host::{MessageCosts, MessageProtocol, ProgressRule};
use program::{Action, AlgorithmSet, Program, Step};
use quantity::{Cost, Id};

use super::*;

/// Executors between which transfers take no time.
struct Ranks<'a> {
    run: Conditions<'a>,
    executors: Vec<Executor>,
    /// Parts that arrived at each rank.
    arrived: BTreeMap<u32, Vec<Part>>,
    marks: Vec<(u32, u32)>,
}

impl<'a> Ranks<'a> {
    fn of(program: &'a Program) -> Ranks<'a> {
        let protocol = MessageProtocol {
            header: 40,
            envelope: 24,
            request: 40,
            clear: 40,
            long_from: 1_000,
            rendezvous_from: 100_000,
            progress: ProgressRule::LowerRank,
            reads_lowest_first: false,
            retry_in_use: 0,
        };
        let costs = MessageCosts {
            send: Time::ZERO,
            take: Time::ZERO,
            watch: Time::ZERO,
            look: Time::ZERO,
            short_copy: Cost::ZERO,
            long_copy: Cost::ZERO,
        };
        let run = Conditions { program, protocol, costs, disk: None, local: None, shared: None };
        let executor = |rank| Executor::new(&run, rank, true);
        let executors = Rank::first(program.n_ranks()).map(executor).collect();
        Ranks { run, executors, arrived: BTreeMap::new(), marks: Vec::new() }
    }

    /// Runs a rank, and those that it wakes, until all wait.
    fn drive(&mut self, rank: u32) {
        while let Some(effect) = self.executors[rank as usize].next(Time::ZERO, &self.run) {
            match effect {
                Effect::Write { to, transfer, .. } => self.deliver(rank, to, transfer.head),
                Effect::Mark(mark) => self.marks.push((rank, mark)),
                Effect::Listen | Effect::Finish => {}
                other => panic!("nothing takes time here, but {other:?}"),
            }
        }
    }

    fn deliver(&mut self, from: u32, to: Rank, head: Head) {
        self.arrived.entry(to.get()).or_default().extend(Part::of(head));
        if self.executors[to.get() as usize].arrived(Rank::new(from), head) {
            self.drive(to.get());
        }
    }
}

fn send(from: u32, to: u32, bytes: u64, tag: u32) -> Step {
    Step::one(Rank::new(from), Action::Send { to: Rank::new(to), bytes, tag })
}

fn receive(at: u32, from: u32, tag: u32) -> Step {
    Step::one(Rank::new(at), Action::Receive { from: Some(Rank::new(from)), tag })
}

fn mark(at: u32, mark: u32) -> Step {
    Step::one(Rank::new(at), Action::Mark { mark })
}

fn program(n_ranks: u32, steps: &[Step]) -> Program {
    Program::compile(n_ranks, steps, AlgorithmSet::Mpich1_1).unwrap()
}

/// A rendezvous between two executors that number the message differently.
#[test]
fn a_rendezvous_finds_its_message_at_both_ends() {
    let bytes = 1 << 20;
    let steps = [
        send(1, 0, 5, 1),
        send(2, 0, bytes, 2),
        receive(0, 2, 2),
        mark(0, 7),
        receive(0, 1, 1),
        mark(0, 8),
        mark(2, 9),
    ];
    let program = program(3, &steps);
    let mut ranks = Ranks::of(&program);
    (0..3).for_each(|rank| ranks.drive(rank));
    let [sent, received] = [0, 1].map(crate::message::MessageId::new);
    assert_eq!(
        ranks.arrived[&0],
        [
            Part::Short { tag: 1, bytes: 5 },
            Part::Request { tag: 2, sent, bytes },
            Part::Data { sent, received },
        ]
    );
    assert_eq!(ranks.arrived[&2], [Part::Clear { sent, received }]);
    assert_eq!(ranks.marks, [(0, 7), (0, 8), (2, 9)]);
    assert!(ranks.executors.iter().all(Executor::has_finished));
}

/// The data of a long message say all that their envelope would.
#[test]
fn a_long_message_is_matched_by_its_data() {
    let steps = [send(0, 1, 2_000, 3), receive(1, 0, 3), mark(1, 1)];
    let program = program(2, &steps);
    let mut ranks = Ranks::of(&program);
    (0..2).for_each(|rank| ranks.drive(rank));
    let parts = [Part::Envelope, Part::Long { tag: 3, bytes: 2_000 }];
    assert_eq!((&ranks.arrived[&1][..], &ranks.marks[..]), (&parts[..], &[(1, 1)][..]));
}

#[test]
fn a_rank_without_its_message_waits_for_it() {
    let steps = [receive(0, 1, 0), mark(0, 1), mark(1, 2)];
    let program = program(2, &steps);
    let mut ranks = Ranks::of(&program);
    (0..2).for_each(|rank| ranks.drive(rank));
    assert_eq!(ranks.marks, [(1, 2)]);
    let finished: Vec<bool> = ranks.executors.iter().map(Executor::has_finished).collect();
    assert_eq!((finished, ranks.executors[0].waits_at().last()), (vec![false, true], 0));
}
