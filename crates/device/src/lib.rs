//! Links, hubs and switches as state machines: given the time and a frame, they return where and
//! when the frame leaves.
//!
//! A device has no clock, no I/O and no list of events. Its driver has them: an engine in virtual
//! time, or a real-time loop between the interfaces of real hosts. A device knows ports, stations
//! and numbers, but no topology and no names. It never sees the content of a frame: a length, two
//! member numbers or a token is all it needs. Not here: the hosts (CPU, rings, protocols) and the
//! propagation delay of a link, which the driver adds.
//!
//! [`Channel`] is one direction of a full-duplex link with its output queue, [`PacedChannel`] one
//! that can be stopped, [`Hub`] one CSMA/CD
//! collision domain, [`Switch`] the learning and forwarding of one logical switch, [`Backplane`]
//! the capacity that the logical switches of one chassis share.

mod backplane;
mod bond;
mod channel;
mod error;
pub mod ethernet;
mod hub;
mod paced;
mod queue;
mod random;
pub mod saturation;
mod switch;

pub use backplane::Backplane;
pub use bond::Bond;
pub use channel::{Channel, Departure};
pub use error::DeviceError;
pub use hub::{Decision, GivenUp, Hub, HubConfig, HubCounters, MOST_ATTEMPTS, StationOptions};
pub use paced::{PacedChannel, Queued};
pub use queue::{Backlog, QueueLimit};
pub use random::{Random, mixed};
pub use switch::{Egress, FloodPorts, ForwardingMode, Switch, SwitchModel, pick_of_bundle};
