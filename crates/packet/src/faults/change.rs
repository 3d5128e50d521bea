//! What happens when links fail and return: switches forget, stations fall silent, nodes take other
//! routes and processes die.
//!
//! A port tells its device of its carrier at once; a bond looks at its ports now and then. Switches
//! that know all shortest paths are taken to agree on new ones at once.

use std::collections::BTreeSet;

use host::tcp::EndpointId;
use network::{Fabric, LinkId, NodeId, PortId};
use program::Rank;
use quantity::Time;
use simulation::RunError;

use super::{Doubtful, Fault, FaultId, FaultOptions, FaultReport, FaultState, Loss, LostFrame};
use crate::arena::FrameId;
use crate::event::Event;
use crate::frame::Segment;
use crate::model::PacketModel;
use crate::observer::Observer;
use crate::wiring::{Outlet, Place};

impl FaultState {
    /// Returns when something is to be done about the faults, in order.
    fn times(&self, fabric: &Fabric) -> BTreeSet<Time> {
        let mut times = self.schedule.times();
        if fabric.has_bonds() {
            let polls: Vec<Time> = times.iter().map(|&time| self.next_poll(time)).collect();
            times.extend(polls);
        }
        times
    }

    /// Returns when bonds first look at their ports at `time` or later, and last before.
    fn next_poll(&self, time: Time) -> Time {
        match self.options.bond_poll.ps() {
            0 => time,
            poll => Time::from_ps(time.ps().div_ceil(poll) * poll),
        }
    }

    fn last_poll(&self, time: Time) -> Time {
        match self.options.bond_poll.ps() {
            0 => time,
            poll => Time::from_ps(time.ps() / poll * poll),
        }
    }

    /// Brings the links up to date; returns the ports of those that failed or returned.
    fn change_links(&mut self, now: Time) -> Vec<PortId> {
        let mut changed = Vec::new();
        for line in &mut self.schedule.lines {
            let is_dark = line.outages.at(now).is_some();
            if std::mem::replace(&mut line.is_dark, is_dark) != is_dark {
                let link = self.whole.links()[line.link as usize];
                changed.extend([link.a, link.b]);
            }
        }
        let dark = self.schedule.lines.iter().filter(|line| line.is_dark);
        let dark: Vec<LinkId> = dark.map(|line| line.link).collect();
        self.left = self.whole.unplugged(dark);
        self.find_islands();
        changed
    }

    /// Numbers what frames reach without passing a node.
    pub(super) fn find_islands(&mut self) {
        const NONE: u32 = u32::MAX;
        let n_ports = self.left.ports().len();
        self.island.clear();
        self.island.resize(n_ports, NONE);
        let mut is_seen = vec![false; self.left.n_devices() as usize];
        let mut stack = Vec::new();
        for first in 0..n_ports as PortId {
            stack.push(first);
            while let Some(port) = stack.pop() {
                if self.island[port as usize] != NONE {
                    continue;
                }
                self.island[port as usize] = first;
                stack.extend(self.left.peer(port));
                let device = self.left.port(port).device;
                let is_first = !std::mem::replace(&mut is_seen[device as usize], true);
                if is_first && !self.left.is_node(device) {
                    stack.extend(self.left.ports_of(device));
                }
            }
        }
    }

    /// Brings up to date what nodes know of their ports; returns those that learnt something.
    fn tell_nodes(&mut self, now: Time) -> BTreeSet<NodeId> {
        let mut told = BTreeSet::new();
        for line in &self.schedule.lines {
            let link = self.whole.links()[line.link as usize];
            for port in [link.a, link.b] {
                let device = self.whole.port(port).device;
                let is_bonded = self.whole.interface_ports(port).len() > 1;
                let seen = if is_bonded { self.last_poll(now) } else { now };
                let has_carrier = line.outages.at(seen).is_none();
                let known = &mut self.has_carrier[port as usize];
                if std::mem::replace(known, has_carrier) != has_carrier
                    && self.whole.is_node(device)
                {
                    told.insert(device);
                }
            }
        }
        for &node in &told {
            let mut ports = self.whole.ports_of(node);
            let is_dead = |port: PortId| {
                self.whole.port(port).link.is_some() && !self.has_carrier[port as usize]
            };
            self.is_touched[node as usize] = ports.any(is_dead);
        }
        told
    }

    /// Returns how what waits at a port is lost while its link is dead.
    fn waiting_now(&self, port: PortId, now: Time) -> Option<Loss> {
        let outage = self.line(port)?.outages.at(now)?;
        Some(self.waiting(port, outage))
    }
}

impl<'a, O: Observer> PacketModel<'a, O> {
    /// Plans faults for a run that has not begun.
    #[must_use]
    pub fn with_faults(
        mut self,
        faults: &[Fault],
        options: FaultOptions,
        seed: u64,
    ) -> PacketModel<'a, O> {
        if faults.is_empty() {
            return self;
        }
        if self.host.links.pause {
            self.clock.fail(RunError::FaultsWithPauses);
            return self;
        }
        let fabric = &self.network.fabric;
        let state = FaultState::new(fabric, faults, options, seed);
        for line in &state.schedule.lines {
            let link = fabric.links()[line.link as usize];
            for port in [link.a, link.b] {
                let outlet = &mut self.wires.outlets[port as usize];
                if !matches!(outlet, Outlet::Nothing) {
                    let inner = std::mem::replace(outlet, Outlet::Nothing);
                    *outlet = Outlet::Doubtful(Box::new(Doubtful::new(inner)));
                }
            }
        }
        for time in state.times(fabric) {
            self.clock.events.push(time, Event::Change);
        }
        self.faults = Some(Box::new(state));
        self
    }

    /// Returns what each fault cost until now, in the order given.
    pub fn fault_reports(&self) -> Vec<FaultReport> {
        self.faults.as_ref().map_or(Vec::new(), |faults| faults.reports())
    }

    /// Lets links fail and return, and all who notice do what they do about it.
    pub(crate) fn change(&mut self) {
        let Some(mut faults) = self.faults.take() else { return };
        let now = self.clock.now;
        let changed = faults.change_links(now);
        let mut lost = Vec::new();
        for &port in &changed {
            let loss = faults.waiting_now(port, now);
            let frames = self.change_port(port, loss.is_some()).into_iter();
            lost.extend(frames.filter_map(|frame| Some(LostFrame { frame, loss: loss? })));
        }
        // What waited there has made room.
        changed.iter().for_each(|&port| self.room_made(port, now));
        self.change_switches(&faults, &changed);
        let told = faults.tell_nodes(now);
        let nodes = faults.schedule.dying(now).filter(|&device| faults.left.is_node(device));
        let dying: Vec<NodeId> = nodes.collect();
        self.faults = Some(faults);
        lost.into_iter().for_each(|lost| self.lose(lost));
        told.into_iter().for_each(|node| self.find_other_ways(node));
        dying.into_iter().for_each(|node| self.kill_processes(node));
    }

    /// Empties the queue of a port whose link failed or returned; returns the frames of it that
    /// have no event of their own.
    fn change_port(&mut self, port: PortId, is_dark: bool) -> Vec<FrameId> {
        let Outlet::Doubtful(outlet) = &mut self.wires.outlets[port as usize] else {
            return Vec::new();
        };
        match &mut outlet.inner {
            Outlet::Channel(wire) => wire.channel.clear(self.clock.now),
            &mut Outlet::Station { hub, station } if is_dark => {
                return self.wires.hubs[hub as usize].device.silence(station);
            }
            _ => {}
        }
        Vec::new()
    }

    fn change_switches(&mut self, faults: &FaultState, changed: &[PortId]) {
        let switch = |&port: &PortId| match self.wires.places[port as usize] {
            Place::Switch { switch, .. } => Some(switch),
            _ => None,
        };
        let switches: BTreeSet<u32> = changed.iter().filter_map(switch).collect();
        for switch in switches {
            let place = &mut self.wires.switches[switch as usize];
            let first = place.first_port;
            // Where nothing was ever plugged in, no frame is lost: such ports stay as they are.
            let has_carrier = |number: u32| {
                let is_plugged = |fabric: &Fabric| fabric.port(first + number).link.is_some();
                is_plugged(&faults.left) || !is_plugged(&faults.whole)
            };
            place.device.use_ports(has_carrier);
        }
    }

    /// Lets a node forget its routes and its connections take those that are left. One without any
    /// keeps its way, which is dark.
    fn find_other_ways(&mut self, node: NodeId) {
        self.hosts.nodes[node as usize].forget_routes();
        let ends: Vec<EndpointId> = self.hosts.nodes[node as usize]
            .connections
            .iter()
            .map(|&(_, endpoint)| endpoint)
            .collect();
        for endpoint in ends {
            if let Some(hop) = self.hop(node, self.hosts.paths[endpoint as usize].address) {
                self.take_way(endpoint, hop);
            }
        }
    }

    /// Ends the run where the process of a node that dies still has something to do: what it
    /// computed is gone, and nobody sends its data again.
    fn kill_processes(&mut self, node: NodeId) {
        let rank = self.hosts.rank_of_node[node as usize];
        if rank == Rank::MAX || self.clock.has_failed() {
            return;
        }
        let connections = &self.hosts.nodes[node as usize].connections;
        let unsent = |&(_, endpoint): &(Rank, EndpointId)| {
            let (written, acknowledged, ..) = self.hosts.endpoints[endpoint as usize].totals();
            written - acknowledged
        };
        let bytes: u64 = connections.iter().map(unsent).sum();
        let is_working = self.hosts.nodes[node as usize].is_working() || self.is_sending(node);
        if is_working || bytes > 0 {
            self.clock.fail(RunError::NodeDied { rank, at: self.clock.now, bytes });
        }
    }

    /// Blames a fault for what happens to a frame.
    pub(super) fn blame(&mut self, frame: FrameId, fault: FaultId) {
        if let Some(faults) = &mut self.faults {
            faults.reports[usize::from(fault)].frames_lost += 1;
        }
        self.note_stall(frame, fault);
    }

    /// Notes that a connection may wait for what a frame carries.
    pub(super) fn note_stall(&mut self, frame: FrameId, fault: FaultId) {
        let Some(faults) = &mut self.faults else { return };
        let report = &mut faults.reports[usize::from(fault)];
        let Some(&Segment { to, bytes: 1.., sequence, .. }) =
            self.wires.frames.get(frame).segment()
        else {
            return;
        };
        let (.., received, _) = self.hosts.endpoints[to as usize].totals();
        if sequence >= received {
            faults.stalls.note((fault, to), sequence, self.clock.now, report);
        }
    }

    /// Notes that an end of a connection may have received what it waited for.
    #[inline]
    pub(crate) fn note_progress(&mut self, endpoint: EndpointId) {
        let Some(faults) = &mut self.faults else { return };
        let (.., received, _) = self.hosts.endpoints[endpoint as usize].totals();
        faults.stalls.progress(endpoint, received, self.clock.now, &mut faults.reports);
    }
}
