//! The process of a host and its connections. It does one thing at a time, a [`Job`]; it writes
//! piece by piece ([`WriteCall`]) and reads one transfer after the other ([`ReadOrder`]).

mod job;
mod look;
mod read_order;
mod retry;
mod write_call;

pub use job::{Job, Piece};
pub use look::{Looking, Turn};
pub use read_order::ReadOrder;
pub use retry::Retry;
pub use write_call::WriteCall;
