//! The rules that a description must keep to be a fabric, with the ids of the offenders. A fabric
//! that can be built but cannot work is not an error; see `metrics::soundness`.

use serde::Serialize;
use thiserror::Error;

use crate::ids::{BackplaneId, DeviceId, LinkId, NodeId};

/// A rule that the description of a fabric breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error, Serialize)]
#[error("{self:?}")]
pub enum FabricError {
    /// A node follows a hub or a switch in the list of devices.
    NodeAfterOther {
        /// The node.
        device: DeviceId,
    },
    /// The length of a column is not one entry (or one per axis) per device.
    ColumnLength {
        /// The content of the column.
        column: &'static str,
        /// Number of entries.
        given: usize,
        /// Number of entries required.
        expected: usize,
    },
    /// All devices together have too many ports.
    TooManyPorts {
        /// Number of ports.
        given: u64,
        /// Most ports allowed.
        most: u64,
    },
    /// The memory for the ports cannot be allocated.
    NoRoom {
        /// Number of ports.
        n_ports: u64,
    },
    /// A switch names a backplane that does not exist.
    UnknownBackplane {
        /// The switch.
        device: DeviceId,
        /// The backplane named.
        backplane: BackplaneId,
        /// Number of backplanes.
        n_backplanes: usize,
    },
    /// A cable names a device that does not exist.
    UnknownDevice {
        /// Index of the cable.
        cable: LinkId,
        /// The device named.
        device: DeviceId,
    },
    /// A cable names a port that the device does not have.
    UnknownPort {
        /// Index of the cable.
        cable: LinkId,
        /// The device named.
        device: DeviceId,
        /// The port named.
        port: u32,
        /// Number of ports of the device.
        n_ports: u32,
    },
    /// A bond has no ports, ports that its node lacks, or ports of another bond.
    NotABond {
        /// The node named.
        node: NodeId,
        /// Number of the first port on the node.
        first_port: u32,
        /// Number of ports of the bond.
        n_ports: u32,
    },
    /// Two cables are plugged into one connector.
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
