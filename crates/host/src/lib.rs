//! Hosts: state machines of a computer that sends, receives and forwards, without clock or I/O.
//! Given the time and an arrival, each returns its actions and the time of its next event.
//!
//! The packet engine drives them frame by frame in virtual time, the computation of idle paths
//! (`simulation::path`) drives the same ones for a single transfer, and the engines without frames
//! take the process from here. Beside them are the [constants](HostModel) of a calibration. Hosts
//! know the sizes of Ethernet frames and nothing else of networks: no events, no addresses, no
//! programs. The driver of a machine turns its answers into events.

mod constants;
mod cpus;
mod error;
mod frame_sizes;
mod prefetch;
pub mod process;
pub mod rx;
mod shared_cpu;
pub mod tcp;
mod tick_clock;
mod transfer;
pub mod transport;
mod tso;

pub use constants::{
    AckRule, CongestionControl, Constant, Constants, ConstantsError, DiskModel, HostCosts,
    HostModel, InterfaceQueues, LinkOptions, LocalModel, MessageCosts, MessageKind,
    MessageProtocol, Neighbours, Processors, ProgressRule, SendBuffer, Steering, Table,
    TcpExtensions, TcpOptions, Value, Waiting, WhileBlocked, WindowRule,
};
pub use cpus::{Cpus, JobEnd};
pub use error::HostError;
pub use frame_sizes::{frame_bytes, frame_sizes, ip_header_bytes, largest_payload};
pub use prefetch::prefetch;
pub use shared_cpu::{Share, SharedCpu};
pub use tick_clock::TickClock;
pub use transfer::{Head, Transfer};
pub use tso::TsoBurst;
