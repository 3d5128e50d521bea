//! Pieces of work of a process.

/// A piece of work of a process; `C` tells which connection or transfer it is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Job<C> {
    /// The program computes.
    Compute,
    /// What is written is copied to the send buffer.
    Write(Piece),
    /// What has come is copied from the receive buffer.
    Read(C),
    /// An acknowledgement is made, because reading has opened the window.
    Acknowledge(C),
    /// A datagram is copied to the interface in packets.
    SendDatagram,
    /// A datagram is copied from the socket.
    ReadDatagram,
}

/// A segment, or several that leave as one, on its way to the send buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Its bytes.
    pub payload: u32,
    /// Whether it is sent as well, at the expense of the process: the windows allow it at the
    /// start.
    pub leaves: bool,
}
