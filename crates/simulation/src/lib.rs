//! The parts common to all predictive engines: the clock with its events, the rank executor with
//! matching and the message protocol, one transfer on an idle path, and the interface to the
//! engines, [`NetworkModel`].
//!
//! An engine only reports that a write returned, that the receiver has read a transfer, or that a
//! computation ended.

mod adopted;
mod clock;
mod connections;
mod disk;
mod error;
mod events;
mod executor;
mod hand_overs;
mod head;
mod matching;
mod message;
mod messaging;
mod model;
pub mod path;
mod rank;
mod setup;
mod shared_nodes;
mod stream;
mod streams;
mod timeline;
mod tracer;

pub use clock::{Clock, EventDriven, advance};
pub use error::{EnteredCollective, RunError, StuckRank};
pub use events::{EventQueue, SequenceNumber};
pub use executor::{Executor, MarkRecord};
pub use hand_overs::HandOvers;
pub use head::Head;
pub use model::{Datagram, END, NetworkModel, Notice, over_at};
pub use setup::Setup;
pub use timeline::{Activities, Messages, Timeline, TimelineColumns};
pub use tracer::{Activity, NoTracer, Traced, Tracer};
