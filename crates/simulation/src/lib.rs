//! What every predictive engine shares: the event queue, the rank executor with matching and the
//! message protocol, one transfer on an idle path, and the seam to the engines, [`NetworkModel`].
//!
//! An engine only says when a write returned, a transfer was taken in by its receiver, a
//! computation was done.

mod disk;
mod error;
mod events;
mod executor;
mod matching;
mod message;
mod messaging;
mod model;
pub mod path;
mod rank;
mod setup;

pub use error::{RunError, StuckRank};
pub use events::{EventQueue, Turn};
pub use executor::{Executor, MarkRecord};
pub use model::{Datagram, END, NetworkModel, Notice, next_event, over_at};
pub use setup::Setup;
