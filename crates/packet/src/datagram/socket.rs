//! The datagram socket of a node: what its process sends, and what waits to be read. What the
//! kernel and the process do with it is in `crate::datagrams`.

use std::collections::VecDeque;

use network::{Hop, NodeId};
use program::DatagramProtocol;
use quantity::Time;

use super::fragment::Cut;

/// A datagram that a process is sending.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sending {
    /// Its number among all of the run.
    pub number: u32,
    pub to: NodeId,
    pub protocol: DatagramProtocol,
    pub cut: Cut,
    pub hop: Hop,
}

/// The socket of a node, for all its datagrams.
#[derive(Debug, Default)]
pub(crate) struct Socket {
    pub sending: Option<Sending>,
    /// When the last datagram began.
    pub began: Option<Time>,
    /// Numbers of the datagrams that wait for the process.
    pub unread: VecDeque<u32>,
    pub unread_bytes: u32,
    /// When the sleeping process was last told to be woken.
    pub wake: Time,
}
