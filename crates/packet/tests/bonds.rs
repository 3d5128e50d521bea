//! Bonds: frames and bytes are conserved although frames overtake each other, two buses carry twice
//! the load of one, and a lone message gains nothing.

use crate::networks::{Middle, bonded, ideal, linux_2_0, simulate};
use host::HostModel;
use network::Network;
use packet::Counters;
use program::{Action, AlgorithmSet, Collective, Program, Rank, Step};
use proptest::prelude::*;
use quantity::Time;

/// Simulates a program and checks that every frame and byte is accounted for.
fn check(network: &Network, host: &HostModel, program: &Program) -> (Time, Counters) {
    simulate(network, host, program, |marks, model| {
        let counters = model.counters();
        assert_eq!(
            counters.frames_created,
            counters.frames_consumed + counters.frames_dropped() + model.frames_in_flight()
        );
        let ends = model.endpoints();
        for end in ends {
            let (_, _, received, read) = end.totals();
            let (written, ..) = ends[end.peer].totals();
            assert_eq!((written, received), (read, read));
        }
        (marks.iter().map(|mark| mark.time).max().unwrap(), counters)
    })
    .unwrap()
}

/// Node 0 sends one message to node 1, which marks its arrival.
fn message(bytes: u64) -> Program {
    let steps = [
        Step::one(Rank::new(0), Action::Send { to: Rank::new(1), bytes, tag: 0 }),
        Step::one(Rank::new(1), Action::Receive { from: Some(Rank::new(0)), tag: 0 }),
        Step::one(Rank::new(1), Action::Mark { mark: 0 }),
    ];
    Program::compile(2, &steps, AlgorithmSet::Mpich1_1).unwrap()
}

fn any_middle() -> impl Strategy<Value = Middle> {
    prop_oneof![Just(Middle::Hub), Just(Middle::StoreAndForward), Just(Middle::CutThrough)]
}

proptest! {
    #![proptest_config(crate::networks::repeatable(48))]

    #[test]
    fn frames_and_bytes_are_conserved(
        n in 2u32..7,
        buses in 1u32..5,
        middle in any_middle(),
        transmit in 1u32..40,
        bytes in 0u64..40_000,
        is_ideal: bool,
    ) {
        let steps = [
            Step::all(Collective::AllToAll { bytes }),
            Step::all(Collective::Barrier),
            Step::all(Action::Mark { mark: 0 }),
        ];
        let program = Program::compile(n, &steps, AlgorithmSet::Mpich1_1).unwrap();
        let mut host = if is_ideal { ideal() } else { linux_2_0() };
        host.queues.transmit = transmit;
        let network = bonded(n, buses, middle);
        prop_assert_eq!(check(&network, &host, &program), check(&network, &host, &program));
    }
}

#[test]
fn as_many_buses_carry_as_many_times_as_much() {
    let mut host = ideal();
    host.tcp.receive_buffer = 32_768;
    for middle in [Middle::Hub, Middle::StoreAndForward] {
        let times = [1, 2, 3]
            .map(|buses| check(&bonded(2, buses, middle), &host, &message(2_000_000)).0.seconds());
        for (buses, time) in (1..).zip(times) {
            let share = times[0] / time / f64::from(buses);
            // On several hubs, data and acknowledgements also collide less.
            assert!((0.9..1.2).contains(&share), "{middle:?} {buses}: {share}");
        }
    }
}

#[test]
fn a_message_of_one_frame_gains_nothing() {
    for middle in [Middle::Hub, Middle::StoreAndForward, Middle::CutThrough] {
        let time = |buses| check(&bonded(2, buses, middle), &ideal(), &message(1_000)).0;
        assert_eq!(time(1), time(2));
    }
}

#[test]
fn a_full_transmit_queue_spills_to_the_next_bus() {
    let mut host = ideal();
    host.queues.transmit = 4;
    // Ten frames leave at once: on two buses eight fit, on three all do.
    let dropped = |buses| check(&bonded(2, buses, Middle::Hub), &host, &message(14_600)).1;
    assert_eq!(dropped(2).dropped_at_queues, 2);
    assert_eq!(dropped(3).dropped_at_queues, 0);
}
