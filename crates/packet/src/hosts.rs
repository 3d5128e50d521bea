//! The hosts of a network: nodes with their receive queues and neighbours, connections and sockets.
//! What hosts do is in `send`, `receive`, `process` and `timers`.

use std::collections::VecDeque;

use device::Random;
use host::rx::RxQueues;
use host::tcp::Endpoint;
use network::{AddressId, NodeId};
use program::Rank;
use quantity::Time;
use simulation::Setup;

use crate::arena::FrameId;
use crate::datagram::{Delivery, Socket};
use crate::hold::Holds;
use crate::neighbour::{self, NeighbourTable};
use crate::node::Node;
use crate::rx;
use crate::send::Path;
use crate::waits::Waits;

/// Purpose number of the random phases of the nodes' clocks.
const TICK_PURPOSE: u64 = 1;

/// All hosts.
#[derive(Debug)]
pub(crate) struct Hosts<'a> {
    pub identities: &'a [AddressId],
    pub node_of_rank: &'a [NodeId],
    pub rank_of_node: Vec<Rank>,
    pub nodes: Vec<Node>,
    pub endpoints: Vec<Endpoint>,
    pub paths: Vec<Path>,
    /// Per port: when the processor will have taken each frame that has arrived.
    pub waiting: Vec<VecDeque<Time>>,
    pub rx: RxQueues<FrameId>,
    /// Per node, where hardware addresses have to be asked for; empty where all are known.
    pub neighbours: Vec<NeighbourTable>,
    /// Per node, once somebody has sent a datagram.
    pub sockets: Vec<Socket>,
    pub deliveries: Vec<Delivery>,
    /// Connections that wait for room at their interface.
    pub holds: Holds,
    /// When connections waited for a retransmission time-out.
    pub waits: Waits,
    /// The wall clock at time zero, in microseconds as far as a sequence number holds them.
    pub clock_at_start: u32,
}

impl<'a> Hosts<'a> {
    /// Returns idle hosts that have no connections yet.
    pub fn new(setup: &Setup<'a>) -> Hosts<'a> {
        let (fabric, host) = (&setup.network.fabric, setup.host);
        let (tick, n_cpus) = (host.tcp.tick, host.processors.n_cpus);
        let nodes = (0..fabric.n_nodes())
            .map(|node| Node::new(tick_offset(setup.seed, node, tick), n_cpus));
        Hosts {
            identities: setup.identities,
            node_of_rank: setup.node_of_rank,
            rank_of_node: setup.rank_of_node(),
            nodes: nodes.collect(),
            endpoints: Vec::new(),
            paths: Vec::new(),
            waiting: vec![VecDeque::new(); fabric.ports().len()],
            rx: rx::queues(fabric, host),
            neighbours: neighbour::tables(fabric, &host.links),
            sockets: Vec::new(),
            deliveries: Vec::new(),
            holds: Holds::default(),
            waits: Waits::default(),
            clock_at_start: clock_at_start(setup.seed),
        }
    }
}

/// A run begins at any time of the day, and those of successive seeds spread evenly over it.
fn clock_at_start(seed: u64) -> u32 {
    /// The golden ratio of the range, by which multiples spread evenly (Weyl).
    const GOLDEN: u32 = 0x9E37_79B9;
    (seed as u32).wrapping_mul(GOLDEN)
}

/// Hosts are not switched on at the same instant: their clocks tick at random phases.
fn tick_offset(seed: u64, node: NodeId, tick: Time) -> Time {
    match tick.ps() {
        0 => Time::ZERO,
        ps => Time::from_ps(Random::new(seed, &[TICK_PURPOSE, u64::from(node)]).next_u64() % ps),
    }
}
