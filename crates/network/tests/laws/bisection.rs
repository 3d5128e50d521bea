//! Bisection bandwidth: the printed values, the formulas of regular shapes, and an independent
//! maximum flow over every split of random trees.

use crate::fabrics::{GO_ON, Sketch, hub, switch};
use network::metrics::{Bisection, SplitMethod, bisection};
use network::{DeviceId, DeviceKind, Fabric, Routing};
use proptest::prelude::*;

fn count(sketch: &Sketch, n: u32) -> Bisection {
    let network = sketch.network(Routing::shortest_path).unwrap();
    bisection(&network, n, true, &GO_ON).unwrap()
}

/// Checks MB/s per node.
fn check(sketch: &Sketch, n: u32, expected: f64) {
    let found = count(sketch, n);
    let per_node = found.bps as f64 / 8e6 / f64::from(n);
    assert!((per_node - expected).abs() < 0.05, "{per_node} instead of {expected}");
    assert_eq!(found.half.iter().filter(|&&side| side).count(), n as usize / 2);
    assert_eq!(found.is_exact, n <= 20);
    assert_eq!(found.method == SplitMethod::Enumerated, n <= 20);
}

/// A 2D P-Mesh as it was built: all lines of a dimension in one chassis [PMESH, sec. 6].
fn whitney_p_mesh(side: u32) -> Sketch {
    let mut sketch = Sketch::switched(&[side, side], false);
    for axis in 0..2 {
        let chassis = sketch.backplane(1200);
        for line in 0..side {
            sketch.replace(side * side + axis * side + line, switch(Some(chassis)));
        }
    }
    sketch
}

#[test]
fn table_3_of_pmesh_1998() {
    check(&Sketch::cabled(&[2], true), 2, 12.5);
    check(&Sketch::star(16, hub()), 16, 0.78);
    check(&Sketch::star(16, switch(None)), 16, 12.5);
    let mut limited = Sketch::star(16, switch(None));
    let backplane = limited.backplane(1200);
    limited.replace(16, switch(Some(backplane)));
    check(&limited, 16, 9.4);
    check(&Sketch::cabled(&[4, 4], true), 16, 12.5);
    check(&whitney_p_mesh(4), 16, 9.4);
    check(&Sketch::tree(32, 24, 2, 1000), 768, 10.4);
    check(&Sketch::tree(32, 24, 1, 1000), 768, 5.2);
}

#[test]
fn regular_shapes_follow_their_formulas() {
    check(&Sketch::cabled(&[4, 4], false), 16, 6.25);
    check(&Sketch::cabled(&[8, 8], true), 64, 50.0 / 8.0);
    check(&Sketch::cabled(&[6, 10], true), 60, 4.0 * 12.5 * 6.0 / 60.0);
    let straight = count(&Sketch::switched(&[6, 6], false), 36).straight_bps;
    assert_eq!(straight, 36 * 100_000_000);
    let mut full = Sketch::nodes(&[6]);
    for a in 0..6 {
        (a + 1..6).for_each(|b| full.cable(a, b, 100));
    }
    check(&full, 6, 12.5 * 6.0 / 2.0);
}

#[test]
fn a_p_mesh_is_worst_cut_by_a_corner() {
    // For 6 x 6: two whole rows, one whole column and two more nodes cut 16 links, a straight cut
    // 18.
    check(&Sketch::switched(&[6, 6], false), 36, 25.0 * 16.0 / 36.0);
    check(&Sketch::switched(&[24, 24], false), 576, 25.0 * 240.0 / 576.0);
}

#[test]
fn without_backplanes_switches_do_not_block() {
    let network = whitney_p_mesh(4).network(Routing::dimension_order).unwrap();
    assert_eq!(bisection(&network, 16, true, &GO_ON).unwrap().bps, 1_200_000_000);
    assert_eq!(bisection(&network, 16, false, &GO_ON).unwrap().bps, 1_600_000_000);
}

#[test]
fn hubs_on_one_medium_carry_its_rate_once() {
    let mut sketch = Sketch::star(4, hub());
    let second = sketch.device(hub(), &[-1]);
    sketch.cable(4, second, 100);
    assert_eq!(count(&sketch, 4).bps, 100_000_000);
}

/// A random tree of hubs and switches with up to eight nodes attached.
fn trees() -> impl Strategy<Value = (Sketch, u32)> {
    let device = (0usize..8, 0..3, 1u64..4, 1u32..3);
    let devices = prop::collection::vec(device, 1..6);
    let nodes = prop::collection::vec((0usize..8, 1u64..4), 2..8);
    (devices, nodes).prop_map(|(devices, nodes)| {
        let n = nodes.len() as u32;
        let mut sketch = Sketch::nodes(&[n]);
        let mut ids: Vec<(u32, bool)> = Vec::new();
        for (parent, kind, mbps, links) in devices {
            let kind = match kind {
                0 => hub(),
                1 => switch(None),
                _ => switch(Some(sketch.backplane(100 * mbps))),
            };
            let is_hub = matches!(kind, DeviceKind::Hub(_));
            let id = sketch.device(kind, &[-1]);
            if !ids.is_empty() {
                let (above, above_is_hub) = ids[parent % ids.len()];
                // A hub cannot bundle links, and all links of one medium have the same rate.
                let is_medium = is_hub || above_is_hub;
                for _ in 0..if is_medium { 1 } else { links } {
                    sketch.cable(id, above, if is_medium { 100 } else { 100 * mbps });
                }
            }
            ids.push((id, is_hub));
        }
        for (node, (device, mbps)) in (0..).zip(nodes) {
            let (id, is_hub) = ids[device % ids.len()];
            sketch.cable(node, id, if is_hub { 100 } else { 100 * mbps });
        }
        (sketch, n)
    })
}

/// The least maximum flow over all equal splits, by augmenting paths on a capacity matrix.
///
/// Links count twice their rate, media and backplanes once; connected hubs are one medium.
fn least_flow(fabric: &Fabric, n: u32) -> u64 {
    let splits = (0u32..1 << n).filter(|set| set.count_ones() == n / 2);
    splits.map(|set| maximum_flow(capacities(fabric, n, set))).min().unwrap()
}

/// Device v has the vertices 2v (in) and 2v + 1 (out); the last two vertices are source and sink.
fn capacities(fabric: &Fabric, n: u32, set: u32) -> Vec<Vec<u64>> {
    let medium = |device: u32| medium_of(fabric, device) as usize;
    let devices = fabric.n_devices() as usize;
    let (source, sink) = (2 * devices, 2 * devices + 1);
    let mut capacity = vec![vec![0; 2 * devices + 2]; 2 * devices + 2];
    for device in 0..devices {
        capacity[2 * device][2 * device + 1] = match fabric.kind(DeviceId::new(device as u32)) {
            DeviceKind::Node => 0,
            DeviceKind::Hub(_) => 100_000_000,
            DeviceKind::Switch(model) | DeviceKind::RoutedSwitch(model) => model
                .backplane
                .map_or(u64::MAX / 4, |backplane| fabric.backplanes()[backplane].bps()),
        };
    }
    for link in fabric.links() {
        let (a, b) = (fabric.port(link.a).device, fabric.port(link.b).device);
        let (a, b) = (medium(a.get()), medium(b.get()));
        if a != b {
            capacity[2 * a + 1][2 * b] += 2 * link.rate.bps();
            capacity[2 * b + 1][2 * a] += 2 * link.rate.bps();
        }
    }
    for node in 0..n as usize {
        if set >> node & 1 == 1 {
            capacity[source][2 * node + 1] = u64::MAX / 4;
        } else {
            capacity[2 * node][sink] = u64::MAX / 4;
        }
    }
    capacity
}

/// Connected hubs are represented by the one with the lowest id.
fn medium_of(fabric: &Fabric, device: u32) -> u32 {
    let is_hub = |device| matches!(fabric.kind(device), DeviceKind::Hub(_));
    let mut group = vec![device];
    let mut done = 0;
    while let Some(&member) = group.get(done).filter(|_| is_hub(DeviceId::new(device))) {
        done += 1;
        for peer in fabric.ports_of(DeviceId::new(member)).filter_map(|port| fabric.peer(port)) {
            let other = fabric.port(peer).device;
            if is_hub(other) && !group.contains(&other.get()) {
                group.push(other.get());
            }
        }
    }
    group.into_iter().min().unwrap()
}

fn maximum_flow(mut capacity: Vec<Vec<u64>>) -> u64 {
    let (source, sink) = (capacity.len() - 2, capacity.len() - 1);
    let mut flow = 0;
    loop {
        let mut before = vec![usize::MAX; capacity.len()];
        let mut queue = std::collections::VecDeque::from([source]);
        while let Some(at) = queue.pop_front() {
            for next in 0..capacity.len() {
                if capacity[at][next] > 0 && before[next] == usize::MAX && next != source {
                    before[next] = at;
                    queue.push_back(next);
                }
            }
        }
        if before[sink] == usize::MAX {
            return flow;
        }
        let trail: Vec<(usize, usize)> =
            std::iter::successors(Some((before[sink], sink)), |&(at, _)| {
                (at != source).then(|| (before[at], at))
            })
            .collect();
        let least = trail.iter().map(|&(a, b)| capacity[a][b]).min().unwrap();
        for (a, b) in trail {
            capacity[a][b] -= least;
            capacity[b][a] += least;
        }
        flow += least;
    }
}

proptest! {
    #[test]
    fn the_flow_through_a_tree_is_the_largest((sketch, n) in trees()) {
        let found = count(&sketch, n);
        prop_assert!(found.is_exact);
        prop_assert_eq!(found.bps, least_flow(&sketch.fabric(), n));
    }
}
