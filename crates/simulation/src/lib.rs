//! What every predictive engine shares: the event queue, the rank executor with matching and the
//! message protocol, the constants of the hosts, one transfer on an idle path, and the seam to the
//! engines, [`NetworkModel`].
//!
//! An engine only says when a write returned, a transfer was taken in by its receiver, a
//! computation was done.

mod disk;
mod error;
mod events;
mod executor;
mod host;
mod matching;
mod message;
mod messaging;
mod model;
pub mod path;
mod protocol;
mod rank;
mod setup;

pub use error::{RunError, StuckRank};
pub use events::{EventQueue, SequenceNumber};
pub use executor::{Executor, MarkRecord};
pub use host::{
    AckRule, CongestionControl, DiskModel, HostCosts, HostModel, InterfaceQueues, LinkOptions,
    Neighbours, Processors, SendBuffer, Steering, TcpExtensions, TcpOptions, Waiting, WindowRule,
    frame_bytes, frame_sizes, ip_header_bytes, largest_payload,
};
pub use model::{Datagram, END, NetworkModel, Notice, Transfer, TransferId, next_event, over_at};
pub use protocol::{DrainRule, MessageCosts, MessageKind, MessageProtocol};
pub use setup::Setup;
