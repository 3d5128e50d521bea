//! Shortest path: fewest hops (segments crossed), ties to the next hop that relays least.
//!
//! Tables are filled by one breadth-first search per destination over nodes and segments. There is
//! a table towards each node and one towards each segment, because an address lies on a subnet: the
//! step towards its segment is taken where it is also on a shortest path to the owner, so that one
//! route serves the whole subnet; the owner's own step otherwise. In both cases the distance to the
//! owner falls with each step, so there is no loop.

use crate::address::{AddressId, Addressing, Owner};
use crate::fabric::{Fabric, NodeId, PortId, SegmentId};

use super::{Hop, RoutingError};

/// The most entries of all tables together (4 bytes each, and 2 for the distances).
const MOST_ENTRIES: u64 = 1 << 26;

const FAR: u16 = u16::MAX;
const NO_PORT: PortId = PortId::MAX;

/// Next hops towards each node and each segment.
#[derive(Debug)]
pub struct ShortestPath {
    n_nodes: usize,
    /// Hops from each node, `n_nodes` entries per destination node.
    distance: Vec<u16>,
    /// The port to hand a packet to, `n_nodes` entries per destination node.
    towards_node: Vec<PortId>,
    /// The same towards each segment.
    towards_segment: Vec<PortId>,
}

impl ShortestPath {
    pub(super) fn new(fabric: &Fabric) -> Result<ShortestPath, RoutingError> {
        let n_nodes = fabric.n_nodes() as usize;
        let n_segments = fabric.n_segments() as usize;
        let entries = n_nodes as u64 * (n_nodes as u64 + n_segments as u64);
        if entries > MOST_ENTRIES {
            return Err(RoutingError::TableTooLarge { entries, most: MOST_ENTRIES });
        }
        let mut paths = ShortestPath {
            n_nodes,
            distance: Vec::with_capacity(n_nodes * n_nodes),
            towards_node: Vec::with_capacity(n_nodes * n_nodes),
            towards_segment: Vec::with_capacity(n_nodes * n_segments),
        };
        let mut search = Search::new(fabric);
        for node in 0..fabric.n_nodes() {
            search.run([node]);
            search.choose_next_hops(&mut paths.towards_node);
            paths.distance.extend_from_slice(&search.distance);
        }
        for segment in 0..fabric.n_segments() {
            let members = fabric.segment_members(segment).iter();
            search.run(members.map(|&port| fabric.port(port).device));
            search.choose_next_hops(&mut paths.towards_segment);
        }
        Ok(paths)
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
                let shared = self.to_segment(at, fabric.port(port).segment);
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
        let port = fabric.ports_of(at).find(|&port| fabric.port(port).segment == segment)?;
        Some(Hop { port, via })
    }

    fn hops(&self, from: NodeId, to: NodeId) -> u16 {
        self.distance[to as usize * self.n_nodes + from as usize]
    }

    fn to_node(&self, at: NodeId, to: NodeId) -> PortId {
        self.towards_node[to as usize * self.n_nodes + at as usize]
    }

    fn to_segment(&self, at: NodeId, to: SegmentId) -> PortId {
        self.towards_segment[to as usize * self.n_nodes + at as usize]
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
    /// The same for the present destination, with the node's own packet.
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
            carried: vec![0; fabric.n_nodes() as usize],
            queue: Vec::new(),
        }
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
        for port in fabric.ports_of(node) {
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

    /// Appends for each node the port to hand a packet to: `NO_PORT` at a source or where there is
    /// no way. Of equally near next hops the one that relays least so far is taken, the farthest
    /// nodes choosing first because their packets are relayed most often.
    fn choose_next_hops(&mut self, table: &mut Vec<PortId>) {
        let first = table.len();
        table.resize(first + self.distance.len(), NO_PORT);
        self.carried.fill(1);
        for index in (0..self.queue.len()).rev() {
            let node = self.queue[index];
            let Some(hop) = self.next_hop(node) else { continue };
            table[first + node as usize] = hop;
            let next = self.fabric.port(hop).device as usize;
            self.carried[next] += self.carried[node as usize];
            if self.distance[next] > 0 {
                self.relayed[next] += self.carried[node as usize];
            }
        }
    }

    fn next_hop(&self, node: NodeId) -> Option<PortId> {
        let distance = self.distance[node as usize];
        let fabric = self.fabric;
        let candidates = |port: PortId| {
            let (nearest, stations) = &self.nearest[fabric.port(port).segment as usize];
            if nearest.checked_add(1) == Some(distance) { stations.as_slice() } else { &[] }
        };
        let hops = fabric.ports_of(node).flat_map(candidates).copied();
        hops.min_by_key(|&hop| self.relayed[fabric.port(hop).device as usize])
    }
}
