//! Transport protocols as state machines without clock: told the time, they say what to send and
//! when to be asked again. Of TCP, an [`Endpoint`] is a [`Sender`] and a [`Receiver`].

mod clock;
mod congestion;
mod control;
mod delay;
mod endpoint;
mod full_segment;
mod idle;
mod ranges;
mod receiver;
mod scoreboard;
mod segment;
mod sender;
mod timers;

pub use endpoint::Endpoint;
pub use receiver::Receiver;
pub use segment::{Flags, Incoming, Outgoing, SegmentOptions};
pub use sender::{Sender, TimeoutAction};
pub use timers::AckTimer;

/// Index of one end of a connection.
pub type EndpointId = u32;
