//! Routes by incoming interface lose no pair to a single cut, whatever the network of cables, and
//! none to a dead node where the others stay connected without it.

use std::collections::BTreeMap;

use network::metrics::{FailureImpact, Part, Progress, ReroutingOptions, Watch, rerouting};
use network::{AddressId, Fabric, LinkId, Network, NodeId, Routing, RoutingError};
use proptest::prelude::*;
use quantity::Id;

use crate::fabrics::{GO_ON, Sketch, single_failures, switch};
use crate::repeatable;

const OPTIONS: ReroutingOptions = ReroutingOptions {
    with_fallback: true,
    with_return_paths: false,
    planner: NodeId::new(0),
    most_examples: 1,
};

type Scheme = fn(&Fabric) -> Result<Routing, RoutingError>;

const SCHEMES: [Scheme; 2] = [Routing::dimension_order, Routing::shortest_path];

fn by_interface(sketch: &Sketch, scheme: Scheme) -> Option<Network> {
    let network = sketch.network(scheme).ok()?;
    Some(network.with_routes_by_interface(1).expect("cables"))
}

fn impacts(network: &Network, failures: &[Vec<Part>]) -> Vec<FailureImpact> {
    let identities: Vec<AddressId> = AddressId::first(network.fabric.n_nodes()).collect();
    let progress = Progress::default();
    let watch = Watch { stop: &GO_ON, progress: &progress };
    rerouting(network, &identities, failures, OPTIONS, watch).expect("small")
}

/// Checks that no single failure of a cable, a port or a node loses a pair that a path still joins.
fn check(network: &Network, sketch: &Sketch) {
    let failures = single_failures(&network.fabric);
    for (impact, failure) in impacts(network, &failures).iter().zip(&failures) {
        let n_lost = impact.n_lost() - impact.n_disconnected;
        assert_eq!(n_lost, 0, "{failure:?} {:?} {sketch:?}", impact.examples);
    }
}

/// Returns the shapes of cables.
fn shapes() -> Vec<Sketch> {
    let mut shapes: Vec<Sketch> = (3..=16).map(|n| Sketch::cabled(&[n], true)).collect();
    let grids: [&[u32]; 11] = [
        &[3, 3],
        &[4, 4],
        &[3, 5],
        &[5, 6],
        &[2, 4],
        &[3, 4],
        &[3, 3, 3],
        &[4, 4, 4],
        &[2, 3, 4],
        &[2, 2, 2],
        &[2, 2, 2, 2],
    ];
    for shape in grids {
        shapes.push(Sketch::cabled(shape, true));
        shapes.push(Sketch::cabled(shape, false));
        shapes.push(Sketch::meshed(shape));
        shapes.push(Sketch::cabled_with_front_end(shape, true));
    }
    shapes.extend((2..=7).map(|n| Sketch::meshed(&[n])));
    shapes
}

#[test]
fn no_single_failure_of_any_shape_of_cables_loses_a_pair() {
    for sketch in shapes() {
        for network in SCHEMES.iter().filter_map(|&scheme| by_interface(&sketch, scheme)) {
            check(&network, &sketch);
        }
    }
}

/// A few nodes with cables between random ones, some of them twins, some nodes cut off.
fn webs() -> impl Strategy<Value = Sketch> {
    let cables = |n: u32| (Just(n), prop::collection::vec((0..n, 0..n), 1..(3 * n as usize)));
    (2u32..=14).prop_flat_map(cables).prop_map(|(n, cables)| {
        let mut sketch = Sketch::nodes(&[n]);
        for (a, b) in cables.into_iter().filter(|(a, b)| a != b) {
            sketch.cable(a, b, 100);
        }
        sketch
    })
}

proptest! {
    #![proptest_config(repeatable(400))]

    #[test]
    fn no_single_failure_of_any_web_of_cables_loses_a_pair(sketch in webs()) {
        check(&by_interface(&sketch, Routing::shortest_path).expect("small"), &sketch);
    }

    /// The routes of a tree that is not one of shortest paths are kept, and protected all the same.
    #[test]
    fn any_routes_are_kept(sketch in webs()) {
        let plain = sketch.network(Routing::shortest_path).expect("small");
        let with = by_interface(&sketch, Routing::shortest_path).expect("small");
        for node in with.fabric.nodes() {
            let main = plain.routes_of(node, false);
            let listed = with.routes_of(node, true);
            let first = listed.iter().filter(|route| route.table.is_none() && route.metric == 1);
            prop_assert_eq!(first.copied().collect::<Vec<_>>(), main);
        }
    }
}

/// Returns the most and the total extra hops of all pairs under all cuts of a cable, and the most
/// routes by incoming interface at one node.
fn cost(network: &Network) -> (u32, f64, usize) {
    let cuts: Vec<Vec<Part>> =
        network.fabric.links().ids().map(|link| vec![Part::Cable(link)]).collect();
    let impacts = impacts(network, &cuts);
    let worst = impacts.iter().map(|impact| impact.worst_extra_hops).max().unwrap();
    let extra: u64 = impacts.iter().map(|impact| impact.extra_hops).sum();
    let rerouted: u64 = impacts.iter().map(|impact| impact.n_rerouted).sum();
    let of_node = |node: NodeId| {
        network.routes_of(node, true).iter().filter(|route| route.table.is_some()).count()
    };
    let most = network.fabric.nodes().map(of_node).max().unwrap();
    (worst, extra as f64 / rerouted as f64, most)
}

#[test]
fn detours_are_short_and_tables_small() {
    let cases: [(&str, Sketch, (u32, f64, usize)); 6] = [
        ("ring 8", Sketch::cabled(&[8], true), (6, 4.3, 5)),
        ("torus 4x4", Sketch::cabled(&[4, 4], true), (2, 0.94, 4)),
        ("torus 3x3x3", Sketch::cabled(&[3, 3, 3], true), (1, 0.49, 0)),
        ("hypercube 16", Sketch::cabled(&[2, 2, 2, 2], true), (2, 0.94, 6)),
        ("mesh 3x4", Sketch::cabled(&[3, 4], false), (2, 1.23, 4)),
        ("full mesh 6", Sketch::meshed(&[6]), (1, 1.0, 0)),
    ];
    let mut found = BTreeMap::new();
    for (name, sketch, most) in cases {
        let cost = cost(&by_interface(&sketch, Routing::dimension_order).expect("a grid"));
        let is_within = cost.0 <= most.0 && cost.1 <= most.1 && cost.2 <= most.2;
        found.insert(name, (cost, is_within));
    }
    assert!(found.values().all(|(_, is_within)| *is_within), "{found:#?}");
}

#[test]
fn an_own_source_comes_back_and_a_second_cut_can_make_packets_circle() {
    let ring = by_interface(&Sketch::cabled(&[6], true), Routing::dimension_order).unwrap();
    let cuts: Vec<Part> = ring.fabric.links().ids().map(Part::Cable).collect();
    let both = vec![vec![cuts[0], cuts[3]]];
    let impact = &impacts(&ring, &both)[0];
    assert_eq!(impact.n_lost(), impact.n_disconnected);
    assert!(impact.n_looping > 0);
}

#[test]
fn switches_are_refused() {
    let mut sketch = Sketch::nodes(&[2]);
    let device = sketch.device(switch(None), &[-1]);
    sketch.cable(0, device, 100);
    sketch.cable(1, device, 100);
    let network = sketch.network(Routing::shortest_path).unwrap();
    let refused = network.with_routes_by_interface(1).map(|_| ());
    assert!(matches!(refused, Err(RoutingError::NotACable { link }) if link.index() == 0));
}

/// Returns all sets of this many cuts.
fn cuts(fabric: &Fabric, n_cuts: u32) -> Vec<Vec<Part>> {
    let mut sets = vec![(0, Vec::new())];
    for _ in 0..n_cuts {
        let longer = |(next, set): (u32, Vec<Part>)| {
            (next..fabric.links().n()).map(move |link| {
                (link + 1, [set.clone(), vec![Part::Cable(LinkId::new(link))]].concat())
            })
        };
        sets = sets.into_iter().flat_map(longer).collect();
    }
    sets.into_iter().map(|(_, set)| set).collect()
}

/// Checks that no set of up to `n_cuts` cuts loses a pair; returns the longest detour, and the most
/// routes of tables by interface at one node.
fn check_cuts(sketch: &Sketch, n_cuts: u32) -> (u32, usize) {
    let network = sketch.network(Routing::dimension_order).expect("a grid");
    let network = network.with_routes_by_interface(n_cuts).expect("trees are found");
    let mut worst = 0;
    for n in 0..=n_cuts {
        let failures = cuts(&network.fabric, n);
        for (impact, failure) in impacts(&network, &failures).iter().zip(&failures) {
            assert_eq!(impact.n_lost(), 0, "{failure:?} {:?}", impact.examples);
            worst = worst.max(impact.worst_extra_hops);
        }
    }
    let of_node = |node: NodeId| {
        network.routes_of(node, true).iter().filter(|route| route.table.is_some()).count()
    };
    (worst, network.fabric.nodes().map(of_node).max().unwrap())
}

#[test]
fn trees_survive_every_two_and_every_three_cuts() {
    let cases = [
        ("torus 4x4", Sketch::cabled(&[4, 4], true), 2, (20, 160)),
        ("torus 4x4", Sketch::cabled(&[4, 4], true), 3, (20, 152)),
        ("hypercube 16", Sketch::cabled(&[2, 2, 2, 2], true), 3, (20, 156)),
        ("torus 5x5", Sketch::cabled(&[5, 5], true), 2, (20, 252)),
        ("torus 3x3x3", Sketch::cabled(&[3, 3, 3], true), 2, (28, 732)),
        ("full mesh 6", Sketch::meshed(&[6]), 3, (9, 70)),
    ];
    for (name, sketch, n_cuts, cost) in cases {
        assert_eq!(check_cuts(&sketch, n_cuts), cost, "{name}, {n_cuts} cuts");
    }
}

#[test]
fn a_node_with_two_cables_does_not_survive_two_cuts() {
    let network = Sketch::cabled(&[5], true).network(Routing::dimension_order).unwrap();
    let refused = network.with_routes_by_interface(2).map(|_| ());
    assert!(matches!(refused, Err(RoutingError::NoTrees { cuts: 2, .. })));
}
