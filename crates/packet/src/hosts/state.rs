//! The state of all hosts: nodes with their receive queues and neighbours, connections and sockets.
//! The other files of this folder act on it.

use std::collections::{BTreeMap, VecDeque};

use device::Random;
use host::HostModel;
use host::rx::{RxQueueId, RxQueues};
use host::tcp::Endpoint;
use host::transport::EndpointId;
use network::{AddressId, DeviceId, Fabric, NodeId, PortId};
use program::Rank;
use quantity::{Id, IdVec, Ids, Time};
use simulation::{HandOvers, Setup};

use super::neighbour_table::{self, NeighbourTable};
use super::node::Node;
use super::path::Path;
use super::processes::{Processes, first_on};
use super::waits::Waits;
use crate::arena::FrameId;
use crate::datagram::{DatagramId, Delivery, Socket};
use crate::ids::ProcessId;

/// Purpose number of the random phases of the nodes' clocks.
const TICK_PURPOSE: u64 = 1;
/// Purpose number of the first sequence numbers of connections.
const SEQUENCE_PURPOSE: u64 = 2;
/// Purpose number of the moments at which timers meet the loops of processes.
const MOMENT_PURPOSE: u64 = 3;

/// The state of all hosts of a network.
#[derive(Debug)]
pub(crate) struct Hosts<'a> {
    pub identities: &'a IdVec<NodeId, AddressId>,
    pub node_of_rank: &'a IdVec<Rank, NodeId>,
    pub processes: Processes,
    /// The state of each process, with that of the node's kernel in the first of a node.
    pub nodes: IdVec<ProcessId, Node>,
    pub endpoints: IdVec<EndpointId, Endpoint>,
    pub paths: IdVec<EndpointId, Path>,
    /// The receive ring of each port: the times at which the processor will have taken the frames
    /// in it.
    pub waiting: IdVec<PortId, VecDeque<Time>>,
    pub rx: RxQueues<FrameId>,
    /// The neighbour table of each node; empty where all hardware addresses are known.
    pub neighbours: IdVec<NodeId, NeighbourTable>,
    /// The socket of each node; empty until the first datagram is sent.
    pub sockets: IdVec<NodeId, Socket>,
    pub deliveries: IdVec<DatagramId, Delivery>,
    /// The connections held back at each interface, by its port.
    pub held: BTreeMap<PortId, VecDeque<EndpointId>>,
    /// Transfers between processes of one node.
    pub hand_overs: HandOvers,
    /// The times during which connections waited for a retransmission time-out.
    pub waits: Waits,
    seed: u64,
}

impl<'a> Hosts<'a> {
    /// Returns idle hosts that have no connections yet.
    pub fn new(setup: &Setup<'a>) -> Hosts<'a> {
        let (fabric, host) = (&setup.network.fabric, setup.host);
        let (tick, n_cpus) = (host.tcp.tick, host.processors.n_cpus);
        let processes = Processes::new(setup);
        let nodes = ProcessId::first(processes.n()).map(|process| {
            let node = processes.node(process);
            let n_cpus = if process == first_on(node) { n_cpus } else { 1 };
            Node::new(tick_offset(setup.seed, node, tick), n_cpus)
        });
        let nodes = nodes.collect();
        Hosts {
            identities: setup.identities,
            node_of_rank: setup.node_of_rank,
            processes,
            nodes,
            endpoints: IdVec::new(),
            paths: IdVec::new(),
            waiting: IdVec::filled(VecDeque::new(), fabric.ports().n()),
            rx: rx_queues(fabric, host),
            neighbours: neighbour_table::tables(fabric, &host.links),
            sockets: IdVec::new(),
            deliveries: IdVec::new(),
            held: BTreeMap::new(),
            hand_overs: HandOvers::default(),
            waits: Waits::default(),
            seed: setup.seed,
        }
    }

    /// Returns the first sequence number of an end of a connection. Linux 2.0 hashes addresses,
    /// ports and a secret (`secure_tcp_sequence_number`).
    pub fn first_sequence(&self, endpoint: EndpointId) -> u32 {
        Random::new(self.seed, &[SEQUENCE_PURPOSE, u64::from(endpoint.get())]).next_u64() as u32
    }

    /// Returns a random number for the place of the moment `now` in the loop of a process.
    pub fn moment(&self, endpoint: EndpointId, now: Time) -> u64 {
        let words = [MOMENT_PURPOSE, u64::from(endpoint.get()), now.ps()];
        Random::new(self.seed, &words).next_u64()
    }

    /// Returns the rank of the process that has one end of a connection.
    pub fn rank_of_end(&self, endpoint: EndpointId) -> Rank {
        self.rank_on(self.paths[endpoint].process)
    }

    /// Returns the rank of a process that has one.
    pub fn rank_on(&self, process: ProcessId) -> Rank {
        self.processes.rank(process).expect("a rank runs as the process")
    }

    /// Returns the number of frames in the fullest receive queue of an interface.
    pub fn fullest_rx_queue(&self, port: PortId) -> u32 {
        self.rx_queues_of(port).map(|queue| self.rx.n_held(queue)).max().unwrap_or(0)
    }

    /// Returns the receive queues of an interface, one per processor.
    #[inline]
    pub fn rx_queues_of(&self, port: PortId) -> Ids<RxQueueId> {
        let n_cpus = self.rx.n_cpus();
        Ids::from(RxQueueId::new(port.get() * n_cpus), n_cpus)
    }

    /// Returns the interface of a receive queue.
    #[inline]
    pub fn interface(&self, queue: RxQueueId) -> PortId {
        PortId::new(queue.get() / self.rx.n_cpus())
    }
}

/// Returns the receive queues of all nodes, one per port and processor, or none where frames are
/// taken as they come.
fn rx_queues(fabric: &Fabric, host: &HostModel) -> RxQueues<FrameId> {
    if host.takes_frames_at_once() {
        return RxQueues::unused();
    }
    let (n_nodes, n_cpus) = (fabric.n_nodes(), host.processors.n_cpus);
    let ports =
        (0..n_nodes).flat_map(|node| fabric.ports_of(DeviceId::new(node)).map(move |_| node));
    RxQueues::new(n_nodes, n_cpus, ports.flat_map(|node| (0..n_cpus).map(move |cpu| (node, cpu))))
}

/// Returns the time of the first clock tick of a node. Phases are random, because hosts are not
/// switched on at the same instant.
fn tick_offset(seed: u64, node: NodeId, tick: Time) -> Time {
    match tick.ps() {
        0 => Time::ZERO,
        ps => {
            Time::from_ps(Random::new(seed, &[TICK_PURPOSE, u64::from(node.get())]).next_u64() % ps)
        }
    }
}
