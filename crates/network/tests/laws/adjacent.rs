//! One hop between any two nodes: over the segment with the fewest hubs and switches, with ties
//! spread evenly, replies on the path of the request, and no table whatever the number of nodes.

use network::metrics::reachability;
use network::{AddressId, Bridging, Network, NodeId, Routing};
use proptest::prelude::*;

use crate::fabrics::{GO_ON, Sketch, coordinates, hub, switch};
use crate::repeatable;

fn mesh(rows: u32, columns: u32, front_end: bool) -> Network {
    Sketch::switched_buses(&[rows, columns], front_end).network(Routing::shortest_path).unwrap()
}

/// Returns the number of the port by which a node sends to the identity of another.
fn nic(network: &Network, from: u32, to: u32) -> u32 {
    let from = NodeId::new(from);
    let hop = network.next_hop(from, AddressId::new(to)).unwrap();
    hop.port.get() - network.fabric.ports_of(from).start.get()
}

/// Returns the number of hubs and switches between two nodes.
fn crossed(network: &Network, bridging: &Bridging, from: u32, to: u32) -> usize {
    let hop = network.next_hop(NodeId::new(from), AddressId::new(to)).unwrap();
    let mut path = Vec::new();
    bridging.extend_path(&network.fabric, hop.port, hop.via, &mut path);
    path.len()
}

proptest! {
    #![proptest_config(repeatable(40))]

    #[test]
    fn local_pairs_meet_on_their_bus_and_remote_ones_use_both_nets_alike(
        rows in 2u32..9,
        columns in 2u32..9,
        front_end: bool,
    ) {
        let network = mesh(rows, columns, front_end);
        let (n, place) = (rows * columns, |node| coordinates(&[rows, columns], node));
        let bridging = Bridging::new(&network.fabric);
        let mut remote = [0; 2];
        for from in 0..n {
            for to in (0..n).filter(|&to| to != from) {
                let used = nic(&network, from, to);
                prop_assert_eq!(used, nic(&network, to, from));
                let crossed = crossed(&network, &bridging, from, to);
                match (place(from)[0] == place(to)[0], place(from)[1] == place(to)[1]) {
                    (true, _) => prop_assert_eq!((used, crossed), (0, 1)),
                    (_, true) => prop_assert_eq!((used, crossed), (1, 1)),
                    _ => {
                        prop_assert_eq!(crossed, 3);
                        remote[used as usize] += 1;
                    }
                }
            }
        }
        prop_assert_eq!(remote[0], remote[1]);
        prop_assert_eq!(reachability(&network, n, &GO_ON).unwrap().n_unreachable, 0);
    }
}

#[test]
fn the_remote_pairs_of_each_node_are_spread_too() {
    let network = mesh(4, 4, true);
    for node in 0..16 {
        let remote = (0..16).filter(|&to| to / 4 != node / 4 && to % 4 != node % 4);
        let on_rows = remote.filter(|&to| nic(&network, node, to) == 0).count();
        assert!((4..=5).contains(&on_rows), "node {node}: {on_rows} of 9");
    }
    // The front end is on the bus of the first row and on that of the first column.
    let local = [1, 2, 3, 4, 8, 12].map(|to| nic(&network, 16, to));
    assert_eq!(local, [0, 0, 0, 1, 1, 1]);
    let remote = (0..16).filter(|&to| to / 4 > 0 && to % 4 > 0);
    let on_rows = remote.filter(|&to| nic(&network, 16, to) == 0).count();
    assert!((4..=5).contains(&on_rows), "front end: {on_rows} of 9");
}

#[test]
fn what_one_net_has_lost_goes_over_the_other() {
    let mut sketch = Sketch::switched_buses(&[2, 2], false);
    sketch.unplug(0);
    let network = sketch.network(Routing::shortest_path).unwrap();
    assert_eq!((nic(&network, 0, 1), nic(&network, 1, 0)), (1, 1));
    assert_eq!(reachability(&network, 4, &GO_ON).unwrap().n_unreachable, 0);
}

#[test]
fn ten_thousand_nodes_need_no_table() {
    for centre in [hub(), switch(None)] {
        let fabric = Sketch::star(10_000, centre).fabric();
        let routing = Routing::shortest_path(&fabric).unwrap();
        assert!(matches!(routing, Routing::Adjacent(_)));
    }
    let line = Sketch::cabled(&[3], false).fabric();
    assert!(matches!(Routing::shortest_path(&line), Ok(Routing::ShortestPath(_))));
}
