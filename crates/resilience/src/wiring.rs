//! The cabling, reduced to the parts that failures concern: ports, the links between them, the
//! wires that hubs and switches form of these, and the bonds of nodes.

use quantity::{Groups, Id, IdVec, Ids, OptionalId};

use crate::{DeviceId, LinkId, NodeId, PlaceId, PortId, WireId};

/// Devices, the nodes first, and the links between their ports.
#[derive(Clone, Debug)]
pub struct Wiring {
    n_nodes: u32,
    /// The ports of device d are those from `port_start[d]` up to `port_start[d + 1]`.
    port_start: IdVec<DeviceId, PortId>,
    device: IdVec<PortId, DeviceId>,
    link: IdVec<PortId, OptionalId<LinkId>>,
    ends: IdVec<LinkId, [PortId; 2]>,
    /// The ports of the interface of each port; empty where nothing is bonded.
    interface: IdVec<PortId, Ids<PortId>>,
    wire: IdVec<PortId, OptionalId<WireId>>,
    /// The node ports on each wire.
    stations: Groups<WireId, PortId>,
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
        bonds: impl IntoIterator<Item = Ids<PortId>>,
    ) -> Wiring {
        let n_ports = port_start.last().map_or(0, |end| end.get());
        let mut device = IdVec::filled(DeviceId::new(0), n_ports);
        for (id, ports) in port_start.windows(2).enumerate() {
            device[Ids { start: ports[0], end: ports[1] }].fill(DeviceId::from_index(id));
        }
        let ends = IdVec::from(ends);
        let mut link = IdVec::filled(OptionalId::none(), n_ports);
        for (id, ports) in ends.with_ids() {
            ports.iter().for_each(|&port| link[port] = OptionalId::from(id));
        }
        let mut wiring = Wiring {
            n_nodes,
            port_start: IdVec::from(port_start),
            device,
            link,
            ends,
            interface: IdVec::new(),
            wire: IdVec::filled(OptionalId::none(), n_ports),
            stations: Groups::default(),
        };
        bonds.into_iter().for_each(|bond| wiring.bond(bond));
        wiring.find_wires();
        wiring
    }

    fn bond(&mut self, ports: Ids<PortId>) {
        if self.interface.is_empty() {
            self.interface = self.device.ids().map(|port| Ids::from(port, 1)).collect();
        }
        self.interface[ports.clone()].fill(ports);
    }

    /// Numbers the wires in order of their lowest port, and lists the node ports on each.
    fn find_wires(&mut self) {
        let mut wire = std::mem::take(&mut self.wire);
        let (mut next, mut stack) = (WireId::new(0), Vec::new());
        for first in self.plugged_ports() {
            if wire[first].is_none() {
                let (unmet, own) = (OptionalId::none(), OptionalId::from(next));
                self.spread(first, &mut stack, |port| enter(&mut wire, port, unmet, own));
                next = next.following();
            }
        }
        self.stations = Groups::new(next.get(), || {
            let of_nodes = self.plugged_ports().filter(|&port| self.is_node(self.device(port)));
            of_nodes.filter_map(|port| Some((wire[port].get()?, port)))
        });
        self.wire = wire;
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

    /// Returns the first port of each device, and the end of the last device's ports.
    pub fn port_start(&self) -> &[PortId] {
        &self.port_start
    }

    /// Returns the ports of each bond.
    pub fn bonds(&self) -> impl Iterator<Item = Ids<PortId>> + '_ {
        let bonds = self.interface.with_ids().filter(|(port, ports)| ports.start == *port);
        bonds.map(|(_, ports)| ports.clone()).filter(|ports| ports.len() > 1)
    }

    /// Returns the number of devices.
    pub fn n_devices(&self) -> u32 {
        self.port_start.len().saturating_sub(1) as u32
    }

    /// Returns the number of ports.
    pub fn n_ports(&self) -> u32 {
        self.device.n()
    }

    /// Returns the number of links.
    pub fn n_links(&self) -> u32 {
        self.ends.n()
    }

    /// Returns the number of wires.
    pub fn n_wires(&self) -> u32 {
        self.stations.n()
    }

    /// Returns whether a device is a node.
    pub fn is_node(&self, device: DeviceId) -> bool {
        device.get() < self.n_nodes
    }

    /// Returns the ports of a device.
    pub fn ports_of(&self, device: impl Into<DeviceId>) -> Ids<PortId> {
        let device = device.into();
        Ids { start: self.port_start[device], end: self.port_start[device.following()] }
    }

    /// Returns the device of a port.
    pub fn device(&self, port: PortId) -> DeviceId {
        self.device[port]
    }

    /// Returns a device as a node, if it is one.
    pub fn node(&self, device: DeviceId) -> Option<NodeId> {
        self.is_node(device).then(|| NodeId::new(device.get()))
    }

    /// Returns the node of a port that is one of a node.
    pub fn node_of(&self, port: PortId) -> NodeId {
        debug_assert!(self.is_node(self.device(port)), "port {port} is of a hub or switch");
        NodeId::new(self.device(port).get())
    }

    /// Returns the number of places: the nodes, then the ports.
    pub fn n_places(&self) -> u32 {
        self.n_nodes + self.n_ports()
    }

    /// Returns the place of packets that came in by a port, where the node has a table for them.
    pub fn place_behind(&self, port: PortId) -> PlaceId {
        PlaceId::new(self.n_nodes + port.get())
    }

    /// Returns the node at a place, and the port by which its packets came in, if that chooses the
    /// table.
    pub fn at(&self, place: PlaceId) -> (NodeId, Option<PortId>) {
        match place.get().checked_sub(self.n_nodes) {
            None => (NodeId::new(place.get()), None),
            Some(port) => (self.node_of(PortId::new(port)), Some(PortId::new(port))),
        }
    }

    /// Returns the link plugged into a port.
    pub fn link(&self, port: PortId) -> Option<LinkId> {
        self.link[port].get()
    }

    /// Returns the two ports of every link, in order.
    pub fn links(&self) -> &[[PortId; 2]] {
        &self.ends
    }

    /// Returns the two ports of a link.
    pub fn ends(&self, link: LinkId) -> [PortId; 2] {
        self.ends[link]
    }

    /// Returns the port at the other end of the link in a port.
    pub fn peer(&self, port: PortId) -> Option<PortId> {
        let [a, b] = self.ends(self.link(port)?);
        Some(if a == port { b } else { a })
    }

    /// Returns all ports of the interface of a port: its bond, or the port alone.
    pub fn interface(&self, port: PortId) -> Ids<PortId> {
        self.interface.get(port).cloned().unwrap_or(Ids::from(port, 1))
    }

    /// Returns the wire of a port with a link.
    pub fn wire(&self, port: PortId) -> Option<WireId> {
        self.wire[port].get()
    }

    /// Returns the port of the interface of `to` that is on the wire of `from`.
    pub fn on_wire(&self, from: PortId, to: PortId) -> Option<PortId> {
        let wire = self.wire(from)?;
        self.interface(to).find(|&to| self.wire(to) == Some(wire))
    }

    /// Returns the node ports on a wire, in order.
    pub fn stations(&self, wire: WireId) -> &[PortId] {
        self.stations.of(wire)
    }

    /// Returns whether a node has a link.
    pub fn is_wired(&self, node: NodeId) -> bool {
        self.ports_of(node).any(|port| self.link(port).is_some())
    }

    fn plugged_ports(&self) -> impl Iterator<Item = PortId> + '_ {
        self.device.ids().filter(|&port| self.link(port).is_some())
    }
}

/// Replaces one mark of a port by another; returns whether the port had the first.
pub(crate) fn enter<M: Copy + PartialEq>(
    marks: &mut IdVec<PortId, M>,
    port: PortId,
    from: M,
    to: M,
) -> bool {
    let mark = &mut marks[port];
    let is_new = *mark == from;
    if is_new {
        *mark = to;
    }
    is_new
}
