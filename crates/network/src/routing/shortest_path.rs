//! Shortest path: fewest hops (segments crossed), ties to the next hop that relays least.
//!
//! Tables are filled by one breadth-first search per destination over nodes and segments. There is
//! a table towards each node and one towards each segment, because an address lies on a subnet: the
//! step towards its segment is taken where it is also on a shortest path to the owner, so that one
//! route serves the whole subnet; the owner's own step otherwise. In both cases the distance to the
//! owner falls with each step, so there is no loop. A cable between two nodes needs no table of its
//! own: the way to it is the way to its nearer end.

use crate::address::{Addressing, Owner};
use crate::fabric::Fabric;
use crate::ids::{AddressId, NodeId, PortId, SegmentId};

use super::alternates::Tree;
use super::error::RoutingError;
use super::hop::Hop;

/// The most entries of all tables together (4 bytes each, and 2 for the distances).
const MOST_ENTRIES: u64 = 1 << 26;

/// How often each destination is looked at; the second time its ties see all others settled.
const SWEEPS: usize = 2;

const FAR: u16 = u16::MAX;
const NO_ROW: u32 = u32::MAX;
const NO_PORT: PortId = PortId::MAX;

/// Next hops towards each node and each segment.
#[derive(Debug)]
pub struct ShortestPath {
    n_nodes: usize,
    /// Hops from each node, `n_nodes` entries per destination node.
    distance: Vec<u16>,
    /// The port to hand a packet to, `n_nodes` entries per destination node.
    towards_node: Vec<PortId>,
    /// The row of each segment in `towards_segment`; `NO_ROW` for a cable between two nodes.
    row_of_segment: Vec<u32>,
    towards_segment: Vec<PortId>,
}

impl ShortestPath {
    pub(super) fn new(fabric: &Fabric) -> Result<ShortestPath, RoutingError> {
        let n_nodes = fabric.n_nodes() as usize;
        let is_shared = |segment: &SegmentId| fabric.segment_members(*segment).len() > 2;
        let shared: Vec<SegmentId> = (0..fabric.n_segments()).filter(is_shared).collect();
        let entries = n_nodes as u64 * (n_nodes as u64 + shared.len() as u64);
        if entries > MOST_ENTRIES {
            return Err(RoutingError::TableTooLarge { entries, most: MOST_ENTRIES });
        }
        let mut search = Search::new(fabric);
        let mut distance = Vec::with_capacity(n_nodes * n_nodes);
        for node in 0..fabric.n_nodes() {
            search.run([node]);
            distance.extend_from_slice(&search.distance);
        }
        let towards_node = search.next_hops(fabric.n_nodes(), |node| vec![node]);
        let towards_segment = search.next_hops(shared.len() as u32, |row| {
            let members = fabric.segment_members(shared[row as usize]).iter();
            members.map(|&port| fabric.port(port).device).collect()
        });
        let mut row_of_segment = vec![NO_ROW; fabric.n_segments() as usize];
        for (row, &segment) in (0..).zip(&shared) {
            row_of_segment[segment as usize] = row;
        }
        Ok(ShortestPath { n_nodes, distance, towards_node, row_of_segment, towards_segment })
    }

    /// Moves ties of the ways to each node so that more nodes have an alternate.
    pub(super) fn with_alternates(fabric: &Fabric) -> Result<ShortestPath, RoutingError> {
        let mut tables = ShortestPath::new(fabric)?;
        let mut search = Search::new(fabric);
        let n = tables.n_nodes.max(1);
        for (destination, next) in (0..).zip(tables.towards_node.chunks(n)) {
            search.run([destination]);
            search.relay(next, |sum, packets| sum + packets);
        }
        let rows = tables.towards_node.chunks_mut(n).zip(tables.distance.chunks(n));
        for (destination, (next, distance)) in (0..).zip(rows) {
            search.give_alternates(destination, next, distance);
        }
        Ok(tables)
    }

    /// Returns the step of node `at` towards an address that is neither its own nor connected.
    pub(super) fn route(
        &self,
        fabric: &Fabric,
        addressing: &Addressing,
        at: NodeId,
        to: AddressId,
    ) -> Option<Hop> {
        let address = addressing.address(to);
        let via = match address.owner {
            Owner::Loopback(_) => self.to_node(at, address.node),
            Owner::Port(port) => {
                let shared = self.to_segment(fabric, at, fabric.port(port).segment);
                let is_short = |via: PortId| {
                    let next = fabric.port(via).device;
                    self.hops(next, address.node) < self.hops(at, address.node)
                };
                if shared != NO_PORT && is_short(shared) {
                    shared
                } else {
                    self.to_node(at, address.node)
                }
            }
        };
        if via == NO_PORT {
            return None;
        }
        let segment = fabric.port(via).segment;
        let members = fabric.segment_members(segment);
        let mut own = fabric.ports_of(at);
        let port = if members.len() < own.len() {
            members.iter().copied().find(|&port| fabric.port(port).device == at)
        } else {
            own.find(|&port| fabric.port(port).segment == segment)
        };
        port.map(|port| Hop { port, via })
    }

    fn hops(&self, from: NodeId, to: NodeId) -> u16 {
        self.distance[to as usize * self.n_nodes + from as usize]
    }

    fn to_node(&self, at: NodeId, to: NodeId) -> PortId {
        self.towards_node[to as usize * self.n_nodes + at as usize]
    }

    fn to_segment(&self, fabric: &Fabric, at: NodeId, to: SegmentId) -> PortId {
        let row = self.row_of_segment[to as usize];
        if row != NO_ROW {
            return self.towards_segment[row as usize * self.n_nodes + at as usize];
        }
        let ends = fabric.segment_members(to).iter().map(|&port| fabric.port(port).device);
        let nearer = ends.min_by_key(|&end| self.hops(at, end));
        nearer.map_or(NO_PORT, |end| self.to_node(at, end))
    }
}

/// A breadth-first search from a set of nodes, reused over destinations.
struct Search<'a> {
    fabric: &'a Fabric,
    distance: Vec<u16>,
    /// Distance of the nearest node of each segment, and its stations at that distance.
    nearest: Vec<(u16, Vec<PortId>)>,
    /// Packets that each node relays under uniform traffic to the destinations so far.
    relayed: Vec<u64>,
    /// The sum of that over the nodes on the way from each node to the present destination.
    burden: Vec<u64>,
    /// Packets that each node sends towards the present destination, its own and relayed ones.
    carried: Vec<u64>,
    queue: Vec<NodeId>,
}

impl<'a> Search<'a> {
    fn new(fabric: &'a Fabric) -> Search<'a> {
        Search {
            fabric,
            distance: vec![FAR; fabric.n_nodes() as usize],
            nearest: vec![(FAR, Vec::new()); fabric.n_segments() as usize],
            relayed: vec![0; fabric.n_nodes() as usize],
            burden: vec![0; fabric.n_nodes() as usize],
            carried: vec![0; fabric.n_nodes() as usize],
            queue: Vec::new(),
        }
    }

    /// Returns the tables towards each of some destinations, each a set of nodes.
    fn next_hops(
        &mut self,
        n_destinations: u32,
        nodes: impl Fn(u32) -> Vec<NodeId>,
    ) -> Vec<PortId> {
        let n_nodes = self.distance.len();
        let mut table = vec![NO_PORT; n_destinations as usize * n_nodes];
        self.relayed.fill(0);
        for _ in 0..SWEEPS {
            for (destination, row) in (0..n_destinations).zip(table.chunks_mut(n_nodes.max(1))) {
                self.run(nodes(destination));
                self.choose_next_hops(row);
            }
        }
        table
    }

    /// Finds the distance of every node from the nearest of `sources`.
    fn run(&mut self, sources: impl IntoIterator<Item = NodeId>) {
        self.distance.fill(FAR);
        self.nearest.iter_mut().for_each(|(distance, stations)| {
            *distance = FAR;
            stations.clear();
        });
        self.queue.clear();
        for node in sources {
            self.visit(node, 0);
        }
        let mut done = 0;
        while let Some(&node) = self.queue.get(done) {
            done += 1;
            self.expand(node);
        }
    }

    fn visit(&mut self, node: NodeId, distance: u16) {
        if self.distance[node as usize] == FAR {
            self.distance[node as usize] = distance;
            self.queue.push(node);
        }
    }

    fn expand(&mut self, node: NodeId) {
        let distance = self.distance[node as usize];
        let fabric = self.fabric;
        for port in fabric.interfaces_of(node) {
            let segment = fabric.port(port).segment;
            let (nearest, stations) = &mut self.nearest[segment as usize];
            if *nearest < distance {
                continue;
            }
            stations.push(port);
            if *nearest == FAR {
                *nearest = distance;
                for &other in fabric.segment_members(segment) {
                    self.visit(fabric.port(other).device, distance.saturating_add(1));
                }
            }
        }
    }

    /// Enters for each node the port to hand a packet to: `NO_PORT` at a source or where there is
    /// no way.
    ///
    /// Of the shortest ways the one is taken whose nodes together relay least so far, then the
    /// packets of this destination are counted, as in SSSP routing (Hoefler, Schneider, Lumsdaine:
    /// Optimized routing for large-scale InfiniBand networks, 2009). What an earlier sweep chose
    /// for this destination is taken back first.
    fn choose_next_hops(&mut self, row: &mut [PortId]) {
        self.relay(row, |sum, packets| sum - packets);
        self.burden.fill(0);
        for index in 0..self.queue.len() {
            let node = self.queue[index];
            let Some(hop) = self.next_hop(node) else { continue };
            row[node as usize] = hop;
            let ahead = self.burden[self.fabric.port(hop).device as usize];
            self.burden[node as usize] = ahead + self.relayed[node as usize];
        }
        self.relay(row, |sum, packets| sum + packets);
    }

    /// Adds what each node relays to this destination, or takes it back.
    fn relay(&mut self, row: &[PortId], change: fn(u64, u64) -> u64) {
        self.carried.fill(1);
        for &node in self.queue.iter().rev() {
            let hop = row[node as usize];
            if hop != NO_PORT {
                let carried = self.carried[node as usize];
                self.carried[self.fabric.port(hop).device as usize] += carried;
                self.relayed[node as usize] = change(self.relayed[node as usize], carried - 1);
            }
        }
    }

    /// Moves ties of the ways to one node so that more nodes have an alternate.
    fn give_alternates(&mut self, destination: NodeId, next: &mut [PortId], distance: &[u16]) {
        self.run([destination]);
        self.relay(next, |sum, packets| sum - packets);
        let mut tree = Tree { fabric: self.fabric, distance, relayed: &self.relayed, next };
        tree.give_alternates(&self.queue);
        self.relay(next, |sum, packets| sum + packets);
    }

    fn next_hop(&self, node: NodeId) -> Option<PortId> {
        let distance = self.distance[node as usize];
        let fabric = self.fabric;
        let candidates = |port: PortId| {
            let (nearest, stations) = &self.nearest[fabric.port(port).segment as usize];
            if nearest.checked_add(1) == Some(distance) { stations.as_slice() } else { &[] }
        };
        let hops = fabric.interfaces_of(node).flat_map(candidates).copied();
        hops.min_by_key(|&hop| self.burden[fabric.port(hop).device as usize])
    }
}
