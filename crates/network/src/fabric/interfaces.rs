//! The interfaces of nodes: single ports and bonds, and the wires that they are on.

use quantity::Ids;

use crate::ids::{NodeId, PortId, WireId};

use super::Fabric;

impl Fabric {
    /// Returns whether any ports are bonded.
    pub fn has_bonds(&self) -> bool {
        !self.bonds.is_empty()
    }

    /// Returns the port that represents the interface of a port: the first of its bond, or the port
    /// itself.
    #[inline]
    pub fn interface(&self, port: PortId) -> PortId {
        self.bonds.interface(port)
    }

    /// Returns all ports of the interface of a port.
    pub fn interface_ports(&self, port: PortId) -> Ids<PortId> {
        self.bonds.interface_ports(port)
    }

    /// Returns the ports that represent the interfaces of a node.
    pub fn interfaces_of(&self, node: NodeId) -> impl Iterator<Item = PortId> + Clone + '_ {
        self.ports_of(node).filter(|&port| self.interface(port) == port)
    }

    /// Returns whether any port of the interface of a port has a cable.
    pub fn is_plugged(&self, port: PortId) -> bool {
        self.interface_ports(port).any(|member| self.port(member).link.is_some())
    }

    /// Returns the wire that a port is on.
    pub fn wire(&self, port: PortId) -> WireId {
        let wires = &self.bonds.wires;
        wires.get(port).copied().unwrap_or_else(|| WireId::new(self.port(port).segment.get()))
    }

    /// Returns the ports of two interfaces that are on one wire, pair by pair.
    pub fn common_wires(
        &self,
        from: PortId,
        to: PortId,
    ) -> impl Iterator<Item = (PortId, PortId)> + '_ {
        self.interface_ports(from).filter_map(move |from| Some((from, self.on_wire(from, to)?)))
    }

    /// Returns the port of the interface of `to` that is on the wire of `from`.
    pub fn on_wire(&self, from: PortId, to: PortId) -> Option<PortId> {
        self.interface_ports(to).find(|&to| self.wire(to) == self.wire(from))
    }
}
