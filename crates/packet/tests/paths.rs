//! One message on an idle path, compared with the sum of its parts computed by hand. Busy paths
//! have no such sum; the laws of a run cover them.

use crate::networks::{
    Middle, chain, fat_tree, linux_2_0, microseconds, simulate, slow_hub_on_switch, star,
};
use network::{Network, SwitchMode};
use program::{Action, AlgorithmSet, Program, Rank, Step, StepKind};
use quantity::Time;

/// Returns half a round trip of `bytes` between the first and the last node over warm connections.
fn half_round_trip(network: &Network, bytes: u64) -> Time {
    let last = network.fabric.n_nodes() - 1;
    let exchange = |count| {
        let send = |to| Action::Send { to: Rank::new(to), bytes, tag: 0 };
        let receive = |from| Action::Receive { from: Some(Rank::new(from)), tag: 0 };
        let repeat = StepKind::Repeat { count };
        [
            Step::one(Rank::new(0), repeat),
            Step::one(Rank::new(0), send(last)),
            Step::one(Rank::new(0), receive(last)),
            Step::one(Rank::new(0), StepKind::EndRepeat),
            Step::one(Rank::new(last), repeat),
            Step::one(Rank::new(last), receive(0)),
            Step::one(Rank::new(last), send(0)),
            Step::one(Rank::new(last), StepKind::EndRepeat),
        ]
    };
    let mut steps = exchange(10).to_vec();
    steps.push(Step::one(Rank::new(0), Action::Mark { mark: 0 }));
    steps.extend(exchange(20));
    steps.push(Step::one(Rank::new(0), Action::Mark { mark: 1 }));
    let program = Program::compile(last + 1, &steps, AlgorithmSet::Mpich1_1).unwrap();
    simulate(network, &linux_2_0(), &program, |marks, _| {
        Time::from_ps((marks[1].time - marks[0].time).ps() / 40)
    })
    .unwrap()
}

const WIRE: [f64; 2] = [(32.0 + 66.0) * 0.08, (25.0 + 66.0) * 0.08];
const RECEIVE: [f64; 2] = [21.0 + 0.004 * 32.0, 21.0 + 0.004 * 25.0];
const READ: [f64; 2] = [11.0 + 0.006 * 32.0, 11.0 + 0.006 * 25.0];
const FORWARD: [f64; 2] = [31.2 + 0.020 * 72.0, 31.2 + 0.020 * 65.0];

/// Returns the time of one byte over `hops` wires in microseconds: two segments, the header (0) and
/// the body (1), pass the sender, every forwarder and the receiver, each of which handles them one
/// after the other.
fn by_hand(hops: usize) -> f64 {
    with_delay(hops, [0.0; 2])
}

/// Returns the same time with an additional delay of each segment on its path.
fn with_delay(hops: usize, delay: [f64; 2]) -> f64 {
    let write = |payload: f64| 9.0 + 24.6 + 0.015 * payload;
    let header = 17.0 + 0.003 + write(32.0);
    let mut arrival = [header + WIRE[0] + delay[0], header + write(25.0) + WIRE[1] + delay[1]];
    for _ in 1..hops {
        let relayed = arrival[0] + FORWARD[0];
        arrival = [relayed + WIRE[0], arrival[1].max(relayed) + FORWARD[1] + WIRE[1]];
    }
    let taken = arrival[0] + RECEIVE[0];
    let both_taken = arrival[1].max(taken) + RECEIVE[1];
    // The interrupt of the body delays the reading of the header.
    let is_put_off = arrival[1] < taken + READ[0];
    let header_read = taken + READ[0] + if is_put_off { RECEIVE[1] } else { 0.0 };
    both_taken.max(header_read) + READ[1] + 50.5 + 2.0 * 0.003
}

fn check(network: &Network, expected_us: f64) {
    let got = half_round_trip(network, 1);
    let difference = got.ps().abs_diff(microseconds(expected_us).ps());
    assert!(difference < 2_000, "{got} is not {expected_us} us");
}

#[test]
fn a_direct_link_is_the_sum_of_its_parts() {
    check(&chain(2), by_hand(1));
    assert!((by_hand(1) - 175.1).abs() < 0.1, "the printed 175 us");
}

#[test]
fn each_forward_adds_storing_and_relaying() {
    for hops in 2..=4 {
        check(&chain(hops + 1), by_hand(hops as usize));
    }
}

#[test]
fn an_idle_hub_is_a_direct_link_but_for_its_delay() {
    check(&star(2, Middle::Hub, 100), by_hand(1) + 0.6);
}

#[test]
fn a_switch_adds_storing_and_its_latency_or_its_latency_alone() {
    check(&star(2, Middle::StoreAndForward, 100), by_hand(1) + WIRE[1] + 7.2);
    check(&star(2, Middle::CutThrough, 100), by_hand(1) + 5.0);
}

#[test]
fn across_the_pods_of_a_fat_tree_five_switches_add_theirs() {
    let stored = fat_tree(4, SwitchMode::StoreAndForward, 100);
    check(&stored, with_delay(1, WIRE.map(|wire| 5.0 * (wire + 5.0))));
    check(&fat_tree(4, SwitchMode::CutThrough, 100), by_hand(1) + 5.0 * 5.0);
}

#[test]
fn between_two_rates_a_cut_through_switch_stores_a_frame_once() {
    let latency = Time::from_us(5);
    let by_mode = |mode| half_round_trip(&slow_hub_on_switch(2, mode, latency), 1000);
    assert_eq!(by_mode(SwitchMode::CutThrough), by_mode(SwitchMode::StoreAndForward));
}
