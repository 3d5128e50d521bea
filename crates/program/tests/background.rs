//! Background ranks: the steps of every rank that they skip, and the operations forbidden to them.
//! The end of a run without them is tested with a network: crates/packet/tests/background.rs.

use crate::interpreter::{Sending, play};
use program::{
    Action, AlgorithmSet, Collective, DatagramProtocol, Operation, Program, ProgramError, Rank,
    Ranks, Step, StepKind, goal,
};
use quantity::Time;

/// Compiles for three awaited ranks and two in the background.
fn compile(steps: &[Step]) -> Result<Program, ProgramError> {
    Program::compile(Ranks { awaited: 3, background: 2 }, steps, AlgorithmSet::Mpich1_1)
}

fn send(to: u32) -> Action {
    Action::Send { to: Rank::new(to), bytes: 5, tag: 0 }
}

fn receive(from: Option<u32>) -> Action {
    Action::Receive { from: from.map(Rank::new), tag: 0 }
}

fn datagram(to: u32) -> Action {
    let (bytes, answer, spacing) = (5, 0, Time::ZERO);
    Action::Datagram { to: Rank::new(to), bytes, answer, protocol: DatagramProtocol::Udp, spacing }
}

#[test]
fn steps_of_every_rank_are_for_those_that_are_awaited() {
    let steps = [
        Step::all(Collective::Barrier),
        Step::all(StepKind::Repeat { count: 2 }),
        Step::all(Collective::Broadcast { root: Rank::new(2), bytes: 9 }),
        Step::all(StepKind::EndRepeat),
        Step::all(Action::Mark { mark: 0 }),
    ];
    let beside = compile(&steps).unwrap();
    let alone = Program::compile(3, &steps, AlgorithmSet::Mpich1_1).unwrap();
    assert_eq!((beside.n_ranks(), beside.n_awaited()), (5, 3));
    assert_eq!((alone.n_ranks(), alone.n_awaited()), (3, 3));
    for rank in 0..3 {
        let rank = Rank::new(rank);
        assert_eq!(beside.operations(rank), alone.operations(rank));
    }
    assert!(
        beside.operations(Rank::new(3)).is_empty() && beside.operations(Rank::new(4)).is_empty()
    );
}

#[test]
fn the_background_has_messages_of_its_own() {
    let steps = [
        Step::one(Rank::new(3), StepKind::Repeat { count: 7 }),
        Step::one(Rank::new(3), send(4)),
        Step::one(Rank::new(3), StepKind::EndRepeat),
        Step::one(Rank::new(4), StepKind::Repeat { count: 7 }),
        Step::one(Rank::new(4), receive(None)),
        Step::one(Rank::new(4), StepKind::EndRepeat),
        Step::all(Collective::Barrier),
    ];
    let program = compile(&steps).unwrap();
    assert_eq!(program.operations(Rank::new(3))[1], Operation::Do(send(4)));
    let barrier = compile(&steps[6..]).unwrap();
    for sending in [Sending::Synchronous, Sending::Buffered] {
        let outcome = play(&program, sending);
        let of_barrier = play(&barrier, sending).n_messages;
        assert_eq!((outcome.stuck.len(), outcome.n_messages), (0, of_barrier + 7));
    }
}

#[test]
fn nobody_waits_for_the_other_side() {
    let across = |rank, peer| {
        let [rank, peer] = [rank, peer].map(Rank::new);
        ProgramError::MessageAcrossBackground { step: 0, rank, peer }
    };
    let cases = [
        (Step::one(Rank::new(0), send(3)), across(0, 3)),
        (Step::one(Rank::new(3), send(2)), across(3, 2)),
        (Step::all(receive(Some(4))), across(0, 4)),
        (Step::one(Rank::new(4), receive(Some(0))), across(4, 0)),
        (Step::all(Collective::Reduce { root: Rank::new(3), bytes: 1 }), across(0, 3)),
        (
            Step::one(Rank::new(4), Action::Mark { mark: 0 }),
            ProgramError::MarkInBackground { step: 0, rank: Rank::new(4) },
        ),
        (
            Step::one(Rank::new(5), send(3)),
            ProgramError::RankOutOfRange { step: 0, rank: 5, n_ranks: 5 },
        ),
    ];
    for (step, expected) in cases {
        assert_eq!(compile(&[step]), Err(expected));
    }
    assert!(
        compile(&[Step::one(Rank::new(3), datagram(0)), Step::one(Rank::new(0), datagram(4))])
            .is_ok()
    );
    let nobody = Ranks { awaited: 0, background: 2 };
    let empty = Program::compile(nobody, &[], AlgorithmSet::Mpich1_1);
    assert_eq!(empty, Err(ProgramError::NoRanks));
}

#[test]
fn datagrams_of_the_background_are_not_awaited() {
    let of = |rank: u32, to: u32| {
        let program = compile(&[Step::one(Rank::new(rank), datagram(to))]).unwrap();
        (program.has_datagrams(), program.has_awaited_datagrams())
    };
    assert_eq!((of(2, 4), of(3, 0)), ((true, true), (true, false)));
}

#[test]
fn goal_has_no_word_for_them() {
    let written = |steps: &[Step]| goal::GoalWriter::new(&compile(steps).unwrap()).err();
    assert_eq!(written(&[]), Some(goal::GoalError::Background { rank: Rank::new(3) }));
    let rest = [Step::one(Rank::new(0), Action::Sleep { spacing: Time::from_us(1) })];
    let alone = Program::compile(1, &rest, AlgorithmSet::Mpich1_1).unwrap();
    let refused = goal::GoalWriter::new(&alone).err();
    assert_eq!(refused, Some(goal::GoalError::Sleeps { rank: Rank::new(0) }));
}

#[test]
fn actions_of_awaited_ranks_count_as_often_as_loops_repeat_them() {
    let mark = Step::all(Action::Mark { mark: 0 });
    let steps = [
        Step::all(StepKind::Repeat { count: 2 }),
        mark,
        Step::all(StepKind::Repeat { count: 3 }),
        mark,
        Step::all(StepKind::EndRepeat),
        Step::all(StepKind::EndRepeat),
        Step::one(Rank::new(3), send(4)),
        Step::one(Rank::new(4), receive(Some(3))),
    ];
    assert_eq!(compile(&steps).unwrap().n_awaited_actions(), 3 * 2 * (1 + 3));
}
