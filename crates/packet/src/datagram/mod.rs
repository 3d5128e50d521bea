//! Datagrams, by UDP or by IP alone: no connection, no order, no second try. A datagram arrives
//! when all its fragments have; a lost one loses it.
//!
//! A process that sends sleeps until its interface has room for the datagram, as one does whose
//! socket buffer is full. Whoever is sent to reads what comes in between two pieces of work,
//! without an operation of its own, until its program is over and after; what finds the buffer of
//! the socket full is lost. Incomplete datagrams are kept for ever: they take no room from others.
//! A datagram may ask for an answer: whoever reads it sends one back at once, without waiting for
//! room.

mod fragment;
mod socket;

pub use fragment::{Cut, Piece};
pub(crate) use socket::Socket;

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
    protocol: DatagramProtocol,
    /// User data of the datagram that the receiver sends back; 0 for none.
    answer: u32,
    /// Bytes that have arrived, header included.
    arrived: u32,
    /// When its sender began.
    pub sent: Time,
    /// When the receiver's process had read it.
    pub received: Option<Time>,
}
