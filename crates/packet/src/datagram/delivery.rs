//! Deliveries: the times at which each datagram of a run was sent and read. A lost one is never
//! read.

use program::{DatagramProtocol, Rank};
use quantity::Time;

quantity::id! {
    /// A datagram of a run.
    pub DatagramId;
}

/// The delivery of a datagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// Rank of the sender.
    pub from: Rank,
    /// Rank of the receiver.
    pub to: Rank,
    /// User data, in bytes.
    pub bytes: u32,
    pub(crate) protocol: DatagramProtocol,
    /// User data of the reply that the receiver sends, in bytes; 0 for no reply.
    pub(crate) answer: u32,
    /// Bytes that have arrived, header included.
    pub(crate) arrived: u32,
    /// The time at which the sender began to send.
    pub sent: Time,
    /// The time at which the receiving process had read the datagram; `None` if it never did.
    pub received: Option<Time>,
}
