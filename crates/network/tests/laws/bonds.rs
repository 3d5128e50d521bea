//! Bonds: one interface and one segment over several wires, evenly loaded, and the routes that
//! remain after failures.

use network::metrics::{
    Cause, FailureImpact, Part, Progress, ReroutingOptions, Watch, bisection, load, reachability,
    rerouting, soundness,
};
use network::{AddressId, DeviceId, FabricError, Network, NodeId, PortId, Routing, SegmentId};
use proptest::prelude::*;
use quantity::Id;

use crate::fabrics::{GO_ON, Sketch};
use crate::repeatable;

fn bonded(n: u32, buses: u32) -> Network {
    Sketch::bonded(n, buses).network(Routing::shortest_path).unwrap()
}

proptest! {
    #![proptest_config(repeatable(40))]

    #[test]
    fn a_bond_is_one_station_of_one_segment_on_wires_that_stay_apart(
        n in 2u32..9,
        buses in 1u32..6,
    ) {
        let network = bonded(n, buses);
        let fabric = &network.fabric;
        prop_assert_eq!(fabric.n_segments(), 1);
        let first: Vec<PortId> = (0..n).map(|node| PortId::new(node * buses)).collect();
        prop_assert_eq!(fabric.segment_members(SegmentId::new(0)), first.as_slice());
        for node in 0..n {
            prop_assert_eq!(fabric.interfaces_of(NodeId::new(node)).count(), 1);
            for (bus, port) in (0..).zip(fabric.ports_of(DeviceId::new(node))) {
                prop_assert_eq!(fabric.interface(port), PortId::new(node * buses));
                prop_assert_eq!(fabric.member_of_segment(port), node);
                prop_assert_eq!(fabric.on_wire(port, PortId::new(0)), Some(PortId::new(bus)));
            }
        }
        prop_assert_eq!(soundness(&network), vec![]);
        prop_assert_eq!(reachability(&network, n, &GO_ON).unwrap().n_unreachable, 0);
    }

    #[test]
    fn every_bus_carries_its_share_and_all_count_for_the_bisection(
        n in 2u32..9,
        buses in 1u32..6,
    ) {
        let network = bonded(n, buses);
        let identities: Vec<AddressId> = AddressId::first(n).collect();
        let share = f64::from(n - 1) / f64::from(buses);
        for channels in load(&network, &identities, &GO_ON).unwrap().channels {
            for packets in channels {
                prop_assert!((packets - share).abs() < 1e-2, "{} is not {}", packets, share);
            }
        }
        let found = bisection(&network, n, true, &GO_ON).unwrap();
        prop_assert_eq!(found.bps, u64::from(buses) * 100_000_000);
    }
}

fn prove(network: &Network, part: Part) -> FailureImpact {
    let identities: Vec<AddressId> = AddressId::first(network.fabric.n_nodes()).collect();
    let progress = Progress::default();
    let options = ReroutingOptions {
        with_fallback: false,
        with_return_paths: true,
        planner: NodeId::new(1),
        most_examples: usize::MAX,
    };
    let watch = Watch { stop: &GO_ON, progress: &progress };
    rerouting(network, &identities, &[vec![part]], options, watch).unwrap().remove(0)
}

#[test]
fn a_dead_bus_is_seen_by_all_and_left() {
    let impact = prove(&bonded(4, 2), Part::Device(DeviceId::new(4)));
    assert_eq!((impact.n_recomputed, impact.n_disconnected), (0, 0));
}

#[test]
fn a_lone_bus_takes_all_with_it() {
    assert_eq!(prove(&bonded(4, 1), Part::Device(DeviceId::new(4))).n_disconnected, 12);
}

#[test]
fn every_other_frame_to_a_node_that_lost_a_port_is_lost_unseen() {
    let impact = prove(&bonded(4, 2), Part::Port(PortId::new(0)));
    assert_eq!((impact.n_recomputed, impact.n_disconnected, impact.n_unanswered), (6, 0, 3));
    let example = |pair: &network::metrics::LostPair| (pair.from, pair.to, pair.cause);
    let lost: Vec<_> = impact.examples.iter().map(example).collect();
    assert_eq!(lost, [1, 2, 3].map(|from| (from, 0, Cause::Unseen)));
}

#[test]
fn an_address_stands_for_the_bond_that_lost_its_first_port() {
    let mut sketch = Sketch::bonded(3, 2);
    sketch.unplug(0);
    let network = sketch.network(Routing::shortest_path).unwrap();
    assert_eq!(soundness(&network), []);
    assert_eq!(reachability(&network, 3, &GO_ON).unwrap().n_unreachable, 0);
}

#[test]
fn a_bond_needs_ports_of_its_own() {
    for (node, first_port, n_ports) in [(0, 0, 0), (0, 1, 2), (3, 0, 2), (0, 0, 2)] {
        let mut sketch = Sketch::bonded(3, 2);
        sketch.bond(node, first_port, n_ports);
        let error = sketch.try_fabric().unwrap_err();
        assert_eq!(error, FabricError::NotABond { node: NodeId::new(node), first_port, n_ports });
    }
}
