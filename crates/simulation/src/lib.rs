//! The parts common to all predictive engines: the clock with its events, the executor of a rank
//! with matching and the message protocol, one transfer on an idle path, and the interface to the
//! engines, [`NetworkModel`].
//!
//! An engine only reports that a write returned, that the receiver has read a transfer, or that a
//! computation ended.

mod clock;
mod conditions;
mod connections;
mod disk;
mod effect;
mod error;
mod events;
mod executor;
mod hand_overs;
mod head;
mod matching;
mod message;
mod messaging;
mod model;
mod operations;
pub mod path;
mod postponed;
mod run;
mod setup;
mod shared_nodes;
mod silence;
mod stream;
mod streams;
mod timeline;
mod tracer;
mod unwritten;

pub use clock::{Clock, EventDriven, advance};
pub use error::{EnteredCollective, RunError, StuckRank};
pub use events::{EventQueue, SequenceNumber};
pub use hand_overs::HandOvers;
pub use head::is_head;
pub use model::{Datagram, END, NetworkModel, Notice, over_at};
pub use run::{MarkRecord, Run};
pub use setup::Setup;
pub use timeline::{Activities, Messages, Timeline, TimelineColumns};
pub use tracer::{Activity, NoTracer, Traced, Tracer};
