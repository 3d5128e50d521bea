//! Bonds: several ports of a node used as one interface.
//!
//! The lowest port of a bond represents it: it carries the address, is the station of the segment
//! and is the port that routes name. The segment of a bond is everything that its ports reach, but
//! no frame crosses from one of its *wires* to another: a wire is everything that a frame reaches
//! without passing a node, bonded or not. A port outside any bond is an interface of one port.

use quantity::{IdVec, Ids};
use serde::{Deserialize, Serialize};

use crate::ids::{NodeId, PortId, WireId};

use super::cabling::Cabling;
use super::error::FabricError;

/// A bond as the caller describes it: consecutive ports of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BondSpec {
    /// The node.
    pub node: NodeId,
    /// Number of the first port on the node.
    pub first_port: u32,
    /// Number of ports.
    pub n_ports: u32,
}

/// The bonds of a fabric; all vectors are empty in a fabric without bonds.
#[derive(Clone, Debug, Default)]
pub(super) struct Bonds {
    /// Per port: the first port of its interface.
    first: IdVec<PortId, PortId>,
    /// Per port: the number of ports of its interface.
    n_ports: IdVec<PortId, u32>,
    /// Per port: the wire that it is on.
    pub wires: IdVec<PortId, WireId>,
}

impl Bonds {
    /// Checks and enters the bonds of a fabric.
    pub fn new(cabling: &Cabling, specs: &[BondSpec]) -> Result<Bonds, FabricError> {
        if specs.is_empty() {
            return Ok(Bonds::default());
        }
        let first: IdVec<PortId, PortId> = cabling.ports.ids().collect();
        let n_ports = IdVec::filled(1, first.n());
        let mut bonds = Bonds { first, n_ports, wires: IdVec::new() };
        for &BondSpec { node, first_port, n_ports } in specs {
            let wrong = FabricError::NotABond { node, first_port, n_ports };
            if !cabling.is_node(node.into()) || n_ports == 0 {
                return Err(wrong);
            }
            let of_node = cabling.ports_of(node.into());
            if u64::from(first_port) + u64::from(n_ports) > of_node.len() as u64 {
                return Err(wrong);
            }
            let first = PortId::new(of_node.start.get() + first_port);
            for port in Ids::from(first, n_ports) {
                if bonds.n_ports[port] > 1 {
                    return Err(wrong);
                }
                (bonds.first[port], bonds.n_ports[port]) = (first, n_ports);
            }
        }
        Ok(bonds)
    }

    /// Returns whether the fabric has no bonds.
    pub fn is_empty(&self) -> bool {
        self.first.is_empty()
    }

    /// Returns the port that represents the interface of a port.
    #[inline]
    pub fn interface(&self, port: PortId) -> PortId {
        self.first.get(port).copied().unwrap_or(port)
    }

    /// Returns all ports of the interface of a port.
    pub fn interface_ports(&self, port: PortId) -> Ids<PortId> {
        Ids::from(self.interface(port), self.n_ports.get(port).copied().unwrap_or(1))
    }
}
