//! One transfer on an idle path: along which stages it goes, when it is written and read, how fast
//! it can go for ever, and what limits it.
//!
//! A [`RouteTracer`] finds the [`Route`] of packets each way; two routes make a [`Path`], which is
//! what they take without whose they are. [`transfer_times`] gives the times of one transfer on it,
//! [`steady_state`] how it goes on for ever. Both drive the machines of `host` that the packet
//! engine drives, and are exact for what it does on an idle path, with three exceptions: a tick of
//! the receiver's clock is waited for only where nothing else goes on, data and acknowledgements on
//! a hub wait for each other without ever colliding, and segments carry no options. Nothing is lost
//! here, and nobody else sends: that is for the engines.

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
