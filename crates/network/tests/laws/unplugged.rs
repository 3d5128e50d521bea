//! Networks with tables recomputed after failures of cables and devices: addresses remain those of
//! the whole fabric, so some are on ports without a cable, and some subnets are split over two
//! segments.

use network::metrics::{Finding, reachability, soundness};
use network::{
    AddressId, Decision, DeviceId, ExplicitRoute, LinkId, Network, NodeId, Owner, Route, Routing,
};
use proptest::prelude::*;
use quantity::IdVec;

use crate::fabrics::{GO_ON, Sketch, address, hub, switch};
use crate::repeatable;
use crate::shortest;

fn sketches() -> impl Strategy<Value = Sketch> {
    let shapes = || prop::collection::vec(1u32..5, 1..4);
    prop_oneof![
        (shapes(), any::<bool>()).prop_map(|(shape, wraps)| Sketch::cabled(&shape, wraps)),
        (shapes(), any::<bool>()).prop_map(|(shape, front)| Sketch::switched(&shape, front)),
        (2u32..9, any::<bool>())
            .prop_map(|(n, is_hub)| Sketch::star(n, if is_hub { hub() } else { switch(None) })),
        (1u32..4, 1u32..4, 1u32..3).prop_map(|(l, d, up)| Sketch::tree(l, d, up, 1000)),
        shortest::fabrics(),
    ]
}

/// Removes devices and cables, and routes the residual fabric with the addresses of the whole.
fn recomputed(
    whole: &Sketch,
    devices: &[prop::sample::Index],
    cables: &[prop::sample::Index],
    with_fallback: bool,
) -> Network {
    let fabric = whole.fabric();
    let addressing = address(&fabric);
    let mut left = whole.clone();
    for device in devices {
        left.kill(device.index(fabric.n_devices() as usize) as u32);
    }
    for cable in cables {
        let n_cables = left.fabric().links().len();
        if n_cables > 0 {
            left.unplug(cable.index(n_cables));
        }
    }
    let fabric = left.fabric();
    let routing = match with_fallback {
        true => Routing::shortest_path_with_alternates(&fabric),
        false => Routing::shortest_path(&fabric),
    };
    let routing = routing.unwrap();
    Network::new(fabric, addressing, routing)
}

/// Returns for each node the lowest node that a path of forwarding nodes joins it to.
fn components(network: &Network) -> IdVec<NodeId, NodeId> {
    let fabric = &network.fabric;
    let mut lowest: IdVec<NodeId, NodeId> = fabric.nodes().collect();
    for _ in fabric.nodes() {
        for segment in fabric.segments() {
            let nodes = || fabric.segment_members(segment).iter().map(|&p| fabric.node_of(p));
            let low = nodes().map(|node| lowest[node]).min();
            nodes().for_each(|node| lowest[node] = low.unwrap_or(node));
        }
    }
    lowest
}

/// Follows a packet; returns its hops, or `None` if it does not arrive.
fn hops(network: &Network, routing: &Routing, from: u32, to: u32) -> Option<u32> {
    let mut node = from;
    for n_hops in 0..=network.fabric.n_nodes() {
        match routing.decide(
            &network.fabric,
            &network.addressing,
            NodeId::new(node),
            AddressId::new(to),
        ) {
            Decision::Own => return Some(n_hops),
            Decision::Forward(hop) => node = network.fabric.port(hop.via).device.get(),
            Decision::NoRoute | Decision::WrongSegment => return None,
        }
    }
    panic!("a loop from {from} to {to}");
}

/// Returns the listed routes as explicit tables.
fn tables(network: &Network, with_fallback: bool) -> Routing {
    let of_node = |node| network.routes_of(node, with_fallback).into_iter().map(move |r| (node, r));
    let routes: Vec<ExplicitRoute> = network
        .fabric
        .nodes()
        .flat_map(of_node)
        .map(|(node, route)| ExplicitRoute {
            node,
            destination: route.destination,
            prefix_length: route.prefix_length,
            via: Some(route.via.expect("every station has an address")),
            port: route.port,
            metric: route.metric,
        })
        .collect();
    Routing::explicit(&network.fabric, &network.addressing, &routes).expect("sound routes")
}

proptest! {
    #![proptest_config(repeatable(256))]

    #[test]
    fn what_is_left_reaches_every_address_by_the_tables_listed(
        whole in sketches(),
        devices in prop::collection::vec(any::<prop::sample::Index>(), 0..3),
        cables in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
        with_fallback in any::<bool>(),
    ) {
        let network = recomputed(&whole, &devices, &cables, with_fallback);
        let component = components(&network);
        let listed = tables(&network, with_fallback);
        let mut n_lost = 0;
        for (to, address) in (0..).zip(network.addressing.addresses()) {
            for from in network.fabric.nodes() {
                let is_joined = component[from] == component[address.node];
                let found = hops(&network, &network.routing, from.get(), to);
                prop_assert_eq!(found.is_some(), is_joined, "{} to {:?}", from, address);
                let by_tables = hops(&network, &listed, from.get(), to);
                prop_assert_eq!(by_tables, found, "{} to {:?}", from, address);
                n_lost += u64::from(!is_joined);
            }
        }
        let found = reachability(&network, network.fabric.n_nodes(), &GO_ON).unwrap();
        prop_assert_eq!(found.n_unreachable, n_lost);
    }

    #[test]
    fn one_fault_is_found_once(
        whole in sketches(),
        devices in prop::collection::vec(any::<prop::sample::Index>(), 0..3),
    ) {
        let network = recomputed(&whole, &devices, &[], false);
        let Network { fabric, addressing, .. } = &network;
        let port = |id: u32| match addressing.address(AddressId::new(id)).owner {
            Owner::Port(port) => Some(fabric.port(port)),
            Owner::Loopback(_) => None,
        };
        let mut n_unplugged = 0;
        for finding in soundness(&network) {
            match finding {
                Finding::UnpluggedInterface(_) => n_unplugged += 1,
                Finding::SubnetSpansSegments(a, b) => {
                    let [a, b] = [a, b].map(|id| port(id.get()).expect("identities span nothing"));
                    prop_assert!(a.link.is_some() && b.link.is_some() && a.segment != b.segment);
                }
                other => prop_assert!(false, "{:?}", other),
            }
        }
        let ids = 0..addressing.addresses().len() as u32;
        let is_unplugged = |&id: &u32| port(id).is_some_and(|port| port.link.is_none());
        prop_assert_eq!(n_unplugged, ids.filter(is_unplugged).count());
    }
}

#[test]
fn an_address_without_its_cable_is_reached_by_another_port() {
    let mut sketch = Sketch::switched(&[3, 3], false);
    let whole = sketch.fabric();
    let addressing = address(&whole);
    let row_port = whole.links()[LinkId::new(0)].a;
    assert_eq!(whole.port(row_port).device, DeviceId::new(0));
    sketch.unplug(0);
    let fabric = sketch.fabric();
    let routing = Routing::shortest_path(&fabric).unwrap();
    let network = Network::new(fabric, addressing, routing);
    let all = network.addressing.addresses().iter();
    let lost: Vec<_> = all.filter(|address| address.owner == Owner::Port(row_port)).collect();
    // Nodes 1 and 2 are still on the row's segment, 3 to 8 have never been there.
    for node in 1..9 {
        let routes = network.routes_of(NodeId::new(node), false);
        let is_exact =
            |route: &&Route| (route.destination, route.prefix_length) == (lost[0].ip, 32);
        assert_eq!(routes.iter().filter(is_exact).count(), 1, "node {node}: {routes:?}");
    }
}

#[test]
fn a_subnet_without_carrier_does_not_serve() {
    let mut sketch = Sketch::nodes(&[2]);
    (0..2).for_each(|_| sketch.cable(0, 1, 100));
    let addressing = address(&sketch.fabric());
    sketch.unplug(0);
    let fabric = sketch.fabric();
    let routing = Routing::shortest_path(&fabric).unwrap();
    let network = Network::new(fabric, addressing, routing);
    let [lost, kept] =
        [0, 1].map(|cable| network.fabric.ports_of(NodeId::new(1)).nth(cable).unwrap());
    let to = network.addressing.addresses().iter().position(|a| a.owner == Owner::Port(lost));
    let Decision::Forward(hop) = network.decide(NodeId::new(0), AddressId::new(to.unwrap() as u32))
    else {
        panic!("reached")
    };
    assert_eq!(hop.via, kept);
    // One route serves the whole subnet, which the node itself is no longer connected to.
    let subnet = network.addressing.address(AddressId::new(to.unwrap() as u32)).ip.network(22);
    let routes = network.routes_of(NodeId::new(0), false);
    assert!(routes.iter().any(|r| (r.destination, r.prefix_length) == (subnet, 22)), "{routes:?}");
    let none = Routing::explicit(&network.fabric, &network.addressing, &[]).unwrap();
    let decided = none.decide(
        &network.fabric,
        &network.addressing,
        NodeId::new(0),
        AddressId::new(to.unwrap() as u32),
    );
    assert_eq!(decided, Decision::NoRoute);
}
