//! The cost of single failures: compared with a reference that takes each failure and pair alone,
//! and with known answers.

mod reference;

use quantity::Id;
use std::sync::atomic::AtomicBool;

use network::metrics::{
    Cause, FailureImpact, LostPair, MetricError, Need, Part, Progress, ReroutingOptions, Watch,
    rerouting,
};
use network::{
    AddressId, DeviceId, ExplicitRoute, Ip, LinkId, Network, NodeId, Owner, PortId, Routing,
};
use proptest::prelude::*;

use crate::fabrics::{GO_ON, Sketch, address, hub, single_failures, switch};
use crate::repeatable;

const PLAIN: ReroutingOptions = ReroutingOptions {
    with_fallback: false,
    with_return_paths: true,
    planner: NodeId::new(2),
    most_examples: usize::MAX,
};
const FALLBACK: ReroutingOptions = ReroutingOptions {
    with_fallback: true,
    with_return_paths: false,
    planner: NodeId::new(0),
    most_examples: 3,
};

fn prove_all(
    network: &Network,
    identities: &[AddressId],
    failures: &[Vec<Part>],
    options: ReroutingOptions,
) -> Vec<FailureImpact> {
    rerouting_of(network, identities, failures, options).expect("small")
}

/// Calls `rerouting` with a progress counter that is not read.
fn rerouting_of(
    network: &Network,
    identities: &[AddressId],
    failures: &[Vec<Part>],
    options: ReroutingOptions,
) -> Result<Vec<FailureImpact>, MetricError> {
    let progress = Progress::default();
    let watch = Watch { stop: &GO_ON, progress: &progress };
    rerouting(network, identities, failures, options, watch)
}

/// The loopback addresses of all nodes.
fn loopbacks(network: &Network) -> Vec<AddressId> {
    AddressId::first(network.fabric.n_nodes()).collect()
}

/// The first address of each node that has one on a port.
fn port_addresses(network: &Network) -> Vec<AddressId> {
    let first = |node| {
        let own = network.addressing.of_node(node).iter().copied();
        { own }.find(|&id| matches!(network.addressing.address(id).owner, Owner::Port(_)))
    };
    network.fabric.nodes().filter_map(first).collect()
}

/// Returns no failure, all single ones and some of two or three parts, with ids that `picks`
/// chooses.
fn failures(network: &Network, picks: &[usize]) -> Vec<Vec<Part>> {
    let single = single_failures(&network.fabric);
    let part = |&pick: &usize| single[pick % single.len()][0];
    let union = |picks: &[usize]| picks.iter().map(part).collect();
    let several = picks.chunks(3).map(union).collect();
    [vec![Vec::new()], single.clone(), several].concat()
}

fn check(network: &Network, picks: &[usize]) {
    let failures = failures(network, picks);
    let return_paths = ReroutingOptions { with_return_paths: true, ..FALLBACK };
    for identities in [loopbacks(network), port_addresses(network)] {
        for options in [PLAIN, FALLBACK, return_paths] {
            let found = prove_all(network, &identities, &failures, options);
            assert_eq!(found.len(), failures.len());
            for (found, failure) in found.iter().zip(&failures) {
                let expected = reference::impact(network, &identities, options, failure);
                assert_eq!(*found, expected, "{failure:?} {options:?} {identities:?}");
            }
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

/// Returns tables that send each identity over some of a node's cables, in the order of `picks`:
/// they may loop or be empty.
fn haphazard(sketch: &Sketch, picks: &[u32]) -> Network {
    let fabric = sketch.fabric();
    let addressing = address(&fabric);
    let on_port = |port: PortId| {
        let own = addressing.of_node(fabric.node_of(port)).iter().copied();
        { own }.find(|&id| addressing.address(id).owner == Owner::Port(port))
    };
    let mut picks = picks.iter().copied().cycle();
    let mut routes = Vec::new();
    for node in fabric.nodes() {
        for to in fabric.nodes().filter(|&to| to != node) {
            let to = AddressId::new(to.get());
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
    Network::new(fabric, addressing, routing)
}

proptest! {
    #![proptest_config(repeatable(48))]

    #[test]
    fn each_failure_costs_what_the_reference_finds(sketch in sketches(), picks in picks()) {
        check(&sketch.network(Routing::shortest_path).unwrap(), &picks);
        if let Ok(network) = sketch.network(Routing::dimension_order) {
            check(&network, &picks);
        }
    }

    #[test]
    fn mixtures_too(sketch in mixtures(), picks in picks()) {
        check(&sketch.network(Routing::shortest_path).unwrap(), &picks);
    }

    #[test]
    fn tables_without_sense_too(
        sketch in mixtures(), routes in prop::collection::vec(0u32..9, 7..40), picks in picks(),
    ) {
        check(&haphazard(&sketch, &routes), &picks);
    }
}

proptest! {
    #![proptest_config(repeatable(16))]

    #[test]
    fn tables_by_interface_too(
        shape in prop_oneof![(3u32..=7).prop_map(|n| vec![n]), Just(vec![3, 3]), Just(vec![2, 4])],
        kind in 0..3,
        picks in picks(),
    ) {
        let sketch = match kind {
            0 => Sketch::cabled(&shape, true),
            1 => Sketch::cabled(&shape, false),
            _ => Sketch::cabled_with_front_end(&shape, true),
        };
        let network = sketch.network(Routing::shortest_path).expect("small");
        check(&network.with_routes_by_interface(1).expect("cables"), &picks);
    }
}

fn picks() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(0usize..1000, 0..12)
}

/// A network and the costs of its single failures.
struct Proof {
    network: Network,
    impacts: Vec<(Part, FailureImpact)>,
}

impl Proof {
    fn new(network: Network, identities: &[AddressId], options: ReroutingOptions) -> Proof {
        let failures = single_failures(&network.fabric);
        let impacts = prove_all(&network, identities, &failures, options);
        let impacts = failures.into_iter().map(|parts| parts[0]).zip(impacts).collect();
        Proof { network, impacts }
    }

    /// Returns the sum of a count over failures of one kind.
    fn sum(&self, kind: fn(&Network, Part) -> bool, count: fn(&FailureImpact) -> u64) -> u64 {
        let impacts = self.impacts.iter().filter(|(part, _)| kind(&self.network, *part));
        impacts.map(|(_, impact)| count(impact)).sum()
    }
}

fn prove(sketch: &Sketch, options: ReroutingOptions) -> Proof {
    let network = sketch.network(Routing::dimension_order).unwrap();
    let identities = loopbacks(&network);
    Proof::new(network, &identities, options)
}

fn is_any(_: &Network, _: Part) -> bool {
    true
}

fn is_cable(_: &Network, part: Part) -> bool {
    matches!(part, Part::Cable(_))
}

fn is_switch(network: &Network, part: Part) -> bool {
    matches!(part, Part::Device(device) if !network.fabric.is_node(device))
}

fn is_node(network: &Network, part: Part) -> bool {
    matches!(part, Part::Device(device) if network.fabric.is_node(device))
}

#[test]
fn a_ring_of_three_loses_no_pair_to_any_failure() {
    let sketch = Sketch::cabled(&[3], true);
    let proof = prove(&sketch, FALLBACK);
    assert_eq!(proof.sum(is_any, FailureImpact::n_lost), 0);
    assert!(proof.impacts.iter().all(|(_, impact)| impact.worst_extra_hops <= 1));
    let proof = prove(&sketch, PLAIN);
    assert_eq!(proof.sum(is_cable, |impact| impact.n_recomputed), 6);
    assert_eq!(proof.sum(is_any, |impact| impact.n_disconnected), 0);
}

#[test]
fn a_p_mesh_loses_no_pair_to_one_switch_with_recomputed_tables() {
    let proof = prove(&Sketch::switched(&[4, 4], false), FALLBACK);
    assert_eq!(proof.sum(is_switch, |impact| impact.n_disconnected), 0);
    // The identities of a node's own column have no fallback; see the laws of fallback routes. Each
    // of four columns loses its 12 connections and, for each node, those of 9 others that enter the
    // column there; what the node opens to them gets no answers.
    assert_eq!(proof.sum(is_switch, |impact| impact.n_recomputed), 4 * (12 + 2 * 4 * 9));
    assert_eq!(proof.sum(is_switch, |impact| impact.n_unanswered), 4 * 4 * 9);
    assert_eq!(proof.sum(is_any, |impact| impact.n_disconnected), 0);
}

#[test]
fn a_torus_loses_no_pair_to_one_cable_with_recomputed_tables() {
    let proof = prove(&Sketch::cabled(&[4, 4], true), FALLBACK);
    assert_eq!(proof.sum(is_cable, |impact| impact.n_disconnected), 0);
    assert_eq!(proof.sum(is_any, |impact| impact.n_looping), 0);
}

#[test]
fn a_hub_takes_all_with_it() {
    let proof = prove_star(hub());
    let (_, impact) =
        proof.impacts.iter().find(|(part, _)| *part == Part::Device(DeviceId::new(5))).unwrap();
    assert_eq!((impact.n_disconnected, impact.n_untouched), (20, 0));
    assert_eq!(impact.examples.len(), 3);
    // A cable costs its node all pairs, in both directions; a dead node costs the others none.
    assert_eq!(proof.sum(is_cable, |impact| impact.n_disconnected), 5 * 8);
    assert_eq!(proof.sum(is_node, |impact| impact.n_untouched), 5 * 12);
}

fn prove_star(centre: network::DeviceKind) -> Proof {
    let network = Sketch::star(5, centre).network(Routing::shortest_path).unwrap();
    let identities = port_addresses(&network);
    Proof::new(network, &identities, FALLBACK)
}

#[test]
fn a_bundle_survives_the_loss_of_a_link() {
    let network = Sketch::tree(2, 2, 2, 100).network(Routing::shortest_path).unwrap();
    let identities = port_addresses(&network);
    let Proof { network, impacts } = Proof::new(network, &identities, PLAIN);
    let uplinks = impacts.iter().filter(|(part, _)| match *part {
        Part::Cable(link) => {
            !network.fabric.is_node(network.fabric.port(network.fabric.links()[link].a).device)
        }
        _ => false,
    });
    let found: Vec<_> = uplinks.map(|(_, impact)| (impact.n_lost(), impact.n_untouched)).collect();
    assert_eq!(found, [(0, 12); 4]);
}

/// Each node of a ring returns a packet when its cable is dead, and its neighbour, which does not
/// know of the failure, sends it back again.
#[test]
fn a_careless_fallback_loops() {
    let fabric = Sketch::cabled(&[5], true).fabric();
    let addressing = address(&fabric);
    let mut routes = Vec::new();
    for node in 0..5u32 {
        for to in (0..5u32).filter(|&to| to != node) {
            for port in fabric.ports_of(DeviceId::new(node)) {
                let peer = fabric.peer(port).unwrap();
                let other = fabric.port(peer).device;
                let own = addressing.of_node(NodeId::new(other.get())).iter().copied();
                let via = { own }.find(|&id| addressing.address(id).owner == Owner::Port(peer));
                let is_forward = other == DeviceId::new((node + 1) % 5);
                let ahead = (to + 5 - node) % 5;
                let metric = if is_forward { ahead } else { 5 - ahead };
                let destination = addressing.address(AddressId::new(to)).ip;
                routes.push(ExplicitRoute {
                    node: NodeId::new(node),
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
    let network = Network::new(fabric, addressing, routing);
    let identities = loopbacks(&network);
    let proof = Proof::new(network, &identities, PLAIN);
    // Beside a dead cable a packet for the other end is returned once; one for the node behind it
    // is not, because from the neighbour the long path is the shorter one. A connection with that
    // node has packets that arrive and answers that loop.
    for (_, impact) in proof.impacts.iter().filter(|(part, _)| is_cable(&proof.network, *part)) {
        let counts = [impact.n_looping, impact.n_daemon, impact.n_rerouted, impact.n_untouched];
        assert_eq!(counts, [6, 6, 0, 14], "{impact:?}");
        assert_eq!(impact.n_unanswered, 2);
        let is_sent_back = |pair: &LostPair| (pair.cause, pair.need) == (Cause::Loop, Need::Daemon);
        assert!(impact.examples.iter().all(is_sent_back));
    }
}

#[test]
fn identities_given_twice_count_once() {
    let network = Sketch::cabled(&[3], true).network(Routing::dimension_order).unwrap();
    let failures = single_failures(&network.fabric);
    let run = |identities: &[u32]| {
        let identities: Vec<AddressId> =
            { identities.iter() }.map(|&id| AddressId::new(id)).collect();
        rerouting_of(&network, &identities, &failures, FALLBACK)
    };
    assert_eq!(run(&[2, 0, 2, 1, 0]), run(&[2, 0, 1]));
    assert!(run(&[]).unwrap().iter().all(|impact| *impact == FailureImpact::default()));
    assert_eq!(run(&[99]), Err(MetricError::UnknownAddress { address: AddressId::new(99) }));
}

#[test]
fn a_part_that_does_not_exist_cannot_fail() {
    let network = Sketch::cabled(&[3], true).network(Routing::dimension_order).unwrap();
    for part in
        [Part::Cable(LinkId::new(3)), Part::Port(PortId::new(6)), Part::Device(DeviceId::new(3))]
    {
        let failures =
            [vec![Part::Cable(LinkId::new(0))], vec![Part::Device(DeviceId::new(0)), part]];
        let found = rerouting_of(
            &network,
            &[AddressId::new(0), AddressId::new(1), AddressId::new(2)],
            &failures,
            FALLBACK,
        );
        assert_eq!(found, Err(MetricError::UnknownPart { part }));
    }
}

#[test]
fn a_proof_says_how_far_it_is_and_stops_when_asked() {
    let network = Sketch::cabled(&[5], true).network(Routing::dimension_order).unwrap();
    // Each dead port equals its cable cut.
    let failures = single_failures(&network.fabric);
    let progress = Progress::default();
    let run = |stop: &AtomicBool| {
        let watch = Watch { stop, progress: &progress };
        rerouting(&network, &loopbacks(&network), &failures, FALLBACK, watch)
    };
    assert!(run(&GO_ON).is_ok());
    assert_eq!((failures.len(), progress.get()), (20, (10, 10)));
    assert_eq!(run(&AtomicBool::new(true)), Err(MetricError::Stopped));
}

#[test]
fn threads_change_nothing() {
    let network = Sketch::switched(&[5, 4], false).network(Routing::dimension_order).unwrap();
    let failures = single_failures(&network.fabric);
    let run = || prove_all(&network, &loopbacks(&network), &failures, FALLBACK);
    let pool = |n| rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap();
    assert_eq!(pool(1).install(run), pool(4).install(run));
}
