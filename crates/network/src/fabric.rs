//! What is plugged together: devices, their ports, the links between ports, and the segments they form.
//!
//! A *segment* here is a broadcast domain: everything a frame can reach without passing a node. A hub or a switch joins
//! the segments of all its ports. Every node port belongs to exactly one segment, even when nothing is plugged in.

use quantity::{Rate, Time};
use thiserror::Error;

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

/// What a device is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeviceKind {
    /// A computer.
    Node,
    /// A repeater: all its ports are one collision domain. Stacked hubs are one hub.
    Hub(HubModel),
    /// A switch, or one logical part of a chassis.
    Switch(SwitchModel),
}

/// A repeater's constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HubModel {
    /// One-way delay between any two stations of the collision domain, cables included.
    pub domain_delay: Time,
}

/// When a switch starts to send a frame on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SwitchMode {
    /// After the last bit has arrived.
    StoreAndForward,
    /// As soon as the header is read, where both ports have the same rate.
    CutThrough,
}

/// A switch's constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SwitchModel {
    /// When output may start.
    pub mode: SwitchMode,
    /// Delay (not occupancy) from the moment output may start until it does on an idle port.
    pub latency: Time,
    /// The shared fabric this switch moves its frames over, if it limits.
    pub backplane: Option<BackplaneId>,
    /// What one output port can hold.
    pub queue: QueueLimit,
    /// How long a learned address is remembered.
    pub ageing: Time,
}

/// The room of an output queue; a frame that does not fit is dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueueLimit {
    /// Frames, counting the one being sent.
    Frames(u32),
    /// Bytes of frames (without preamble and gap), counting the one being sent.
    Bytes(u32),
}

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

/// Why a description is no fabric.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum FabricError {
    /// A node stands behind a hub or a switch in the list of devices.
    #[error("device {0} is a node but follows a hub or switch; nodes come first")]
    NodeAfterOther(DeviceId),
    /// A cable names a device that does not exist.
    #[error("cable {cable} ends at device {device}, which does not exist")]
    UnknownDevice {
        /// Index of the cable.
        cable: LinkId,
        /// The device named.
        device: DeviceId,
    },
    /// A cable names a port that the device does not have.
    #[error("cable {cable} ends at port {port} of device {device}, which has {n_ports} ports")]
    UnknownPort {
        /// Index of the cable.
        cable: LinkId,
        /// The device named.
        device: DeviceId,
        /// The port named.
        port: u32,
        /// How many the device has.
        n_ports: u32,
    },
    /// Two cables in one connector.
    #[error("port {port} of device {device} holds two cables, {first} and {second}")]
    PortTaken {
        /// The device.
        device: DeviceId,
        /// The port of the device.
        port: u32,
        /// The cable plugged first.
        first: LinkId,
        /// The cable plugged second.
        second: LinkId,
    },
}

/// Devices, ports, links and segments.
#[derive(Debug)]
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
    /// Rate of each backplane.
    backplanes: Vec<Rate>,
}

impl Fabric {
    /// Builds a fabric and finds its segments.
    ///
    /// `n_ports` holds the number of ports of each device, `coordinates` `shape.len()` entries per device.
    /// The last axis of `shape` varies fastest with the node number (row-major).
    ///
    /// # Errors
    /// When a cable names a device or port that does not exist or is taken, or nodes do not come first.
    pub fn new(
        kinds: Vec<DeviceKind>,
        n_ports: &[u32],
        shape: Vec<u32>,
        coordinates: Vec<i32>,
        cables: &[CableSpec],
        backplanes: Vec<Rate>,
    ) -> Result<Fabric, FabricError> {
        let n_nodes = kinds.iter().take_while(|kind| **kind == DeviceKind::Node).count();
        if let Some(late) = (n_nodes..kinds.len()).find(|&i| kinds[i] == DeviceKind::Node) {
            return Err(FabricError::NodeAfterOther(late as DeviceId));
        }
        let mut fabric = Fabric {
            n_nodes: n_nodes as u32,
            port_start: starts(n_ports),
            ports: unplugged_ports(n_ports),
            links: Vec::with_capacity(cables.len()),
            kinds,
            coordinates,
            shape,
            n_segments: 0,
            backplanes,
        };
        for cable in cables {
            fabric.plug(cable)?;
        }
        fabric.n_segments = fabric.find_segments();
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

    fn free_port(&self, cable: LinkId, (device, port): (DeviceId, u32)) -> Result<PortId, FabricError> {
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

    /// Numbers the segments in order of their lowest port and returns how many there are.
    fn find_segments(&mut self) -> u32 {
        const NONE: SegmentId = SegmentId::MAX;
        self.ports.iter_mut().for_each(|port| port.segment = NONE);
        let mut n_segments = 0;
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
                let device = self.ports[port as usize].device;
                if !self.is_node(device) {
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

    /// Returns the rate of each backplane.
    pub fn backplanes(&self) -> &[Rate] {
        &self.backplanes
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

fn unplugged_ports(n_ports: &[u32]) -> Vec<Port> {
    (0u32..)
        .zip(n_ports)
        .flat_map(|(device, &n)| std::iter::repeat_n(Port { device, link: None, segment: 0 }, n as usize))
        .collect()
}
