//! Shortest paths on irregular fabrics, compared with distances from another algorithm, and the
//! spread of ties.

use network::metrics::{load, reachability};
use network::{AddressId, Network, Routing};
use proptest::prelude::*;
use quantity::Id;

use crate::fabrics::{GO_ON, Sketch, hub, switch};

/// A random mixture of cables, hubs and switches among a few nodes.
pub fn fabrics() -> impl Strategy<Value = Sketch> {
    let cables = prop::collection::vec((0u32..8, 0u32..8), 0..14);
    let groups = prop::collection::vec((prop::collection::vec(0u32..8, 2..5), any::<bool>()), 0..4);
    (cables, groups).prop_map(|(cables, groups)| {
        let mut sketch = Sketch::nodes(&[8]);
        for (a, b) in cables.into_iter().filter(|(a, b)| a != b) {
            sketch.cable(a, b, 100);
        }
        for (members, is_hub) in groups {
            let centre = sketch.device(if is_hub { hub() } else { switch(None) }, &[-1]);
            for member in members {
                sketch.cable(member, centre, 100);
            }
        }
        sketch
    })
}

/// Returns distances by relaxation over all pairs (Floyd and Warshall).
fn distances(network: &Network) -> Vec<Vec<u32>> {
    let n = network.fabric.n_nodes() as usize;
    let mut distance = vec![vec![u32::MAX / 2; n]; n];
    for segment in network.fabric.segments() {
        let members = network.fabric.segment_members(segment);
        for &a in members {
            for &b in members {
                let device = |port| network.fabric.port(port).device.index();
                distance[device(a)][device(b)] = u32::from(device(a) != device(b));
            }
        }
    }
    (0..n).for_each(|node| distance[node][node] = 0);
    for middle in 0..n {
        for a in 0..n {
            for b in 0..n {
                let round = distance[a][middle] + distance[middle][b];
                distance[a][b] = distance[a][b].min(round);
            }
        }
    }
    distance
}

proptest! {
    #[test]
    fn every_address_is_as_near_as_its_owner(sketch in fabrics()) {
        let network = sketch.network(Routing::shortest_path).unwrap();
        let distance = distances(&network);
        let found = reachability(&network, 8, &GO_ON).unwrap();
        let mut histogram = vec![0u64; found.hops_histogram.len()];
        let mut lost = 0;
        for address in network.addressing.addresses() {
            for row in &distance {
                match row[address.node.index()] {
                    0 => {}
                    hops if hops < 8 => histogram[hops as usize] += 1,
                    _ => lost += 1,
                }
            }
        }
        prop_assert_eq!(&found.hops_histogram, &histogram);
        prop_assert_eq!(found.n_unreachable, lost);
    }
}

/// Four nodes in a ring of cables, and all on a switch.
fn ring_on_a_switch(links: u64) -> Network {
    let mut sketch = Sketch::cabled(&[4], true);
    let centre = sketch.device(switch(None), &[-1]);
    (0..4).for_each(|node| sketch.cable(node, centre, links));
    sketch.network(Routing::shortest_path).unwrap()
}

#[test]
fn a_fast_detour_is_shorter_than_a_slow_link() {
    let forwards = |links| {
        let network = ring_on_a_switch(links);
        reachability(&network, 4, &GO_ON).unwrap().forwards_worst()
    };
    assert_eq!([forwards(100), forwards(25), forwards(1000)], [0, 1, 0]);
}

#[test]
fn nobody_forwards_at_layer_two() {
    let sketches =
        [Sketch::star(16, hub()), Sketch::star(16, switch(None)), Sketch::tree(4, 6, 2, 1000)];
    for sketch in sketches {
        let network = sketch.network(Routing::shortest_path).unwrap();
        let n_nodes = network.fabric.n_nodes();
        let found = reachability(&network, n_nodes, &GO_ON).unwrap();
        assert_eq!((found.n_unreachable, found.forwards_worst()), (0, 0));
    }
}

#[test]
fn neighbours_of_a_full_mesh_are_asked_directly() {
    let mut sketch = Sketch::nodes(&[6]);
    for a in 0..6 {
        (a + 1..6).for_each(|b| sketch.cable(a, b, 100));
    }
    let network = sketch.network(Routing::shortest_path).unwrap();
    assert_eq!(reachability(&network, 6, &GO_ON).unwrap().forwards_worst(), 0);
}

#[test]
fn ties_go_to_whoever_relays_least() {
    for shape in [vec![4], vec![4, 4], vec![6, 6], vec![3, 5], vec![2, 4, 6]] {
        let network = Sketch::cabled(&shape, true).network(Routing::shortest_path).unwrap();
        let identities: Vec<AddressId> = AddressId::first(network.fabric.n_nodes()).collect();
        let relayed = load(&network, &identities, &GO_ON).unwrap().forwarded;
        let (least, most) = (relayed.iter().min().unwrap(), relayed.iter().max().unwrap());
        assert!(most - least <= 1 + most / 7, "{shape:?}: {least} to {most}");
    }
}

#[test]
fn bundles_share_and_hops_across_switches_are_one() {
    let network = Sketch::tree(2, 2, 2, 100).network(Routing::shortest_path).unwrap();
    let load = load(
        &network,
        &[AddressId::new(0), AddressId::new(1), AddressId::new(2), AddressId::new(3)],
        &GO_ON,
    )
    .unwrap();
    // Two nodes of a leaf send to two of the other: four packets in each direction over two
    // uplinks.
    let uplinks = network.fabric.links().iter().zip(&load.channels);
    let uplinks =
        uplinks.filter(|(link, _)| !network.fabric.is_node(network.fabric.port(link.a).device));
    assert!(uplinks.into_iter().all(|(_, &both)| both == [2.0; 2]));
}
