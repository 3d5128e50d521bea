//! Laws of every run: frames are conserved, bytes arrive once and in order, and a run repeats to
//! the bit.

use crate::networks::{
    Middle, chain, fat_tree, ideal, linux_2_0, simulate, slow_hub_on_switch, star,
};
use host::{AckRule, CongestionControl, HostModel, TcpExtensions};
use network::{Network, SwitchMode};
use packet::Counters;
use program::{Action, AlgorithmSet, Collective, Program, Rank, Step, StepKind};
use proptest::prelude::*;
use quantity::{Cost, Time};
use simulation::{MarkRecord, RunError};

/// All ranks send to all others at once, then meet in a barrier: queues overflow and stations
/// collide.
fn storm(n: u32, bytes: u64) -> Program {
    let steps = [
        Step::all(Collective::AllToAll { bytes }),
        Step::all(Collective::Barrier),
        Step::all(Collective::Broadcast { root: Rank::new(0), bytes }),
        Step::all(Action::Mark { mark: 0 }),
    ];
    Program::compile(n, &steps, AlgorithmSet::Mpich1_1).unwrap()
}

/// Collectives of every kind, entered twice in a loop and on a group, by a library.
fn collectives(library: AlgorithmSet, n: u32, bytes: u64) -> Program {
    let root = Rank::new(1);
    let member = |rank| Step::one(Rank::new(rank), StepKind::Member { group: 1 });
    let mut steps: Vec<Step> = (1..n).rev().map(member).collect();
    steps.push(Step::all(StepKind::Repeat { count: 2 }));
    for collective in [
        Collective::Broadcast { root, bytes },
        Collective::Reduce { root, bytes },
        Collective::AllReduce { bytes },
        Collective::Barrier,
        Collective::AllGather { bytes },
        Collective::AllToAll { bytes },
        Collective::ReduceScatter { bytes },
        Collective::Gather { root, bytes },
        Collective::Scatter { root, bytes },
    ] {
        steps.extend([Step::all(collective), Step::of_group(1, collective)]);
        steps.push(Step::all(Action::Mark { mark: 0 }));
    }
    steps.push(Step::all(StepKind::EndRepeat));
    Program::compile(n, &steps, library).unwrap()
}

#[test]
fn collectives_take_the_time_of_their_messages() {
    for (library, bytes) in AlgorithmSet::ALL.into_iter().flat_map(|one| [(one, 9), (one, 9_000)]) {
        let (network, program) =
            (star(5, Middle::StoreAndForward, 60), collectives(library, 5, bytes));
        let times = |program: &Program| {
            let of_all = |marks: &[MarkRecord]| marks.iter().map(|mark| mark.time).collect();
            simulate(&network, &linux_6(), program, |marks, _| of_all(marks)).unwrap()
        };
        let found: Vec<Time> = times(&program);
        assert_eq!(found, times(&program.written_out()));
        assert!(found.len() == 90 && found.is_sorted());
    }
}

type Trace = (Vec<Time>, Counters);

/// Simulates a storm and checks the laws; returns the results that must be equal between runs.
fn check(network: &Network, host: &HostModel, bytes: u64) -> Trace {
    let n = network.fabric.n_nodes();
    simulate(network, host, &storm(n, bytes), |marks, model| {
        let counters = model.counters();
        assert_eq!(
            counters.frames_created,
            counters.frames_consumed + counters.frames_dropped() + model.frames_in_flight(),
            "frames are taken in, dropped or under way"
        );
        let ends = model.endpoints();
        for end in ends {
            let (_, _, received, read) = end.totals();
            let (written, acknowledged, _, _) = ends[end.peer].totals();
            assert_eq!(written, read, "every byte written is read");
            assert!(acknowledged <= received && received == read);
        }
        assert_eq!(marks.len(), n as usize, "every rank finishes");
        (marks.iter().map(|mark| mark.time).collect(), counters)
    })
    .unwrap()
}

/// Hosts without costs, with all modern options of TCP.
fn linux_6() -> HostModel {
    let mut host = ideal();
    host.tcp.congestion = CongestionControl::Cubic;
    let [shortest, longest] = [40, 200].map(Time::from_ms);
    host.tcp.ack_rule = AckRule::Adaptive { shortest, longest };
    host.tcp.restart_when_idle = true;
    host.tcp.extensions = TcpExtensions {
        sack: true,
        limited_transmit: true,
        timestamps: true,
        counts_segments: true,
        local_drops: false,
        ..TcpExtensions::PLAIN
    };
    host
}

/// Modern hosts with queues that mark.
fn data_centre() -> HostModel {
    let mut host = linux_6();
    host.tcp.congestion = CongestionControl::Dctcp;
    host.tcp.extensions.ecn = true;
    host.queues.mark_above = 5;
    host
}

fn hosts() -> impl Strategy<Value = HostModel> {
    prop_oneof![Just(linux_2_0()), Just(ideal()), Just(linux_6()), Just(data_centre())]
}

proptest! {
    #![proptest_config(crate::networks::repeatable(96))]

    #[test]
    fn frames_and_bytes_are_conserved_on_hubs_and_switches(
        n in 2u32..9,
        middle in prop_oneof![
            Just(Middle::Hub), Just(Middle::StoreAndForward), Just(Middle::CutThrough)
        ],
        queue in 4u32..40,
        bytes in 0u64..40_000,
        host in hosts(),
    ) {
        let network = star(n, middle, queue);
        let first = check(&network, &host, bytes);
        prop_assert_eq!(first, check(&network, &host, bytes));
    }

    #[test]
    fn frames_and_bytes_are_conserved_where_nodes_forward(
        n in 2u32..7,
        bytes in 0u64..40_000,
        receive_ring in 2u32..33,
        host in hosts(),
    ) {
        let mut host = host;
        host.queues.receive = receive_ring;
        let network = chain(n);
        let first = check(&network, &host, bytes);
        prop_assert_eq!(first, check(&network, &host, bytes));
    }
}

#[test]
fn frames_are_conserved_where_switches_choose_among_paths() {
    for (k, mode, queue) in [
        (2, SwitchMode::StoreAndForward, 20),
        (4, SwitchMode::StoreAndForward, 4),
        (4, SwitchMode::CutThrough, 30),
    ] {
        let network = fat_tree(k, mode, queue);
        for host in [linux_2_0(), ideal(), linux_6(), data_centre()] {
            let first = check(&network, &host, 20_000);
            assert_eq!(first, check(&network, &host, 20_000));
            assert!(queue > 4 || first.1.dropped_at_queues > 0, "short queues overflow");
        }
    }
}

#[test]
fn frames_are_conserved_where_a_switch_cuts_through_and_stores() {
    for n in 4..10 {
        // Slow enough that frames of both kinds are inside it at once.
        let network = slow_hub_on_switch(n, SwitchMode::CutThrough, Time::from_us(500));
        for bytes in [1, 1_461, 20_000] {
            check(&network, &ideal(), bytes);
        }
    }
}

#[test]
fn a_send_to_a_rank_that_has_finished_is_a_deadlock() {
    // Rank 2 waits for 1, which is blocked by the full window of 0, which will never read.
    let send = |from, to| {
        Step::one(Rank::new(from), Action::Send { to: Rank::new(to), bytes: 100_000, tag: 0 })
    };
    for (steps, stuck) in
        [(&[send(0, 1)][..], &[0][..]), (&[send(1, 0)], &[1]), (&[send(2, 1), send(1, 0)], &[1, 2])]
    {
        let program = Program::compile(3, steps, AlgorithmSet::Mpich1_1).unwrap();
        let failure = simulate(&chain(3), &linux_2_0(), &program, |_, _| ()).unwrap_err();
        let packet::PacketError::Run(RunError::Deadlock { stuck: ranks }) = failure else {
            panic!("{failure}");
        };
        assert_eq!(ranks.iter().map(|rank| rank.rank.get()).collect::<Vec<_>>(), stuck);
    }
}

#[test]
fn every_protocol_boundary_is_crossed_safely() {
    for bytes in [0, 1, 1436, 1437, 16_383, 16_384, 127_999, 128_000, 200_001] {
        check(&chain(3), &linux_2_0(), bytes);
    }
}

#[test]
fn a_deadlock_names_the_ranks_and_what_they_wait_for() {
    let receive = |from| Action::Receive { from: Some(Rank::new(from)), tag: 7 };
    let steps = [Step::one(Rank::new(0), receive(1)), Step::one(Rank::new(1), receive(0))];
    let program = Program::compile(3, &steps, AlgorithmSet::Mpich1_1).unwrap();
    let network = chain(3);
    let failure = simulate(&network, &linux_2_0(), &program, |_, _| ()).unwrap_err();
    let packet::PacketError::Run(RunError::Deadlock { stuck }) = failure else {
        panic!("{failure}");
    };
    let ranks: Vec<_> = stuck.iter().map(|rank| (rank.rank.get(), rank.index)).collect();
    assert_eq!(ranks, [(0, 0), (1, 0)]);
}

#[test]
fn forwarding_puts_off_the_computation_of_the_node_between() {
    // Long enough for the slow start of the transfer that runs beside it.
    let work = Time::from_ms(2_000);
    let busy = Step::one(Rank::new(1), Action::Compute { work });
    let done = Step::one(Rank::new(1), Action::Mark { mark: 0 });
    let bytes = 100_000;
    let traffic = [
        Step::one(Rank::new(0), Action::Send { to: Rank::new(2), bytes, tag: 0 }),
        Step::one(Rank::new(2), Action::Receive { from: Some(Rank::new(0)), tag: 0 }),
    ];
    let time_of = |steps: &[Step]| {
        let program = Program::compile(3, steps, AlgorithmSet::Mpich1_1).unwrap();
        simulate(&chain(3), &linux_2_0(), &program, |marks, model| {
            (marks[0].time, model.counters().forwards)
        })
        .unwrap()
    };
    let (alone, none) = time_of(&[busy, done]);
    assert_eq!((alone, none), (work, 0));
    let (disturbed, forwards) = time_of(&[busy, done, traffic[0], traffic[1]]);
    // 100,000 bytes are 69 segments; each relayed frame takes at least the fixed part of
    // forwarding.
    assert!(forwards >= 69);
    assert!(disturbed > work + Time::from_us(31) * 60, "{disturbed}");
}

#[test]
fn a_segment_pays_its_way_to_the_interface_also_when_its_window_opens_during_the_copy() {
    let mut host = ideal();
    host.costs.send_fixed = Time::from_ms(1);
    host.costs.send_copy = Cost::from_seconds(0.0, 1e-6);
    // One segment in flight, acknowledged as soon as it is read.
    host.tcp.receive_buffer = 2 * 1460;
    host.tcp.window_rule = linux_2_0().tcp.window_rule;
    host.tcp.ack_rule = linux_2_0().tcp.ack_rule;
    let steps = [
        Step::one(Rank::new(0), Action::Send { to: Rank::new(1), bytes: 10 * 1460, tag: 0 }),
        Step::one(Rank::new(1), Action::Receive { from: Some(Rank::new(0)), tag: 0 }),
        Step::one(Rank::new(1), Action::Mark { mark: 0 }),
    ];
    let program = Program::compile(2, &steps, AlgorithmSet::Mpich1_1).unwrap();
    let arrival = simulate(&chain(2), &host, &program, |marks, _| marks[0].time).unwrap();
    assert!(arrival > Time::from_us(10 * (1460 + 1000)), "{arrival}");
}

#[test]
fn a_queue_that_holds_tcp_back_drops_nothing_of_its_own_node() {
    // One node sends to eight: a larger burst than its queue holds.
    for middle in [Middle::StoreAndForward, Middle::Hub] {
        let (network, n) = (star(9, middle, 1_000), 9);
        let mut steps: Vec<Step> = (1..n)
            .map(|to| {
                Step::one(
                    Rank::new(0),
                    Action::StartSend { to: Rank::new(to), bytes: 60_000, tag: 0, number: 0 },
                )
            })
            .collect();
        steps.extend((1..n).map(|to| {
            Step::one(Rank::new(to), Action::Receive { from: Some(Rank::new(0)), tag: 0 })
        }));
        steps.push(Step::one(Rank::new(0), Action::WaitAll));
        let program = Program::compile(n, &steps, AlgorithmSet::Mpich1_1).unwrap();
        let mut host = ideal();
        host.queues.transmit = 30;
        let dropped = |host: &HostModel| {
            simulate(&network, host, &program, |_, model| model.counters().dropped_at_queues)
                .unwrap()
        };
        assert!(dropped(&host) > 0);
        host.tcp.extensions.local_drops = false;
        assert_eq!(dropped(&host), 0, "{middle:?}");
    }
}

#[test]
fn a_connection_held_back_goes_on_as_soon_as_a_frame_has_left() {
    // A queue of one frame for TCP, and segments far shorter than a full one.
    let mut host = linux_6();
    host.queues.transmit = 2;
    (host.tcp.segment_bytes, host.tcp.initial_window) = (112, 1_000);
    host.tcp.extensions.timestamps = false;
    let bytes = 112 * 100;
    let steps = [
        Step::one(Rank::new(0), Action::Send { to: Rank::new(1), bytes, tag: 0 }),
        Step::one(Rank::new(1), Action::Receive { from: Some(Rank::new(0)), tag: 0 }),
        Step::one(Rank::new(1), Action::Mark { mark: 0 }),
    ];
    let program = Program::compile(2, &steps, AlgorithmSet::Mpich1_1).unwrap();
    let end = simulate(&chain(2), &host, &program, |marks, _| marks[0].time).unwrap();
    // Frames of 112 + 58 bytes and 20 more around each; none after the last.
    assert_eq!(end, Time::from_ns(100 * 190 * 80 - 960));
}

#[test]
fn marks_keep_a_queue_from_overflowing_and_without_a_threshold_there_are_none() {
    // Two nodes send to a third: drop-tail loses, and a full buffer is paused.
    let steps: Vec<Step> = [1, 2]
        .into_iter()
        .flat_map(|from| {
            let (here, there) = (Rank::new(0), Rank::new(from));
            [
                Step::one(there, Action::Send { to: here, bytes: 400_000, tag: 0 }),
                Step::one(
                    here,
                    Action::StartReceive { from: Some(there), tag: 0, number: from - 1 },
                ),
            ]
        })
        .chain([Step::one(Rank::new(0), Action::WaitAll)])
        .collect();
    let program = Program::compile(3, &steps, AlgorithmSet::Mpich1_1).unwrap();
    for pause in [false, true] {
        let network = star(3, Middle::StoreAndForward, 40);
        let trouble = |mark_above| {
            let mut host = data_centre();
            (host.queues.mark_above, host.links.pause) = (mark_above, pause);
            simulate(&network, &host, &program, |_, model| {
                model.counters().frames_dropped() + model.counters().pauses
            })
            .unwrap()
        };
        assert_eq!(trouble(5), 0, "{pause}");
        assert!(trouble(0) > 0, "{pause}");
    }
}

#[test]
fn the_memory_of_a_run_is_that_of_its_nodes_ends_and_frames() {
    let memory = |n: u32| {
        let host = linux_2_0();
        simulate(&chain(n), &host, &storm(n, 10_000), |_, model| {
            let (nodes, ends, frames) = model.memory_bytes();
            assert!(ends >= model.endpoints().len() * size_of::<host::tcp::Endpoint>());
            assert!(frames >= size_of::<packet::Frame>());
            nodes
        })
        .unwrap()
    };
    let (three, six) = (memory(3), memory(6));
    assert!(three >= 3 * 64 && six > three, "{three} {six}");
}
