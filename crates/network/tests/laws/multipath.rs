//! Segments of multipath switches: every path is a shortest one, all of them are used evenly and
//! independently at each level, and loads, cuts and failures agree with path queries.

use quantity::Id;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use network::metrics::{
    Finding, Load, LoadMethod, Part, Progress, ReroutingOptions, Watch, bisection, load, path,
    reachability, rerouting, soundness,
};
use network::{
    AddressId, Addressing, Crossing, DeviceId, Fabric, Ip, LinkId, Network, NodeId, Owner, PortId,
    Routing, flow,
};
use proptest::prelude::*;

use crate::fabrics::{GO_ON, Sketch, multipath_switch, single_failures, switch};

fn built(sketch: &Sketch) -> Network {
    sketch.network(Routing::shortest_path).unwrap()
}

/// Switches joined at random into one connected segment, with `n_nodes` nodes on some of them.
fn mesh(n_nodes: u32, parents: &[u32], chords: &[(u32, u32)]) -> Sketch {
    let mut sketch = Sketch::nodes(&[n_nodes]);
    let n = parents.len() as u32 + 1;
    for _ in 0..n {
        sketch.device(multipath_switch(), &[-1]);
    }
    for (child, parent) in (1..).zip(parents) {
        sketch.cable(n_nodes + child, n_nodes + parent % child, 100);
    }
    for &(a, b) in chords.iter().filter(|(a, b)| a % n != b % n) {
        sketch.cable(n_nodes + a % n, n_nodes + b % n, 100);
    }
    (0..n_nodes).for_each(|node| sketch.cable(node, n_nodes + node * 7 % n, 100));
    sketch
}

/// Returns the fewest switches between two nodes, by a search without tables.
fn fewest_switches(fabric: &Fabric, from: u32, to: u32) -> usize {
    let mut distance = BTreeMap::from([(from, 0)]);
    let mut queue = VecDeque::from([from]);
    while let Some(device) = queue.pop_front() {
        for peer in fabric.ports_of(DeviceId::new(device)).filter_map(|port| fabric.peer(port)) {
            let (other, next) = (fabric.port(peer).device, distance[&device] + 1);
            if (other == DeviceId::new(to) || !fabric.is_node(other))
                && !distance.contains_key(&other.get())
            {
                distance.insert(other.get(), next);
                queue.push_back(other.get());
            }
        }
    }
    distance[&to] - 1
}

fn crossed(network: &Network, from: u32, to: u32) -> Vec<Crossing> {
    let fabric = &network.fabric;
    let [from, to] = [from, to].map(|node| fabric.ports_of(DeviceId::new(node)).start);
    let mut path = Vec::new();
    network.bridging().extend_path(fabric, from, to, &mut path);
    path
}

proptest! {
    #![proptest_config(crate::repeatable(64))]

    #[test]
    fn every_path_is_a_shortest_one_and_the_loads_are_its_ports(
        n_nodes in 2u32..9,
        parents in prop::collection::vec(0u32..99, 0..9),
        chords in prop::collection::vec((0u32..99, 0u32..99), 0..12),
    ) {
        let network = built(&mesh(n_nodes, &parents, &chords));
        let fabric = &network.fabric;
        prop_assert!(network.bridging().blocked().is_empty());
        prop_assert_eq!(soundness(&network), []);
        prop_assert_eq!(reachability(&network, n_nodes, &GO_ON).unwrap().n_unreachable, 0);
        let mut leaving = BTreeMap::new();
        for (from, to) in (0..n_nodes).flat_map(|a| (0..n_nodes).map(move |b| (a, b))) {
            if from == to {
                continue;
            }
            let switches = crossed(&network, from, to);
            prop_assert_eq!(switches.len(), fewest_switches(fabric, from, to));
            let whole = path(&network, NodeId::new(from), AddressId::new(to)).unwrap();
            prop_assert_eq!(&whole[1..whole.len() - 1], &switches[..]);
            for pair in whole.windows(2) {
                prop_assert_eq!(pair[0].outlet.and_then(|out| fabric.peer(out)), pair[1].inlet);
                *leaving.entry(pair[0].outlet.unwrap()).or_insert(0.0) += 1.0;
            }
        }
        // Address n is on the loopback of node n, address n_nodes + n on its only port.
        for first in [0, n_nodes] {
            let identities: Vec<AddressId> = (first..first + n_nodes).map(AddressId::new).collect();
            let counted = load(&network, &identities, &GO_ON).unwrap();
            check_channels(fabric, &counted, &leaving);
        }
    }
}

/// Checks the load of each link in each direction.
fn check_channels(fabric: &Fabric, counted: &Load, leaving: &BTreeMap<PortId, f64>) {
    for (link, [there, back]) in fabric.links().iter().zip(&counted.channels) {
        let of = |port: PortId| leaving.get(&port).copied().unwrap_or(0.0);
        assert_eq!([*there, *back], [of(link.a), of(link.b)]);
    }
}

#[test]
fn a_sample_of_many_flows_takes_as_many_of_each_station() {
    const LEAVES: u32 = 4;
    const SPINES: u32 = 3;
    let n = 2_900 * LEAVES;
    let mut sketch = Sketch::nodes(&[n]);
    for _ in 0..LEAVES + SPINES {
        sketch.device(multipath_switch(), &[-1]);
    }
    (0..n).for_each(|node| sketch.cable(node, n + node % LEAVES, 100));
    for (leaf, spine) in (0..LEAVES).flat_map(|leaf| (0..SPINES).map(move |spine| (leaf, spine))) {
        sketch.cable(n + leaf, n + LEAVES + spine, 100);
    }
    let fabric = sketch.fabric();
    let routing = Routing::shortest_path(&fabric).unwrap();
    let address = |node: u32| {
        let ip = Ip { is_v6: false, bits: u128::from(0x0A00_0001 + node) };
        (ip, 16, Owner::Port(fabric.ports_of(DeviceId::new(node)).start))
    };
    let addressing = Addressing::new(&fabric, &(0..n).map(address).collect::<Vec<_>>()).unwrap();
    let identities: Vec<AddressId> = AddressId::first(n).collect();
    let counted = load(&Network::new(fabric, addressing, routing), &identities, &GO_ON).unwrap();
    let LoadMethod::Sampled { n_destinations } = counted.method else {
        panic!("so many flows are not all followed: {:?}", counted.method)
    };
    assert!(n_destinations < n as usize - 1);
    let (to_nodes, between) = counted.channels.split_at(n as usize);
    let is_near = |found: f64, expected: f64, share: f64| (found / expected - 1.0).abs() < share;
    assert!(to_nodes.iter().flatten().all(|&found| is_near(found, f64::from(n - 1), 1e-9)));
    // Three of four packets of a leaf leave it, a third of those by each spine.
    let expected = 0.75 * f64::from(n / LEAVES) * f64::from(n) / f64::from(SPINES);
    assert!(between.iter().flatten().all(|&found| is_near(found, expected, 1e-2)));
}

#[test]
fn a_loop_is_one_where_a_switch_of_the_segment_learns() {
    let mut sketch = Sketch::fat_tree(4);
    sketch.replace(16, switch(None));
    let found = soundness(&built(&sketch));
    // The 20 switches have 32 links between them, 19 of which form a tree.
    assert_eq!(found.len(), 32 - 19);
    assert!(found.iter().all(|finding| matches!(finding, Finding::BridgeLoop(_))));
}

#[test]
fn pairs_of_pods_use_all_cores_evenly_and_levels_choose_independently() {
    let network = built(&Sketch::fat_tree(8));
    // Pods hold 16 nodes; 80 switches, the 16 cores last.
    let mut uses: BTreeMap<(u32, u32), u32> = BTreeMap::new();
    let mut n_pairs = 0;
    for (from, to) in (0..128).flat_map(|a| (0..128).map(move |b| (a, b))) {
        if from / 16 != to / 16 {
            let switches = crossed(&network, from, to);
            *uses.entry((switches[1].device.get() % 4, switches[2].device.get())).or_insert(0) += 1;
            n_pairs += 1;
        }
    }
    assert_eq!(uses.len(), 16, "each aggregation switch of a pod leads to four cores");
    let mean = f64::from(n_pairs) / 16.0;
    // 896 pairs per core, binomial: four standard deviations are 116.
    for &n in uses.values() {
        assert!((f64::from(n) - mean).abs() < 4.0 * mean.sqrt(), "{n} instead of {mean}");
    }
    let there: BTreeSet<DeviceId> = (16..32).map(|to| crossed(&network, 0, to)[2].device).collect();
    assert!(there.len() > 6, "one node's flows spread: {there:?}");
}

#[test]
fn connections_of_one_pair_differ() {
    let network = built(&Sketch::fat_tree(4));
    let fabric = &network.fabric;
    let [from, to] = [0, 15].map(|node| fabric.ports_of(DeviceId::new(node)).start);
    let paths = network.bridging().multipath(fabric);
    let out = |connection| paths.next_port(DeviceId::new(16), to, flow(from, to, connection));
    assert_eq!(Some(out(0)), crossed(&network, 0, 15)[0].outlet, "a query has the first one's way");
    let first = (0..256).filter(|&connection| out(connection) == out(0)).count();
    assert!((96..160).contains(&first), "{first} of 256 by one of two ports");
}

#[test]
fn many_flows_use_all_paths_alike_by_chi_square_and_each_keeps_its_own() {
    let network = built(&Sketch::fat_tree(8));
    let fabric = &network.fabric;
    let [from, to] = [0, 127].map(|node| fabric.ports_of(DeviceId::new(node)).start);
    let edge = fabric.port(fabric.peer(from).unwrap()).device;
    let paths = network.bridging().multipath(fabric);
    let way = |connection: u32| {
        let flow = flow(from, to, connection);
        let up = paths.next_port(edge, to, flow);
        let aggregation = fabric.port(fabric.peer(up).unwrap()).device;
        (up, paths.next_port(aggregation, to, flow))
    };
    const N_FLOWS: u32 = 16_000;
    let mut uses: BTreeMap<(PortId, PortId), u32> = BTreeMap::new();
    for connection in 0..N_FLOWS {
        *uses.entry(way(connection)).or_default() += 1;
        assert_eq!(way(connection), way(connection), "a flow never changes its path");
    }
    assert_eq!(uses.len(), 16, "four aggregation switches lead to four cores each");
    let expected = f64::from(N_FLOWS) / 16.0;
    let chi_square: f64 =
        uses.values().map(|&n| (f64::from(n) - expected).powi(2) / expected).sum();
    // With 15 degrees of freedom, one of a thousand uniform choices exceeds 37.7, one falls below
    // 3.5.
    assert!((3.5..37.7).contains(&chi_square), "{chi_square}");
}

#[test]
fn parallel_links_are_paths_of_their_own() {
    let mut sketch = Sketch::nodes(&[16]);
    let [a, b] = [0; 2].map(|_| sketch.device(multipath_switch(), &[-1]));
    (0..16).for_each(|node| sketch.cable(node, if node < 8 { a } else { b }, 100));
    (0..3).for_each(|_| sketch.cable(a, b, 100));
    let network = built(&sketch);
    let counted = load(&network, &AddressId::first(16).collect::<Vec<_>>(), &GO_ON).unwrap();
    let there: Vec<f64> = counted.channels.iter().skip(16).map(|channel| channel[0]).collect();
    assert_eq!(there.iter().sum::<f64>(), 64.0);
    assert!(there.iter().all(|&packets| packets.fract() == 0.0 && packets > 10.0), "{there:?}");
}

#[test]
fn a_fat_tree_has_full_bisection_and_loses_it_with_its_links() {
    let bps = |sketch: &Sketch| {
        let n = sketch.fabric().n_nodes();
        let found = bisection(&built(sketch), n, true, &GO_ON).unwrap();
        (found.bps / 200_000_000, found.is_exact)
    };
    assert_eq!(bps(&Sketch::fat_tree(2)), (1, true));
    assert_eq!(bps(&Sketch::fat_tree(4)), (8, true));
    assert_eq!(bps(&Sketch::fat_tree(6)), (27, false), "54 nodes are too many to try all splits");
    // One of the four links from the first pod to the cores is left.
    let mut cut = Sketch::fat_tree(4);
    (0..3).for_each(|_| cut.unplug(32));
    assert_eq!(bps(&cut), (5, false), "four nodes on one link, four more that are whole");
}

#[test]
fn any_link_or_switch_between_edge_switches_fails_without_harm() {
    let network = built(&Sketch::fat_tree(4));
    let fabric = &network.fabric;
    let identities: Vec<AddressId> = AddressId::first(16).collect();
    let failures = single_failures(fabric);
    let options = ReroutingOptions {
        with_fallback: false,
        with_return_paths: false,
        planner: NodeId::new(0),
        most_examples: 0,
    };
    let watch = Watch { stop: &GO_ON, progress: &Progress::default() };
    let impacts = rerouting(&network, &identities, &failures, options, watch).unwrap();
    for (failure, impact) in failures.iter().zip(impacts) {
        let n_disconnected = match failure[0] {
            // A node behind its only cable: 15 partners, in both directions.
            Part::Cable(link) if link < LinkId::new(16) => 30,
            Part::Port(port)
                if fabric.port(port).link.is_some_and(|link| link < LinkId::new(16)) =>
            {
                30
            }
            // An edge switch disconnects two nodes, from each other as well.
            Part::Device(device) if (16..24).contains(&device.get()) => 2 * 28 + 2,
            _ => 0,
        };
        assert_eq!(
            (impact.n_disconnected, impact.n_lost()),
            (n_disconnected, n_disconnected),
            "{failure:?}"
        );
    }
}

#[test]
fn leaves_with_the_same_neighbours_are_led_to_like_any_others() {
    // Leaves 8 to 11 share both spines, one of them over two cables; leaf 14 hangs on one spine.
    let mut sketch = Sketch::nodes(&[10]);
    let leaves: Vec<u32> = (0..4).map(|_| sketch.device(multipath_switch(), &[-1])).collect();
    let spines = [0; 2].map(|_| sketch.device(multipath_switch(), &[-1]));
    let single = sketch.device(multipath_switch(), &[-1]);
    (0..8).for_each(|node| sketch.cable(node, leaves[node as usize / 2], 100));
    (8..10).for_each(|node| sketch.cable(node, single, 100));
    for (&leaf, &spine) in leaves.iter().flat_map(|leaf| spines.iter().map(move |s| (leaf, s))) {
        sketch.cable(leaf, spine, 100);
    }
    sketch.cable(leaves[3], spines[0], 100);
    sketch.cable(single, spines[1], 100);
    let network = built(&sketch);
    let fabric = &network.fabric;
    let station = |node: u32| fabric.ports_of(DeviceId::new(node)).start;
    let paths = network.bridging().multipath(fabric);
    // The next device of each connection from `at` to a node, and the ports that lead there.
    let next = |at: u32, to: u32| {
        let out = (0..64).map(|c| {
            paths.next_port(DeviceId::new(at), station(to), flow(PortId::new(0), PortId::new(1), c))
        });
        let ports: BTreeSet<PortId> = out.collect();
        let devices: Vec<u32> = ports
            .iter()
            .map(|&port| fabric.port(fabric.peer(port).unwrap()).device.get())
            .collect();
        devices
    };
    assert_eq!(next(leaves[0], 2), spines, "between twins all ports lead");
    assert_eq!(next(leaves[1], 0), spines);
    assert_eq!(next(leaves[3], 0), [spines[0], spines[1], spines[0]]);
    assert_eq!(next(leaves[0], 8), [spines[1]], "one spine only is joined to the last leaf");
    assert_eq!(next(spines[0], 6), [leaves[3]; 2], "two cables to one leaf");
    assert_eq!(next(spines[0], 2), [leaves[1]]);
    // The paths over every leaf to the other spine.
    assert_eq!(next(spines[0], 8), [leaves[0], leaves[1], leaves[2], leaves[3], leaves[3]]);
    assert_eq!(next(single, 4), [spines[1]]);
}
