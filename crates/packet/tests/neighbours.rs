//! Hardware addresses that have to be resolved: the time of an exchange on an idle path, the
//! receivers of the request, and the packets that wait for the reply; the laws of a run hold as
//! without it.

use crate::networks::{
    Middle, bonded, chain, fat_tree, ideal, linux_2_0, microseconds, over_ipv6, simulate, star,
};
use host::{HostModel, LinkOptions, Neighbours};
use network::{Network, SwitchMode};
use packet::Counters;
use program::{Action, AlgorithmSet, Collective, Program, Rank, Step};
use proptest::prelude::*;
use quantity::Time;

/// As in Linux, except for the number of packets that may wait.
fn cold(host: HostModel, waiting: u32) -> HostModel {
    let neighbours = Neighbours::Cold { waiting, retry: Time::from_ms(1_000), tries: 3 };
    HostModel { links: LinkOptions { neighbours, ..host.links }, ..host }
}

/// Returns when the last node has read `bytes` from the first, and the counters at that time.
fn message(network: &Network, host: &HostModel, bytes: u64) -> (Time, Counters) {
    let last = network.fabric.n_nodes() - 1;
    let steps = [
        Step::one(Rank::new(0), Action::Send { to: Rank::new(last), bytes, tag: 0 }),
        Step::one(Rank::new(last), Action::Receive { from: Some(Rank::new(0)), tag: 0 }),
        Step::one(Rank::new(last), Action::Mark { mark: 0 }),
    ];
    let program = Program::compile(last + 1, &steps, AlgorithmSet::Mpich1_1).unwrap();
    simulate(network, host, &program, |marks, model| (marks[0].time, model.counters())).unwrap()
}

/// Hosts with costs only for sending and receiving frames without data.
fn answering(make: f64, take: f64) -> HostModel {
    let mut host = ideal();
    host.costs.make_ack = microseconds(make);
    host.costs.take_ack = microseconds(take);
    host
}

#[test]
fn on_an_idle_path_each_hop_waits_for_one_exchange() {
    // 64 bytes and the preamble at 100 Mb/s; 90 over IPv6.
    let (arp, discovery) = (5.76, 7.84);
    let host = answering(10.0, 20.0);
    let exchange = |wire: f64| 2.0 * (10.0 + wire + 20.0);
    let cases = [
        (chain(2), exchange(arp)),
        (chain(4), 3.0 * exchange(arp)),
        (over_ipv6(chain(3)), 2.0 * exchange(discovery)),
        (star(3, Middle::StoreAndForward, 9), exchange(2.0 * arp + 7.2)),
        (over_ipv6(star(3, Middle::CutThrough, 9)), exchange(discovery + 5.0)),
        (star(5, Middle::Hub, 9), exchange(arp + 0.6)),
        (fat_tree(4, SwitchMode::StoreAndForward, 9), exchange(6.0 * arp + 5.0 * 5.0)),
    ];
    for (network, expected_us) in cases {
        let warm = message(&network, &host, 1_000).0;
        let waited = message(&network, &cold(host, 3), 1_000).0 - warm;
        assert_eq!(waited, microseconds(expected_us));
    }
}

#[test]
fn everybody_on_a_segment_hears_the_question_and_one_node_answers() {
    for (network, copies) in [
        // The switch makes a copy per port except the one of the request; each of the two frames
        // that follow, and the reply, is a single one.
        (star(6, Middle::StoreAndForward, 9), 5),
        // On a hub, the frame itself is the first copy.
        (star(6, Middle::Hub, 9), 4),
        // Across a fat tree the request is forwarded to its target only.
        (fat_tree(4, SwitchMode::StoreAndForward, 9), 0),
        (chain(2), 0),
    ] {
        let (_, warm) = message(&network, &ideal(), 1_000);
        let (_, asked) = message(&network, &cold(ideal(), 3), 1_000);
        assert_eq!(asked.frames_created - warm.frames_created, 2 + copies);
        assert_eq!(asked.frames_dropped(), 0);
    }
}

#[test]
fn no_more_than_so_many_packets_wait_and_the_oldest_makes_room() {
    // The initial window is ten segments, all of which are sent before the reply.
    for (waiting, dropped) in [(1, 9), (3, 7), (10, 0), (11, 0)] {
        let (_, counters) = message(&chain(2), &cold(ideal(), waiting), 14_600);
        assert_eq!(counters.dropped_unresolved, dropped);
    }
}

/// Simulates a storm of messages and checks the laws.
fn check(network: &Network, host: &HostModel, bytes: u64) -> Counters {
    let n = network.fabric.n_nodes();
    let steps = [
        Step::all(Collective::AllToAll { bytes }),
        Step::all(Collective::Barrier),
        Step::all(Action::Mark { mark: 0 }),
    ];
    let program = Program::compile(n, &steps, AlgorithmSet::Mpich1_1).unwrap();
    simulate(network, host, &program, |_, model| {
        let counters = model.counters();
        assert_eq!(
            counters.frames_created,
            counters.frames_consumed + counters.frames_dropped() + model.frames_in_flight()
        );
        for end in model.endpoints() {
            let (_, _, received, read) = end.totals();
            let (written, ..) = model.endpoints()[end.peer].totals();
            assert_eq!((written, received), (read, read));
        }
        counters
    })
    .unwrap()
}

proptest! {
    #![proptest_config(crate::networks::repeatable(64))]

    #[test]
    fn frames_and_bytes_are_conserved_although_addresses_are_asked_for(
        n in 2u32..7,
        shape in 0u32..5,
        waiting in 1u32..5,
        bytes in 0u64..20_000,
        is_v6: bool,
        is_ideal: bool,
    ) {
        let network = match shape {
            0 => star(n, Middle::Hub, 20),
            1 => star(n, Middle::StoreAndForward, 20),
            2 => star(n, Middle::CutThrough, 20),
            3 => bonded(n, 2, Middle::StoreAndForward),
            _ => chain(n),
        };
        let network = if is_v6 { over_ipv6(network) } else { network };
        let host = cold(if is_ideal { ideal() } else { linux_2_0() }, waiting);
        prop_assert_eq!(check(&network, &host, bytes), check(&network, &host, bytes));
    }
}
