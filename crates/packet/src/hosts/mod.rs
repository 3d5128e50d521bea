//! The hosts of a network: how they send, forward, receive and compute. Their state is in
//! [`Hosts`]; all that they see of a run is a [`Stack`].
//!
//! What processors, receive queues, processes and TCP decide is in the crate `host`, as machines
//! without a clock; here their answers become events and frames. The files from `send` on each let
//! hosts do one thing: `receive` takes frames from the wires, `rx` serves receive queues, `process`
//! lets processes continue, `timers` rings, `backpressure` holds senders back, `resolution` asks
//! for hardware addresses, `datagrams` moves datagrams, and `routes` copes with failures.

mod backpressure;
mod datagrams;
mod neighbour_table;
mod node;
mod path;
mod process;
mod receive;
mod resolution;
mod routes;
mod rx;
mod send;
mod stack;
mod state;
mod timers;
mod waits;

pub(crate) use node::Node;
pub(crate) use path::Path;
pub(crate) use stack::Stack;
pub(crate) use state::Hosts;
