//! Packet capture: the frames that ports sent and received, as Enhanced Packet Blocks of a pcapng
//! file.
//!
//! [`Recorder`] watches a run; [`encode`] turns frames into blocks. The frames carry real headers
//! and checksums over a payload of zeros, cut at the snap length with their true length beside. The
//! frame check sequence is left out, as in captures on real hosts. Not here: names and files. The
//! section header and the description of each interface, which need them, come from Python; an
//! interface number in a block is the number of the port.

mod block;
mod captured;
mod datagram;
mod headers;
mod recorder;
mod resolution;

pub use block::encode;
pub use captured::{
    CapturedFrame, Carried, Direction, Packet, Part, Segment, mac_of_port, port_of_mac,
};
pub use recorder::Recorder;

#[cfg(test)]
mod tests;
