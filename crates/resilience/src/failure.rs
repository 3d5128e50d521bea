//! Parts that can fail, and the links and nodes lost with them.
//!
//! A failure is any set of parts that fail together: a chassis is the set of its logical switches,
//! a unit of a stack the set of the cables plugged into it, a NIC the set of its ports, and two
//! failures at once are the union of both. The empty set is the whole network.

use std::fmt;

use quantity::serde::{Deserialize, Serialize};

use crate::{DeviceId, LinkId, NodeId, PortId, Wiring};

/// Something that can fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(crate = "quantity::serde")]
pub enum Part {
    /// A cable is cut or unplugged.
    Cable(LinkId),
    /// A port dies; its cable loses carrier at both ends.
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
    /// Returns whether the part exists in a network with these numbers of links, ports and devices.
    pub fn exists(self, n_links: u32, n_ports: u32, n_devices: u32) -> bool {
        match self {
            Part::Cable(id) => id.get() < n_links,
            Part::Port(id) => id.get() < n_ports,
            Part::Device(id) => id.get() < n_devices,
        }
    }
}

/// The links and nodes lost in a failure; two failures with equal losses cost the same.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Loss {
    /// The dead links, in order.
    pub links: Vec<LinkId>,
    /// The dead nodes, in order.
    pub nodes: Vec<NodeId>,
}

impl Loss {
    /// Returns the loss when some parts fail.
    pub fn of(wiring: &Wiring, parts: &[Part]) -> Loss {
        let mut loss = Loss::default();
        for &part in parts {
            match part {
                Part::Cable(link) => loss.links.push(link),
                Part::Port(port) => loss.links.extend(wiring.link(port)),
                Part::Device(device) => {
                    let ports = wiring.ports_of(device);
                    loss.links.extend(ports.filter_map(|port| wiring.link(port)));
                    loss.nodes.extend(wiring.node(device));
                }
            }
        }
        loss.links.sort_unstable();
        loss.links.dedup();
        loss.nodes.sort_unstable();
        loss.nodes.dedup();
        loss
    }

    /// Returns whether a node is dead.
    pub fn holds(&self, node: NodeId) -> bool {
        self.nodes.binary_search(&node).is_ok()
    }
}

/// The losses of many failures without repetition, so that none is tried twice.
#[derive(Clone, Debug)]
pub struct DistinctLosses {
    losses: Vec<Loss>,
    /// For each failure, the index of its loss.
    place: Vec<usize>,
}

impl DistinctLosses {
    /// Returns the losses of some failures.
    pub fn of(wiring: &Wiring, failures: &[Vec<Part>]) -> DistinctLosses {
        let mut all: Vec<Loss> = failures.iter().map(|parts| Loss::of(wiring, parts)).collect();
        // Most losses differ in the first link, which is cheaper to compare than the rest.
        let first = |loss: &Loss| loss.links.first().copied();
        let mut order: Vec<_> = all.iter().map(first).zip(0..).collect();
        order.sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| all[a.1].cmp(&all[b.1])));
        let (mut losses, mut place) = (Vec::<Loss>::new(), vec![0; order.len()]);
        for (_, failure) in order {
            if losses.last() != Some(&all[failure]) {
                losses.push(std::mem::take(&mut all[failure]));
            }
            place[failure] = losses.len() - 1;
        }
        DistinctLosses { losses, place }
    }

    /// Returns the distinct losses.
    pub fn losses(&self) -> &[Loss] {
        &self.losses
    }

    /// Returns the answer for each failure, given the answer for each distinct loss.
    pub fn per_failure<T: Clone>(&self, answers: &[T]) -> Vec<T> {
        self.place.iter().map(|&place| answers[place].clone()).collect()
    }
}
