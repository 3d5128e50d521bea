//! Transport protocols as state machines without clock: told the time, they say what to send and
//! when to be asked again. Of TCP, an [`Endpoint`] is a [`Sender`] and a [`Receiver`].

mod congestion;
mod endpoint;
mod receiver;
mod segment;
mod sender;

pub use endpoint::Endpoint;
pub use receiver::Receiver;
pub use segment::{Flags, Incoming, Outgoing};
pub use sender::{Sender, TimeoutAction};

/// Index of one end of a connection.
pub type EndpointId = u32;
