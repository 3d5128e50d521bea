//! What single failures cost: held against a reference that takes each failure and pair alone, and
//! against answers known beforehand.

mod reference;

use network::metrics::{Cause, Failure, Survival, SurvivalOptions, Toll, survival};
use network::{ExplicitRoute, Ip, Network, Owner, PortId, Routing};
use proptest::prelude::*;

use crate::fabrics::{Sketch, address, hub, switch};
use crate::repeatable;

const BOTH: [SurvivalOptions; 2] = [
    SurvivalOptions { with_fallback: false, most_examples: usize::MAX },
    SurvivalOptions { with_fallback: true, most_examples: 3 },
];
const PLAIN: SurvivalOptions = BOTH[0];
const FALLBACK: SurvivalOptions = BOTH[1];

/// The loopback addresses of all nodes.
fn loopbacks(network: &Network) -> Vec<u32> {
    (0..network.fabric.n_nodes()).collect()
}

/// The first address of each node that has one on a port.
fn port_addresses(network: &Network) -> Vec<u32> {
    let first = |node| {
        let own = network.addressing.of_node(node).iter().copied();
        { own }.find(|&id| matches!(network.addressing.address(id).owner, Owner::Port(_)))
    };
    (0..network.fabric.n_nodes()).filter_map(first).collect()
}

fn check(network: &Network) {
    for identities in [loopbacks(network), port_addresses(network)] {
        for options in BOTH {
            let found = survival(network, &identities, options).expect("small");
            let failures = reference::failures(network);
            let expected: Vec<Toll> = failures
                .into_iter()
                .map(|failure| reference::toll(network, &identities, options, failure))
                .collect();
            for (found, expected) in found.tolls.iter().zip(&expected) {
                assert_eq!(found, expected, "{options:?} {identities:?}");
            }
            assert_eq!(found.tolls.len(), expected.len());
        }
    }
}

/// A small network of one of the kinds.
fn sketches() -> impl Strategy<Value = Sketch> {
    let shapes = prop::collection::vec(1u32..=4, 1..=3)
        .prop_filter("2 to 12 nodes", |s| (2..=12).contains(&s.iter().product::<u32>()));
    (shapes, 0..7, 1u32..=3).prop_map(|(shape, kind, n)| match kind {
        0 => Sketch::cabled(&shape, true),
        1 => Sketch::cabled(&shape, false),
        2 => Sketch::switched(&shape, false),
        3 => Sketch::switched(&shape, true),
        4 => Sketch::cabled_with_front_end(&shape, true),
        5 => Sketch::tree(n, shape[0], 1 + n % 2, 100),
        _ => Sketch::star(shape[0], if n == 1 { hub() } else { switch(None) }),
    })
}

/// A random mixture of cables, hubs and switches among a few nodes, uplinks and loops of switches
/// included.
fn mixtures() -> impl Strategy<Value = Sketch> {
    let cables = prop::collection::vec((0u32..6, 0u32..6), 0..7);
    let groups = prop::collection::vec((prop::collection::vec(0u32..6, 1..4), any::<bool>()), 0..4);
    let uplinks = prop::collection::vec((0usize..4, 0usize..4), 0..5);
    (cables, groups, uplinks).prop_map(|(cables, groups, uplinks)| {
        let mut sketch = Sketch::nodes(&[6]);
        for (a, b) in cables.into_iter().filter(|(a, b)| a != b) {
            sketch.cable(a, b, 100);
        }
        let mut centres = Vec::new();
        for (members, is_hub) in groups {
            let centre = sketch.device(if is_hub { hub() } else { switch(None) }, &[-1]);
            members.into_iter().for_each(|member| sketch.cable(member, centre, 100));
            centres.push(centre);
        }
        for (a, b) in uplinks.into_iter().filter(|(a, b)| a != b) {
            if let (Some(&a), Some(&b)) = (centres.get(a), centres.get(b)) {
                sketch.cable(a, b, 100);
            }
        }
        sketch
    })
}

/// Tables that send each identity over some of a node's cables, in the order of `picks`: they may
/// loop or know nothing at all.
fn haphazard(sketch: &Sketch, picks: &[u32]) -> Network {
    let fabric = sketch.fabric();
    let addressing = address(&fabric);
    let on_port = |port: PortId| {
        let own = addressing.of_node(fabric.port(port).device).iter().copied();
        { own }.find(|&id| addressing.address(id).owner == Owner::Port(port))
    };
    let mut picks = picks.iter().copied().cycle();
    let mut routes = Vec::new();
    for node in 0..fabric.n_nodes() {
        for to in (0..fabric.n_nodes()).filter(|&to| to != node) {
            for port in fabric.ports_of(node) {
                let others = fabric.segment_members(fabric.port(port).segment).iter();
                for &via in others.filter(|&&via| via != port) {
                    let metric = picks.next().expect("endless");
                    let ip: Ip = addressing.address(to).ip;
                    let prefix_length = if metric % 2 == 0 { 32 } else { 30 };
                    if metric < 6 {
                        routes.push(ExplicitRoute {
                            node,
                            destination: ip.network(prefix_length),
                            prefix_length,
                            via: on_port(via),
                            port,
                            metric,
                        });
                    }
                }
            }
        }
    }
    let routing = Routing::explicit(&fabric, &addressing, &routes).expect("sound");
    Network { fabric, addressing, routing }
}

proptest! {
    #![proptest_config(repeatable(48))]

    #[test]
    fn each_failure_costs_what_the_reference_finds(sketch in sketches()) {
        check(&sketch.network(Routing::shortest_path).unwrap());
        if let Ok(network) = sketch.network(Routing::dimension_order) {
            check(&network);
        }
    }

    #[test]
    fn mixtures_too(sketch in mixtures()) {
        check(&sketch.network(Routing::shortest_path).unwrap());
    }

    #[test]
    fn tables_without_sense_too(
        sketch in mixtures(), picks in prop::collection::vec(0u32..9, 7..40),
    ) {
        check(&haphazard(&sketch, &picks));
    }
}

fn prove(sketch: &Sketch, options: SurvivalOptions) -> Survival {
    let network = sketch.network(Routing::dimension_order).unwrap();
    survival(&network, &loopbacks(&network), options).unwrap()
}

/// Returns the sum of a count over failures of one kind.
fn sum(proof: &Survival, kind: fn(Failure) -> bool, count: fn(&Toll) -> u64) -> u64 {
    proof.tolls.iter().filter(|toll| kind(toll.failure)).map(count).sum()
}

fn is_cable(failure: Failure) -> bool {
    matches!(failure, Failure::Cable(_))
}

fn is_switch(failure: Failure) -> bool {
    matches!(failure, Failure::Switch(_))
}

#[test]
fn a_ring_of_three_loses_no_pair_to_any_failure() {
    let sketch = Sketch::cabled(&[3], true);
    let proof = prove(&sketch, FALLBACK);
    assert_eq!((proof.by_itself(), proof.replanned()), (1.0, 1.0));
    assert!(proof.tolls.iter().all(|toll| toll.worst_extra_hops <= 1), "{proof:?}");
    let proof = prove(&sketch, PLAIN);
    assert_eq!(sum(&proof, is_cable, |toll| toll.n_replanned), 6);
    assert_eq!(sum(&proof, |_| true, |toll| toll.n_cut_off), 0);
}

#[test]
fn a_p_mesh_loses_no_pair_to_one_switch_once_replanned() {
    let proof = prove(&Sketch::switched(&[4, 4], false), FALLBACK);
    assert_eq!(sum(&proof, is_switch, |toll| toll.n_cut_off), 0);
    // The identities of a node's own column have no fallback; see the laws of fallback routes. Each
    // of four columns loses its 12 pairs and 9 for each node, of those who enter it there.
    assert_eq!(sum(&proof, is_switch, |toll| toll.n_replanned), 4 * (12 + 4 * 9));
    assert_eq!(proof.replanned(), 1.0);
}

#[test]
fn a_torus_loses_no_pair_to_one_cable_once_replanned() {
    let proof = prove(&Sketch::cabled(&[4, 4], true), FALLBACK);
    assert_eq!(sum(&proof, is_cable, |toll| toll.n_cut_off), 0);
    assert_eq!(sum(&proof, |_| true, |toll| toll.n_looping), 0);
}

#[test]
fn a_hub_takes_all_with_it() {
    let proof = prove_star(hub());
    let toll = proof.tolls.iter().find(|toll| toll.failure == Failure::Hub(5)).unwrap();
    assert_eq!((toll.n_cut_off, toll.n_untouched), (20, 0));
    assert_eq!(toll.examples.len(), 3);
    // A cable costs its node all pairs, both ways; a dead node costs the others nothing.
    assert_eq!(sum(&proof, is_cable, |toll| toll.n_cut_off), 5 * 8);
    assert_eq!(sum(&proof, |f| matches!(f, Failure::Node(_)), |toll| toll.n_untouched), 5 * 12);
    assert_eq!(proof.by_itself(), 5.0 / 16.0);
}

fn prove_star(centre: network::DeviceKind) -> Survival {
    let network = Sketch::star(5, centre).network(Routing::shortest_path).unwrap();
    survival(&network, &port_addresses(&network), FALLBACK).unwrap()
}

#[test]
fn a_bundle_survives_the_loss_of_a_link() {
    let network = Sketch::tree(2, 2, 2, 100).network(Routing::shortest_path).unwrap();
    let proof = survival(&network, &port_addresses(&network), PLAIN).unwrap();
    let uplinks = proof.tolls.iter().filter(|toll| match toll.failure {
        Failure::Cable(link) => !network
            .fabric
            .is_node(network.fabric.port(network.fabric.links()[link as usize].a).device),
        _ => false,
    });
    assert_eq!(
        uplinks.map(|toll| (toll.costs_nobody(), toll.n_untouched)).collect::<Vec<_>>(),
        [(true, 12); 4]
    );
}

/// Each node of a ring turns a packet back when its cable is dead, and its neighbour, who knows of
/// nothing, sends it again.
#[test]
fn a_careless_fallback_loops() {
    let fabric = Sketch::cabled(&[5], true).fabric();
    let addressing = address(&fabric);
    let mut routes = Vec::new();
    for node in 0..5u32 {
        for to in (0..5u32).filter(|&to| to != node) {
            for port in fabric.ports_of(node) {
                let peer = fabric.peer(port).unwrap();
                let other = fabric.port(peer).device;
                let own = addressing.of_node(other).iter().copied();
                let via = { own }.find(|&id| addressing.address(id).owner == Owner::Port(peer));
                let is_forward = other == (node + 1) % 5;
                let ahead = (to + 5 - node) % 5;
                let metric = if is_forward { ahead } else { 5 - ahead };
                let destination = addressing.address(to).ip;
                routes.push(ExplicitRoute {
                    node,
                    destination,
                    prefix_length: 32,
                    via,
                    port,
                    metric,
                });
            }
        }
    }
    let routing = Routing::explicit(&fabric, &addressing, &routes).unwrap();
    let network = Network { fabric, addressing, routing };
    let proof = survival(&network, &loopbacks(&network), PLAIN).unwrap();
    // Beside a dead cable a packet for the other end is sent back once and returned; one for the
    // node behind it is not, because from the neighbour the long way is the shorter one.
    for toll in proof.tolls.iter().filter(|toll| is_cable(toll.failure)) {
        let counts = [toll.n_looping, toll.n_replanned, toll.n_rerouted, toll.n_untouched];
        assert_eq!(counts, [4, 4, 2, 14], "{toll:?}");
        assert!(toll.examples.iter().all(|pair| pair.cause == Cause::Loop));
    }
}

#[test]
fn identities_given_twice_count_once() {
    let network = Sketch::cabled(&[3], true).network(Routing::dimension_order).unwrap();
    let once = survival(&network, &[2, 0, 1], FALLBACK);
    assert_eq!(survival(&network, &[2, 0, 2, 1, 0], FALLBACK), once);
    assert!(survival(&network, &[99], FALLBACK).is_err());
    assert_eq!(survival(&network, &[], FALLBACK).unwrap().by_itself(), 1.0);
}

#[test]
fn threads_change_nothing() {
    let network = Sketch::switched(&[5, 4], false).network(Routing::dimension_order).unwrap();
    let run = || survival(&network, &loopbacks(&network), FALLBACK).unwrap();
    let pool = |n| rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap();
    assert_eq!(pool(1).install(run), pool(4).install(run));
}
