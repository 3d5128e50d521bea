//! A fabric as data: the description that one is built from, and the description of a built one, so
//! that a fabric can be pickled, copied or packed without keeping its tables twice.

use quantity::{Id, Rate};
use serde::{Deserialize, Serialize};

use super::{BondSpec, CableSpec, DeviceKind, Fabric, Link};
use crate::ids::{DeviceId, PortId};

/// A fabric as the caller describes it: one entry per device or cable.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FabricSpec {
    /// The kind of each device, the nodes first.
    pub kinds: Vec<DeviceKind>,
    /// Number of ports of each device.
    pub n_ports: Vec<u32>,
    /// Side lengths; the last axis varies fastest with the node number (row-major). May be empty.
    pub shape: Vec<u32>,
    /// `shape.len()` entries per device, -1 where a device has no coordinate along an axis.
    pub coordinates: Vec<i32>,
    /// The cables.
    pub cables: Vec<CableSpec>,
    /// Rate of each backplane that a switch can name.
    pub backplanes: Vec<Rate>,
    /// The bonds: ports of nodes that are used as one interface.
    pub bonds: Vec<BondSpec>,
}

impl Fabric {
    /// Returns the description of an equal fabric.
    pub fn spec(&self) -> FabricSpec {
        FabricSpec {
            kinds: self.devices().map(|device| self.kind(device)).collect(),
            n_ports: self.devices().map(|device| self.ports_of(device).len() as u32).collect(),
            shape: self.shape().to_vec(),
            coordinates: self.coordinates.clone(),
            cables: self.links().iter().map(|link| self.cable_spec(link)).collect(),
            backplanes: self.backplanes().iter().copied().collect(),
            bonds: self.bond_specs(),
        }
    }

    fn cable_spec(&self, link: &Link) -> CableSpec {
        let &Link { a, b, rate, delay } = link;
        CableSpec { a: self.numbered(a), b: self.numbered(b), rate, delay }
    }

    /// Returns the device of a port, and the number of the port on it.
    fn numbered(&self, port: PortId) -> (DeviceId, u32) {
        let device = self.port(port).device;
        (device, port.offset_from(self.ports_of(device).start))
    }

    fn bond_specs(&self) -> Vec<BondSpec> {
        let bonds = self.nodes().flat_map(|node| {
            let start = self.ports_of(node).start;
            self.interfaces_of(node).map(move |port| {
                let n_ports = self.interface_ports(port).len() as u32;
                BondSpec { node, first_port: port.offset_from(start), n_ports }
            })
        });
        bonds.filter(|bond| bond.n_ports > 1).collect()
    }
}
