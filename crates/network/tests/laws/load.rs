//! Loads under uniform traffic, by every method, compared with the paths of all pairs followed one
//! by one.

use network::metrics::{Load, LoadMethod, forwarding, load, path, reachability};
use network::{AddressId, Fabric, LinkId, Network, NodeId, Owner, PortId, Routing, Ties};
use proptest::prelude::*;
use quantity::{Id, IdVec};

use crate::fabrics::{GO_ON, Sketch, hub, switch};

/// Sides of 1 to 6 (unequal, odd, two) in 1 to 4 dimensions, with at most 60 nodes.
fn shapes() -> impl Strategy<Value = Vec<u32>> {
    prop::collection::vec(1u32..=6, 1..=4)
        .prop_filter("2 to 60 nodes", |shape| (2..=60).contains(&shape.iter().product::<u32>()))
}

fn sketch(kind: usize, shape: &[u32]) -> Sketch {
    match kind {
        0 => Sketch::cabled(shape, true),
        1 => Sketch::cabled(shape, false),
        2 => Sketch::switched(shape, false),
        3 => Sketch::switched(shape, true),
        4 => Sketch::meshed(shape),
        5 => Sketch::cabled_with_front_end(shape, true),
        _ => Sketch::cabled_with_front_end(shape, false),
    }
}

/// Returns the sum of the loads of all pairs' paths.
fn followed(network: &Network, identities: &[AddressId]) -> (Vec<u64>, Vec<[f64; 2]>) {
    let fabric = &network.fabric;
    let mut forwarded = vec![0; fabric.n_nodes() as usize];
    let mut leaving = vec![0u64; fabric.ports().len()];
    for &from in identities {
        for &to in identities.iter().filter(|&&to| to != from) {
            let way = path(network, network.addressing.address(from).node, to).unwrap();
            for crossing in &way {
                let relays = crossing.inlet.is_some() && crossing.outlet.is_some();
                if relays && fabric.is_node(crossing.device) {
                    forwarded[crossing.device.index()] += 1;
                }
                if let Some(port) = crossing.outlet {
                    leaving[fabric.bundle(port).index()] += 1;
                }
            }
        }
    }
    let bundle = |port: PortId| fabric.bundle(port);
    let share = |port: PortId| {
        let n = fabric.ports().ids().filter(|&other| bundle(other) == bundle(port)).count();
        leaving[bundle(port).index()] as f64 / n as f64
    };
    (forwarded, fabric.links().iter().map(|link| [share(link.a), share(link.b)]).collect())
}

fn check(network: &Network, identities: &[AddressId]) -> LoadMethod {
    let Load { forwarded, channels, method } = load(network, identities, &GO_ON).unwrap();
    assert_eq!(forwarding(network, identities, &GO_ON).unwrap().forwarded, forwarded);
    let counted = (forwarded.into_vec(), channels.into_vec());
    assert_eq!(counted, followed(network, identities));
    method
}

/// Returns the address of each compute node on its port of a rank (0 the first, and so on), or on
/// its last port if it has fewer.
fn by_port(network: &Network, n: u32, rank: usize) -> Vec<AddressId> {
    let addressing = &network.addressing;
    let port = |id: &AddressId| match addressing.address(*id).owner {
        Owner::Port(port) => Some((port, *id)),
        Owner::Loopback(_) => None,
    };
    let of_node = |node| {
        let mut own: Vec<_> = addressing.of_node(node).iter().filter_map(port).collect();
        own.sort_unstable();
        own[rank.min(own.len() - 1)].1
    };
    NodeId::first(n).map(of_node).collect()
}

proptest! {
    #![proptest_config(crate::repeatable(96))]

    #[test]
    fn identities_on_loopbacks_are_derived(shape in shapes(), kind in 0usize..7) {
        let identities: Vec<AddressId> = AddressId::first(shape.iter().product()).collect();
        for ties in [Ties::Spread, Ties::OneWay] {
            let scheme = |fabric: &Fabric| Ok(Routing::dimension_order(fabric)?.with_ties(ties));
            let network = sketch(kind, &shape).network(scheme).unwrap();
            prop_assert_eq!(check(&network, &identities), LoadMethod::Derived);
        }
    }

    #[test]
    fn identities_on_lines_count_alike(shape in shapes(), kind in 0usize..7, rank in 0usize..4) {
        let network = sketch(kind, &shape).network(Routing::dimension_order).unwrap();
        let n: u32 = shape.iter().product();
        let identities = by_port(&network, n, rank);
        let method = check(&network, &identities);
        // Every node of a P-Mesh has its own line along each axis.
        let is_line = shape.len() > rank && shape[shape.len() - 1 - rank] > 1;
        if kind == 2 && is_line {
            prop_assert_eq!(method, LoadMethod::Derived);
        }
    }

    #[test]
    fn a_part_of_the_nodes_is_walked(shape in shapes(), kind in 0usize..7) {
        let network = sketch(kind, &shape).network(Routing::dimension_order).unwrap();
        let identities: Vec<AddressId> =
            AddressId::first(shape.iter().product()).skip(1).collect();
        prop_assert_eq!(check(&network, &identities), LoadMethod::Walked);
    }

    #[test]
    fn one_segment_is_counted_by_its_tree(
        leaves in 2u32..5, down in 1u32..5, up in 1u32..4, part in 0u32..3
    ) {
        let network = Sketch::tree(leaves, down, up, 1000).network(Routing::shortest_path).unwrap();
        let identities = by_port(&network, leaves * down - part.min(leaves * down - 2), 0);
        prop_assert_eq!(check(&network, &identities), LoadMethod::Derived);
    }

    #[test]
    fn stars_too(n in 2u32..9, is_hub: bool) {
        let centre = if is_hub { hub() } else { switch(None) };
        for scheme in [Routing::dimension_order, Routing::shortest_path] {
            let network = Sketch::star(n, centre).network(scheme).unwrap();
            prop_assert_eq!(check(&network, &by_port(&network, n, 0)), LoadMethod::Derived);
        }
    }
}

#[test]
fn a_line_of_several_switches_carries_what_is_below_times_what_is_above() {
    // Two connected switches with two nodes each make one line of a grid.
    let mut sketch = Sketch::nodes(&[4]);
    let boxes = [sketch.device(switch(None), &[-1]), sketch.device(switch(None), &[-1])];
    for node in 0..4 {
        sketch.cable(node, boxes[node as usize / 2], 100);
    }
    sketch.cable(boxes[0], boxes[1], 1000);
    let network = sketch.network(Routing::dimension_order).unwrap();
    assert_eq!(
        check(
            &network,
            &[AddressId::new(0), AddressId::new(1), AddressId::new(2), AddressId::new(3)]
        ),
        LoadMethod::Derived
    );
    let uplink = load(
        &network,
        &[AddressId::new(0), AddressId::new(1), AddressId::new(2), AddressId::new(3)],
        &GO_ON,
    )
    .unwrap()
    .channels[LinkId::new(4)];
    assert_eq!(uplink, [4.0, 4.0]);
}

#[test]
fn one_node_loads_nothing() {
    let network = Sketch::cabled(&[3], true).network(Routing::shortest_path).unwrap();
    check(&network, &by_port(&network, 1, 0));
    check(&network, &[AddressId::new(0)]);
    check(&network, &[]);
}

#[test]
fn in_one_segment_nobody_relays_whatever_its_links_carry() {
    for sketch in [Sketch::fat_tree(4), Sketch::bonded(5, 3)] {
        let network = sketch.network(Routing::shortest_path).unwrap();
        let n = network.fabric.n_nodes();
        for identities in [AddressId::first(n).collect(), by_port(&network, n, 0)] {
            let found = forwarding(&network, &identities, &GO_ON).unwrap();
            assert_eq!(found.method, LoadMethod::Derived);
            let walked = load(&network, &identities, &GO_ON).unwrap();
            assert_eq!(walked.method, LoadMethod::Walked);
            assert_eq!(
                (found.forwarded, IdVec::filled(0, n)),
                (walked.forwarded.clone(), walked.forwarded)
            );
        }
    }
}

#[test]
fn hops_are_counted_between_compute_nodes_only() {
    let network =
        Sketch::cabled_with_front_end(&[4], true).network(Routing::shortest_path).unwrap();
    let found = reachability(&network, 4, &GO_ON).unwrap();
    let compute = network.addressing.addresses().iter().filter(|at| at.node.get() < 4).count();
    assert_eq!(found.hops_histogram.iter().sum::<u64>(), 3 * compute as u64);
}
