//! A ring of three nodes as a page carries it. The tests in tests/live compare page and proof for
//! many networks, in a browser.
#![cfg(feature = "failures")]

use page::failures::{End, Outcome, PackedNetwork, PageImpact, Tables, Trial};
use quantity::{Id, Ids};
use resilience::rerouting::{Baseline, Cause, DestinationId, Route, RoutesTo};
use resilience::{LinkId, NodeId, Part, PortId, Wiring};

/// Port 0 of each node leads to the next one's port 1; the other way round stands by.
fn ring() -> (Wiring, Vec<RoutesTo>) {
    let start = [0, 2, 4, 6].map(PortId::new).to_vec();
    let ends = [[0, 3], [2, 5], [4, 1]].map(|ends| ends.map(PortId::new)).to_vec();
    let route = |node: u32, is_next: bool| {
        let (port, via) = match is_next {
            true => (2 * node, 2 * ((node + 1) % 3) + 1),
            false => (2 * node + 1, 2 * ((node + 2) % 3)),
        };
        Route { port: PortId::new(port), via: Some(PortId::new(via)) }
    };
    let to = |owner: u32| {
        let routes = (0..3).filter(|&node| node != owner).flat_map(|node| {
            let is_next = (node + 1) % 3 == owner;
            [route(node, is_next), route(node, !is_next)]
        });
        let counts = (0..=3).map(|node: u32| 2 * (node - u32::from(node > owner)));
        RoutesTo {
            owner: NodeId::new(owner),
            start: counts.collect(),
            routes: routes.collect(),
            by_port: Vec::new(),
        }
    };
    (Wiring::new(3, start, ends, []), (0..3).map(to).collect())
}

fn opened() -> Baseline {
    let (wiring, routes) = ring();
    PackedNetwork::open(&PackedNetwork::new(&wiring, &routes, false).to_bytes()).expect("packed")
}

fn count(impact: &PageImpact, name: &str) -> u64 {
    { impact.whole.counts() }.into_iter().find(|&(one, _)| one == name).expect("a count").1
}

#[test]
fn a_network_is_the_same_after_packing() {
    let (wiring, mut routes) = ring();
    let behind = Route { port: PortId::new(1), via: Some(PortId::new(4)) };
    routes[1].by_port = vec![(PortId::new(0), behind)];
    routes[2].routes[0].via = None;
    let packed = PackedNetwork::new(&wiring, &routes, true);
    let baseline = PackedNetwork::open(&packed.to_bytes()).expect("packed");
    assert_eq!(baseline.wiring.links(), wiring.links());
    for (to, given) in baseline.destinations.iter().zip(&routes) {
        for node in NodeId::first(3) {
            let [first, end] = [0, 1].map(|more| given.start[node.get() as usize + more] as usize);
            assert_eq!(to.routes(node), &given.routes[first..end]);
        }
    }
    assert_eq!(packed, PackedNetwork::new(&baseline.wiring, &routes, true));
    assert_ne!(packed, PackedNetwork::new(&wiring, &ring().1, true));
}

#[test]
fn bonds_are_packed_with_the_network() {
    let start = [0, 2, 4].map(PortId::new).to_vec();
    let ends = [[0, 2], [1, 3]].map(|ends| ends.map(PortId::new)).to_vec();
    let bond = |first| Ids::from(PortId::new(first), 2);
    let wiring = Wiring::new(2, start, ends, [bond(0), bond(2)]);
    let packed = PackedNetwork::new(&wiring, &[], false).to_bytes();
    let opened = PackedNetwork::open(&packed).expect("packed").wiring;
    assert_eq!(opened.bonds().collect::<Vec<_>>(), [bond(0), bond(2)]);
}

#[test]
fn bytes_of_another_version_are_refused() {
    assert!(PackedNetwork::open(&[9, 9]).is_err());
}

#[test]
fn a_cut_cable_sends_two_pairs_the_other_way_round() {
    let network = opened();
    let mut trial = Trial::new(&network);
    let whole = trial.fail(&[]);
    assert_eq!((count(&whole, "n_untouched"), whole.worst), (6, None));
    let cut = trial.fail(&[Part::Cable(LinkId::new(0))]);
    let counts = ["n_untouched", "n_rerouted", "extra_hops", "worst_extra_hops", "most_forwarded"];
    assert_eq!(counts.map(|name| count(&cut, name)), [4, 2, 2, 1, 2]);
    let lowest = (Outcome::Rerouted, DestinationId::new(1), DestinationId::new(0));
    assert_eq!(cut.worst, Some(lowest), "the lowest of the pairs that are rerouted");
    assert_eq!(cut.nodes.lost, [0, 0, 0]);
    assert_eq!(cut.nodes.rerouted, [2, 2, 0]);
    assert_eq!(cut.nodes.relayed, [0, 0, 2]);
    assert_eq!(cut.links.is_dead, [1, 0, 0]);
}

#[test]
fn routes_are_followed_before_and_after() {
    let network = opened();
    let mut trial = Trial::new(&network);
    trial.fail(&[Part::Cable(LinkId::new(0))]);
    let (from, to) = (NodeId::new(0), DestinationId::new(1));
    let hop = |port, via, link| (PortId::new(port), PortId::new(via), vec![LinkId::new(link)]);
    let before = trial.route(from, to, Tables::Before);
    assert_eq!((before.end, before.hops), (End::Arrived, vec![hop(0, 3, 0)]));
    let after = trial.route(from, to, Tables::After);
    assert_eq!(after.end, End::Arrived);
    assert_eq!(after.hops, [hop(1, 4, 2), hop(5, 2, 1)]);
    assert_eq!(trial.route(from, to, Tables::Recomputed).hops, after.hops);
    trial.fail(&[0, 2].map(|link| Part::Cable(LinkId::new(link))));
    let lost = trial.route(from, to, Tables::After);
    assert_eq!((lost.end, lost.at, lost.attempt), (End::Lost(Cause::NoRoute), from, None));
    assert_eq!(trial.route(from, to, Tables::Recomputed).end, End::Disconnected);
}
