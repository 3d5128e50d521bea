//! Datagrams, by UDP or by IP alone: no connection, no order, no second try. A datagram arrives
//! when all its fragments have; a lost one loses it.
//!
//! A process that sends sleeps until its interface has room for the datagram, as one does whose
//! socket buffer is full. Whoever is sent to reads what comes in between two pieces of work,
//! without an operation of its own, until its program is over and after; what finds the buffer of
//! the socket full is lost. Incomplete datagrams are kept for ever: they take no room from others.
//! A datagram may ask for an answer: whoever reads it sends one back at once, without waiting for
//! room.

mod delivery;
mod fragment;
mod socket;

pub use delivery::Delivery;
pub use fragment::{Cut, Piece};
pub(crate) use socket::{Sending, Socket};
