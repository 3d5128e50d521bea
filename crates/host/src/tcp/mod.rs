//! TCP as a state machine without clock: given the time, an [`Endpoint`] returns the segments to
//! send and the time of its next timer. It consists of a [`Sender`] and a [`Receiver`].

mod clock;
mod congestion;
mod control;
mod delay;
mod endpoint;
mod full_segment;
mod growing_buffer;
mod idle;
pub(crate) mod memory;
mod ranges;
mod receiver;
mod scoreboard;
mod segment;
mod sender;
mod tick_estimate;
mod timers;
mod undo;

pub use endpoint::Endpoint;
pub use receiver::Receiver;
pub use segment::{Flags, Incoming, Outgoing, SegmentOptions};
pub use sender::{Sender, TimeoutAction};
pub use timers::AckTimer;
