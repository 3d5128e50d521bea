//! Shortest path: fewest hops (segments crossed), ties to the next hop that relays least, to routed
//! switches before computers. Where the rates of links differ, a hop over a slower segment counts
//! as several (see `costs`).
//!
//! Tables are filled by one search per destination over nodes and segments, in order of distance.
//! There is a table towards each node and one towards each segment, because an address lies on a
//! subnet: the hop towards its segment is taken if it is also on a shortest path to the owner, so
//! that one route serves the whole subnet; otherwise the owner's own hop. In both cases the
//! distance to the owner falls with each hop, so there is no loop. A cable between two nodes needs
//! no table of its own: the path to it is the path to its nearer end.

use quantity::{Id, IdTable, IdVec, OptionalId};

use crate::address::{Addressing, Owner};
use crate::fabric::Fabric;
use crate::ids::{AddressId, NodeId, PortId, SegmentId};

use super::alternates::Tree;
use super::costs::Costs;
use super::error::RoutingError;
use super::hop::Hop;

/// The most entries of all tables together (4 bytes each, and 2 for the distances).
const MOST_ENTRIES: u64 = 1 << 26;

/// Number of sweeps over the destinations; the second breaks ties with all others known.
const SWEEPS: usize = 2;

const FAR: u16 = u16::MAX;

/// Burden of a node that relays by its processor, beside routed switches: more than the packets of
/// any number of pairs, and small enough that the sum over a path fits.
const BY_PROCESSOR: u64 = 1 << 42;

quantity::id! {
    /// Row of a segment that more than two nodes share.
    RowId;
}

/// The receiving port of the next hop, for each destination at each node; none at a source or
/// without a path.
type NextHops<R> = IdTable<R, NodeId, OptionalId<PortId>>;

/// Next hops towards each node and each segment.
#[derive(Clone, Debug)]
pub struct ShortestPath {
    /// Costs of the paths to each node from each other.
    distance: IdTable<NodeId, NodeId, u16>,
    /// The receiving port of the next hop to each node, at each other.
    towards_node: NextHops<NodeId>,
    /// The row of each segment in `towards_segment`; none for a cable between two nodes.
    row_of_segment: IdVec<SegmentId, OptionalId<RowId>>,
    towards_segment: NextHops<RowId>,
}

impl ShortestPath {
    pub(super) fn new(fabric: &Fabric) -> Result<ShortestPath, RoutingError> {
        let n_nodes = fabric.n_nodes();
        let is_shared = |segment: &SegmentId| fabric.segment_members(*segment).len() > 2;
        let shared: IdVec<RowId, SegmentId> = fabric.segments().filter(is_shared).collect();
        let entries = u64::from(n_nodes) * (u64::from(n_nodes) + shared.len() as u64);
        if entries > MOST_ENTRIES {
            return Err(RoutingError::TableTooLarge { entries, most: MOST_ENTRIES });
        }
        let mut search = Search::new(fabric);
        let mut distance = IdTable::filled(FAR, n_nodes, n_nodes);
        for node in fabric.nodes() {
            search.run([node]);
            distance.row_mut(node).copy_from_slice(&search.distance);
        }
        let towards_node = search.next_hops(n_nodes, |node| vec![node]);
        let towards_segment = search.next_hops(shared.n(), |row| {
            let members = fabric.segment_members(shared[row]).iter();
            members.map(|&port| fabric.node_of(port)).collect()
        });
        let mut row_of_segment = IdVec::filled(OptionalId::none(), fabric.n_segments());
        for (row, &segment) in shared.with_ids() {
            row_of_segment[segment] = OptionalId::from(row);
        }
        Ok(ShortestPath { distance, towards_node, row_of_segment, towards_segment })
    }

    /// Breaks ties of the paths to each node so that more nodes have an alternate.
    pub(super) fn with_alternates(fabric: &Fabric) -> Result<ShortestPath, RoutingError> {
        let mut tables = ShortestPath::new(fabric)?;
        let mut search = Search::new(fabric);
        for destination in fabric.nodes() {
            search.run([destination]);
            search.relay(&tables.towards_node, destination, |sum, packets| sum + packets);
        }
        for destination in fabric.nodes() {
            search.give_alternates(destination, &mut tables);
        }
        Ok(tables)
    }

    /// Returns the hop of node `at` towards an address that is neither its own nor connected.
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
                    let next = fabric.node_of(via);
                    self.hops(next, address.node) < self.hops(at, address.node)
                };
                shared.filter(|&via| is_short(via)).or_else(|| self.to_node(at, address.node))
            }
        };
        let via = via?;
        let segment = fabric.port(via).segment;
        let members = fabric.segment_members(segment);
        let mut own = fabric.ports_of(at);
        let port = if members.len() < own.len() {
            members.iter().copied().find(|&port| fabric.node_of(port) == at)
        } else {
            own.find(|&port| fabric.port(port).segment == segment)
        };
        port.map(|port| Hop { port, via })
    }

    fn hops(&self, from: NodeId, to: NodeId) -> u16 {
        self.distance[(to, from)]
    }

    fn to_node(&self, at: NodeId, to: NodeId) -> Option<PortId> {
        self.towards_node[(to, at)].get()
    }

    fn to_segment(&self, fabric: &Fabric, at: NodeId, to: SegmentId) -> Option<PortId> {
        if let Some(row) = self.row_of_segment[to].get() {
            return self.towards_segment[(row, at)].get();
        }
        let ends = fabric.segment_members(to).iter().map(|&port| fabric.node_of(port));
        let nearer = ends.min_by_key(|&end| self.hops(at, end));
        nearer.and_then(|end| self.to_node(at, end))
    }
}

/// A search from a set of nodes in order of distance, reused over destinations.
struct Search<'a> {
    fabric: &'a Fabric,
    has_routed_switches: bool,
    costs: Costs,
    distance: IdVec<NodeId, u16>,
    /// Distance of the nearest node of each segment, and its stations at that distance.
    nearest: IdVec<SegmentId, (u16, Vec<PortId>)>,
    /// Packets that each node relays under uniform traffic to the destinations so far.
    relayed: IdVec<NodeId, u64>,
    /// Sum of the relayed packets over the nodes on the path from each node to the present
    /// destination.
    burden: IdVec<NodeId, u64>,
    /// Packets that each node sends towards the present destination, its own and relayed ones.
    carried: IdVec<NodeId, u64>,
    /// Nodes found at each of the next distances, by distance modulo their number. A node that is
    /// found again nearer stays where it was, too.
    waiting: Vec<Vec<NodeId>>,
    /// The nodes in order of their distance.
    queue: Vec<NodeId>,
}

impl<'a> Search<'a> {
    fn new(fabric: &'a Fabric) -> Search<'a> {
        let costs = Costs::of(fabric);
        Search {
            fabric,
            has_routed_switches: fabric.nodes().any(|node| fabric.is_routed_switch(node)),
            waiting: vec![Vec::new(); usize::from(costs.most()) + 1],
            costs,
            distance: IdVec::filled(FAR, fabric.n_nodes()),
            nearest: IdVec::filled((FAR, Vec::new()), fabric.n_segments()),
            relayed: IdVec::filled(0, fabric.n_nodes()),
            burden: IdVec::filled(0, fabric.n_nodes()),
            carried: IdVec::filled(0, fabric.n_nodes()),
            queue: Vec::new(),
        }
    }

    /// Returns the tables towards each of some destinations, each a set of nodes.
    fn next_hops<R: Id>(
        &mut self,
        n_destinations: u32,
        nodes: impl Fn(R) -> Vec<NodeId>,
    ) -> NextHops<R> {
        let mut table = IdTable::filled(OptionalId::none(), n_destinations, self.distance.n());
        self.relayed.fill(0);
        for _ in 0..SWEEPS {
            for destination in R::first(n_destinations) {
                self.run(nodes(destination));
                self.choose_next_hops(&mut table, destination);
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
        let (mut distance, mut n_without) = (0, 0);
        while n_without < self.waiting.len() {
            let place = usize::from(distance) % self.waiting.len();
            let mut found = std::mem::take(&mut self.waiting[place]);
            n_without = if found.is_empty() { n_without + 1 } else { 0 };
            for node in found.drain(..) {
                if self.distance[node] == distance {
                    self.queue.push(node);
                    self.expand(node);
                }
            }
            self.waiting[place] = found;
            distance += 1;
        }
    }

    fn visit(&mut self, node: NodeId, distance: u16) {
        if distance < self.distance[node] {
            self.distance[node] = distance;
            let place = usize::from(distance) % self.waiting.len();
            self.waiting[place].push(node);
        }
    }

    fn expand(&mut self, node: NodeId) {
        let distance = self.distance[node];
        let fabric = self.fabric;
        for port in fabric.interfaces_of(node) {
            let segment = fabric.port(port).segment;
            let (nearest, stations) = &mut self.nearest[segment];
            if *nearest < distance {
                continue;
            }
            stations.push(port);
            if *nearest == FAR {
                *nearest = distance;
                let beyond = distance.saturating_add(self.costs.at(segment));
                for &other in fabric.segment_members(segment) {
                    self.visit(fabric.node_of(other), beyond);
                }
            }
        }
    }

    /// Enters for each node the receiving port of its next hop.
    ///
    /// Among the shortest paths the one whose nodes together relay least so far is taken, or with
    /// routed switches the one with the fewest computers; then the packets of this destination are
    /// counted, as in SSSP routing (Hoefler, Schneider, Lumsdaine: Optimized routing for large-
    /// scale InfiniBand networks, 2009). The choice of an earlier sweep for this destination is
    /// undone first.
    fn choose_next_hops<R: Id>(&mut self, table: &mut NextHops<R>, destination: R) {
        self.relay(table, destination, |sum, packets| sum - packets);
        self.burden.fill(0);
        for index in 0..self.queue.len() {
            let node = self.queue[index];
            let Some(hop) = self.next_hop(node) else { continue };
            table[(destination, node)] = OptionalId::from(hop);
            let ahead = self.burden[self.fabric.node_of(hop)];
            let by_processor = match self.has_routed_switches && !self.fabric.is_routed_switch(node)
            {
                true => BY_PROCESSOR,
                false => 0,
            };
            self.burden[node] = ahead + self.relayed[node] + by_processor;
        }
        self.relay(table, destination, |sum, packets| sum + packets);
    }

    /// Adds the packets that each node relays to this destination, or removes them.
    fn relay<R: Id>(&mut self, table: &NextHops<R>, destination: R, change: fn(u64, u64) -> u64) {
        self.carried.fill(1);
        for &node in self.queue.iter().rev() {
            if let Some(hop) = table[(destination, node)].get() {
                let carried = self.carried[node];
                self.carried[self.fabric.node_of(hop)] += carried;
                self.relayed[node] = change(self.relayed[node], carried - 1);
            }
        }
    }

    /// Breaks ties of the paths to one node so that more nodes have an alternate.
    fn give_alternates(&mut self, destination: NodeId, tables: &mut ShortestPath) {
        let ShortestPath { distance, towards_node: next, .. } = tables;
        self.run([destination]);
        self.relay(next, destination, |sum, packets| sum - packets);
        let (fabric, costs, relayed) = (self.fabric, &self.costs, &self.relayed);
        let mut tree = Tree { fabric, costs, destination, distance, relayed, next };
        tree.give_alternates(&self.queue);
        self.relay(next, destination, |sum, packets| sum + packets);
    }

    fn next_hop(&self, node: NodeId) -> Option<PortId> {
        let distance = self.distance[node];
        let fabric = self.fabric;
        let candidates = |port: PortId| {
            let segment = fabric.port(port).segment;
            let (nearest, stations) = &self.nearest[segment];
            let is_on_path = nearest.checked_add(self.costs.at(segment)) == Some(distance);
            if is_on_path { stations.as_slice() } else { &[] }
        };
        let hops = fabric.interfaces_of(node).flat_map(candidates).copied();
        hops.min_by_key(|&hop| self.burden[fabric.node_of(hop)])
    }
}
