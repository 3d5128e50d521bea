//! What became of each datagram of a run: when it was sent, and whether and when it was read. A
//! lost one is never read.

use program::{DatagramProtocol, Rank};
use quantity::Time;

/// What became of a datagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// Sender.
    pub from: Rank,
    /// Receiver.
    pub to: Rank,
    /// User data.
    pub bytes: u32,
    pub(crate) protocol: DatagramProtocol,
    /// User data of the datagram that the receiver sends back; 0 for none.
    pub(crate) answer: u32,
    /// Bytes that have arrived, header included.
    pub(crate) arrived: u32,
    /// When its sender began.
    pub sent: Time,
    /// When the receiver's process had read it.
    pub received: Option<Time>,
}
