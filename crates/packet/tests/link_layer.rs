//! The link layer below real hosts: bytes handed to an interface arrive at the interface that they
//! are for, after the time that the devices between take, and nowhere else.

use std::sync::atomic::AtomicBool;

use crate::networks::{Middle, PROMPT, bonded, ideal, star};
use host::HostModel;
use network::metrics::Part;
use network::{LinkId, Network, PortId};
use packet::{
    Contents, Effect, Fault, FaultKind, FaultyWires, LinkLayer, Medium, NoObserver, Wires,
};
use quantity::{Id, IdVec, Time};
use simulation::Setup;

/// A frame of full length from its header on; its check sequence is added on the wire.
const FRAME_BYTES: u32 = 1514;

fn contents(mark: u8) -> Contents {
    vec![mark; FRAME_BYTES as usize].into()
}

fn with_setup<T>(network: &Network, host: &HostModel, work: impl FnOnce(&Setup<'_>) -> T) -> T {
    let stop = AtomicBool::new(false);
    work(&Setup {
        network,
        host,
        identities: &IdVec::new(),
        node_of_rank: &IdVec::new(),
        seed: 1,
        stop: &stop,
    })
}

fn port(network: &Network, node: u32) -> PortId {
    network.fabric.ports_of(network.fabric.nodes().nth(node as usize).unwrap()).start
}

/// Handles all events, and returns each delivery: its time, port and first byte.
fn deliveries<'a, M: Medium<'a>>(link: &mut LinkLayer<'a, M>) -> Vec<(Time, PortId, u8)> {
    let mut found = Vec::new();
    while let Some(event) = link.clock.take_due(Time::from_ms(1_000)) {
        if let Effect::Arrived(port, frame) = link.handle(event)
            && let Some(contents) = link.take(port, frame)
        {
            found.push((link.clock.now, port, contents[0]));
        }
    }
    found
}

/// Sends a frame from node 0 to node `to`, or to all, and returns the deliveries.
fn sent(network: &Network, to: Option<u32>) -> Vec<(Time, PortId, u8)> {
    with_setup(network, &ideal(), |setup| {
        let mut link: LinkLayer<'_, Wires<'_, _>> =
            LinkLayer::new(setup, NoObserver, true).unwrap();
        link.transmit(port(network, 0), to.map(|to| port(network, to)), contents(7));
        deliveries(&mut link)
    })
}

/// The time of a full frame with preamble at 100 Mb/s.
fn frame_time() -> Time {
    Time::from_ns((u64::from(FRAME_BYTES) + 4 + 8) * 80)
}

#[test]
fn a_switch_delivers_to_the_target_after_storing_the_frame() {
    let network = star(4, Middle::StoreAndForward, 100);
    let found = sent(&network, Some(2));
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].1, found[0].2), (port(&network, 2), 7));
    assert!(found[0].0 >= frame_time() + frame_time());
}

#[test]
fn a_hub_delivers_to_the_target_alone_and_a_broadcast_to_all() {
    let network = star(4, Middle::Hub, 100);
    let to_one: Vec<PortId> = sent(&network, Some(3)).into_iter().map(|found| found.1).collect();
    assert_eq!(to_one, [port(&network, 3)]);
    let mut to_all: Vec<PortId> = sent(&network, None).into_iter().map(|found| found.1).collect();
    to_all.sort_unstable();
    assert_eq!(to_all, [1, 2, 3].map(|node| port(&network, node)));
}

#[test]
fn a_broadcast_is_flooded_by_a_switch() {
    let network = star(4, Middle::StoreAndForward, 100);
    let mut ports: Vec<PortId> = sent(&network, None).into_iter().map(|found| found.1).collect();
    ports.sort_unstable();
    assert_eq!(ports, [1, 2, 3].map(|node| port(&network, node)));
}

#[test]
fn a_bond_sends_frames_by_its_ports_in_turn() {
    let network = bonded(2, 2, Middle::StoreAndForward);
    let ports = with_setup(&network, &ideal(), |setup| {
        let mut link: LinkLayer<'_, Wires<'_, _>> =
            LinkLayer::new(setup, NoObserver, true).unwrap();
        for mark in 0..4 {
            link.transmit(port(&network, 0), Some(port(&network, 1)), contents(mark));
        }
        deliveries(&mut link).into_iter().map(|found| found.1).collect::<Vec<_>>()
    });
    let second = port(&network, 1).following();
    assert_eq!(ports.iter().filter(|&&port| port == second).count(), 2);
    assert_eq!(ports.len(), 4);
}

#[test]
fn a_full_queue_has_no_space_until_a_frame_has_left() {
    let network = star(2, Middle::StoreAndForward, 100);
    with_setup(&network, &ideal(), |setup| {
        let mut link: LinkLayer<'_, Wires<'_, _>> =
            LinkLayer::new(setup, NoObserver, true).unwrap();
        let (here, there) = (port(&network, 0), port(&network, 1));
        while link.has_space(here, 4) {
            link.transmit(here, Some(there), contents(1));
        }
        let mut offered = None;
        while let Some(event) = link.clock.take_due(Time::from_ms(1_000)) {
            match link.handle(event) {
                Effect::Space(port) if offered.is_none() => {
                    assert_eq!(port, here);
                    assert!(link.has_space(here, 4));
                    offered = Some(link.clock.now);
                }
                Effect::Arrived(port, frame) => assert!(link.take(port, frame).is_some()),
                _ => {}
            }
        }
        assert!(offered.unwrap() <= frame_time() + Time::from_us(1));
    });
}

#[test]
fn a_cut_cable_loses_frames_and_carrier_until_it_returns() {
    let network = star(2, Middle::StoreAndForward, 100);
    let cut = Fault {
        parts: vec![Part::Cable(LinkId::new(0))],
        kind: FaultKind::Down,
        from: Time::from_ms(1),
        until: Time::from_ms(5),
    };
    with_setup(&network, &ideal(), |setup| {
        let mut link: LinkLayer<'_, FaultyWires<'_, _>> =
            LinkLayer::with_faults(setup, NoObserver, true, &[cut], PROMPT).unwrap();
        let (here, there) = (port(&network, 0), port(&network, 1));
        let mut arrived = Vec::new();
        let mut carrier = Vec::new();
        for ms in [0, 2, 6] {
            while let Some(event) = link.clock.take_due(Time::from_ms(ms)) {
                match link.handle(event) {
                    Effect::Arrived(port, frame) => {
                        arrived.extend(link.take(port, frame).map(|contents| contents[0]));
                    }
                    Effect::Changed(_) => carrier.push(link.has_carrier(here)),
                    _ => {}
                }
            }
            link.transmit(here, Some(there), contents(ms as u8));
        }
        arrived.extend(deliveries(&mut link).into_iter().map(|found| found.2));
        assert_eq!(arrived, [0, 6]);
        assert_eq!(carrier, [false, true]);
        assert_eq!(link.fault_reports().iter().map(|report| report.frames_lost).sum::<u64>(), 1);
    });
}
