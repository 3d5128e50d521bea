//! A ring of three nodes as a page carries it. The tests in tests/live compare page and proof for
//! many networks, in a browser.

use page::{End, Page, Tables, network_of};
use resilience::rerouting::{Cause, DestinationId};
use resilience::{LinkId, NodeId, PortId};

/// Writes columns with values of some bytes each.
fn packed(columns: &[(&[i32], u32)]) -> Vec<u32> {
    let mut words = Vec::new();
    for &(values, n_bytes) in columns {
        let least = values.iter().copied().min().unwrap_or(0);
        words.extend([values.len() as u32, least as u32, n_bytes]);
        let bytes: Vec<u8> = { values.iter() }
            .flat_map(|value| ((value - least) as u32).to_le_bytes()[..n_bytes as usize].to_vec())
            .collect();
        let word =
            |some: &[u8]| { some.iter().rev() }.fold(0, |word, &byte| word << 8 | u32::from(byte));
        words.extend(bytes.chunks(4).map(word));
    }
    words
}

/// Port 0 of each node leads to the next one's port 1; the other way round stands by.
fn ring(n_bytes: u32) -> Vec<u32> {
    let (mut port, mut via) = (Vec::new(), Vec::new());
    for rank in 0..2 {
        for (to, node) in (0..9).map(|entry| (entry / 3, entry % 3)).filter(|(to, node)| to != node)
        {
            let goes_on = ((node + 1) % 3 == to) == (rank == 0);
            port.push(i32::from(!goes_on));
            via.push(if goes_on { 2 * ((node + 1) % 3) + 1 } else { 2 * ((node + 2) % 3) });
        }
    }
    packed(&[
        (&[3, 0], 1),
        (&[0, 2, 4, 6], n_bytes),
        (&[0, 2, 4], n_bytes),
        (&[3, 5, 1], 4),
        (&[], 1),
        (&[], 1),
        (&[0, 1, 2], 2),
        (&[0, 2, 2, 2, 0, 2, 2, 2, 0], 1),
        (&port, 1),
        (&via, n_bytes),
        (&[0, 0, 0], 1),
        (&[], 1),
        (&[], 1),
        (&[], 1),
    ])
}

#[test]
fn a_cut_cable_sends_two_pairs_the_other_way_round() {
    for n_bytes in [1, 2, 4] {
        let network = network_of(&ring(n_bytes));
        let mut page = Page::new(&network);
        assert_eq!(page.fail(&[])[..4], [6, 0, 0, 0]);
        let answer = page.fail(&[0, 0]);
        assert_eq!(answer[..10], [4, 2, 0, 0, 0, 0, 0, 2, 1, 2]);
        assert_eq!(answer[10..13], [1, 1, 0], "node 1 to node 0, the lowest of those rerouted");
        assert_eq!(answer[13..16], [0, 0, 0]);
        assert_eq!(answer[16..19], [2, 2, 0]);
        assert_eq!(answer[19..22], [0, 0, 2]);
        assert_eq!(answer[22..], [1, 0, 0]);
    }
}

#[test]
fn routes_are_followed_before_and_after() {
    let network = network_of(&ring(1));
    let mut page = Page::new(&network);
    page.fail(&[0, 0]);
    let (from, to) = (NodeId::new(0), DestinationId::new(1));
    let hop = |port, via, link| (PortId::new(port), PortId::new(via), vec![LinkId::new(link)]);
    let before = page.route(from, to, true, Tables::Present);
    assert_eq!((before.end, before.hops), (End::Arrived, vec![hop(0, 3, 0)]));
    let after = page.route(from, to, false, Tables::Present);
    assert_eq!(after.end, End::Arrived);
    assert_eq!(after.hops, [hop(1, 4, 2), hop(5, 2, 1)]);
    assert_eq!(page.route(from, to, false, Tables::Recomputed).hops, after.hops);
    page.fail(&[0, 0, 0, 2]);
    let lost = page.route(from, to, false, Tables::Present);
    assert_eq!((lost.end, lost.at, lost.attempt), (End::Lost(Cause::NoRoute), from, None));
    assert_eq!(page.route(from, to, false, Tables::Recomputed).end, End::Disconnected);
    assert_eq!(lost.words(), [1, 0, u32::MAX, u32::MAX]);
}
