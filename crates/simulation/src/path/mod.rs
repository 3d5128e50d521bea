//! One transfer on an idle path: its stages, the times of its writing and reading, its steady-state
//! rate, and its bottleneck.
//!
//! A [`RouteTracer`] finds the [`Route`] of packets in each direction; two routes make a [`Path`],
//! which keeps their costs without the identities of the devices. [`transfer_times`] gives the
//! times of one transfer on it, [`steady_state`] the rate of an endless one. Both drive the
//! machines of `host` that the packet engine drives, and are exact for its behaviour on an idle
//! path, with three exceptions: a tick of the receiver's clock is waited for only where no other
//! event is pending, data and acknowledgements on a hub wait for each other without ever colliding,
//! and segments carry no options. No frame is lost here and no other traffic is present: both are
//! the task of the engines.

mod connection_state;
mod ends;
mod frame;
mod period;
mod receive;
mod route;
mod run;
mod steady_state;
mod steering;
mod timing;
mod transfer;
mod transfer_times;
mod work;

pub use connection_state::{ConnectionState, LastAcks};
pub use route::{Leg, Route, RouteTracer, Stage};
pub use steady_state::{Bottleneck, SteadyState, steady_state};
pub use timing::Path;
pub use transfer::{SATURATED_WINDOW, TransferTimes, Writes};
pub use transfer_times::transfer_times;
pub use work::{Work, segments_per_ack, work, work_of_a_stream};
