//! What every predictive engine shares: the event queue, the rank executor with matching and the
//! message protocol, seeds, and the seam to the engines, [`NetworkModel`].
//!
//! An engine only says when a write returned, a transfer was taken in by its receiver, a
//! computation was done.

mod events;
mod executor;
mod model;
mod protocol;
mod random;

pub use events::EventQueue;
pub use executor::{Executor, MarkRecord, RunError, StuckRank};
pub use model::{NetworkModel, Notice, Transfer, TransferId};
pub use protocol::{MessageCosts, MessageKind, MessageProtocol};
pub use random::Random;
