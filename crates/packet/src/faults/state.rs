//! The state of the faults of a run at the present time: dead links, the fabric that is left, and
//! the carrier that nodes see at their own ports.
//!
//! A port reports its carrier to its device at once; a bond checks its ports at intervals. Switches
//! that know all shortest paths are assumed to agree on new ones at once.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use network::{AddressId, Fabric, Hop, LinkId, Multipath, Network, NodeId, PortId};
use quantity::{IdVec, OptionalId, Time};

use super::fault::{Fault, FaultOptions};
use super::schedule::{Line, Outage, Schedule};
use crate::loss::{Loss, Reason};

/// The faults of a run and their present state.
#[derive(Debug)]
pub(crate) struct FaultState {
    pub schedule: Schedule,
    options: FaultOptions,
    pub seed: u64,
    /// The fabric as wired, and the part of it that is alive now.
    pub whole: Fabric,
    pub left: Fabric,
    /// The shortest paths of what is left, found when first asked for.
    multipath: OnceLock<Multipath>,
    /// The island of each port, by its first port: frames get from one to another of an island
    /// without passing a node.
    island: IdVec<PortId, OptionalId<PortId>>,
    /// The carrier of each port, as its device sees it.
    has_carrier: IdVec<PortId, bool>,
    /// True for each node that sees no carrier at one of its ports.
    is_touched: IdVec<NodeId, bool>,
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
            multipath: OnceLock::new(),
            island: IdVec::new(),
            has_carrier,
            is_touched: IdVec::filled(false, fabric.n_nodes()),
        };
        state.find_islands();
        state
    }

    /// Returns the next hop of a node towards an address, by the carrier that the node sees.
    pub fn hop(&self, network: &Network, node: NodeId, address: AddressId) -> Option<Hop> {
        if !self.is_touched[node] {
            return network.next_hop(node, address);
        }
        let with_fallback = self.options.with_fallback;
        network.surviving_hop(node, address, with_fallback, |port| self.serves(network, port))
    }

    /// Returns the next hop of a packet that came to a node by a port, if the node has a table for
    /// that port with a route whose port has a carrier.
    pub fn hop_behind(
        &self,
        network: &Network,
        came_by: PortId,
        node: NodeId,
        address: AddressId,
    ) -> Option<Hop> {
        if !self.options.with_fallback {
            return None;
        }
        network.hop_behind(came_by, node, address, |port| self.serves(network, port))
    }

    /// Returns whether a node sees a carrier at any port of an interface.
    fn serves(&self, network: &Network, port: PortId) -> bool {
        network.fabric.interface_ports(port).any(|port| self.has_carrier[port])
    }

    /// Returns whether a bond skips one of its ports, at which it sees no carrier. A bond that sees
    /// none anywhere still sends, to no avail.
    pub fn passes_over(&self, port: PortId) -> bool {
        let mut all = self.whole.interface_ports(port);
        !self.has_carrier[port] && all.any(|port| self.has_carrier[port])
    }

    /// Returns whether a frame can get from one port to another without passing a node.
    pub fn joins(&self, from: PortId, to: PortId) -> bool {
        self.island[from] == self.island[to]
    }

    /// Returns the shortest paths between multipath switches over what is left.
    pub fn multipath(&self) -> &Multipath {
        self.multipath.get_or_init(|| Multipath::new(&self.left))
    }

    /// Returns the times at which links or the view of bonds may change, in order.
    pub fn times(&self, fabric: &Fabric) -> BTreeSet<Time> {
        let mut times = self.schedule.times();
        if fabric.has_bonds() {
            let polls: Vec<Time> = times.iter().map(|&time| self.next_poll(time)).collect();
            times.extend(polls);
        }
        times
    }

    /// Returns the time of the first check of bonds at `time` or later.
    fn next_poll(&self, time: Time) -> Time {
        match self.options.bond_poll.ps() {
            0 => time,
            poll => Time::from_ps(time.ps().div_ceil(poll) * poll),
        }
    }

    /// Returns the time of the last check of bonds at `time` or before.
    fn last_poll(&self, time: Time) -> Time {
        match self.options.bond_poll.ps() {
            0 => time,
            poll => Time::from_ps(time.ps() / poll * poll),
        }
    }

    /// Updates the links; returns the ports of those that failed or returned.
    pub fn change_links(&mut self, now: Time) -> Vec<PortId> {
        let mut changed = Vec::new();
        for line in &mut self.schedule.lines {
            let is_dark = line.outages.at(now).is_some();
            if std::mem::replace(&mut line.is_dark, is_dark) != is_dark {
                let link = self.whole.links()[line.link];
                changed.extend([link.a, link.b]);
            }
        }
        let dark = self.schedule.lines.iter().filter(|line| line.is_dark);
        let dark: Vec<LinkId> = dark.map(|line| line.link).collect();
        self.left = self.whole.unplugged(dark);
        self.multipath = OnceLock::new();
        self.find_islands();
        changed
    }

    /// Numbers the islands of ports between which frames pass no node.
    fn find_islands(&mut self) {
        let mut island = IdVec::filled(OptionalId::none(), self.left.ports().n());
        let mut is_seen = IdVec::filled(false, self.left.n_devices());
        let mut stack = Vec::new();
        for first in self.left.ports().ids() {
            stack.push(first);
            while let Some(port) = stack.pop() {
                if island[port].is_some() {
                    continue;
                }
                island[port] = OptionalId::from(first);
                stack.extend(self.left.peer(port));
                let device = self.left.port(port).device;
                let is_first = !std::mem::replace(&mut is_seen[device], true);
                if is_first && !self.left.is_node(device) {
                    stack.extend(self.left.ports_of(device));
                }
            }
        }
        self.island = island;
    }

    /// Updates the carrier that nodes see at their ports; returns the nodes for which it changed.
    pub fn tell_nodes(&mut self, now: Time) -> BTreeSet<NodeId> {
        let mut told = BTreeSet::new();
        for line in &self.schedule.lines {
            let link = self.whole.links()[line.link];
            for port in [link.a, link.b] {
                let device = self.whole.port(port).device;
                let is_bonded = self.whole.interface_ports(port).len() > 1;
                let seen = if is_bonded { self.last_poll(now) } else { now };
                let has_carrier = line.outages.at(seen).is_none();
                let known = &mut self.has_carrier[port];
                if std::mem::replace(known, has_carrier) != has_carrier {
                    told.extend(self.whole.as_node(device));
                }
            }
        }
        for &node in &told {
            let mut ports = self.whole.ports_of(node);
            let is_dead =
                |port: PortId| self.whole.port(port).link.is_some() && !self.has_carrier[port];
            self.is_touched[node] = ports.any(is_dead);
        }
        told
    }

    /// Returns the loss of frames that wait at a port while its link is dead.
    pub fn waiting_now(&self, port: PortId, now: Time) -> Option<Loss> {
        let outage = self.line(port)?.outages.at(now)?;
        Some(self.waiting(port, outage))
    }

    /// Returns the planned faults of the link in a port.
    pub fn line(&self, port: PortId) -> Option<&Line> {
        self.schedule.line(&self.whole, port)
    }

    /// Returns the loss of frames that wait at a port during an outage of its link.
    pub fn waiting(&self, port: PortId, outage: Outage) -> Loss {
        let device = self.schedule.device(self.left.port(port).device);
        let is_dead = device.is_some_and(|device| device.at(outage.from).is_some());
        let reason = if is_dead { Reason::AtDeadDevice } else { Reason::NoCarrier };
        Loss { fault: outage.fault, reason }
    }
}
