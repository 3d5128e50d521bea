//! The network as `linkwright.views.check_page` writes it: columns of integers in a fixed order,
//! each after a head of three words: the number of values, an offset to be added to each, and the
//! bytes per value. Values are little-endian and padded to whole words.

use quantity::{Ids, OptionalId};
use resilience::rerouting::{Baseline, Destination, Options, Route};
use resilience::{NodeId, PortId, Wiring};

/// The word for no port.
const NONE: u32 = u32::MAX;

/// Reads one column after the other.
struct Columns<'a> {
    words: &'a [u32],
}

impl Columns<'_> {
    fn next(&mut self) -> Vec<u32> {
        let [n, least, n_bytes] = [0, 1, 2].map(|at| self.words[at]);
        let per_word = 4 / n_bytes;
        let (column, rest) = self.words[3..].split_at(n.div_ceil(per_word) as usize);
        self.words = rest;
        let mask = u32::MAX >> (32 - 8 * n_bytes);
        let value = |at: u32| column[(at / per_word) as usize] >> (at % per_word * 8 * n_bytes);
        (0..n).map(|at| (value(at) & mask).wrapping_add(least)).collect()
    }
}

/// Returns the network that columns describe, in which nothing has failed.
pub fn network_of(words: &[u32]) -> Baseline {
    let mut columns = Columns { words };
    let facts = columns.next();
    let [n_nodes, has_own_tables] = [facts[0], facts[1]];
    let port_start = columns.next();
    let port_start = port_start.into_iter().map(PortId::new).collect();
    let ends = columns.next().into_iter().zip(columns.next());
    let ends = ends.map(|(a, b)| [a, b].map(PortId::new)).collect();
    let bonds = columns.next().into_iter().zip(columns.next());
    let bonds = bonds.map(|(first, n)| Ids::from(PortId::new(first), n));
    let wiring = Wiring::new(n_nodes, port_start, ends, bonds);
    let destinations = destinations(&wiring, columns);
    let options = Options {
        has_own_tables: has_own_tables == 1,
        with_return_paths: false,
        planner: NodeId::new(0),
        most_examples: 1,
    };
    Baseline::new(wiring, destinations, options)
}

/// Reads the routes: the owner of each destination; the number of routes for each destination and
/// node; then all best routes, all second-best routes and so on, each as the port out, counted on
/// its node, and the port in or -1; the number of routes by incoming port for each destination, and
/// these routes, each as the incoming port, the port out and the port in.
fn destinations(wiring: &Wiring, mut columns: Columns) -> Vec<Destination> {
    let [owners, n_routes, ports, vias] = [(); 4].map(|()| columns.next());
    let [n_by_port, came_by, ports_behind, vias_behind] = [(); 4].map(|()| columns.next());
    let behind = came_by.into_iter().zip(ports_behind).zip(vias_behind);
    let mut behind = behind.map(|((came_by, port), via)| {
        let route = Route { port: PortId::new(port), via: Some(PortId::new(via)) };
        (PortId::new(came_by), route)
    });
    let n_all = vias.len();
    let starts: Vec<usize> = { n_routes.iter() }
        .scan(0, |end, &n| Some(std::mem::replace(end, *end + n as usize)))
        .chain([n_all])
        .collect();
    let mut routes = vec![Route { port: PortId::new(NONE), via: None }; n_all];
    let mut hops = ports.into_iter().zip(vias);
    for rank in 0..n_routes.iter().copied().max().unwrap_or(0) {
        for entry in (0..n_routes.len()).filter(|&entry| n_routes[entry] > rank) {
            let (port, via) = hops.next().expect("as many routes as counted");
            let node = NodeId::new(entry as u32 % wiring.n_nodes());
            let first = wiring.ports_of(node).start.get();
            routes[starts[entry] + rank as usize] =
                Route { port: PortId::new(first + port), via: OptionalId::new(via).get() };
        }
    }
    let n_nodes = wiring.n_nodes() as usize;
    let destination = |((id, &owner), n_by_port): ((u32, &u32), u32)| {
        let starts = &starts[id as usize * n_nodes..=(id as usize + 1) * n_nodes];
        let start = starts.iter().map(|at| (at - starts[0]) as u32).collect();
        Destination::new(
            wiring,
            id,
            NodeId::new(owner),
            start,
            routes[starts[0]..starts[n_nodes]].to_vec(),
        )
        .with_tables_by_port(behind.by_ref().take(n_by_port as usize).collect())
    };
    (0..).zip(&owners).zip(n_by_port).map(destination).collect()
}
