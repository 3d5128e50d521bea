//! What can fail, and what dies with it.
//!
//! A failure is any set of parts that fail together: a chassis is the set of its logical switches,
//! a unit of a stack the set of the cables plugged into it, a NIC the set of its ports, and two
//! failures at once are the union of both. No part at all is the whole network.

use std::fmt;

use serde::Serialize;

use crate::fabric::{DeviceId, Fabric, LinkId, NodeId, PortId};

/// Something that can fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Part {
    /// A cable is cut or unplugged.
    Cable(LinkId),
    /// A port dies and takes the carrier of its cable away, at both ends.
    Port(PortId),
    /// A node, a hub or a switch dies.
    Device(DeviceId),
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Part::Cable(id) => write!(f, "cable {id}"),
            Part::Port(id) => write!(f, "port {id}"),
            Part::Device(id) => write!(f, "device {id}"),
        }
    }
}

impl Part {
    /// Returns whether the fabric has such a part.
    pub fn exists(self, fabric: &Fabric) -> bool {
        match self {
            Part::Cable(id) => (id as usize) < fabric.links().len(),
            Part::Port(id) => (id as usize) < fabric.ports().len(),
            Part::Device(id) => id < fabric.n_devices(),
        }
    }
}

/// What dies in a failure; failures that lose the same are the same.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Loss {
    /// The dead links, in order.
    pub links: Vec<LinkId>,
    /// The dead nodes, in order.
    pub nodes: Vec<NodeId>,
}

impl Loss {
    /// Returns what dies with some parts.
    pub fn of(fabric: &Fabric, parts: &[Part]) -> Loss {
        let mut loss = Loss::default();
        for &part in parts {
            match part {
                Part::Cable(link) => loss.links.push(link),
                Part::Port(port) => loss.links.extend(fabric.port(port).link),
                Part::Device(device) => {
                    let ports = fabric.ports_of(device);
                    loss.links.extend(ports.filter_map(|port| fabric.port(port).link));
                    loss.nodes.extend(fabric.is_node(device).then_some(device));
                }
            }
        }
        for ids in [&mut loss.links, &mut loss.nodes] {
            ids.sort_unstable();
            ids.dedup();
        }
        loss
    }

    /// Returns whether a node is dead.
    pub fn holds(&self, node: NodeId) -> bool {
        self.nodes.binary_search(&node).is_ok()
    }
}
