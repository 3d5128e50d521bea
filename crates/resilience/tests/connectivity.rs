//! Connectivity by divide and conquer, beside its definition: remove the parts and search. The laws
//! of rerouting are tested in the crate `network`, which has routes.

use proptest::prelude::*;
use quantity::{Id, IdVec};
use resilience::connectivity::{components, disconnected_pairs};
use resilience::{DeviceId, LinkId, Loss, NodeId, Part, PortId, Wiring};

/// A wiring with one port per end of a link; some devices are nodes.
fn wirings() -> impl Strategy<Value = Wiring> {
    let links = prop::collection::vec((0u32..9, 0u32..9), 0..16);
    (links, 0u32..=9).prop_map(|(links, n_nodes)| {
        let links: Vec<_> = links.into_iter().filter(|(a, b)| a != b).collect();
        let mut next = [0; 10];
        links.iter().flat_map(|&(a, b)| [a, b]).for_each(|end| next[end as usize + 1] += 1);
        (0..9).for_each(|device| next[device + 1] += next[device]);
        let start = next.iter().map(|&start| PortId::new(start)).collect();
        let mut plug = |device: u32| {
            next[device as usize] += 1;
            PortId::new(next[device as usize] - 1)
        };
        let ends = links.iter().map(|&(a, b)| [plug(a), plug(b)]).collect();
        Wiring::new(n_nodes, start, ends, [])
    })
}

/// Returns the number of ordered pairs of living counted nodes that nothing joins, pair by pair.
fn by_definition(wiring: &Wiring, is_counted: &IdVec<NodeId, bool>, parts: &[Part]) -> u64 {
    let loss = Loss::of(wiring, parts);
    let label = components(wiring, |link| !loss.links.contains(&link));
    let alive = |&node: &NodeId| is_counted[node] && !loss.holds(node);
    let nodes: Vec<NodeId> = NodeId::first(wiring.n_nodes()).filter(alive).collect();
    let label = |node: NodeId| label[DeviceId::from(node)];
    let parted =
        |&from: &NodeId| nodes.iter().filter(|&&to| label(to) != label(from)).count() as u64;
    nodes.iter().map(parted).sum()
}

proptest! {
    #[test]
    fn each_failure_parts_the_pairs_that_are_parted_without_it(
        wiring in wirings(),
        is_counted in prop::collection::vec(any::<bool>(), 9),
        picks in prop::collection::vec(prop::collection::vec(any::<u32>(), 0..4), 0..12),
    ) {
        let is_counted = IdVec::from(is_counted[..wiring.n_nodes() as usize].to_vec());
        let mut parts: Vec<Part> = DeviceId::first(wiring.n_devices()).map(Part::Device).collect();
        parts.extend(LinkId::first(wiring.n_links()).map(Part::Cable));
        parts.extend(PortId::first(wiring.n_ports()).map(Part::Port));
        let part = |&pick: &u32| parts[pick as usize % parts.len()];
        let mut failures: Vec<Vec<Part>> = parts.iter().map(|&part| vec![part]).collect();
        failures.extend(picks.iter().map(|picks| picks.iter().map(part).collect()));
        let expected: Vec<u64> =
            failures.iter().map(|parts| by_definition(&wiring, &is_counted, parts)).collect();
        prop_assert_eq!(disconnected_pairs(&wiring, &is_counted, &failures), expected);
    }

    #[test]
    fn a_component_is_closed_under_links_and_named_by_its_lowest_device(wiring in wirings()) {
        let label = components(&wiring, |_| true);
        for link in LinkId::first(wiring.n_links()) {
            let [a, b] = wiring.ends(link).map(|port| label[wiring.device(port)]);
            prop_assert_eq!(a, b);
        }
        let n_lowest = label.with_ids().filter(|&(device, &lowest)| device == lowest).count();
        prop_assert!(label.with_ids().all(|(device, &lowest)| lowest <= device));
        prop_assert!(label.len() - n_lowest <= wiring.n_links() as usize);
    }
}

#[test]
fn nothing_fails_and_nothing_is_counted() {
    let port = PortId::new;
    let wiring = Wiring::new(2, vec![port(0), port(1), port(2)], vec![[port(0), port(1)]], []);
    let both = IdVec::from(vec![true, true]);
    let cut = vec![Part::Cable(LinkId::new(0))];
    assert_eq!(disconnected_pairs(&wiring, &both, &[]), []);
    assert_eq!(disconnected_pairs(&wiring, &both, &[vec![], cut.clone()]), [0, 2]);
    assert_eq!(disconnected_pairs(&wiring, &IdVec::from(vec![false, true]), &[cut]), [0]);
}
