//! Datagrams: their times on an idle path by closed forms, the places of losses, and the accounting
//! of every one.

use crate::networks::{
    Middle, bonded, chain, fat_tree, ideal, linux_2_0, microseconds, over_ipv6, simulate, star,
};
use host::{HostModel, LinkOptions, Neighbours};
use network::Network;
use packet::Counters;
use packet::datagram::Delivery;
use program::{Action, AlgorithmSet, Collective, DatagramProtocol, Program, Rank, Step, StepKind};
use proptest::prelude::*;
use quantity::{Cost, Time};

const UDP: DatagramProtocol = DatagramProtocol::Udp;

/// Rank `from` sends `count` datagrams of `bytes` to rank `to`.
fn stream(from: u32, to: u32, count: u32, (bytes, spacing): (u32, Time)) -> [Step; 3] {
    [
        Step::one(Rank::new(from), StepKind::Repeat { count }),
        Step::one(
            Rank::new(from),
            Action::Datagram { to: Rank::new(to), bytes, answer: 0, protocol: UDP, spacing },
        ),
        Step::one(Rank::new(from), StepKind::EndRepeat),
    ]
}

fn run(network: &Network, host: &HostModel, steps: &[Step]) -> (Vec<Delivery>, Counters) {
    let n_ranks = network.fabric.n_nodes();
    let program = Program::compile(n_ranks, steps, AlgorithmSet::Mpich1_1).unwrap();
    simulate(network, host, &program, |_, model| {
        let (counters, deliveries) = (model.counters(), model.deliveries().to_vec());
        assert_eq!(
            counters.frames_created,
            counters.frames_consumed + counters.frames_dropped() + model.frames_in_flight()
        );
        assert_eq!(model.frames_in_flight(), 0, "the run lasts until the last has arrived");
        (deliveries, counters)
    })
    .unwrap()
}

fn last_node(network: &Network) -> u32 {
    network.fabric.n_nodes() - 1
}

fn n_lost(deliveries: &[Delivery]) -> usize {
    deliveries.iter().filter(|delivery| delivery.received.is_none()).count()
}

/// Returns the time on the wire, with preamble, at 100 Mb/s.
fn wire_us(ip_bytes: u32) -> f64 {
    f64::from((ip_bytes + 18).max(64) + 8) * 0.08
}

/// The last of `n` full datagrams over `h` wires: their spacing is the time of one and the gap, and
/// each wire but the first adds the time of the last one. With full datagrams all frames are equal,
/// so that no wire ever waits.
#[test]
fn n_datagrams_over_h_hops_take_what_the_closed_form_says() {
    let us = |delivery: &Delivery| delivery.received.unwrap();
    for n in [1u32, 2, 17, 300] {
        for hops in 1..4 {
            let steps = stream(0, hops, n, (1472, Time::ZERO));
            let (deliveries, _) = run(&chain(hops + 1), &ideal(), &steps);
            let period = wire_us(1500) + 0.96;
            let expected = f64::from(n - 1) * period + f64::from(hops) * wire_us(1500);
            assert_eq!(us(deliveries.last().unwrap()), microseconds(expected), "{n} over {hops}");
            assert_eq!(n_lost(&deliveries), 0);
        }
        let steps = stream(0, 1, n, (1472, Time::ZERO));
        let (deliveries, _) = run(&star(2, Middle::StoreAndForward, 9), &ideal(), &steps);
        let expected = f64::from(n - 1) * (wire_us(1500) + 0.96) + 2.0 * wire_us(1500) + 7.2;
        assert_eq!(us(deliveries.last().unwrap()), microseconds(expected));
        let (deliveries, _) = run(&star(2, Middle::Hub, 9), &ideal(), &steps);
        let expected = f64::from(n - 1) * (wire_us(1500) + 0.96) + wire_us(1500) + 0.6;
        assert_eq!(us(deliveries.last().unwrap()), microseconds(expected), "{n} on a hub");
    }
}

/// The host costs of one datagram: a system call and a copy, each packet, the interrupts in turn,
/// and the reading.
#[test]
fn a_datagram_of_three_fragments_is_the_sum_of_its_parts() {
    let host = linux_2_0();
    let steps = stream(0, 1, 1, (4000, Time::ZERO));
    let (deliveries, counters) = run(&chain(2), &host, &steps);
    assert_eq!(counters.frame_hops, 3);
    let sent = 9.0 + 0.015 * 4008.0 + 3.0 * 24.6;
    // Full packets arrive more slowly than they are processed.
    let arrived = sent + 2.0 * (wire_us(1500) + 0.96) + wire_us(1048 + 20);
    let read = arrived + 21.0 + 0.004 * 1048.0 + 11.0 + 0.006 * 4000.0;
    let got = deliveries[0].received.unwrap();
    assert!(got.ps().abs_diff(microseconds(read).ps()) < 2_000, "{got} is not {read} us");
}

#[test]
fn as_many_frames_leave_as_the_formula_says() {
    for bytes in (0..=65_507).step_by(997).chain([1472, 1473, 65_507]) {
        let steps = stream(0, 1, 1, (bytes, Time::ZERO));
        let (deliveries, counters) = run(&chain(2), &ideal(), &steps);
        assert_eq!(counters.frames_created, u64::from((bytes + 8).div_ceil(1480)));
        assert!(deliveries[0].received.is_some());
        let (_, counters) = run(&over_ipv6(chain(2)), &ideal(), &steps);
        let parts = if bytes <= 1452 { 1 } else { (bytes + 8).div_ceil(1448) };
        assert_eq!(counters.frames_created, u64::from(parts));
    }
}

#[test]
fn a_given_rate_is_kept_and_the_processor_is_free_meanwhile() {
    let spacing = Time::from_us(1_000);
    let (deliveries, _) = run(&chain(2), &linux_2_0(), &stream(0, 1, 50, (1000, spacing)));
    for (index, delivery) in (0..).zip(&deliveries) {
        assert_eq!(delivery.sent, spacing * index);
        assert_eq!(
            delivery.received.unwrap() - delivery.sent,
            deliveries[0].received.unwrap(),
            "each takes what the first does"
        );
    }
}

#[test]
fn one_lost_fragment_loses_the_datagram() {
    // The port to node 2 holds 4 frames; two senders fill it with datagrams of three fragments.
    let network = star(3, Middle::StoreAndForward, 4);
    let mut steps = stream(0, 2, 40, (4000, Time::ZERO)).to_vec();
    steps.extend(stream(1, 2, 40, (4000, Time::ZERO)));
    let (deliveries, counters) = run(&network, &ideal(), &steps);
    assert!(counters.dropped_at_queues > 0);
    let n_lost = n_lost(&deliveries) as u64;
    assert!(n_lost > 0 && n_lost < 80);
    assert!(n_lost <= counters.dropped_at_queues, "each lost at least one fragment");
    assert_eq!(counters.datagrams_overflowed, 0);
    // A fragment is sent, stored at the switch, and there dropped or delivered.
    assert_eq!(counters.frames_created, 80 * 3);
}

#[test]
fn a_busy_process_lets_its_socket_overflow() {
    let mut host = ideal();
    host.links.datagram_buffer = 5_000;
    let mut steps = stream(0, 1, 20, (1000, Time::ZERO)).to_vec();
    steps.push(Step::one(Rank::new(1), Action::Compute { work: Time::from_ms(500) }));
    let (deliveries, counters) = run(&chain(2), &host, &steps);
    assert_eq!((n_lost(&deliveries), counters.datagrams_overflowed), (15, 15));
    let read = deliveries.iter().filter_map(|delivery| delivery.received);
    assert!(read.into_iter().all(|time| time == Time::from_ms(500)));
}

#[test]
fn a_receiver_that_cannot_keep_up_loses_what_comes_too_fast() {
    let mut host = ideal();
    host.costs.read = Cost::from_seconds(200e-6, 0.0);
    host.links.datagram_buffer = 10 * 1472;
    let (deliveries, counters) = run(&chain(2), &host, &stream(0, 1, 1000, (1472, Time::ZERO)));
    // The receiver reads one in 200 us, while one arrives every 123.04 us, and the ten queued at
    // the end.
    let expected = 1000.0 * 123.04 / 200.0 + 10.0;
    let delivered = (1000 - n_lost(&deliveries)) as f64;
    assert!((delivered - expected).abs() < 3.0, "{delivered} of {expected}");
    assert_eq!(n_lost(&deliveries) as u64, counters.datagrams_overflowed);
}

#[test]
fn a_question_that_nobody_hears_is_asked_three_times_and_the_packets_are_dropped() {
    let mut host = ideal();
    let neighbours = Neighbours::Cold { waiting: 3, retry: Time::from_ms(1_000), tries: 3 };
    host.links = LinkOptions { neighbours, ..host.links };
    host.queues.receive = 0;
    let (deliveries, counters) = run(&chain(2), &host, &stream(0, 1, 5, (100, Time::ZERO)));
    assert_eq!(n_lost(&deliveries), 5);
    assert_eq!((counters.dropped_unresolved, counters.dropped_at_receivers), (5, 3));
    // The next one sends a new request.
    let later = stream(0, 1, 5, (100, Time::from_ms(1_700)));
    let (_, counters) = run(&chain(2), &host, &later);
    // They come at 0, 1.7, 3.4, 5.1 and 6.8 s: two wait until 3 s, two until 6.4 s, one alone.
    assert_eq!((counters.dropped_unresolved, counters.dropped_at_receivers), (5, 9));
}

proptest! {
    #![proptest_config(crate::networks::repeatable(64))]

    #[test]
    fn datagrams_and_frames_are_conserved_beside_messages(
        n in 2u32..7,
        shape in 0u32..6,
        bytes in 0u32..9_000,
        count in 1u32..60,
        message in 0u64..10_000,
        receive in 2u32..40,
        transmit in 1u32..40,
        is_cold: bool,
        is_ideal: bool,
    ) {
        let network = match shape {
            0 => star(n, Middle::Hub, 20),
            1 => star(n, Middle::StoreAndForward, 7),
            2 => star(n, Middle::CutThrough, 20),
            3 => bonded(n, 2, Middle::StoreAndForward),
            4 => over_ipv6(chain(n)),
            _ => fat_tree(2, network::SwitchMode::StoreAndForward, 7),
        };
        let mut host = if is_ideal { ideal() } else { linux_2_0() };
        (host.queues.receive, host.queues.transmit) = (receive, transmit);
        if is_cold {
            host.links.neighbours =
                Neighbours::Cold { waiting: 3, retry: Time::from_ms(1_000), tries: 3 };
        }
        let last = last_node(&network);
        let mut steps = vec![];
        for rank in 0..last {
            steps.extend(stream(rank, last, count, (bytes, Time::from_us(90))));
        }
        steps.push(Step::all(Collective::AllToAll { bytes: message }));
        steps.extend(stream(last, 0, count, (bytes, Time::ZERO)));
        let (first, counters) = run(&network, &host, &steps);
        prop_assert_eq!(first.len() as u32, (last + 1) * count);
        let lost = n_lost(&first) as u64;
        prop_assert!(lost <= counters.frames_dropped() + counters.datagrams_overflowed);
        for delivery in &first {
            prop_assert!(delivery.received.is_none_or(|received| received >= delivery.sent));
        }
        prop_assert_eq!((first, counters), run(&network, &host, &steps));
    }
}

/// A reply leaves when its request has been read, and takes the time of a datagram of its size.
#[test]
fn who_reads_a_question_answers_it() {
    let ask = |answer| {
        let (bytes, spacing) = (1000, Time::from_ms(5));
        let action = Action::Datagram { to: Rank::new(2), bytes, answer, protocol: UDP, spacing };
        let [begin, _, end] = stream(0, 2, 3, (0, Time::ZERO));
        run(&chain(3), &linux_2_0(), &[begin, Step::one(Rank::new(0), action), end])
    };
    let (unanswered, _) = ask(0);
    let (deliveries, counters) = ask(2000);
    assert_eq!((unanswered.len(), deliveries.len()), (3, 6));
    let (back, _) = run(&chain(3), &linux_2_0(), &stream(2, 0, 1, (2000, Time::ZERO)));
    assert_eq!(counters.frame_hops, 3 * (2 + 2 * 2));
    let (questions, answers): (Vec<&Delivery>, Vec<&Delivery>) =
        deliveries.iter().partition(|one| one.to == Rank::new(2));
    assert_eq!((questions.len(), answers.len()), (3, 3));
    for (question, answer) in questions.into_iter().zip(answers) {
        assert_eq!((answer.from.get(), answer.to.get(), answer.bytes), (2, 0, 2000));
        assert_eq!(question.received, Some(answer.sent), "it goes out when it has been read");
        // The receiver has paid for the reply in the same call.
        let read = unanswered[0].received.unwrap() - unanswered[0].sent;
        let took = answer.received.unwrap() - question.sent;
        assert_eq!(took, read + back[0].received.unwrap());
    }
}
