//! Connectivity by divide and conquer, beside its definition: remove the parts and search. The laws
//! of rerouting are tested in the crate `network`, which has routes.

use proptest::prelude::*;
use resilience::connectivity::{components, pairs_cut_off};
use resilience::{Loss, Part, Wiring};

/// A wiring with one port per end of a link; some devices are nodes.
fn wirings() -> impl Strategy<Value = Wiring> {
    let links = prop::collection::vec((0u32..9, 0u32..9), 0..16);
    (links, 0u32..=9).prop_map(|(links, n_nodes)| {
        let links: Vec<_> = links.into_iter().filter(|(a, b)| a != b).collect();
        let mut next = vec![0; 10];
        links.iter().flat_map(|&(a, b)| [a, b]).for_each(|end| next[end as usize + 1] += 1);
        (0..9).for_each(|device| next[device + 1] += next[device]);
        let start = next.clone();
        let mut plug = |device: u32| {
            next[device as usize] += 1;
            next[device as usize] - 1
        };
        let ends = links.iter().map(|&(a, b)| [plug(a), plug(b)]).collect();
        Wiring::new(n_nodes, start, ends, [])
    })
}

/// Returns the number of ordered pairs of living counted nodes that nothing joins, pair by pair.
fn by_definition(wiring: &Wiring, is_counted: &[bool], parts: &[Part]) -> u64 {
    let loss = Loss::of(wiring, parts);
    let label = components(wiring, |link| !loss.links.contains(&link));
    let alive = |&node: &u32| is_counted[node as usize] && !loss.holds(node);
    let nodes: Vec<u32> = (0..wiring.n_nodes()).filter(alive).collect();
    let parted = |&from: &u32| {
        nodes.iter().filter(|&&to| label[to as usize] != label[from as usize]).count() as u64
    };
    nodes.iter().map(parted).sum()
}

proptest! {
    #[test]
    fn each_failure_parts_the_pairs_that_are_parted_without_it(
        wiring in wirings(),
        is_counted in prop::collection::vec(any::<bool>(), 9),
        picks in prop::collection::vec(prop::collection::vec(any::<u32>(), 0..4), 0..12),
    ) {
        let is_counted = &is_counted[..wiring.n_nodes() as usize];
        let mut parts: Vec<Part> = (0..wiring.n_devices()).map(Part::Device).collect();
        parts.extend((0..wiring.n_links()).map(Part::Cable));
        parts.extend((0..wiring.n_ports()).map(Part::Port));
        let part = |&pick: &u32| parts[pick as usize % parts.len()];
        let mut failures: Vec<Vec<Part>> = parts.iter().map(|&part| vec![part]).collect();
        failures.extend(picks.iter().map(|picks| picks.iter().map(part).collect()));
        let expected: Vec<u64> =
            failures.iter().map(|parts| by_definition(&wiring, is_counted, parts)).collect();
        prop_assert_eq!(pairs_cut_off(&wiring, is_counted, &failures), expected);
    }

    #[test]
    fn a_component_is_closed_under_links_and_named_by_its_lowest_device(wiring in wirings()) {
        let label = components(&wiring, |_| true);
        for link in 0..wiring.n_links() {
            let [a, b] = wiring.ends(link).map(|port| label[wiring.device(port) as usize]);
            prop_assert_eq!(a, b);
        }
        let n_lowest = (0..).zip(&label).filter(|&(device, &lowest)| device == lowest).count();
        prop_assert!((0..).zip(&label).all(|(device, &lowest)| lowest <= device));
        prop_assert!(label.len() - n_lowest <= wiring.n_links() as usize);
    }
}

#[test]
fn nothing_fails_and_nothing_is_counted() {
    let wiring = Wiring::new(2, vec![0, 1, 2], vec![[0, 1]], []);
    assert_eq!(pairs_cut_off(&wiring, &[true, true], &[]), []);
    assert_eq!(pairs_cut_off(&wiring, &[true, true], &[vec![], vec![Part::Cable(0)]]), [0, 2]);
    assert_eq!(pairs_cut_off(&wiring, &[false, true], &[vec![Part::Cable(0)]]), [0]);
}
