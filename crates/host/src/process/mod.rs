//! The process of a host and its connections. It does one thing at a time, a [`Job`]; it writes
//! piece by piece ([`WriteCall`]), beside other work if its library does so ([`Postponed`]), and
//! reads one connection after the other ([`ReadOrder`]).

mod job;
mod look;
mod postponed;
mod read_order;
mod retry;
mod write_call;

pub use job::{Job, Piece};
pub use look::{Looking, Turn};
pub use postponed::Postponed;
pub use read_order::ReadOrder;
pub use retry::Retry;
pub use write_call::WriteCall;
