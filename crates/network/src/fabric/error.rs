//! Why a description is no fabric: the broken rules, with the ids of what broke them. A fabric that
//! holds together but cannot work is no error; see `metrics::soundness`.

use serde::Serialize;
use thiserror::Error;

use crate::ids::{BackplaneId, DeviceId, LinkId, NodeId};

/// Why a description is no fabric.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error, Serialize)]
#[error("{self:?}")]
pub enum FabricError {
    /// A node stands behind a hub or a switch in the list of devices.
    NodeAfterOther {
        /// The node.
        device: DeviceId,
    },
    /// A column has not one entry (or one per axis) for each device.
    ColumnLength {
        /// What the column holds.
        column: &'static str,
        /// How many entries it has.
        given: usize,
        /// How many it must have.
        expected: usize,
    },
    /// The ports of all devices together are too many.
    TooManyPorts {
        /// How many they are.
        given: u64,
        /// How many are possible.
        most: u64,
    },
    /// There is no memory for the ports.
    NoRoom {
        /// How many they are.
        n_ports: u64,
    },
    /// A switch names a backplane that does not exist.
    UnknownBackplane {
        /// The switch.
        device: DeviceId,
        /// The backplane named.
        backplane: BackplaneId,
        /// How many there are.
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
        /// How many the device has.
        n_ports: u32,
    },
    /// A bond has no ports, ports that its node lacks, or ports of another bond.
    NotABond {
        /// The node named.
        node: NodeId,
        /// Number of the first port on the node.
        first_port: u32,
        /// How many ports.
        n_ports: u32,
    },
    /// Two cables in one connector.
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
