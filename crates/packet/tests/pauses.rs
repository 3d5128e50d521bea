//! Pause frames: no frame is lost where drop-tail loses some, other flows are slowed down, an idle
//! path is unchanged, and a cycle of full buffers is reported as a deadlock.

use crate::networks::{
    Middle, chain, fat_tree, ideal, linux_2_0, simulate, slow_hub_on_switch, star,
};
use host::HostModel;
use network::{
    Addressing, CableSpec, DeviceId, DeviceKind, Fabric, FabricSpec, Ip, Network, Owner, PortId,
    QueueLimit, Routing, SwitchMode, SwitchModel,
};
use packet::datagram::Delivery;
use packet::{Counters, PacketError};
use program::{Action, AlgorithmSet, Collective, DatagramProtocol, Program, Rank, Step, StepKind};
use proptest::prelude::*;
use quantity::{Cost, Rate, Time};
use simulation::RunError;

fn pausing(mut host: HostModel) -> HostModel {
    host.links.pause = true;
    host
}

/// Rank `from` sends `count` full datagrams to each of `to` in turn.
fn stream(from: u32, to: &[u32], count: u32) -> Vec<Step> {
    let (protocol, spacing) = (DatagramProtocol::Udp, Time::ZERO);
    let send = |&to: &u32| Action::Datagram {
        to: Rank::new(to),
        bytes: 1472,
        answer: 0,
        protocol,
        spacing,
    };
    let mut steps = vec![Step::one(Rank::new(from), StepKind::Repeat { count })];
    steps.extend(to.iter().map(|to| Step::one(Rank::new(from), send(to))));
    steps.push(Step::one(Rank::new(from), StepKind::EndRepeat));
    steps
}

type Outcome = (Vec<Delivery>, Counters, Vec<Time>);

fn run(network: &Network, host: &HostModel, steps: &[Step]) -> Result<Outcome, PacketError> {
    let n_ranks = network.fabric.n_nodes();
    let program = Program::compile(n_ranks, steps, AlgorithmSet::Mpich1_1).unwrap();
    simulate(network, host, &program, |marks, model| {
        let (counters, deliveries) = (model.counters(), model.deliveries().to_vec());
        assert_eq!(
            counters.frames_created,
            counters.frames_consumed + counters.frames_dropped() + model.frames_in_flight()
        );
        (deliveries, counters, marks.iter().map(|mark| mark.time).collect())
    })
}

fn delivered(deliveries: &[Delivery], to: u32) -> Vec<Time> {
    deliveries
        .iter()
        .filter(|found| found.to == Rank::new(to))
        .filter_map(|found| found.received)
        .collect()
}

/// Every node sends to node 0.
fn incast(n: u32, count: u32) -> Vec<Step> {
    (1..n).flat_map(|rank| stream(rank, &[0], count)).collect()
}

#[test]
fn an_incast_that_overflows_drop_tail_loses_nothing() {
    for middle in [Middle::StoreAndForward, Middle::CutThrough] {
        let network = star(6, middle, 40);
        let (lossy, counters, _) = run(&network, &ideal(), &incast(6, 300)).unwrap();
        assert!(counters.dropped_at_queues > 900);
        assert!(delivered(&lossy, 0).len() < 600);
        let (whole, counters, _) = run(&network, &pausing(ideal()), &incast(6, 300)).unwrap();
        assert_eq!(counters.frames_dropped(), 0);
        assert!(counters.pauses > 0);
        // The link to node 0 is never idle in between: 1500 frames, and the transit of the first
        // one.
        let end = delivered(&whole, 0).into_iter().max().unwrap();
        assert_eq!(delivered(&whole, 0).len(), 1500);
        let least = Time::from_ns(123_040) * 1500;
        assert!(end > least && end < least + Time::from_us(600), "{end}");
    }
}

#[test]
fn an_incast_of_connections_has_no_time_outs() {
    let steps = [
        Step::all(Collective::Gather { root: Rank::new(0), bytes: 300_000 }),
        Step::all(Action::Mark { mark: 0 }),
    ];
    let network = star(12, Middle::StoreAndForward, 20);
    let (_, lossy, _) = run(&network, &ideal(), &steps).unwrap();
    assert!(lossy.dropped_at_queues > 0);
    let (_, whole, _) = run(&network, &pausing(ideal()), &steps).unwrap();
    assert_eq!((whole.frames_dropped(), whole.timeouts), (0, 0));
}

#[test]
fn a_slow_processor_stops_the_switch_before_its_ring_overflows() {
    let mut host = ideal();
    host.costs.receive = Cost::from_seconds(300e-6, 0.0);
    host.links.datagram_buffer = 1 << 20;
    let network = star(2, Middle::StoreAndForward, 40);
    host.queues.receive = 32;
    let (_, counters, _) = run(&network, &host, &incast(2, 200)).unwrap();
    assert!(counters.dropped_at_receivers > 0);
    let (whole, counters, _) = run(&network, &pausing(host), &incast(2, 200)).unwrap();
    assert_eq!((counters.frames_dropped(), delivered(&whole, 0).len()), (0, 200));
    // Two nodes on one cable pause each other just the same.
    let (whole, counters, _) = run(&chain(2), &pausing(host), &incast(2, 200)).unwrap();
    assert_eq!((counters.frames_dropped(), delivered(&whole, 0).len()), (0, 200));
}

#[test]
fn who_shares_a_stopped_link_waits_with_the_others() {
    // Nodes 1 and 2 send to node 0 alone, node 3 alternately to 0 and to 4, which no other node
    // uses.
    let mut steps = stream(1, &[0], 600);
    steps.extend(stream(2, &[0], 600));
    steps.extend(stream(3, &[0, 4], 200));
    let network = star(5, Middle::StoreAndForward, 40);
    let last = |host| {
        let (deliveries, ..) = run(&network, &host, &steps).unwrap();
        assert_eq!(delivered(&deliveries, 4).len(), 200);
        delivered(&deliveries, 4).into_iter().max().unwrap().seconds()
    };
    let free = 400.0 * 123.04e-6;
    assert!((last(ideal()) / free - 1.0).abs() < 0.02);
    // With pauses node 3 gets a third of the link to node 0, and node 4 no more than that.
    let share = last(pausing(ideal())) / (200.0 * 3.0 * 123.04e-6);
    assert!((0.8..1.1).contains(&share), "{share}");
}

#[test]
fn an_idle_path_takes_as_long_as_without() {
    let mut steps = stream(0, &[1], 30);
    steps.extend([
        Step::one(Rank::new(0), Action::Send { to: Rank::new(1), bytes: 100_000, tag: 0 }),
        Step::one(Rank::new(1), Action::Receive { from: Some(Rank::new(0)), tag: 0 }),
        Step::one(Rank::new(1), Action::Mark { mark: 0 }),
    ]);
    for network in [
        chain(2),
        star(2, Middle::StoreAndForward, 100),
        star(2, Middle::CutThrough, 100),
        star(2, Middle::Hub, 100),
        fat_tree(2, SwitchMode::CutThrough, 100),
    ] {
        for host in [ideal(), linux_2_0()] {
            let (datagrams, plain, times) = run(&network, &host, &steps).unwrap();
            let (with_pauses, paused, same) = run(&network, &pausing(host), &steps).unwrap();
            assert_eq!((datagrams, times), (with_pauses, same));
            assert_eq!((plain.frames_created, 0), (paused.frames_created, paused.pauses));
        }
    }
}

#[test]
fn a_buffer_of_two_frames_is_enough_for_a_stream_that_leaves_as_it_comes() {
    let network = star(2, Middle::StoreAndForward, 2);
    let (deliveries, counters, _) = run(&network, &pausing(ideal()), &incast(2, 20)).unwrap();
    assert_eq!((delivered(&deliveries, 0).len(), counters.frames_dropped()), (20, 0));
    // The second frame is in before the first has left.
    assert!(counters.pauses > 0);
}

/// A ring of `n` switches that use all shortest paths, with one node each.
fn ring(n: u32) -> Network {
    let model = SwitchModel {
        mode: SwitchMode::StoreAndForward,
        latency: Time::from_us(5),
        backplane: None,
        queue: QueueLimit::Frames(40),
        ageing: Time::from_ms(300_000),
        is_multipath: true,
    };
    let mut kinds = vec![DeviceKind::Node; n as usize];
    kinds.extend(vec![DeviceKind::Switch(model); n as usize]);
    let mut n_ports = vec![1; n as usize];
    n_ports.extend(vec![3; n as usize]);
    let (rate, delay) = (Rate::from_mbps(100), Time::ZERO);
    let end = |(device, port)| (DeviceId::new(device), port);
    let cable = |a, b| CableSpec { a: end(a), b: end(b), rate, delay };
    let to_nodes = (0..n).map(|node| cable((node, 0), (n + node, 0)));
    let around = (0..n).map(|switch| cable((n + switch, 1), (n + (switch + 1) % n, 2)));
    let fabric = Fabric::new(FabricSpec {
        kinds,
        n_ports,
        cables: to_nodes.chain(around).collect(),
        ..FabricSpec::default()
    })
    .unwrap();
    let ip = |node| Ip { is_v6: false, bits: 0x0a00_0001 + u128::from(node) };
    let addresses: Vec<_> =
        (0..n).map(|node| (ip(node), 16, Owner::Port(PortId::new(node)))).collect();
    let addressing = Addressing::new(&fabric, &addresses).unwrap();
    let routing = Routing::shortest_path(&fabric).unwrap();
    Network::new(fabric, addressing, routing)
}

#[test]
fn a_ring_of_full_buffers_is_a_deadlock_that_is_told_of() {
    // Each link of the ring is on the path of two flows, and each flow waits for the next link; the
    // nodes wait behind them.
    let streams: Vec<Step> =
        (0..5).flat_map(|rank| stream(rank, &[(rank + 2) % 5], 2000)).collect();
    let (_, counters, _) = run(&ring(5), &ideal(), &streams).unwrap();
    assert!(counters.dropped_at_queues > 0);
    let failure = run(&ring(5), &pausing(ideal()), &streams).unwrap_err();
    assert_eq!(failure, PacketError::Run(RunError::PauseDeadlock { channels: 10 }));
    // Connections detect it by the first retransmission time-out.
    let mut host = pausing(ideal());
    host.tcp.receive_buffer = 1 << 20;
    host.tcp.send_buffer = host::SendBuffer::Bytes(1 << 20);
    let shift = (0..5).flat_map(|rank| {
        let to = (rank + 2) % 5;
        [
            Step::one(
                Rank::new(rank),
                Action::StartReceive { from: Some(Rank::new((rank + 3) % 5)), tag: 0, number: 0 },
            ),
            Step::one(
                Rank::new(rank),
                Action::StartSend { to: Rank::new(to), bytes: 5_000_000, tag: 0, number: 0 },
            ),
            Step::one(Rank::new(rank), Action::WaitAll),
        ]
    });
    let failure = run(&ring(5), &host, &shift.collect::<Vec<_>>()).unwrap_err();
    assert_eq!(failure, PacketError::Run(RunError::PauseDeadlock { channels: 10 }));
}

proptest! {
    #![proptest_config(crate::networks::repeatable(48))]

    #[test]
    fn switches_without_a_ring_never_drop(
        n in 2u32..8,
        shape in 0u32..4,
        queue in 12u32..60,
        bytes in 1u64..40_000,
        count in 1u32..80,
        is_ideal: bool,
    ) {
        let network = match shape {
            0 => star(n, Middle::StoreAndForward, queue),
            1 => star(n, Middle::CutThrough, queue),
            2 => fat_tree(4, SwitchMode::StoreAndForward, queue),
            _ => slow_hub_on_switch(n.max(4), SwitchMode::StoreAndForward, Time::from_us(5)),
        };
        let mut host = pausing(if is_ideal { ideal() } else { linux_2_0() });
        host.queues.transmit = 1000;
        let n = network.fabric.n_nodes();
        let mut steps: Vec<Step> = incast(n, count);
        steps.push(Step::all(Collective::AllToAll { bytes }));
        let first = run(&network, &host, &steps).unwrap();
        if shape < 3 {
            prop_assert_eq!(first.1.dropped_at_queues, 0);
            prop_assert_eq!(first.1.dropped_at_receivers, 0);
        }
        prop_assert_eq!(first, run(&network, &host, &steps).unwrap());
    }
}
