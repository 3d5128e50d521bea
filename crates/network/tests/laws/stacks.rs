//! Stack rings and stack meshes of any size, with and without forwarders and a front end: every
//! address on a shortest path, and the load of forwarding evenly spread.

use network::metrics::{LoadMethod, forwarding, load, path, reachability};
use network::{AddressId, Network, NodeId, Owner, Routing, RoutingError, Ties};
use proptest::prelude::*;
use quantity::Id;

use crate::fabrics::{GO_ON, Sketch, coordinates};
use crate::grid::check_listing;

/// One to three axes of groups (unequal, odd, two, one) and up to five nodes in each.
fn shapes() -> impl Strategy<Value = Vec<u32>> {
    (prop::collection::vec(1u32..=6, 1..=3), 1u32..=5)
        .prop_map(|(groups, places)| [groups, vec![places]].concat())
        .prop_filter("2 to 24 groups", |shape| {
            (2..=24).contains(&shape[..shape.len() - 1].iter().product::<u32>())
        })
}

/// Returns the distance of two groups, the shorter direction round each axis.
fn distance(shape: &[u32], a: &[i32], b: &[i32]) -> u32 {
    let gaps = a.iter().zip(b).map(|(a, b)| a.abs_diff(*b));
    let groups = &shape[..shape.len() - 1];
    groups.iter().zip(gaps).map(|(&side, gap)| gap.min(side - gap)).sum()
}

fn hops(network: &Network, node: u32, to: u32) -> u32 {
    let crossed =
        path(network, NodeId::new(node), AddressId::new(to)).expect("every address is reached");
    crossed.iter().filter(|crossing| network.fabric.is_node(crossing.device)).count() as u32 - 1
}

fn stacked(shape: &[u32], forwarders: u32, front_end: bool) -> Network {
    Sketch::stacked(shape, forwarders, front_end).network(Routing::stack).unwrap()
}

fn with_ties(sketch: &Sketch, ties: Ties) -> Network {
    sketch.network(|fabric| Ok(Routing::stack(fabric)?.with_ties(ties))).unwrap()
}

/// Returns the packets that each node relays when every compute node sends one to every other.
fn forwarded(network: &Network, shape: &[u32]) -> Vec<u64> {
    let identities: Vec<AddressId> = AddressId::first(shape.iter().product()).collect();
    (load(network, &identities, &GO_ON).unwrap().forwarded).into_vec()
}

proptest! {
    #![proptest_config(crate::repeatable(64))]

    #[test]
    fn groups_d_apart_take_d_hops_and_one_at_least(shape in shapes(), forwarders in 0u32..3) {
        let network = stacked(&shape, forwarders, false);
        for (id, address) in (0..).zip(network.addressing.addresses()) {
            for node in network.fabric.nodes().filter(|&node| node != address.node) {
                let [a, b] = [node, address.node].map(|node| network.fabric.coordinates(node));
                prop_assert_eq!(hops(&network, node.get(), id), distance(&shape, a, b).max(1));
            }
        }
    }

    #[test]
    fn no_way_is_shorter(shape in shapes(), forwarders in 0u32..2, front_end: bool) {
        let sketch = Sketch::stacked(&shape, forwarders, front_end);
        let searched = sketch.network(Routing::shortest_path).unwrap();
        for ties in [Ties::Spread, Ties::OneWay] {
            let network = with_ties(&sketch, ties);
            for id in 0..network.addressing.addresses().len() as u32 {
                for node in network.fabric.nodes() {
                    let node = node.get();
                    prop_assert_eq!(hops(&network, node, id), hops(&searched, node, id));
                }
            }
        }
    }

    #[test]
    fn nodes_of_a_shape_relay_alike(shape in shapes()) {
        let load = forwarded(&stacked(&shape, 0, false), &shape);
        prop_assert!(load.iter().all(|&n| n == load[0]), "{load:?}");
    }

    #[test]
    fn forwarders_take_all_forwarding(shape in shapes(), forwarders in 1u32..4) {
        let compute = shape.iter().product::<u32>() as usize;
        let load = forwarded(&stacked(&shape, forwarders, false), &shape);
        prop_assert!(load[..compute].iter().all(|&n| n == 0), "{load:?}");
    }

    #[test]
    fn a_front_end_reaches_and_is_reached(shape in shapes(), forwarders in 0u32..2) {
        let network = stacked(&shape, forwarders, true);
        let found = reachability(&network, network.fabric.n_nodes(), &GO_ON).unwrap();
        prop_assert_eq!(&found.unreachable, &[]);
    }

    #[test]
    fn listed_routes_decide_alike(shape in shapes(), forwarders in 0u32..2, front_end: bool) {
        check_listing(&stacked(&shape, forwarders, front_end));
    }
}

proptest! {
    #![proptest_config(crate::repeatable(128))]

    #[test]
    fn what_is_relayed_is_known_without_following_anybody(
        shape in shapes(),
        forwarders in 0u32..4,
        front_end: bool,
        by_port: bool,
    ) {
        let sketch = Sketch::stacked(&shape, forwarders, front_end);
        for ties in [Ties::Spread, Ties::OneWay] {
            let network = with_ties(&sketch, ties);
            let identities = identities(&network, &shape, by_port);
            let walked = load(&network, &identities, &GO_ON).unwrap();
            let derived = forwarding(&network, &identities, &GO_ON).unwrap();
            prop_assert_eq!(derived.method, LoadMethod::Derived);
            prop_assert_eq!(derived.forwarded, walked.forwarded);
        }
    }

    #[test]
    fn what_is_relayed_without_some_cable_is_followed(
        shape in shapes(),
        forwarders in 0u32..3,
        cable in 0u32..999,
    ) {
        let mut sketch = Sketch::stacked(&shape, forwarders, false);
        sketch.unplug(cable as usize % sketch.fabric().links().len());
        let Ok(network) = sketch.network(Routing::stack) else { return Ok(()) };
        for by_port in [false, true] {
            let identities = identities(&network, &shape, by_port);
            let walked = load(&network, &identities, &GO_ON).unwrap();
            let found = forwarding(&network, &identities, &GO_ON).unwrap();
            prop_assert_eq!(found.forwarded, walked.forwarded);
        }
    }
}

/// Returns the addresses of the nodes with a place: on their loopbacks, or on their first ports.
fn identities(network: &Network, shape: &[u32], by_port: bool) -> Vec<AddressId> {
    let addressing = &network.addressing;
    let port = |id: &AddressId| match addressing.address(*id).owner {
        Owner::Port(port) => Some((port, *id)),
        Owner::Loopback(_) => None,
    };
    let first = |node| addressing.of_node(node).iter().filter_map(port).min().unwrap().1;
    let loopback = |node: NodeId| AddressId::new(node.get());
    let nodes = NodeId::first(shape.iter().product());
    nodes.map(|node| if by_port { first(node) } else { loopback(node) }).collect()
}

#[test]
fn groups_must_share_their_stack() {
    // Pairs of a hypercube have neighbours, but a node of one shares segments with a single node of
    // the other.
    for sketch in [Sketch::cabled(&[2, 2, 2], false), Sketch::meshed(&[3, 2])] {
        let refused = Routing::stack(&sketch.fabric()).unwrap_err();
        assert!(matches!(refused, RoutingError::IrregularStack { .. }), "{refused}");
    }
    // One group has no neighbour, and no segment to route over.
    let one_group = Sketch::meshed(&[1, 4]).fabric();
    assert_eq!(Routing::stack(&one_group).unwrap_err(), RoutingError::NoGroups);
}

#[test]
fn forwarders_of_a_ring_relay_alike() {
    // Two relays share the packets of four nodes; each takes those of every second node.
    for stages in [4, 5, 6, 7] {
        let load = forwarded(&stacked(&[stages, 4], 2, false), &[stages, 4]);
        let forwarders = &load[4 * stages as usize..];
        assert!(forwarders.iter().all(|&n| n == forwarders[0] && n > 0), "{load:?}");
    }
}

#[test]
fn pairs_of_the_paper_take_these_forwards() {
    // [STACK-2001, erratum 10]: among the 15 other groups of a 4x4, 4 need 0, 6 need 1, 4 need 2, 1
    // needs 3.
    let network = stacked(&[4, 4, 3], 0, false);
    let mut n_groups = [0; 4];
    (1..16).for_each(|group| n_groups[hops(&network, 1, 3 * group) as usize - 1] += 1);
    assert_eq!(n_groups, [4, 6, 4, 1]);
    // [STACK-2001, erratum 9]: in a ring of five no stage is more than one forward away.
    let ring = stacked(&[5, 3], 0, false);
    for (from, to) in [(0, 2), (1, 3), (2, 4), (2, 0), (3, 1), (4, 2), (4, 1), (0, 3)] {
        assert_eq!(hops(&ring, 3 * from, 3 * to + 1), 2, "{from}-{to}");
    }
}

#[test]
fn ties_of_the_paper_all_go_west() {
    // Half-way round a ring of four, all packets leave by W, which here is the second port.
    let sketch = Sketch::stacked(&[4, 2], 0, false);
    let way = |network: &Network, node: u32| {
        let second = coordinates(&[4, 2], node)[0] as u32;
        let to = (second + 2) % 4 * 2;
        let relay = path(network, NodeId::new(node), AddressId::new(to))
            .unwrap()
            .iter()
            .filter(|c| network.fabric.is_node(c.device))
            .nth(1)
            .unwrap()
            .device;
        (4 + relay.get() / 2 - second) % 4
    };
    let paper = with_ties(&sketch, Ties::OneWay);
    assert_eq!((0..8).map(|node| way(&paper, node)).collect::<Vec<_>>(), [3; 8]);
    let spread = with_ties(&sketch, Ties::Spread);
    assert_eq!((0..8).map(|node| way(&spread, node)).collect::<Vec<_>>(), [1, 3, 3, 1, 1, 3, 3, 1]);
}

#[test]
fn one_way_loads_one_direction_on_even_sides_only() {
    // Ratio of the most to the fewest packets sent by E and by W; relayed packets are equal in any
    // case.
    let unevenness = |shape: &[u32], ties| {
        let network = with_ties(&Sketch::stacked(shape, 0, false), ties);
        let identities: Vec<AddressId> = AddressId::first(shape.iter().product()).collect();
        let load = load(&network, &identities, &GO_ON).unwrap();
        assert!(load.forwarded.iter().all(|&n| n == load.forwarded[NodeId::new(0)]), "{load:?}");
        let sent = load.channels.iter().map(|channel| channel[0]);
        sent.clone().fold(0.0, f64::max) / sent.fold(f64::MAX, f64::min)
    };
    for shape in [[4, 4], [6, 4], [8, 2]] {
        let [spread, one_way] = [Ties::Spread, Ties::OneWay].map(|ties| unevenness(&shape, ties));
        assert!(one_way > 1.3 && one_way > 1.2 * spread, "{shape:?}: {spread} {one_way}");
    }
    assert_eq!(unevenness(&[5, 4], Ties::OneWay), unevenness(&[5, 4], Ties::Spread));
}
