//! What can fail, and the links that die with it.
//!
//! Empty connectors are not counted: nothing is lost with them.

use crate::fabric::{DeviceId, DeviceKind, Fabric, LinkId, NodeId, PortId};

/// A single failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Failure {
    /// A cable is cut or unplugged.
    Cable(LinkId),
    /// A NIC dies and takes the carrier of its cable away: a node's port with a cable in it.
    Nic(PortId),
    /// A hub dies.
    Hub(DeviceId),
    /// A switch, or one logical part of a chassis, dies.
    Switch(DeviceId),
    /// A node dies.
    Node(NodeId),
}

impl Failure {
    /// Returns all single failures: cables, NICs, hubs, switches, nodes, each in order of id.
    pub(super) fn all(fabric: &Fabric) -> Vec<Failure> {
        let cables = (0..fabric.links().len() as LinkId).map(Failure::Cable);
        let is_nic = |&port: &PortId| {
            let port = fabric.port(port);
            fabric.is_node(port.device) && port.link.is_some()
        };
        let nics = (0..fabric.ports().len() as PortId).filter(is_nic).map(Failure::Nic);
        let devices = |kind: fn(DeviceKind, DeviceId) -> Option<Failure>| {
            (0..fabric.n_devices()).filter_map(move |device| kind(fabric.kind(device), device))
        };
        let hubs =
            devices(|kind, id| matches!(kind, DeviceKind::Hub(_)).then_some(Failure::Hub(id)));
        let switches = devices(|kind, id| {
            matches!(kind, DeviceKind::Switch(_)).then_some(Failure::Switch(id))
        });
        let nodes = (0..fabric.n_nodes()).map(Failure::Node);
        cables.chain(nics).chain(hubs).chain(switches).chain(nodes).collect()
    }

    /// Returns the failure that does the same: a dead NIC is its cable cut.
    pub(super) fn same_effect(self, fabric: &Fabric) -> Failure {
        match self {
            Failure::Nic(port) => fabric.port(port).link.map_or(self, Failure::Cable),
            other => other,
        }
    }

    /// Returns the device that dies.
    pub(super) fn device(self) -> Option<DeviceId> {
        match self {
            Failure::Cable(_) | Failure::Nic(_) => None,
            Failure::Hub(device) | Failure::Switch(device) | Failure::Node(device) => Some(device),
        }
    }

    /// Returns the links that die.
    pub(super) fn links(self, fabric: &Fabric) -> Vec<LinkId> {
        match self {
            Failure::Cable(link) => vec![link],
            Failure::Nic(port) => fabric.port(port).link.into_iter().collect(),
            Failure::Hub(device) | Failure::Switch(device) | Failure::Node(device) => {
                fabric.ports_of(device).filter_map(|port| fabric.port(port).link).collect()
            }
        }
    }
}
