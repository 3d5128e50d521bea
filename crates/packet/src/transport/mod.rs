//! Transport protocols as state machines without clock: told the time, they say what to send and
//! when to be asked again.

mod congestion;
mod tcp;

pub use tcp::{
    AckRule, Endpoint, Flags, Incoming, Outgoing, SendBuffer, TcpOptions, TimeoutAction, WindowRule,
};

/// Index of one end of a connection.
pub type EndpointId = u32;
