//! The hosts of a network send, forward, receive and compute. [`Hosts`] is their state; [`Stack`]
//! is all that they see of a run.
//!
//! The crate `host` decides for processors, receive queues, processes and TCP, as machines without
//! a clock; here their answers become events and frames. Each file from `send` on lets hosts do one
//! thing: `receive` takes frames from the wires, `rx` serves receive queues, `process` runs
//! processes, `postponed` goes on with writes that wait for room, `timers` fires timers,
//! `backpressure` holds senders back, `resolution` resolves hardware addresses, `datagrams` moves
//! datagrams, `routed_switches` forwards by routes without a processor, and `routes` reacts to
//! failures.

mod backpressure;
mod datagrams;
mod neighbour_table;
mod node;
mod path;
mod postponed;
mod process;
mod processes;
mod receive;
mod resolution;
mod routed_switches;
mod routes;
mod rx;
mod send;
mod stack;
mod state;
mod telling;
mod timers;
mod waits;

pub(crate) use node::Node;
pub(crate) use path::Path;
pub(crate) use processes::first_on;
pub(crate) use stack::Stack;
pub(crate) use state::Hosts;
