//! The cabling, reduced to the parts that failures concern: ports, the links between them, the
//! wires that hubs and switches form of these, and the bonds of nodes.

use std::ops::Range;

use crate::{DeviceId, LinkId, NodeId, PortId, WireId};

/// Wire of a port without a link.
const NO_WIRE: WireId = WireId::MAX;

/// Devices, the nodes first, and the links between their ports.
#[derive(Clone, Debug)]
pub struct Wiring {
    n_nodes: u32,
    /// The ports of device d are `port_start[d]..port_start[d + 1]`.
    port_start: Vec<PortId>,
    device: Vec<DeviceId>,
    link: Vec<Option<LinkId>>,
    ends: Vec<[PortId; 2]>,
    /// Per port, the ports of its interface; empty where nothing is bonded.
    interface: Vec<Range<PortId>>,
    wire: Vec<WireId>,
    /// The node ports on wire w are `stations[station_start[w]..station_start[w + 1]]`.
    station_start: Vec<u32>,
    stations: Vec<PortId>,
}

impl Wiring {
    /// Builds a wiring from the first port of each device (and the end of the last device's ports),
    /// the two ports of each link, and the ports of each bond.
    ///
    /// # Panics
    /// When a link or a bond names a port that does not exist.
    pub fn new(
        n_nodes: u32,
        port_start: Vec<PortId>,
        ends: Vec<[PortId; 2]>,
        bonds: impl IntoIterator<Item = Range<PortId>>,
    ) -> Wiring {
        let n_ports = port_start.last().map_or(0, |&end| end as usize);
        let mut device = vec![0; n_ports];
        for (id, ports) in (0..).zip(port_start.windows(2)) {
            device[ports[0] as usize..ports[1] as usize].fill(id);
        }
        let mut link = vec![None; n_ports];
        for (id, ports) in (0..).zip(&ends) {
            ports.iter().for_each(|&port| link[port as usize] = Some(id));
        }
        let mut wiring = Wiring {
            n_nodes,
            port_start,
            device,
            link,
            ends,
            interface: Vec::new(),
            wire: vec![NO_WIRE; n_ports],
            station_start: Vec::new(),
            stations: Vec::new(),
        };
        bonds.into_iter().for_each(|bond| wiring.bond(bond));
        wiring.find_wires();
        wiring
    }

    fn bond(&mut self, ports: Range<PortId>) {
        if self.interface.is_empty() {
            self.interface = (0..self.device.len() as PortId).map(|port| port..port + 1).collect();
        }
        let members = ports.start as usize..ports.end as usize;
        self.interface[members].fill(ports);
    }

    /// Numbers the wires in order of their lowest port, and lists the node ports on each.
    fn find_wires(&mut self) {
        let mut wire = std::mem::take(&mut self.wire);
        let (mut n_wires, mut stack) = (0, Vec::new());
        for first in self.plugged_ports() {
            if wire[first as usize] == NO_WIRE {
                self.spread(first, &mut stack, |port| enter(&mut wire, port, NO_WIRE, n_wires));
                n_wires += 1;
            }
        }
        let stations = || {
            let is_node_port = |&port: &PortId| self.is_node(self.device(port));
            self.plugged_ports().filter(is_node_port).map(|port| (wire[port as usize], port))
        };
        let mut start = vec![0; n_wires as usize + 1];
        stations().for_each(|(wire, _)| start[wire as usize + 1] += 1);
        (0..n_wires as usize).for_each(|wire| start[wire + 1] += start[wire]);
        let mut next = start.clone();
        let mut members = vec![0; start[n_wires as usize] as usize];
        for (wire, port) in stations() {
            let place = &mut next[wire as usize];
            members[*place as usize] = port;
            *place += 1;
        }
        (self.wire, self.station_start, self.stations) = (wire, start, members);
    }

    /// Visits the ports reached from a first one without passing a node, continuing only behind
    /// ports for which `enter` returns true.
    pub(crate) fn spread(
        &self,
        first: PortId,
        stack: &mut Vec<PortId>,
        mut enter: impl FnMut(PortId) -> bool,
    ) {
        stack.push(first);
        while let Some(port) = stack.pop() {
            if !enter(port) {
                continue;
            }
            stack.extend(self.peer(port));
            let device = self.device(port);
            if !self.is_node(device) {
                let others = self.ports_of(device).filter(|&other| enter(other));
                stack.extend(others.filter_map(|other| self.peer(other)));
            }
        }
    }

    /// Returns the number of nodes.
    pub fn n_nodes(&self) -> u32 {
        self.n_nodes
    }

    /// Returns the number of devices.
    pub fn n_devices(&self) -> u32 {
        self.port_start.len().saturating_sub(1) as u32
    }

    /// Returns the number of ports.
    pub fn n_ports(&self) -> u32 {
        self.device.len() as u32
    }

    /// Returns the number of links.
    pub fn n_links(&self) -> u32 {
        self.ends.len() as u32
    }

    /// Returns the number of wires.
    pub fn n_wires(&self) -> u32 {
        self.station_start.len() as u32 - 1
    }

    /// Returns whether a device is a node.
    pub fn is_node(&self, device: DeviceId) -> bool {
        device < self.n_nodes
    }

    /// Returns the ports of a device.
    pub fn ports_of(&self, device: DeviceId) -> Range<PortId> {
        self.port_start[device as usize]..self.port_start[device as usize + 1]
    }

    /// Returns the device of a port.
    pub fn device(&self, port: PortId) -> DeviceId {
        self.device[port as usize]
    }

    /// Returns the link plugged into a port.
    pub fn link(&self, port: PortId) -> Option<LinkId> {
        self.link[port as usize]
    }

    /// Returns the two ports of a link.
    pub fn ends(&self, link: LinkId) -> [PortId; 2] {
        self.ends[link as usize]
    }

    /// Returns the port at the other end of the link in a port.
    pub fn peer(&self, port: PortId) -> Option<PortId> {
        let [a, b] = self.ends(self.link(port)?);
        Some(if a == port { b } else { a })
    }

    /// Returns all ports of the interface of a port: its bond, or the port alone.
    pub fn interface(&self, port: PortId) -> Range<PortId> {
        self.interface.get(port as usize).cloned().unwrap_or(port..port + 1)
    }

    /// Returns the wire of a port with a link.
    pub fn wire(&self, port: PortId) -> Option<WireId> {
        Some(self.wire[port as usize]).filter(|&wire| wire != NO_WIRE)
    }

    /// Returns the port of the interface of `to` that is on the wire of `from`.
    pub fn on_wire(&self, from: PortId, to: PortId) -> Option<PortId> {
        let wire = self.wire(from)?;
        self.interface(to).find(|&to| self.wire[to as usize] == wire)
    }

    /// Returns the node ports on a wire, in order.
    pub fn stations(&self, wire: WireId) -> &[PortId] {
        let [first, end] = [wire, wire + 1].map(|at| self.station_start[at as usize] as usize);
        &self.stations[first..end]
    }

    /// Returns the nodes that have a link.
    pub fn is_wired(&self, node: NodeId) -> bool {
        self.ports_of(node).any(|port| self.link(port).is_some())
    }

    fn plugged_ports(&self) -> impl Iterator<Item = PortId> + '_ {
        (0..self.n_ports()).filter(|&port| self.link(port).is_some())
    }
}

/// Replaces one mark of a port by another; returns whether the port had the first.
pub(crate) fn enter(marks: &mut [u32], port: PortId, from: u32, to: u32) -> bool {
    let mark = &mut marks[port as usize];
    let is_new = *mark == from;
    if is_new {
        *mark = to;
    }
    is_new
}
