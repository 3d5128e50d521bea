//! Ports and the links between them: the connectors of the devices, and the cables in them. Bonds
//! and segments are derived from this value before there is a fabric.

use quantity::{Id, IdVec, Ids, Rate, Time};
use serde::{Deserialize, Serialize};

use crate::ids::{DeviceId, LinkId, PortId, SegmentId};

use super::error::FabricError;

/// Most ports of a fabric: twice the number of cable ends that the package builds.
const MOST_PORTS: u64 = 1 << 24;

/// A connector of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Port {
    /// The device that the port belongs to.
    pub device: DeviceId,
    /// The link plugged in; `None` for an empty port.
    pub link: Option<LinkId>,
    /// The broadcast domain that the port belongs to.
    pub segment: SegmentId,
}

/// Two connected ports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// One end.
    pub a: PortId,
    /// The other end.
    pub b: PortId,
    /// Rate of each direction (of the shared medium, at a hub).
    pub rate: Rate,
    /// One-way propagation delay.
    pub delay: Time,
}

/// A cable as the caller describes it: two (device, port number on that device) ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CableSpec {
    /// First end.
    pub a: (DeviceId, u32),
    /// Second end.
    pub b: (DeviceId, u32),
    /// Rate of each direction (of the shared medium, at a hub).
    pub rate: Rate,
    /// One-way propagation delay.
    pub delay: Time,
}

/// The ports of all devices, and the links.
#[derive(Clone, Debug)]
pub(super) struct Cabling {
    pub n_nodes: u32,
    /// The ports of device d are those from `port_start[d]` up to `port_start[d + 1]`.
    pub port_start: IdVec<DeviceId, PortId>,
    pub ports: IdVec<PortId, Port>,
    pub links: IdVec<LinkId, Link>,
}

impl Cabling {
    /// Plugs cables into devices with the given numbers of ports.
    pub fn new(n_nodes: u32, n_ports: &[u32], cables: &[CableSpec]) -> Result<Self, FabricError> {
        let total: u64 = n_ports.iter().map(|&n| u64::from(n)).sum();
        if total > MOST_PORTS {
            return Err(FabricError::TooManyPorts { given: total, most: MOST_PORTS });
        }
        let mut cabling = Cabling {
            n_nodes,
            port_start: starts(n_ports),
            ports: unplugged_ports(n_ports, total)?,
            links: IdVec::from(Vec::with_capacity(cables.len())),
        };
        for cable in cables {
            cabling.plug(cable)?;
        }
        Ok(cabling)
    }

    fn plug(&mut self, cable: &CableSpec) -> Result<(), FabricError> {
        let link = LinkId::from_index(self.links.len());
        let a = self.free_port(link, cable.a)?;
        self.ports[a].link = Some(link);
        let b = self.free_port(link, cable.b)?;
        self.ports[b].link = Some(link);
        self.links.push(Link { a, b, rate: cable.rate, delay: cable.delay });
        Ok(())
    }

    fn free_port(
        &self,
        cable: LinkId,
        (device, port): (DeviceId, u32),
    ) -> Result<PortId, FabricError> {
        if device.get() >= self.n_devices() {
            return Err(FabricError::UnknownDevice { cable, device });
        }
        let n_ports = self.ports_of(device).len() as u32;
        if port >= n_ports {
            return Err(FabricError::UnknownPort { cable, device, port, n_ports });
        }
        let id = PortId::new(self.port_start[device].get() + port);
        match self.ports[id].link {
            Some(first) => Err(FabricError::PortTaken { device, port, first, second: cable }),
            None => Ok(id),
        }
    }

    /// Unplugs a cable at both ends.
    pub fn unplug(&mut self, cable: LinkId) {
        let Link { a, b, .. } = self.links[cable];
        self.ports[a].link = None;
        self.ports[b].link = None;
    }

    pub fn n_devices(&self) -> u32 {
        self.port_start.n() - 1
    }

    pub fn is_node(&self, device: DeviceId) -> bool {
        device.get() < self.n_nodes
    }

    /// Returns whether a port belongs to a node.
    pub fn is_of_node(&self, port: PortId) -> bool {
        self.is_node(self.ports[port].device)
    }

    pub fn ports_of(&self, device: DeviceId) -> Ids<PortId> {
        Ids { start: self.port_start[device], end: self.port_start[device.following()] }
    }

    /// Returns the port at the other end of the cable in `port`.
    pub fn peer(&self, port: PortId) -> Option<PortId> {
        let link = self.links[self.ports[port].link?];
        Some(if link.a == port { link.b } else { link.a })
    }
}

fn starts(n_ports: &[u32]) -> IdVec<DeviceId, PortId> {
    let mut total = 0;
    std::iter::once(0)
        .chain(n_ports.iter().map(|n| {
            total += n;
            total
        }))
        .map(PortId::new)
        .collect()
}

fn unplugged_ports(n_ports: &[u32], total: u64) -> Result<IdVec<PortId, Port>, FabricError> {
    let mut ports = Vec::new();
    ports.try_reserve_exact(total as usize).map_err(|_| FabricError::NoRoom { n_ports: total })?;
    for (device, &n) in n_ports.iter().enumerate() {
        let device = DeviceId::from_index(device);
        let port = Port { device, link: None, segment: SegmentId::new(0) };
        ports.extend(std::iter::repeat_n(port, n as usize));
    }
    Ok(IdVec::from(ports))
}
