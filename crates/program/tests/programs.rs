//! Tables of steps: the programs that they compile to, and the rules that reject them. Collectives
//! have their laws in collectives.rs.

use crate::interpreter::{Sending, play};
use program::{
    Action, Algorithm, AlgorithmSet, COLLECTIVE_NUMBER, COLLECTIVE_TAGS, Collective, Columns,
    MAX_OPERATIONS, MAX_RANKS, Manner, Operation, Program, ProgramError, Rank, RankScope,
    STEP_KINDS, Step, StepKind,
};
use quantity::Time;

const BARRIER: Collective = Collective::Barrier;

fn compile(n_ranks: u32, steps: &[Step]) -> Result<Program, ProgramError> {
    Program::compile(n_ranks, steps, AlgorithmSet::Mpich1_1)
}

fn send(to: u32) -> Action {
    Action::Send { to: Rank::new(to), bytes: 5, tag: 0 }
}

fn start_send(to: u32) -> Action {
    Action::StartSend { to: Rank::new(to), bytes: 5, tag: 0, number: 0 }
}

fn receive(from: u32) -> Action {
    Action::Receive { from: Some(Rank::new(from)), tag: 0 }
}

/// The actions of a rank with one stream, in order.
fn actions(program: &Program, rank: Rank) -> Vec<Action> {
    let mut walk = program.walks(rank).remove(0);
    std::iter::from_fn(|| walk.next(program, rank)).collect()
}

#[test]
fn loops_stay_loops() {
    let steps = [
        Step::all(Action::Mark { mark: 7 }),
        Step::all(StepKind::Repeat { count: 1_000_000 }),
        Step::one(Rank::new(1), Action::Compute { work: Time::from_us(3) }),
        Step::all(StepKind::EndRepeat),
    ];
    let program = compile(2, &steps).unwrap();
    assert_eq!(
        program.operations(Rank::new(1)),
        [
            Operation::Do(Action::Mark { mark: 7 }),
            Operation::Repeat { count: 1_000_000 },
            Operation::Do(Action::Compute { work: Time::from_us(3) }),
            Operation::EndRepeat { start: 1 },
        ]
    );
    assert_eq!(program.operations(Rank::new(0)).len(), 3);
    assert_eq!((program.n_ranks(), program.n_operations()), (2, 7));
}

#[test]
fn nested_repeats_pair_up_inside_out() {
    let steps = [
        Step::all(StepKind::Repeat { count: 3 }),
        Step::all(StepKind::Repeat { count: 2 }),
        Step::all(Action::Mark { mark: 1 }),
        Step::all(StepKind::EndRepeat),
        Step::all(BARRIER),
        Step::all(Action::Mark { mark: 2 }),
        Step::all(StepKind::EndRepeat),
    ];
    let outcome = play(&compile(3, &steps).unwrap(), Sending::Synchronous);
    assert_eq!(*outcome.marks, [[1, 1, 2, 1, 1, 2, 1, 1, 2]; 3]);
}

#[test]
fn a_rank_may_send_to_itself_and_repeat_alone() {
    let steps = [
        Step::one(Rank::new(0), StepKind::Repeat { count: 4 }),
        Step::one(Rank::new(0), Action::StartReceive { from: None, tag: 0, number: 0 }),
        Step::one(Rank::new(0), send(0)),
        Step::one(Rank::new(0), Action::WaitAll),
        Step::one(Rank::new(0), StepKind::EndRepeat),
    ];
    let outcome = play(&compile(2, &steps).unwrap(), Sending::Synchronous);
    assert_eq!((outcome.stuck.len(), outcome.n_messages, outcome.bytes), (0, 4, 20));
}

#[test]
fn the_interpreter_tells_buffered_from_synchronous_sends() {
    let head_on = [
        Step::one(Rank::new(0), send(1)),
        Step::one(Rank::new(1), send(0)),
        Step::one(Rank::new(0), receive(1)),
        Step::one(Rank::new(1), receive(0)),
    ];
    let program = compile(2, &head_on).unwrap();
    assert!(play(&program, Sending::Buffered).stuck.is_empty());
    assert_eq!(play(&program, Sending::Synchronous).stuck, [0, 1].map(Rank::new));
}

#[test]
fn each_collective_of_the_table_has_its_own_tag() {
    let program = compile(2, &[Step::all(BARRIER), Step::all(BARRIER)]).unwrap();
    let sent = actions(&program, Rank::new(0)).into_iter().filter_map(Action::sent);
    let tags: Vec<u32> = sent.map(|(.., tag)| tag).collect();
    assert_eq!(tags, [COLLECTIVE_TAGS, COLLECTIVE_TAGS + 1]);
}

#[test]
fn broken_rules_are_named() {
    let repeat = StepKind::Repeat { count: 2 };
    let broadcast_from = |root| Collective::Broadcast { root: Rank::new(root), bytes: 1 };
    let cases: &[(&[Step], ProgramError)] = &[
        (
            &[Step::one(Rank::new(2), BARRIER)],
            ProgramError::RankOutOfRange { step: 0, rank: 2, n_ranks: 2 },
        ),
        (
            &[Step::all(BARRIER), Step::one(Rank::new(0), receive(2))],
            ProgramError::PeerOutOfRange { step: 1, peer: 2, n_ranks: 2 },
        ),
        (
            &[Step::all(broadcast_from(2))],
            ProgramError::PeerOutOfRange { step: 0, peer: 2, n_ranks: 2 },
        ),
        (
            &[Step::all(Action::Receive { from: None, tag: COLLECTIVE_TAGS })],
            ProgramError::ReservedTag { step: 0, tag: COLLECTIVE_TAGS },
        ),
        (&[Step::all(StepKind::Repeat { count: 0 })], ProgramError::RepeatOfZero { step: 0 }),
        (
            &[Step::all(StepKind::EndRepeat)],
            ProgramError::EndWithoutRepeat { step: 0, rank: Rank::new(0) },
        ),
        (&[Step::all(repeat)], ProgramError::RepeatWithoutEnd { step: 0, rank: Rank::new(0) }),
        (
            &[Step::all(repeat), Step::one(Rank::new(0), StepKind::EndRepeat)],
            ProgramError::RepeatOfOtherRanks { step: 1, begin: 0 },
        ),
        (
            &[Step::one(Rank::new(1), BARRIER)],
            ProgramError::CollectiveOfOneRank { step: 0, rank: Rank::new(1) },
        ),
        (
            &[
                Step::one(Rank::new(1), repeat),
                Step::all(BARRIER),
                Step::one(Rank::new(1), StepKind::EndRepeat),
            ],
            ProgramError::CollectiveInRepeatOfOneRank { step: 1, rank: Rank::new(1) },
        ),
        (
            &[Step::one(Rank::new(0), start_send(1))],
            ProgramError::NeverWaited { step: 0, rank: Rank::new(0) },
        ),
        (
            &[
                Step::one(Rank::new(0), start_send(1)),
                Step::one(Rank::new(0), Action::Wait { number: 1 }),
            ],
            ProgramError::NeverWaited { step: 0, rank: Rank::new(0) },
        ),
        (
            &[Step::all(Action::Wait { number: COLLECTIVE_NUMBER })],
            ProgramError::ReservedNumber { step: 0 },
        ),
    ];
    for (steps, expected) in cases {
        assert_eq!(compile(2, steps).as_ref(), Err(expected), "{steps:?}");
    }
}

#[test]
fn a_pass_may_leave_started_what_the_next_waits_for_first() {
    let steps = [
        Step::all(StepKind::Repeat { count: 3 }),
        Step::all(Action::WaitAll),
        Step::all(BARRIER),
        Step::all(start_send(0)),
        Step::one(
            Rank::new(0),
            Action::StartReceive { from: Some(Rank::new(0)), tag: 0, number: 0 },
        ),
        Step::one(
            Rank::new(0),
            Action::StartReceive { from: Some(Rank::new(1)), tag: 0, number: 0 },
        ),
        Step::all(StepKind::EndRepeat),
        Step::all(Action::WaitAll),
    ];
    let outcome = play(&compile(2, &steps).unwrap(), Sending::Synchronous);
    assert_eq!((outcome.stuck.len(), outcome.n_unreceived), (0, 0));
}

#[test]
fn a_collective_leaves_alone_what_its_ranks_have_started() {
    // The peer sends the message for the receive posted before the collective only after it.
    let steps = [
        Step::one(
            Rank::new(0),
            Action::StartReceive { from: Some(Rank::new(1)), tag: 0, number: 3 },
        ),
        Step::all(Collective::AllReduce { bytes: 8 }),
        Step::all(Collective::AllToAll { bytes: 8 }),
        Step::all(BARRIER),
        Step::one(Rank::new(1), send(0)),
        Step::one(Rank::new(0), Action::Wait { number: 3 }),
    ];
    for sending in [Sending::Buffered, Sending::Synchronous] {
        let outcome = play(&compile(2, &steps).unwrap(), sending);
        assert_eq!((outcome.stuck.len(), outcome.n_unreceived), (0, 0));
    }
}

#[test]
fn a_wait_is_for_its_number_alone() {
    let start = |number| Action::StartReceive { from: Some(Rank::new(1)), tag: number, number };
    let waits = |first, second| {
        let waits = [Action::Wait { number: first }, Action::Wait { number: second }];
        let mut steps = vec![Step::one(Rank::new(0), start(1)), Step::one(Rank::new(0), start(2))];
        steps.push(Step::one(Rank::new(0), waits[0]));
        steps.push(Step::one(Rank::new(0), send(1)));
        steps.push(Step::one(Rank::new(0), waits[1]));
        let late = Action::Send { to: Rank::new(0), bytes: 5, tag: 2 };
        let early = Action::Send { to: Rank::new(0), bytes: 5, tag: 1 };
        steps.extend([early, receive(0), late].map(|action| Step::one(Rank::new(1), action)));
        play(&compile(2, &steps).unwrap(), Sending::Buffered).stuck.len()
    };
    assert_eq!((waits(1, 2), waits(2, 1)), (0, 2));
}

#[test]
fn sizes_have_limits() {
    assert_eq!(compile(0, &[]), Err(ProgramError::NoRanks));
    assert_eq!(
        compile(MAX_RANKS + 1, &[]),
        Err(ProgramError::TooManyRanks { n_ranks: MAX_RANKS + 1, limit: MAX_RANKS })
    );
    // The most operations allowed take 3 GB.
    assert_eq!(size_of::<Operation>(), 24);
    // Rejected before they are written: they would take terabytes.
    for collective in [Collective::AllToAll { bytes: 1 }, Collective::AllGather { bytes: 1 }] {
        let error = compile(MAX_RANKS, &[Step::all(collective)]).unwrap_err();
        assert_eq!(error, ProgramError::TooManyOperations { step: 0, limit: MAX_OPERATIONS });
    }
}

#[test]
fn quadratic_collectives_have_the_size_they_are_refused_by() {
    for n_ranks in [1, 2, 13] {
        let n_operations = |collective| {
            let step = Step::all(collective);
            compile(n_ranks, &[step]).unwrap().written_out().n_operations() as u32
        };
        let all_to_all = n_operations(Collective::AllToAll { bytes: 1 });
        assert_eq!(all_to_all, n_ranks * (2 * n_ranks + 1));
        assert_eq!(n_operations(Collective::AllGather { bytes: 1 }), n_ranks * 3 * (n_ranks - 1));
    }
}

/// Columns of one step of each kind, for rank 0 of two.
fn one_of_each() -> (Vec<u8>, Vec<i32>, Vec<i32>) {
    let n = STEP_KINDS.len();
    let scope = |kind: &str| match kind {
        "wait_all" | "compute" | "mark" | "repeat" | "end_repeat" => 0,
        "send" | "receive" | "start_send" | "start_receive" | "wait" => 0,
        _ => -1,
    };
    let rank = STEP_KINDS.iter().map(|kind| scope(kind)).collect();
    ((0..n as u8).collect(), rank, vec![1; n])
}

#[test]
fn columns_name_every_kind() {
    let (kind, rank, peer) = one_of_each();
    let n = kind.len();
    // In collectives these are a segment and an algorithm, 0 for what the library chooses.
    let is_message = |kind: &u8| !(9..=16).contains(kind) && *kind != 30;
    let of = |value: u32| kind.iter().map(move |kind| if is_message(kind) { value } else { 0 });
    let (bytes, tag, number): (_, Vec<_>, Vec<_>) = (vec![9; n], of(4).collect(), of(3).collect());
    let value = vec![1.5e-6; n];
    let columns = Columns {
        kind: &kind,
        rank: &rank,
        peer: &peer,
        size_bytes: &bytes,
        tag: &tag,
        compute_s: &value,
        number: &number,
    };
    let steps = columns.steps(2).unwrap();
    assert_eq!(
        steps[0],
        Step::one(Rank::new(0), Action::Send { to: Rank::new(1), bytes: 9, tag: 4 })
    );
    assert_eq!(
        steps[3].kind,
        Action::StartReceive { from: Some(Rank::new(1)), tag: 4, number: 3 }.into()
    );
    assert_eq!(steps[5].kind, Action::Compute { work: Time::from_ps(1_500_000) }.into());
    assert_eq!(steps[6].kind, Action::Mark { mark: 3 }.into());
    assert_eq!(steps[16].scope, RankScope::All);
    for (step, name) in steps.iter().zip(STEP_KINDS) {
        // Users write `rest` for a rank that sleeps, and `wait_for` an event.
        let name = match name {
            "rest" => "sleep",
            "wait_for" => "await",
            name => name,
        };
        let debug = format!("{:?}", step.kind).to_lowercase();
        assert!(name.split('_').all(|word| debug.contains(word)), "{name} became {debug}");
    }
}

#[test]
fn columns_without_meaning_are_refused() {
    struct Row(u8, i32, i32, f64);
    let cases = [
        (Row(31, 0, 0, 0.0), ProgramError::UnknownKind { step: 0, code: 31 }),
        (Row(0, 0, -1, 0.0), ProgramError::PeerOutOfRange { step: 0, peer: -1, n_ranks: 2 }),
        (Row(1, 0, -2, 0.0), ProgramError::PeerOutOfRange { step: 0, peer: -2, n_ranks: 2 }),
        (Row(9, -1, -1, 0.0), ProgramError::PeerOutOfRange { step: 0, peer: -1, n_ranks: 2 }),
        (Row(5, 0, 0, -1.0), ProgramError::ComputeTime { step: 0, limit_s: 10_000_000 }),
        (Row(5, 0, 0, f64::NAN), ProgramError::ComputeTime { step: 0, limit_s: 10_000_000 }),
        (Row(17, 0, 1, -1.0), ProgramError::ComputeTime { step: 0, limit_s: 10_000_000 }),
        (Row(5, 0, 0, 1e7), ProgramError::ComputeTime { step: 0, limit_s: 10_000_000 }),
    ];
    for (Row(kind, rank, peer, value), expected) in cases {
        let columns = Columns {
            kind: &[kind],
            rank: &[rank],
            peer: &[peer],
            size_bytes: &[0],
            tag: &[0],
            compute_s: &[value],
            number: &[1],
        };
        assert_eq!(columns.steps(2), Err(expected));
    }
}

#[test]
fn datagrams_fit_into_a_packet_and_go_to_another_rank() {
    for (kind, limit) in [(17, 65_507), (18, 65_515)] {
        let steps = |bytes: u64, to: i32| {
            let columns = Columns {
                kind: &[kind],
                rank: &[-1],
                peer: &[to],
                size_bytes: &[bytes],
                tag: &[0],
                compute_s: &[0.0],
                number: &[0],
            };
            columns.steps(2)
        };
        let bytes = u64::from(limit) + 1;
        let too_long = ProgramError::DatagramTooLong { step: 0, bytes, limit };
        assert_eq!(steps(bytes, 1), Err(too_long));
        let to_self = ProgramError::DatagramToSelf { step: 0, rank: Rank::new(1) };
        let table = steps(bytes - 1, 1).unwrap();
        assert_eq!(Program::compile(2, &table, AlgorithmSet::Mpich1_1), Err(to_self));
        let out_of_range = ProgramError::PeerOutOfRange { step: 0, peer: 2, n_ranks: 2 };
        let table = steps(0, 2).unwrap();
        assert_eq!(Program::compile(2, &table, AlgorithmSet::Mpich1_1), Err(out_of_range));
    }
}

#[test]
fn columns_have_one_length() {
    let columns = Columns {
        kind: &[4, 4],
        rank: &[0, 0],
        peer: &[0, 0],
        size_bytes: &[0],
        tag: &[0, 0],
        compute_s: &[0.0, 0.0],
        number: &[0, 0],
    };
    let expected = ProgramError::ColumnLength { column: "size_bytes", length: 1, kind: 2 };
    assert_eq!(columns.steps(1), Err(expected));
}

/// The messages that a rank sends: destinations and bytes.
fn sent_by(program: &Program, rank: u32) -> Vec<(u32, u64)> {
    let sent = actions(program, Rank::new(rank)).into_iter().filter_map(Action::sent);
    sent.map(|(to, bytes, _)| (to.get(), bytes)).collect()
}

fn join(rank: u32, group: u32) -> Step {
    Step::one(Rank::new(rank), StepKind::Member { group })
}

#[test]
fn a_collective_is_of_its_group_in_the_order_of_its_members() {
    let root = Rank::new(3);
    let steps = [
        join(4, 7),
        join(3, 7),
        join(1, 7),
        Step::of_group(7, Collective::Scatter { root, bytes: 9 }),
        Step::of_group(7, StepKind::Repeat { count: 2 }),
        Step::of_group(7, Collective::Gather { root, bytes: 5 }),
        Step::of_group(7, Action::Mark { mark: 1 }),
        Step::of_group(7, StepKind::EndRepeat),
        Step::all(BARRIER),
    ];
    let program = compile(5, &steps).unwrap();
    let before_barrier = |rank| {
        let n_of_barrier = sent_by(&compile(5, &steps[8..]).unwrap(), rank).len();
        let mut sent = sent_by(&program, rank);
        sent.truncate(sent.len() - n_of_barrier);
        sent
    };
    assert_eq!(before_barrier(3), [(4, 9), (1, 9)]);
    assert_eq!(before_barrier(4), [(3, 5), (3, 5)]);
    assert_eq!(before_barrier(1), [(3, 5), (3, 5)]);
    assert_eq!((before_barrier(0), before_barrier(2)), (vec![], vec![]));
    let outcome = play(&program, Sending::Synchronous);
    assert_eq!((outcome.stuck.len(), outcome.marks[Rank::new(4)].as_slice()), (0, &[1, 1][..]));
}

#[test]
fn groups_at_work_side_by_side_have_the_messages_of_programs_of_their_own() {
    let all_reduce = Collective::AllReduce { bytes: 1 << 20 };
    let mut steps: Vec<Step> = (0..12).map(|rank| join(11 - rank, 1 + rank % 3)).collect();
    steps.extend((1..4).map(|group| Step::of_group(group, all_reduce)));
    let program = Program::compile(12, &steps, AlgorithmSet::OpenMpi4).unwrap();
    let alone = Program::compile(4, &[Step::all(all_reduce)], AlgorithmSet::OpenMpi4).unwrap();
    for (group, place) in (0..3).flat_map(|group| (0..4).map(move |place| (group, place))) {
        let rank = |place: u32| 11 - (3 * place + group);
        let own = sent_by(&alone, place).into_iter().map(|(to, bytes)| (rank(to), bytes));
        assert_eq!(sent_by(&program, rank(place)), own.collect::<Vec<_>>());
    }
    assert!(play(&program, Sending::Synchronous).stuck.is_empty());
}

#[test]
fn broken_rules_of_groups_are_named() {
    let of = |kind: Collective| Step::of_group(1, kind);
    let one = |kind: StepKind| Step::one(Rank::new(0), kind);
    let outside = Collective::Broadcast { root: Rank::new(1), bytes: 1 };
    let (repeat, end) = (StepKind::Repeat { count: 2 }, StepKind::EndRepeat);
    let limit = i32::MAX as u32;
    let (rank, root, group) = (Rank::new(0), Rank::new(1), 1);
    for (steps, expected) in [
        (vec![of(BARRIER)], ProgramError::UnknownGroup { step: 0, group }),
        (vec![join(0, 0)], ProgramError::ReservedGroup { step: 0, group: 0, limit }),
        (vec![join(0, 1 << 31)], ProgramError::ReservedGroup { step: 0, group: 1 << 31, limit }),
        (vec![join(0, 1), join(0, 1)], ProgramError::MemberTwice { step: 1, rank, group }),
        (vec![join(0, 1), of(BARRIER), join(1, 1)], ProgramError::GroupInUse { step: 2, group }),
        (vec![join(0, 1), of(outside)], ProgramError::RootOutsideGroup { step: 1, root, group }),
        (
            vec![join(0, 1), join(1, 1), one(repeat), of(BARRIER), one(end)],
            ProgramError::CollectiveInRepeatOfOneRank { step: 3, rank },
        ),
        (
            vec![join(0, 1), Step::of_group(1, repeat), Step::all(BARRIER), Step::of_group(1, end)],
            ProgramError::CollectiveInRepeatOfOneRank { step: 2, rank },
        ),
    ] {
        assert_eq!(compile(2, &steps), Err(expected));
    }
}

#[test]
fn many_collectives_are_as_many_operations() {
    let (n_ranks, n) = (1024, 1000);
    let all_reduce = Step::all(StepKind::Collective(
        Collective::AllReduce { bytes: 1 << 20 },
        Manner { algorithm: Some(Algorithm::Ring), segment_bytes: 0 },
    ));
    let program = compile(n_ranks, &vec![all_reduce; n]).unwrap();
    assert_eq!(program.n_operations(), n * n_ranks as usize);
    let of_one = n_ranks as usize * 6 * (n_ranks as usize - 1);
    assert_eq!(program.n_in_memory(), n * n_ranks as usize + of_one);
    assert_eq!(program.n_awaited_actions(), n as u64 * of_one as u64);
}
