//! The packet engine: every frame on every wire, every host's processor, TCP and the message
//! library.
//!
//! [`PacketModel`] is the [`simulation::NetworkModel`] on which executors of ranks run a program.
//! It drives the state machines of `device` in virtual time and adds the hosts: processors, on
//! which the kernel (interrupts, forwarding, acknowledgements) goes ahead of the process. An event
//! is the arrival of a frame, a contention on a hub, the end of a piece of work of a process, or a
//! timer; a frame costs one event per hop, because everything between two arrivals (queues,
//! backplane, kernel work) is known when the first of them happens.
//!
//! Not here: ranks and their operations (`simulation`), routes and addresses (`network`), names and
//! files.

mod arena;
mod bonds;
pub mod capture;
mod clock;
mod counters;
pub mod datagram;
mod error;
mod event;
mod faults;
mod frame;
mod hop_limit;
mod hosts;
mod ids;
mod link_layer;
mod loss;
mod medium;
mod model;
mod observer;
mod outcome;
mod prefetch;
pub mod recording;
mod switches;
mod traffic;
mod wires;

pub use arena::{Attached, Contents, FrameId};
pub use counters::Counters;
pub use error::PacketError;
pub use faults::{Fault, FaultKind, FaultOptions, FaultReport, FaultyWires};
pub use frame::{Fragment, Frame, IpHeader, Pause, Payload, Resolution, Segment};
pub use hop_limit::HopLimit;
pub use link_layer::{Effect, LinkLayer};
pub use medium::Medium;
pub use model::PacketModel;
pub use observer::{Collision, Fate, Flight, NoObserver, Observer, Windows, Work};
pub use outcome::{Direction, Outcome, Watching, run};
pub use traffic::{PortTraffic, Traffic};
pub use wires::Wires;
