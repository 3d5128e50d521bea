//! Fallback routes as a kernel would use them: without the routes of a port without carrier, the
//! rest of this one node's table must deliver, while no other node knows of the failure.

use network::metrics::reachability;
use network::{
    AddressId, Addressing, Decision, ExplicitRoute, Fabric, Network, NodeId, PortId, Routing,
    RoutingError,
};
use proptest::prelude::*;

use crate::fabrics::{GO_ON, Sketch};
use crate::repeatable;

/// The routes of all nodes as tables, those of node `at` without its routes over `dead`.
fn tables(network: &Network, at: u32, dead: PortId) -> Routing {
    let listed = network.fabric.nodes().flat_map(|node| {
        network.routes_of(node, node == NodeId::new(at)).into_iter().map(move |route| (node, route))
    });
    let routes: Vec<ExplicitRoute> = listed
        .filter(|(node, route)| *node != NodeId::new(at) || route.port != dead)
        .map(|(node, route)| ExplicitRoute {
            node,
            destination: route.destination,
            prefix_length: route.prefix_length,
            via: route.via,
            port: route.port,
            metric: route.metric,
        })
        .collect();
    Routing::explicit(&network.fabric, &network.addressing, &routes).expect("sound routes")
}

/// Follows a packet from `at`; returns whether it arrives without returning to `at`.
fn arrives(fabric: &Fabric, addressing: &Addressing, routing: &Routing, at: u32, to: u32) -> bool {
    let mut node = at;
    for _ in 0..=fabric.n_nodes() {
        match routing.decide(fabric, addressing, NodeId::new(node), AddressId::new(to)) {
            Decision::Own => return true,
            Decision::Forward(hop) => node = fabric.port(hop.via).device.get(),
            Decision::NoRoute | Decision::WrongSegment => return false,
        }
        if node == at {
            return false;
        }
    }
    false
}

/// Checks every node and port; returns the number of (node, port, address) that lose their route,
/// and of those with a fallback.
fn check(network: &Network) -> (u32, u32) {
    let Network { fabric, addressing, .. } = network;
    let (mut n_lost, mut n_saved) = (0, 0);
    for at in fabric.nodes() {
        for dead in fabric.ports_of(at) {
            let routing = tables(network, at.get(), dead);
            for to in 0..addressing.addresses().len() as u32 {
                let Decision::Forward(hop) = network.decide(at, AddressId::new(to)) else {
                    continue;
                };
                let is_connected = network.routes_of(at, false).iter().all(|route| {
                    addressing.address(AddressId::new(to)).ip.network(route.prefix_length)
                        != route.destination
                });
                if hop.port != dead || is_connected {
                    continue;
                }
                n_lost += 1;
                if routing.decide(fabric, addressing, at, AddressId::new(to)) != Decision::NoRoute {
                    n_saved += 1;
                    assert!(
                        arrives(fabric, addressing, &routing, at.get(), to),
                        "{at} {dead} {to}"
                    );
                }
            }
        }
    }
    (n_lost, n_saved)
}

proptest! {
    #![proptest_config(repeatable(24))]

    #[test]
    fn a_fallback_route_delivers(
        shape in prop::collection::vec(1u32..=4, 1..=3)
            .prop_filter("2 to 24 nodes", |s| (2..=24).contains(&s.iter().product::<u32>())),
        kind in 0..3,
    ) {
        let sketch = match kind {
            0 => Sketch::switched(&shape, false),
            1 => Sketch::cabled(&shape, true),
            _ => Sketch::cabled(&shape, false),
        };
        check(&sketch.network(Routing::dimension_order).unwrap());
        let (_, n_saved) = check(&sketch.network(Routing::shortest_path).unwrap());
        let (_, n_saved_by_ties) =
            check(&sketch.network(Routing::shortest_path_with_alternates).unwrap());
        assert!(n_saved_by_ties >= n_saved, "{n_saved_by_ties} instead of {n_saved}");
    }

    #[test]
    fn alternates_cost_no_hop(
        shape in prop::collection::vec(1u32..=5, 1..=3)
            .prop_filter("2 to 40 nodes", |s| (2..=40).contains(&s.iter().product::<u32>())),
        wraps in any::<bool>(),
    ) {
        let sketch = Sketch::cabled(&shape, wraps);
        let hops = |scheme| {
            let network = sketch.network(scheme).unwrap();
            let n_nodes = network.fabric.n_nodes();
            reachability(&network, n_nodes, &GO_ON).unwrap().hops_histogram
        };
        let with_alternates = hops(Routing::shortest_path_with_alternates as Scheme);
        prop_assert_eq!(with_alternates, hops(Routing::shortest_path));
    }
}

type Scheme = fn(&Fabric) -> Result<Routing, RoutingError>;

/// Dimension order leaves gaps in the first three, free tie-breaking does not.
#[test]
fn ties_give_every_route_of_a_torus_and_a_hypercube_a_fallback() {
    for shape in [vec![4, 4], vec![3, 3, 3], vec![2, 2, 2, 2], vec![3, 4]] {
        let sketch = Sketch::cabled(&shape, true);
        let (n_lost, n_saved) =
            check(&sketch.network(Routing::shortest_path_with_alternates).unwrap());
        assert!(n_lost > 0 && n_saved == n_lost, "{shape:?}: {n_saved} of {n_lost}");
    }
}

/// Identities in a node's own column have none: dimension order would return a packet that leaves
/// by the row straight to the node. Every address on a segment has one.
#[test]
fn a_p_mesh_of_four_by_four_keeps_all_but_the_identities_of_its_column() {
    let network = Sketch::switched(&[4, 4], false).network(Routing::dimension_order).unwrap();
    let (n_lost, n_saved) = check(&network);
    assert_eq!((n_lost, n_saved), (624, 624 - 16 * 3));
}

/// Only the node two hops away in the same column is lost, in one of the two directions round.
#[test]
fn a_torus_of_four_by_four_keeps_all_but_one_identity_per_node() {
    let network = Sketch::cabled(&[4, 4], true).network(Routing::dimension_order).unwrap();
    let (n_lost, n_saved) = check(&network);
    assert_eq!((n_lost, n_saved), (1136, 1136 - 16));
}

#[test]
fn a_ring_of_three_loses_no_identity() {
    let network = Sketch::cabled(&[3], true).network(Routing::dimension_order).unwrap();
    let (n_lost, n_saved) = check(&network);
    assert!(n_lost >= 6 && n_saved == n_lost, "{n_saved} of {n_lost}");
}

#[test]
fn a_mesh_in_one_row_has_no_other_way() {
    let (n_lost, n_saved) =
        check(&Sketch::cabled(&[4], false).network(Routing::dimension_order).unwrap());
    assert!(n_lost > 0);
    assert_eq!(n_saved, 0);
}
