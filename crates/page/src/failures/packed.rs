//! The packed network: its cabling and all routes, as bytes. Ports are counted on their nodes, and
//! all best routes stand together, then all second-best ones and so on: numbers that are small and
//! alike, of which little is left once they are deflated.

use quantity::{Id, Ids};
use resilience::rerouting::{Baseline, Destination, Options, Route, RoutesTo};
use resilience::{NodeId, PortId, Wiring};
use serde::{Deserialize, Serialize};

use crate::Malformed;

/// A network in which nothing has failed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PackedNetwork {
    n_nodes: u32,
    /// Whether the user wrote the tables: then only a routing daemon can recompute them.
    has_own_tables: bool,
    port_start: Vec<PortId>,
    link_a: Vec<PortId>,
    link_b: Vec<PortId>,
    /// First port and number of ports of each bond.
    bonds: Vec<(PortId, u32)>,
    destinations: PackedRoutes,
}

/// The routes of all nodes to some destinations.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct PackedRoutes {
    owner: Vec<NodeId>,
    /// For each destination and node, the number of routes.
    n_routes: Vec<u32>,
    /// For each route, the port out as a number on its node.
    port: Vec<u32>,
    /// The port in, one more; 0 where the destination is not on the wire.
    via: Vec<u32>,
    /// For each destination, the routes by incoming port: this port, the port out, the port in.
    by_port: Vec<Vec<(PortId, PortId, PortId)>>,
}

impl PackedNetwork {
    /// Packs a network, given the routes to its destinations.
    pub fn new(wiring: &Wiring, destinations: &[RoutesTo], has_own_tables: bool) -> PackedNetwork {
        let links = wiring.links();
        PackedNetwork {
            n_nodes: wiring.n_nodes(),
            has_own_tables,
            port_start: wiring.port_start().to_vec(),
            link_a: links.iter().map(|ends| ends[0]).collect(),
            link_b: links.iter().map(|ends| ends[1]).collect(),
            bonds: wiring.bonds().map(|ports| (ports.start, ports.len() as u32)).collect(),
            destinations: PackedRoutes::new(wiring, destinations),
        }
    }

    /// Returns the network as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        crate::to_bytes(self)
    }

    /// Returns the network in some bytes, ready to fail.
    ///
    /// # Errors
    /// When they were not made by [`PackedNetwork::to_bytes`].
    pub fn open(bytes: &[u8]) -> Result<Baseline, Malformed> {
        let packed: PackedNetwork = crate::from_bytes(bytes)?;
        let ends = packed.link_a.into_iter().zip(packed.link_b).map(|(a, b)| [a, b]).collect();
        let bonds = packed.bonds.into_iter().map(|(first, n)| Ids::from(first, n));
        let wiring = Wiring::new(packed.n_nodes, packed.port_start, ends, bonds);
        let options = Options {
            has_own_tables: packed.has_own_tables,
            with_return_paths: false,
            planner: NodeId::new(0),
            most_examples: 1,
        };
        let routes = packed.destinations.unpacked(&wiring);
        let destinations = (0..).zip(routes).map(|(id, to)| Destination::new(&wiring, id, to));
        let destinations = destinations.collect();
        Ok(Baseline::new(wiring, destinations, options))
    }
}

impl PackedRoutes {
    fn new(wiring: &Wiring, destinations: &[RoutesTo]) -> PackedRoutes {
        let mut packed = PackedRoutes {
            owner: destinations.iter().map(|to| to.owner).collect(),
            ..PackedRoutes::default()
        };
        for to in destinations {
            packed.n_routes.extend(to.start.windows(2).map(|ends| ends[1] - ends[0]));
            let row =
                |&(came_by, Route { port, via }): &(PortId, Route)| Some((came_by, port, via?));
            packed.by_port.push(to.by_port.iter().filter_map(row).collect());
        }
        for (entry, rank) in by_rank(&packed.n_routes) {
            let (to, node) = entry_of(wiring, entry);
            let Route { port, via } = { &destinations[to] }.routes
                [(destinations[to].start[node.index()] + rank) as usize];
            packed.port.push(port.get() - wiring.ports_of(node).start.get());
            packed.via.push(via.map_or(0, |via| via.get() + 1));
        }
        packed
    }

    fn unpacked(self, wiring: &Wiring) -> Vec<RoutesTo> {
        let n_nodes = wiring.n_nodes() as usize;
        let none = Route { port: PortId::new(0), via: None };
        let behind = |(came_by, port, via)| (came_by, Route { port, via: Some(via) });
        let tables = self.owner.iter().zip(self.n_routes.chunks(n_nodes)).zip(self.by_port);
        let mut found: Vec<RoutesTo> = tables
            .map(|((&owner, n_routes), by_port)| {
                let ends = n_routes.iter().scan(0, |end, &n| {
                    *end += n;
                    Some(*end)
                });
                let start: Vec<u32> = std::iter::once(0).chain(ends).collect();
                let routes = vec![none; start[n_nodes] as usize];
                let by_port = by_port.into_iter().map(behind).collect();
                RoutesTo { owner, start, routes, by_port }
            })
            .collect();
        let hops = self.port.iter().zip(&self.via);
        for ((entry, rank), (&port, &via)) in by_rank(&self.n_routes).zip(hops) {
            let (to, node) = entry_of(wiring, entry);
            let at = (found[to].start[node.index()] + rank) as usize;
            let first = wiring.ports_of(node).start.get();
            let via = via.checked_sub(1).map(PortId::new);
            found[to].routes[at] = Route { port: PortId::new(first + port), via };
        }
        found
    }
}

/// Yields destination and node of each route as one index, and its rank among these: all best
/// routes, all second ones, and so on.
fn by_rank(n_routes: &[u32]) -> impl Iterator<Item = (usize, u32)> + '_ {
    let most = n_routes.iter().copied().max().unwrap_or(0);
    let of_rank = move |rank| {
        let with_it = (0..n_routes.len()).filter(move |&entry| n_routes[entry] > rank);
        with_it.map(move |entry| (entry, rank))
    };
    (0..most).flat_map(of_rank)
}

/// Returns the destination and the node of an index.
fn entry_of(wiring: &Wiring, entry: usize) -> (usize, NodeId) {
    let n_nodes = wiring.n_nodes() as usize;
    (entry / n_nodes, NodeId::from_index(entry % n_nodes))
}
