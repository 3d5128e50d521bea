//! The cabling of a network: devices, their ports, the links between ports, and the segments that
//! they form.
//!
//! A *segment* here is a broadcast domain: everything that a frame can reach without passing a
//! node. A hub or a switch joins the segments of all its ports. Every node port belongs to exactly
//! one segment, even with no cable plugged in. A bond joins the segments of its ports, but not
//! their wires.

mod bonds;
mod cabling;
mod collisions;
mod device_kind;
mod error;
mod interfaces;
mod segments;
mod spec;
mod stations;
mod wiring;

use quantity::{Id, IdVec, Ids, Rate};

use crate::ids::{BackplaneId, DeviceId, LinkId, NodeId, PortId, SegmentId, WireId};

use bonds::Bonds;
use cabling::Cabling;
use segments::{Segments, number_segments};

pub use bonds::BondSpec;
pub use cabling::{CableSpec, Link, Port};
pub use collisions::collision_domains;
pub use device_kind::{DeviceKind, HubModel, QueueLimit, SwitchMode, SwitchModel};
pub use error::FabricError;
pub use spec::FabricSpec;

/// Devices, ports, links and segments.
#[derive(Clone, Debug)]
pub struct Fabric {
    kinds: IdVec<DeviceId, DeviceKind>,
    /// Coordinates, `n_dimensions` per device, -1 where a device has none along an axis.
    coordinates: Vec<i32>,
    /// Side lengths of the shape, one per axis; empty for shapes without coordinates.
    shape: Vec<u32>,
    cabling: Cabling,
    bonds: Bonds,
    n_segments: u32,
    segments: Segments,
    /// Rate of each backplane.
    backplanes: IdVec<BackplaneId, Rate>,
}

impl Fabric {
    /// Builds a fabric and finds its segments.
    ///
    /// # Errors
    /// When a cable names a device or port that does not exist or is taken, nodes do not come
    /// first, a column has the wrong length or a switch names a backplane that does not exist.
    pub fn new(spec: FabricSpec) -> Result<Fabric, FabricError> {
        let FabricSpec { kinds, n_ports, shape, coordinates, cables, backplanes, bonds } = spec;
        let n_nodes = kinds.iter().take_while(|kind| kind.has_routes()).count();
        if let Some(late) = (n_nodes..kinds.len()).find(|&i| kinds[i].has_routes()) {
            return Err(FabricError::NodeAfterOther { device: DeviceId::from_index(late) });
        }
        expect_length("n_ports", n_ports.len(), kinds.len())?;
        expect_length("coordinates", coordinates.len(), kinds.len() * shape.len())?;
        expect_backplanes(&kinds, backplanes.len())?;
        let (kinds, backplanes) = (IdVec::from(kinds), IdVec::from(backplanes));
        let mut cabling = Cabling::new(n_nodes as u32, &n_ports, &cables)?;
        let mut n_segments = number_segments(&mut cabling, &Bonds::default());
        let mut bonds = Bonds::new(&cabling, &bonds)?;
        if !bonds.is_empty() {
            // Without bonds every segment is a single wire.
            let wire = |port: &Port| WireId::new(port.segment.get());
            bonds.wires = cabling.ports.iter().map(wire).collect();
            n_segments = number_segments(&mut cabling, &bonds);
        }
        let segments = Segments::of(&cabling, &kinds, &bonds, n_segments);
        Ok(Fabric { kinds, coordinates, shape, cabling, bonds, n_segments, segments, backplanes })
    }

    /// Returns the same fabric with some cables unplugged; segments and bundles keep their numbers.
    pub fn unplugged(&self, cables: impl IntoIterator<Item = LinkId>) -> Fabric {
        let mut left = self.clone();
        cables.into_iter().for_each(|cable| left.cabling.unplug(cable));
        left
    }

    /// Returns the number of nodes.
    pub fn n_nodes(&self) -> u32 {
        self.cabling.n_nodes
    }

    /// Returns the number of devices.
    pub fn n_devices(&self) -> u32 {
        self.kinds.n()
    }

    /// Returns the number of broadcast domains.
    pub fn n_segments(&self) -> u32 {
        self.n_segments
    }

    /// Returns all nodes.
    pub fn nodes(&self) -> Ids<NodeId> {
        NodeId::first(self.n_nodes())
    }

    /// Returns all devices, the nodes first.
    pub fn devices(&self) -> Ids<DeviceId> {
        DeviceId::first(self.n_devices())
    }

    /// Returns the devices that are not nodes.
    pub fn hubs_and_switches(&self) -> Ids<DeviceId> {
        Ids { start: DeviceId::new(self.n_nodes()), end: DeviceId::new(self.n_devices()) }
    }

    /// Returns all broadcast domains.
    pub fn segments(&self) -> Ids<SegmentId> {
        SegmentId::first(self.n_segments)
    }

    /// Returns the same fabric with a computer in the place of each routed switch, for hosts that
    /// are real.
    pub fn with_computers(&self) -> Fabric {
        let mut fabric = self.clone();
        for kind in fabric.kinds.as_mut_vec().iter_mut().filter(|kind| kind.has_routes()) {
            *kind = DeviceKind::Node;
        }
        fabric
    }

    /// Returns whether `device` is a switch that forwards by routes.
    pub fn is_routed_switch(&self, device: impl Into<DeviceId>) -> bool {
        matches!(self.kinds[device.into()], DeviceKind::RoutedSwitch(_))
    }

    /// Returns the kind of `device`, with its constants.
    pub fn kind(&self, device: DeviceId) -> DeviceKind {
        self.kinds[device]
    }

    /// Returns whether `device` is a node: a computer, or a switch that forwards by routes.
    pub fn is_node(&self, device: impl Into<DeviceId>) -> bool {
        self.cabling.is_node(device.into())
    }

    /// Returns a device as a node; `None` for a hub or a switch.
    pub fn as_node(&self, device: DeviceId) -> Option<NodeId> {
        self.is_node(device).then(|| NodeId::new(device.get()))
    }

    /// Returns the node that a port belongs to; `None` for a port of a hub or a switch.
    #[inline]
    pub fn node_of(&self, port: PortId) -> NodeId {
        debug_assert!(self.cabling.is_of_node(port), "port {port} is of a hub or switch");
        NodeId::new(self.port(port).device.get())
    }

    /// Returns the ids of a device's ports.
    pub fn ports_of(&self, device: impl Into<DeviceId>) -> Ids<PortId> {
        self.cabling.ports_of(device.into())
    }

    /// Returns all ports.
    pub fn ports(&self) -> &IdVec<PortId, Port> {
        &self.cabling.ports
    }

    /// Returns one port.
    pub fn port(&self, port: PortId) -> Port {
        self.cabling.ports[port]
    }

    /// Returns all links.
    pub fn links(&self) -> &IdVec<LinkId, Link> {
        &self.cabling.links
    }

    /// Returns the port at the other end of the cable in `port`.
    pub fn peer(&self, port: PortId) -> Option<PortId> {
        self.cabling.peer(port)
    }

    /// Returns the side lengths of the shape, the fastest-varying axis last.
    pub fn shape(&self) -> &[u32] {
        &self.shape
    }

    /// Returns the coordinates of a device, one per axis; -1 for an axis along which it has none.
    pub fn coordinates(&self, device: impl Into<DeviceId>) -> &[i32] {
        let (device, d) = (device.into().index(), self.shape.len());
        &self.coordinates[device * d..(device + 1) * d]
    }

    /// Returns the rate of each backplane.
    pub fn backplanes(&self) -> &IdVec<BackplaneId, Rate> {
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
    for (device, kind) in kinds.iter().enumerate() {
        if let Some(SwitchModel { backplane: Some(backplane), .. }) = kind.switch()
            && backplane.index() >= n_backplanes
        {
            let device = DeviceId::from_index(device);
            return Err(FabricError::UnknownBackplane { device, backplane, n_backplanes });
        }
    }
    Ok(())
}
