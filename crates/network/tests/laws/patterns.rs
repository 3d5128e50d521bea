//! Loads of patterns and of the worst permutation: against the paths of their packets, against
//! uniform traffic, and against all permutations where there are few.

use network::metrics::{Load, MetricError, load, path, pattern_load, worst_case};
use network::{AddressId, Fabric, Network, NodeId, Routing};
use proptest::prelude::*;
use quantity::Id;

use crate::fabrics::{GO_ON, Sketch, hub, switch};

fn any_network() -> impl Strategy<Value = Network> {
    let shape = prop::collection::vec(1u32..=4, 1..=3)
        .prop_filter("2 to 24 nodes", |shape| (2..=24).contains(&shape.iter().product::<u32>()));
    (shape, 0usize..8).prop_map(|(shape, kind)| {
        let n = shape.iter().product();
        let sketch = match kind {
            0 => Sketch::cabled(&shape, true),
            1 => Sketch::cabled(&shape, false),
            2 => Sketch::switched(&shape, false),
            3 => Sketch::meshed(&shape),
            4 => Sketch::star(n, hub()),
            5 => Sketch::star(n, switch(None)),
            6 => Sketch::tree(n.div_ceil(3), 3, 2, 100),
            _ => Sketch::bonded(n, 2),
        };
        sketch.network(Routing::shortest_path).unwrap()
    })
}

fn identities(network: &Network) -> Vec<AddressId> {
    AddressId::first(network.fabric.n_nodes()).collect()
}

/// Returns a permutation by its number, Lehmer's digits first to last.
fn permutation(n: usize, number: u64) -> Vec<u32> {
    let mut left: Vec<u32> = (0..n as u32).collect();
    let mut number = number;
    (0..n)
        .map(|_| {
            let digit = number % left.len() as u64;
            number /= left.len() as u64;
            left.remove(digit as usize)
        })
        .collect()
}

fn moving(destination: &[u32]) -> Vec<(NodeId, AddressId)> {
    let pairs = (0..).zip(destination).filter(|&(from, &to)| from != to);
    pairs.map(|(from, &to)| (NodeId::new(from), AddressId::new(to))).collect()
}

/// Returns the highest load of a permutation on any medium, in seconds per bit: a channel of a
/// link, or the total on a hub.
fn busiest(network: &Network, destination: &[u32]) -> f64 {
    let Load { channels, .. } = pattern_load(network, &moving(destination), &GO_ON).unwrap();
    let fabric = &network.fabric;
    let is_hub =
        |port| matches!(fabric.kind(fabric.port(port).device), network::DeviceKind::Hub(_));
    let mut on_hubs = vec![0.0; fabric.n_devices() as usize];
    let mut most: f64 = 0.0;
    for (link, [from_a, from_b]) in fabric.links().iter().zip(channels) {
        let rate = link.rate.bps() as f64;
        if is_hub(link.b) {
            on_hubs[fabric.port(link.b).device.index()] += from_a / rate;
        } else {
            most = most.max(from_a.max(from_b) / rate);
        }
    }
    on_hubs.into_iter().fold(most, f64::max)
}

fn worst(network: &Network) -> f64 {
    match worst_case(network, &identities(network), &GO_ON).unwrap() {
        Some(worst) => {
            let mut sorted: Vec<_> =
                { worst.destination.iter() }.map(|&to| AddressId::new(to)).collect();
            sorted.sort_unstable();
            assert_eq!(sorted, identities(network), "it is a permutation");
            busiest(network, &worst.destination)
        }
        None => 0.0,
    }
}

proptest! {
    #![proptest_config(crate::repeatable(96))]

    #[test]
    fn loads_of_a_pattern_are_the_hops_of_its_packets(network in any_network(), number: u64) {
        let pairs = moving(&permutation(network.fabric.n_nodes() as usize, number));
        let found = pattern_load(&network, &pairs, &GO_ON).unwrap();
        let (mut relayed, mut hops) = (0, 0);
        for &(from, to) in &pairs {
            let way = path(&network, from, to).unwrap();
            let is_node = |device| network.fabric.is_node(device);
            hops += way.iter().filter(|crossing| crossing.outlet.is_some()).count();
            relayed += way.iter().filter(|crossing| is_node(crossing.device)).count() - 2;
        }
        prop_assert_eq!(found.forwarded.iter().sum::<u64>(), relayed as u64);
        let carried: f64 = found.channels.iter().flatten().sum();
        prop_assert!((carried - hops as f64).abs() < 1e-6, "{} is not {}", carried, hops);
    }

    #[test]
    fn all_pairs_are_uniform_traffic(network in any_network()) {
        let all = identities(&network);
        let to_all = |from: NodeId| all.iter().map(move |&to| (from, to));
        let is_other = |&(from, to): &(NodeId, AddressId)| from.get() != to.get();
        let pairs: Vec<_> = network.fabric.nodes().flat_map(to_all).filter(is_other).collect();
        let found = pattern_load(&network, &pairs, &GO_ON).unwrap();
        let uniform = load(&network, &all, &GO_ON).unwrap();
        prop_assert_eq!((found.forwarded, found.channels), (uniform.forwarded, uniform.channels));
    }

    #[test]
    fn no_permutation_loads_a_medium_more_than_the_worst(
        network in any_network(), numbers in prop::collection::vec(any::<u64>(), 40),
    ) {
        let n = network.fabric.n_nodes() as usize;
        let worst = worst(&network);
        for number in numbers {
            prop_assert!(busiest(&network, &permutation(n, number)) <= worst * (1.0 + 1e-9));
        }
    }
}

#[test]
fn the_worst_of_few_nodes_is_the_worst_of_all_permutations() {
    let sketches = [
        Sketch::cabled(&[5], true),
        Sketch::cabled(&[6], false),
        Sketch::cabled(&[2, 3], true),
        Sketch::cabled(&[7], true),
        Sketch::switched(&[3, 2], false),
        Sketch::switched(&[2, 3], false),
        Sketch::meshed(&[2, 3]),
        Sketch::tree(2, 3, 2, 100),
        Sketch::tree(3, 2, 1, 100),
        Sketch::star(5, hub()),
        Sketch::star(6, switch(None)),
        Sketch::switched_buses(&[3, 2], false),
    ];
    for sketch in sketches {
        for scheme in [Routing::shortest_path, Routing::dimension_order as fn(&Fabric) -> _] {
            let Ok(network) = sketch.network(scheme) else { continue };
            let n = u64::from(network.fabric.n_nodes());
            let all = (0..(1..=n).product()).map(|number| permutation(n as usize, number));
            let most = all.map(|one| busiest(&network, &one)).fold(0.0, f64::max);
            let found = worst(&network);
            assert!((found - most).abs() <= 1e-9 * most, "{found} is not {most}");
        }
    }
}

#[test]
fn the_tornado_and_the_complement_are_known_worst_cases() {
    let packets = |sketch: Sketch| {
        let network = sketch.network(Routing::dimension_order).unwrap();
        worst_case(&network, &identities(&network), &GO_ON).unwrap().unwrap().packets
    };
    // On a ring of k the longest paths in one direction have (k - 1) / 2 links, and as many cross
    // each link; along a line of k, half of the nodes send to the other half.
    assert_eq!(packets(Sketch::cabled(&[8], true)), 3);
    assert_eq!(packets(Sketch::cabled(&[9], true)), 4);
    assert_eq!(packets(Sketch::cabled(&[8], false)), 4);
    // In two dimensions the nodes of the first row turn into one column, to all other nodes of it.
    assert_eq!(packets(Sketch::cabled(&[4, 4], false)), 3);
}

#[test]
fn too_many_nodes_are_refused_and_unknown_ones_named() {
    let network = Sketch::star(600, switch(None)).network(Routing::shortest_path).unwrap();
    let refused = worst_case(&network, &identities(&network), &GO_ON).unwrap_err();
    assert!(matches!(refused, MetricError::TooManyPairs { given: 600, .. }));
    let unknown =
        pattern_load(&network, &[(NodeId::new(600), AddressId::new(0))], &GO_ON).unwrap_err();
    assert_eq!(unknown, MetricError::UnknownNode { node: NodeId::new(600) });
}
