//! The tests of the packet engine as one binary: the engine is generic, and every binary compiles
//! its own copy of it.

mod background;
mod bonds;
mod capture;
mod carrier;
mod datagrams;
mod faults;
mod hub_interfaces;
mod idle;
mod laws;
mod link_layer;
mod multipath;
mod neighbours;
mod networks;
mod paths;
mod pauses;
mod processors;
mod time_to_live;
mod timers;
