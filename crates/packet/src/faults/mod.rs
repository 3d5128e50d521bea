//! Faults as events: cables, NICs, hubs, switches and nodes that die and come back, and wires that
//! lose or damage frames.
//!
//! All faults of a run are known before it begins. So what becomes of a frame that is handed to a
//! wire is known at once, and a loss is an event at the time of the failure: no list of frames
//! under way is kept, and ports for which nothing is planned do what they always do. The outlets of
//! the others are wrapped. When a link fails or returns is in `schedule`, what frames meet in
//! `emit`, what devices and nodes do about it in `change`, who stalls and for how long in
//! `recovery`. The decisions are in docs/design/faults.md.

mod change;
mod emit;
mod recovery;
mod schedule;

use network::metrics::Part;
use network::{AddressId, Fabric, Hop, Network, NodeId, PortId};
use quantity::Time;

pub(crate) use emit::Doubtful;
use recovery::Stalls;
use schedule::Schedule;

use crate::arena::FrameId;
use crate::frame::NO_STATION;

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FaultKind {
    /// The parts are dead.
    Down,
    /// Every frame on the cables of the parts is lost with this probability.
    Loss(f64),
    /// Every bit on the cables of the parts is wrong with this probability; a frame with a wrong
    /// bit fails its check sequence.
    Corrupt(f64),
}

/// Something that goes wrong for a while.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// What it happens to; a device stands for all cables plugged into it, and dies with them.
    pub parts: Vec<Part>,
    /// What goes wrong.
    pub kind: FaultKind,
    /// When it begins.
    pub from: Time,
    /// When it is over; `Time::MAX` for never.
    pub until: Time,
}

/// What nodes do about faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaultOptions {
    /// Whether the nodes have the fallback routes that the routing scheme derives.
    pub with_fallback: bool,
    /// How often a bond looks at the carrier of its ports; zero for at once. A single port tells
    /// its node at once.
    pub bond_poll: Time,
}

/// What one fault cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FaultReport {
    /// Frames lost by it, or damaged.
    pub frames_lost: u64,
    /// Connections, in one direction, that lost data by it.
    pub n_stalled: u64,
    /// Those of them whose lost data had not arrived when the run ended.
    pub n_unrecovered: u64,
    /// The longest time from the loss of data until they had arrived after all.
    pub longest_stall: Time,
}

/// Why a frame was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// The wire failed, or lost it, while it was on its way.
    OnWire,
    /// It waited at a port that lost its carrier, or came to one without.
    NoCarrier,
    /// It was inside a device that died, or came from inside a dead one.
    AtDeadDevice,
}

/// By which fault a frame was lost, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Loss {
    pub fault: FaultId,
    pub reason: Reason,
}

/// Index of a fault in the order given.
pub(crate) type FaultId = u16;

/// The faults of a run, and where it stands among them.
#[derive(Debug)]
pub(crate) struct FaultState {
    schedule: Schedule,
    options: FaultOptions,
    seed: u64,
    /// What is plugged together, and what of it is left now.
    whole: Fabric,
    left: Fabric,
    /// Per port, what frames reach from it without passing a node: ports of one number.
    island: Vec<u32>,
    /// Per port: whether its device takes it to have carrier.
    has_carrier: Vec<bool>,
    /// Per node: whether one of its ports is taken to have none.
    is_touched: Vec<bool>,
    reports: Vec<FaultReport>,
    stalls: Stalls,
}

impl FaultState {
    pub fn new(fabric: &Fabric, faults: &[Fault], options: FaultOptions, seed: u64) -> FaultState {
        let has_carrier = fabric.ports().iter().map(|port| port.link.is_some()).collect();
        let mut state = FaultState {
            schedule: Schedule::new(fabric, faults),
            options,
            seed,
            whole: fabric.clone(),
            left: fabric.clone(),
            island: Vec::new(),
            has_carrier,
            is_touched: vec![false; fabric.n_nodes() as usize],
            reports: vec![FaultReport::default(); faults.len()],
            stalls: Stalls::default(),
        };
        state.find_islands();
        state
    }

    /// Returns where a node sends a packet for an address, as far as it knows of the faults.
    pub fn hop(&self, network: &Network, node: NodeId, address: AddressId) -> Option<Hop> {
        if !self.is_touched[node as usize] {
            return network.next_hop(node, address);
        }
        let with_fallback = self.options.with_fallback;
        network.surviving_hop(node, address, with_fallback, |port| self.serves(network, port))
    }

    /// Returns whether a node takes some port of an interface to have carrier.
    fn serves(&self, network: &Network, port: PortId) -> bool {
        network.fabric.interface_ports(port).any(|port| self.has_carrier[port as usize])
    }

    /// Returns whether a bond passes over one of its ports, which it takes to have no carrier. One
    /// without any other uses it, to no avail.
    pub fn passes_over(&self, port: PortId) -> bool {
        let mut all = self.whole.interface_ports(port);
        !self.has_carrier[port as usize] && all.any(|port| self.has_carrier[port as usize])
    }

    /// Returns what is plugged together now.
    pub fn fabric(&self) -> &Fabric {
        &self.left
    }

    /// Returns whether a frame gets from one port to another without passing a node; one that is
    /// for everybody always gets to somebody.
    pub fn joins(&self, from: PortId, to: PortId) -> bool {
        to == NO_STATION || self.island[from as usize] == self.island[to as usize]
    }

    /// Returns what each fault cost until now, in the order given.
    pub fn reports(&self) -> Vec<FaultReport> {
        let mut reports = self.reports.clone();
        self.stalls.count_open(&mut reports);
        reports
    }
}

/// A frame that is lost at some time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LostFrame {
    pub frame: FrameId,
    pub loss: Loss,
}
