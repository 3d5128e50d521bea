//! Dimension order on tori, meshes, rings, P-Meshes and full meshes of any size, with and without a
//! front end. Shortest paths must be as short there; other fabrics are in `shortest`.

use network::metrics::{load, path, reachability};
use network::{AddressId, Addressing, ExplicitRoute, Fabric, Network, NodeId, Owner, Routing};
use proptest::prelude::*;
use quantity::Id;

use crate::fabrics::{GO_ON, Sketch, coordinates};

/// Sides of 1 to 6 (unequal, odd, two) in 1 to 4 dimensions, with at most 100 nodes.
fn shapes() -> impl Strategy<Value = Vec<u32>> {
    prop::collection::vec(1u32..=6, 1..=4)
        .prop_filter("2 to 100 nodes", |shape| (2..=100).contains(&shape.iter().product::<u32>()))
}

/// Returns the distance of two nodes, axis by axis, from the shape alone.
type Distance = fn(side: u32, gap: u32) -> u32;

const TORUS: Distance = |side, gap| gap.min(side - gap);
const MESH: Distance = |_, gap| gap;
const P_MESH: Distance = |_, gap| gap.min(1);

fn distance(shape: &[u32], along: Distance, a: u32, b: u32) -> u32 {
    let gaps = coordinates(shape, a).into_iter().zip(coordinates(shape, b));
    shape.iter().zip(gaps).map(|(&side, (a, b))| along(side, a.abs_diff(b))).sum()
}

/// Checks that every address is as many hops away as the coordinates imply.
fn check_hops(shape: &[u32], network: &Network, along: Distance) {
    assert!(network.fabric.n_nodes() >= 2);
    for (id, address) in (0..).zip(network.addressing.addresses()) {
        for node in 0..shape.iter().product() {
            let crossed = path(network, NodeId::new(node), AddressId::new(id))
                .expect("every address is reached");
            let n_nodes = crossed.iter().filter(|c| network.fabric.is_node(c.device)).count();
            let hops = n_nodes as u32 - 1;
            assert_eq!(
                hops,
                distance(shape, along, node, address.node.get()),
                "{shape:?} {node}->{address:?}"
            );
        }
    }
}

/// Checks that explicit tables made of the listed routes decide like the scheme itself.
pub fn check_listing(network: &Network) {
    let tables = |fabric: &Fabric, addressing: &Addressing| {
        let routes: Vec<ExplicitRoute> = fabric
            .nodes()
            .flat_map(|node| {
                network.routes_of(node, false).into_iter().map(move |route| (node, route))
            })
            .map(|(node, route)| ExplicitRoute {
                node,
                destination: route.destination,
                prefix_length: route.prefix_length,
                via: Some(route.via.expect("every station has an address")),
                port: route.port,
                metric: route.metric,
            })
            .collect();
        Routing::explicit(fabric, addressing, &routes).expect("listed routes are sound")
    };
    let routing = tables(&network.fabric, &network.addressing);
    for node in network.fabric.nodes() {
        for to in 0..network.addressing.addresses().len() as u32 {
            let listed =
                routing.decide(&network.fabric, &network.addressing, node, AddressId::new(to));
            assert_eq!(
                listed,
                network.decide(node, AddressId::new(to)),
                "node {node}, address {to}"
            );
        }
    }
}

proptest! {
    #![proptest_config(crate::repeatable(64))]

    #[test]
    fn a_torus_is_crossed_the_short_way(shape in shapes()) {
        let network = Sketch::cabled(&shape, true).network(Routing::dimension_order).unwrap();
        check_hops(&shape, &network, TORUS);
    }

    #[test]
    fn a_mesh_is_crossed_without_wraparound(shape in shapes()) {
        let network = Sketch::cabled(&shape, false).network(Routing::dimension_order).unwrap();
        check_hops(&shape, &network, MESH);
    }

    #[test]
    fn a_p_mesh_changes_each_coordinate_once(shape in shapes()) {
        let network = Sketch::switched(&shape, false).network(Routing::dimension_order).unwrap();
        check_hops(&shape, &network, P_MESH);
    }

    #[test]
    fn full_meshes_of_nodes_change_each_coordinate_once(shape in shapes()) {
        let network = Sketch::meshed(&shape).network(Routing::dimension_order).unwrap();
        check_hops(&shape, &network, P_MESH);
    }

    #[test]
    fn shortest_paths_are_as_short(shape in shapes(), wraps: bool) {
        let along = if wraps { TORUS } else { MESH };
        let network = Sketch::cabled(&shape, wraps).network(Routing::shortest_path).unwrap();
        check_hops(&shape, &network, along);
        let network = Sketch::switched(&shape, false).network(Routing::shortest_path).unwrap();
        check_hops(&shape, &network, P_MESH);
    }

    #[test]
    fn uniform_traffic_loads_a_torus_evenly(shape in shapes()) {
        let network = Sketch::cabled(&shape, true).network(Routing::dimension_order).unwrap();
        let identities: Vec<AddressId> = AddressId::first(network.fabric.n_nodes()).collect();
        let load = load(&network, &identities, &GO_ON).unwrap();
        let first = load.forwarded[NodeId::new(0)];
        prop_assert!(load.forwarded.iter().all(|&n| n == first), "{load:?}");
        // If half the side is odd and ties exist, the channels of a ring cannot all be equal.
        for (axis, &side) in shape.iter().enumerate().filter(|(_, side)| **side != 6) {
            let along = network.fabric.links().iter().zip(&load.channels).filter(|(link, _)| {
                let place = |port| network.fabric.coordinates(network.fabric.port(port).device);
                place(link.a)[axis] != place(link.b)[axis]
            });
            let channels: Vec<f64> = along.flat_map(|(_, &both)| both).collect();
            prop_assert!(channels.iter().all(|&n| n == channels[0]), "axis {axis} of {side}");
        }
    }

    #[test]
    fn a_front_end_reaches_and_is_reached(shape in shapes(), kind in 0..3) {
        let sketch = match kind {
            0 => Sketch::switched(&shape, true),
            1 => Sketch::cabled_with_front_end(&shape, true),
            _ => Sketch::cabled_with_front_end(&shape, false),
        };
        for scheme in [Routing::dimension_order, Routing::shortest_path] {
            let network = sketch.network(scheme).unwrap();
            let n_nodes = network.fabric.n_nodes();
            let found = reachability(&network, n_nodes, &GO_ON).unwrap();
            prop_assert_eq!(&found.unreachable, &[]);
            if kind == 0 {
                prop_assert!(found.forwards_worst() < shape.len() as u32, "{found:?}");
            }
        }
    }

    #[test]
    fn listed_routes_decide_alike(shape in shapes(), kind in 0..5) {
        let sketch = match kind {
            0 => Sketch::switched(&shape, false),
            1 => Sketch::switched(&shape, true),
            2 => Sketch::cabled_with_front_end(&shape, true),
            3 => Sketch::meshed(&shape),
            _ => Sketch::cabled(&shape, false),
        };
        check_listing(&sketch.network(Routing::dimension_order).unwrap());
        check_listing(&sketch.network(Routing::shortest_path).unwrap());
    }

    #[test]
    fn a_p_mesh_node_has_one_route_per_far_line(shape in shapes()) {
        let sketch = Sketch::switched(&shape, false);
        let network = sketch.network(Routing::dimension_order).unwrap();
        let lines: u32 = (0..shape.len()).map(|k| shape.iter().product::<u32>() / shape[k]).sum();
        let routes = network.routes_of(NodeId::new(0), false);
        let to_lines = routes.iter().filter(|route| route.prefix_length == 22).count();
        prop_assert_eq!(to_lines as u32, lines - shape.len() as u32);
    }
}

#[test]
fn the_4x4_torus_has_the_printed_hop_classes() {
    // [NAS-97-017]: node 1's neighbours are 2, 4, 5, 13, and so on; here nodes count from 0.
    let network = Sketch::cabled(&[4, 4], true).network(Routing::dimension_order).unwrap();
    let classes: [&[u32]; 4] = [&[2, 4, 5, 13], &[3, 6, 8, 9, 14, 16], &[7, 10, 12, 15], &[11]];
    for (hops, nodes) in (1..).zip(classes) {
        for &node in nodes {
            let crossed = path(&network, NodeId::new(0), AddressId::new(node - 1)).unwrap();
            assert_eq!(crossed.len(), hops + 1, "node {node}");
        }
    }
}

#[test]
fn threads_change_nothing() {
    let network = Sketch::cabled(&[5, 4], true).network(Routing::shortest_path).unwrap();
    let identities: Vec<AddressId> = AddressId::first(20).collect();
    let count = || {
        (reachability(&network, 20, &GO_ON).unwrap(), load(&network, &identities, &GO_ON).unwrap())
    };
    let pool = |n| rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap();
    assert_eq!(pool(1).install(count), pool(4).install(count));
}

#[test]
fn identities_lie_on_no_segment() {
    let network = Sketch::cabled(&[3], true).network(Routing::dimension_order).unwrap();
    let loopbacks = network.addressing.addresses().iter().take(3);
    assert!(loopbacks.into_iter().all(|address| matches!(address.owner, Owner::Loopback(_))));
}
