//! Hosts: state machines for what a computer does with its messages and frames, without clock or
//! I/O. Told the time and what has come, each answers what to do and when to be asked again.
//!
//! The packet engine drives them frame by frame in virtual time, the reckoning of idle paths
//! (`simulation::path`) drives the same ones for a single transfer, and the engines without frames
//! take from here what a process is doing. Beside them stand the [constants](HostModel) of a
//! calibration. Hosts know the sizes of Ethernet frames and nothing else of networks: no events, no
//! addresses, no programs. How a machine's answers become events is for who drives it.

mod constants;
mod cpus;
mod frame_sizes;
mod prefetch;
pub mod process;
pub mod rx;
mod shared_cpu;
pub mod tcp;
mod tick_clock;
mod transfer;
mod tso;

pub use constants::{
    AckRule, CongestionControl, DiskModel, HostCosts, HostModel, InterfaceQueues, LinkOptions,
    MessageCosts, MessageKind, MessageProtocol, Neighbours, Processors, ProgressRule, SendBuffer,
    Steering, Table, TcpExtensions, TcpOptions, Value, Waiting, WindowRule,
};
pub use cpus::{Cpus, JobEnd};
pub use frame_sizes::{frame_bytes, frame_sizes, ip_header_bytes, largest_payload};
pub use prefetch::prefetch;
pub use shared_cpu::{Share, SharedCpu};
pub use tick_clock::TickClock;
pub use transfer::{Transfer, TransferId};
pub use tso::TsoBurst;
