//! What is plugged together: devices, their ports, the links between ports, and the segments they
//! form.
//!
//! A *segment* here is a broadcast domain: everything a frame can reach without passing a node. A
//! hub or a switch joins the segments of all its ports. Every node port belongs to exactly one
//! segment, even when nothing is plugged in. A bond joins the segments of its ports, not their
//! wires.

mod bonds;
mod collisions;
mod device_kind;
mod error;
mod segments;

use std::sync::OnceLock;

use quantity::{Rate, Time};

use bonds::Bonds;
pub use bonds::{BondSpec, WireId};
pub use collisions::collision_domains;
pub use device_kind::{DeviceKind, HubModel, QueueLimit, SwitchMode, SwitchModel};
pub use error::FabricError;
use segments::Segments;

use crate::multipath::Multipath;

/// Index of a device. Nodes are `0..n_nodes`, hubs and switches follow.
pub type DeviceId = u32;
/// Index of a node, which is also its [`DeviceId`].
pub type NodeId = u32;
/// Index of a port over all devices.
pub type PortId = u32;
/// Index of a link.
pub type LinkId = u32;
/// Index of a broadcast domain.
pub type SegmentId = u32;
/// Index of a backplane; logical switches of one chassis share one.
pub type BackplaneId = u32;

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

/// A fabric as the caller describes it: one entry per device or cable.
#[derive(Clone, Debug, Default)]
pub struct FabricSpec {
    /// What each device is, the nodes first.
    pub kinds: Vec<DeviceKind>,
    /// Number of ports of each device.
    pub n_ports: Vec<u32>,
    /// Side lengths; the last axis varies fastest with the node number (row-major). May be empty.
    pub shape: Vec<u32>,
    /// `shape.len()` entries per device, -1 where a device has no coordinate along an axis.
    pub coordinates: Vec<i32>,
    /// What is plugged together.
    pub cables: Vec<CableSpec>,
    /// Rate of each backplane that switches name.
    pub backplanes: Vec<Rate>,
    /// Ports of nodes that are used as one interface.
    pub bonds: Vec<BondSpec>,
}

/// Devices, ports, links and segments.
#[derive(Clone, Debug)]
pub struct Fabric {
    kinds: Vec<DeviceKind>,
    n_nodes: u32,
    /// Coordinates, `n_dimensions` per device, -1 where a device has none along an axis.
    coordinates: Vec<i32>,
    /// Side lengths of the shape, one per axis; empty for shapes without coordinates.
    shape: Vec<u32>,
    port_start: Vec<u32>,
    ports: Vec<Port>,
    links: Vec<Link>,
    n_segments: u32,
    segments: Segments,
    /// Rate of each backplane.
    backplanes: Vec<Rate>,
    multipath: OnceLock<Multipath>,
    bonds: Bonds,
}

impl Fabric {
    /// Builds a fabric and finds its segments.
    ///
    /// # Errors
    /// When a cable names a device or port that does not exist or is taken, nodes do not come
    /// first, a column has the wrong length or a switch names a backplane that does not exist.
    pub fn new(spec: FabricSpec) -> Result<Fabric, FabricError> {
        let FabricSpec { kinds, n_ports, shape, coordinates, cables, backplanes, bonds } = spec;
        let n_nodes = kinds.iter().take_while(|kind| **kind == DeviceKind::Node).count();
        if let Some(late) = (n_nodes..kinds.len()).find(|&i| kinds[i] == DeviceKind::Node) {
            return Err(FabricError::NodeAfterOther { device: late as DeviceId });
        }
        expect_length("n_ports", n_ports.len(), kinds.len())?;
        expect_length("coordinates", coordinates.len(), kinds.len() * shape.len())?;
        expect_backplanes(&kinds, backplanes.len())?;
        let total: u64 = n_ports.iter().map(|&n| u64::from(n)).sum();
        if total > MOST_PORTS {
            return Err(FabricError::TooManyPorts { given: total, most: MOST_PORTS });
        }
        let mut fabric = Fabric {
            n_nodes: n_nodes as u32,
            port_start: starts(&n_ports),
            ports: unplugged_ports(&n_ports, total)?,
            links: Vec::with_capacity(cables.len()),
            kinds,
            coordinates,
            shape,
            n_segments: 0,
            segments: Segments::default(),
            backplanes,
            multipath: OnceLock::new(),
            bonds: Bonds::default(),
        };
        for cable in &cables {
            fabric.plug(cable)?;
        }
        fabric.n_segments = fabric.find_segments();
        fabric.bonds = Bonds::new(&fabric, &bonds)?;
        if fabric.has_bonds() {
            fabric.bonds.wires = fabric.ports.iter().map(|port| port.segment).collect();
            fabric.n_segments = fabric.find_segments();
        }
        fabric.segments = Segments::of(&fabric, fabric.n_segments);
        Ok(fabric)
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
        if device as usize >= self.kinds.len() {
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

    /// Returns the same fabric with some cables unplugged; segments and bundles keep their numbers.
    pub fn unplugged(&self, cables: impl IntoIterator<Item = LinkId>) -> Fabric {
        let mut left = Fabric { multipath: OnceLock::new(), ..self.clone() };
        for cable in cables {
            let Link { a, b, .. } = left.links[cable as usize];
            left.ports[a as usize].link = None;
            left.ports[b as usize].link = None;
        }
        left
    }

    /// Numbers the segments in order of their lowest port and returns how many there are.
    fn find_segments(&mut self) -> u32 {
        const NONE: SegmentId = SegmentId::MAX;
        self.ports.iter_mut().for_each(|port| port.segment = NONE);
        let mut n_segments = 0;
        let mut is_seen = vec![false; self.kinds.len()];
        let mut stack = Vec::new();
        for first in 0..self.ports.len() as PortId {
            if self.ports[first as usize].segment != NONE {
                continue;
            }
            stack.push(first);
            while let Some(port) = stack.pop() {
                if self.ports[port as usize].segment != NONE {
                    continue;
                }
                self.ports[port as usize].segment = n_segments;
                stack.extend(self.peer(port));
                stack.extend(self.interface_ports(port));
                let device = self.ports[port as usize].device;
                // Once per device: its ports for each of its ports would be their square.
                if !self.is_node(device) && !std::mem::replace(&mut is_seen[device as usize], true)
                {
                    stack.extend(self.ports_of(device));
                }
            }
            n_segments += 1;
        }
        n_segments
    }

    /// Returns the number of nodes.
    pub fn n_nodes(&self) -> u32 {
        self.n_nodes
    }

    /// Returns the number of devices.
    pub fn n_devices(&self) -> u32 {
        self.kinds.len() as u32
    }

    /// Returns the number of broadcast domains.
    pub fn n_segments(&self) -> u32 {
        self.n_segments
    }

    /// Returns what `device` is.
    pub fn kind(&self, device: DeviceId) -> DeviceKind {
        self.kinds[device as usize]
    }

    /// Returns whether `device` is a node.
    pub fn is_node(&self, device: DeviceId) -> bool {
        device < self.n_nodes
    }

    /// Returns the ids of a device's ports.
    pub fn ports_of(&self, device: DeviceId) -> std::ops::Range<PortId> {
        self.port_start[device as usize]..self.port_start[device as usize + 1]
    }

    /// Returns all ports.
    pub fn ports(&self) -> &[Port] {
        &self.ports
    }

    /// Returns one port.
    pub fn port(&self, port: PortId) -> Port {
        self.ports[port as usize]
    }

    /// Returns all links.
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// Returns the port at the other end of the cable in `port`.
    pub fn peer(&self, port: PortId) -> Option<PortId> {
        let link = self.links[self.ports[port as usize].link? as usize];
        Some(if link.a == port { link.b } else { link.a })
    }

    /// Returns the side lengths of the shape, the fastest-varying axis last.
    pub fn shape(&self) -> &[u32] {
        &self.shape
    }

    /// Returns the coordinates of a device, one per axis; -1 where it has none.
    pub fn coordinates(&self, device: DeviceId) -> &[i32] {
        let d = self.shape.len();
        &self.coordinates[device as usize * d..(device as usize + 1) * d]
    }

    /// Returns the ways through the segments whose switches forward on all shortest paths; found
    /// when first asked for, as only few questions need them.
    pub fn multipath(&self) -> &Multipath {
        self.multipath.get_or_init(|| Multipath::new(self))
    }

    /// Returns the rate of each backplane.
    pub fn backplanes(&self) -> &[Rate] {
        &self.backplanes
    }
}

fn expect_length(column: &'static str, given: usize, expected: usize) -> Result<(), FabricError> {
    if given == expected {
        return Ok(());
    }
    Err(FabricError::ColumnLength { column, given, expected })
}

fn expect_backplanes(kinds: &[DeviceKind], n_backplanes: usize) -> Result<(), FabricError> {
    for (device, kind) in (0..).zip(kinds) {
        if let DeviceKind::Switch(SwitchModel { backplane: Some(backplane), .. }) = *kind
            && backplane as usize >= n_backplanes
        {
            return Err(FabricError::UnknownBackplane { device, backplane, n_backplanes });
        }
    }
    Ok(())
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
