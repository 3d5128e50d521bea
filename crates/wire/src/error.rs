//! Refusals of the machine.

use serde::Serialize;
use thiserror::Error;

/// A step of the kernel's configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Step {
    /// Creating a network and a UTS namespace.
    Namespace,
    /// Opening /dev/net/tun.
    OpenTun,
    /// Creating a TAP interface.
    Tap,
    /// Setting a sysctl.
    Sysctl,
    /// Opening a netlink socket, or sending requests.
    Netlink,
    /// Configuring an interface.
    Interface,
    /// Adding an address.
    Address,
    /// Adding a route.
    Route,
    /// Adding a neighbour.
    Neighbour,
}

/// A step that the kernel refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error, Serialize)]
#[error("{self:?}")]
pub enum WireError {
    /// The kernel refused a step for a node.
    Refused {
        /// Index of the node.
        node: u32,
        /// The step.
        step: Step,
        /// Index of the interface, address, route, neighbour or sysctl of the node.
        index: u32,
        /// The error number.
        errno: i32,
    },
}
