//! Datagrams, by UDP or by IP alone: no connection, no order, no second try. A datagram arrives
//! when all its fragments have; a lost one loses it.
//!
//! A sending process sleeps until its interface has room for the datagram, as if its socket buffer
//! were full. The receiving process reads datagrams between two pieces of work, without an
//! operation of its own, even after its program has ended; a datagram that finds the socket buffer
//! full is lost. Incomplete datagrams are kept forever, because they take no room from others. A
//! datagram may request a reply, which its reader sends at once, without waiting for room.

mod delivery;
mod fragment;
mod socket;

pub use delivery::Delivery;
pub use fragment::{Cut, Piece};
pub(crate) use socket::{Sending, Socket};
