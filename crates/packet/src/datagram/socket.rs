//! The datagram socket of a node: the datagram that its process sends, and those that wait to be
//! read. `crate::hosts` moves them.

use std::collections::VecDeque;

use network::{Hop, NodeId};
use program::DatagramProtocol;
use quantity::Time;

use super::delivery::DatagramId;
use super::fragment::Cut;

/// A datagram that a process is sending.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sending {
    pub datagram: DatagramId,
    pub to: NodeId,
    pub protocol: DatagramProtocol,
    pub cut: Cut,
    pub hop: Hop,
}

/// The socket of a node, for all its datagrams.
#[derive(Debug, Default)]
pub(crate) struct Socket {
    pub sending: Option<Sending>,
    /// The time at which the last datagram began.
    pub began: Option<Time>,
    /// The datagrams that wait for the process.
    pub unread: VecDeque<DatagramId>,
    pub unread_bytes: u32,
    /// The time for which the sleeping process has its latest wake-up event.
    pub wake: Time,
}
