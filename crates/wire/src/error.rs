//! Refusals of the machine: a step of a node's configuration that its kernel refused, and
//! interfaces that can no longer be used. Python has the words.

use nix::errno::Errno;
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
    /// Taking an address into use.
    Usable,
    /// Adding a route.
    Route,
    /// Adding a rule that chooses a table of routes.
    Rule,
    /// Adding a neighbour.
    Neighbour,
    /// Marking packets, by nf_tables.
    Mark,
}

/// A step that the kernel refused in some node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The step.
    pub step: Step,
    /// Index of the interface, address, route, neighbour or sysctl of the node.
    pub index: u32,
    /// The error number.
    pub errno: i32,
}

impl Refusal {
    /// Returns the refusal of a step that has one subject.
    pub(crate) fn of(step: Step, errno: Errno) -> Refusal {
        Refusal { step, index: 0, errno: errno as i32 }
    }

    /// Returns the error that names the node.
    #[must_use]
    pub fn at(self, node: u32) -> WireError {
        let Refusal { step, index, errno } = self;
        WireError::Refused { node, step, index, errno }
    }
}

/// Returns the error number of a failed call of the standard library.
pub(crate) fn errno(error: std::io::Error) -> Errno {
    Errno::from_raw(error.raw_os_error().unwrap_or(0))
}

impl From<Errno> for WireError {
    fn from(errno: Errno) -> WireError {
        WireError::Carrier { errno: errno as i32 }
    }
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
    /// The kernel refused a cable of its own.
    Cable {
        /// Number of the cable.
        cable: u32,
        /// The error number.
        errno: i32,
    },
    /// The interfaces of the nodes can no longer be read or written.
    Carrier {
        /// The error number.
        errno: i32,
    },
}
