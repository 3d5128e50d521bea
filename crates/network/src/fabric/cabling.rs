//! Ports and the links between them: which connectors the devices have, and what is plugged in.
//! Bonds and segments are found on this value, before there is a fabric.

use quantity::{Rate, Time};

use crate::ids::{DeviceId, LinkId, PortId, SegmentId};

use super::error::FabricError;

/// Most ports of a fabric: twice as many as the cables that the package builds have ends.
const MOST_PORTS: u64 = 1 << 24;

/// A connector of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Port {
    /// The device it belongs to.
    pub device: DeviceId,
    /// The link plugged in, if any.
    pub link: Option<LinkId>,
    /// The broadcast domain it belongs to.
    pub segment: SegmentId,
}

/// Two connected ports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// One end.
    pub a: PortId,
    /// The other end.
    pub b: PortId,
    /// Rate of each channel (of the shared medium, at a hub).
    pub rate: Rate,
    /// One-way propagation delay.
    pub delay: Time,
}

/// A cable as the caller describes it: two (device, port number on that device) ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CableSpec {
    /// First end.
    pub a: (DeviceId, u32),
    /// Second end.
    pub b: (DeviceId, u32),
    /// Rate of each channel.
    pub rate: Rate,
    /// One-way propagation delay.
    pub delay: Time,
}

/// The ports of all devices, and the links.
#[derive(Clone, Debug)]
pub(super) struct Cabling {
    pub n_nodes: u32,
    /// The ports of device i are `port_start[i]..port_start[i + 1]`.
    pub port_start: Vec<u32>,
    pub ports: Vec<Port>,
    pub links: Vec<Link>,
}

impl Cabling {
    /// Plugs cables into devices that have so many ports each.
    pub fn new(n_nodes: u32, n_ports: &[u32], cables: &[CableSpec]) -> Result<Self, FabricError> {
        let total: u64 = n_ports.iter().map(|&n| u64::from(n)).sum();
        if total > MOST_PORTS {
            return Err(FabricError::TooManyPorts { given: total, most: MOST_PORTS });
        }
        let mut cabling = Cabling {
            n_nodes,
            port_start: starts(n_ports),
            ports: unplugged_ports(n_ports, total)?,
            links: Vec::with_capacity(cables.len()),
        };
        for cable in cables {
            cabling.plug(cable)?;
        }
        Ok(cabling)
    }

    fn plug(&mut self, cable: &CableSpec) -> Result<(), FabricError> {
        let link = self.links.len() as LinkId;
        let a = self.free_port(link, cable.a)?;
        self.ports[a as usize].link = Some(link);
        let b = self.free_port(link, cable.b)?;
        self.ports[b as usize].link = Some(link);
        self.links.push(Link { a, b, rate: cable.rate, delay: cable.delay });
        Ok(())
    }

    fn free_port(
        &self,
        cable: LinkId,
        (device, port): (DeviceId, u32),
    ) -> Result<PortId, FabricError> {
        if device >= self.n_devices() {
            return Err(FabricError::UnknownDevice { cable, device });
        }
        let n_ports = self.ports_of(device).len() as u32;
        if port >= n_ports {
            return Err(FabricError::UnknownPort { cable, device, port, n_ports });
        }
        let id = self.port_start[device as usize] + port;
        match self.ports[id as usize].link {
            Some(first) => Err(FabricError::PortTaken { device, port, first, second: cable }),
            None => Ok(id),
        }
    }

    /// Pulls a cable out at both ends.
    pub fn unplug(&mut self, cable: LinkId) {
        let Link { a, b, .. } = self.links[cable as usize];
        self.ports[a as usize].link = None;
        self.ports[b as usize].link = None;
    }

    pub fn n_devices(&self) -> u32 {
        self.port_start.len() as u32 - 1
    }

    pub fn is_node(&self, device: DeviceId) -> bool {
        device < self.n_nodes
    }

    pub fn ports_of(&self, device: DeviceId) -> std::ops::Range<PortId> {
        self.port_start[device as usize]..self.port_start[device as usize + 1]
    }

    /// Returns the port at the other end of the cable in `port`.
    pub fn peer(&self, port: PortId) -> Option<PortId> {
        let link = self.links[self.ports[port as usize].link? as usize];
        Some(if link.a == port { link.b } else { link.a })
    }
}

fn starts(n_ports: &[u32]) -> Vec<u32> {
    let mut total = 0;
    std::iter::once(0)
        .chain(n_ports.iter().map(|n| {
            total += n;
            total
        }))
        .collect()
}

fn unplugged_ports(n_ports: &[u32], total: u64) -> Result<Vec<Port>, FabricError> {
    let mut ports = Vec::new();
    ports.try_reserve_exact(total as usize).map_err(|_| FabricError::NoRoom { n_ports: total })?;
    for (device, &n) in (0u32..).zip(n_ports) {
        ports.extend(std::iter::repeat_n(Port { device, link: None, segment: 0 }, n as usize));
    }
    Ok(ports)
}
