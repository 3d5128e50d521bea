//! Pieces of work of a process.

/// A piece of work of a process; `C` identifies the connection or transfer that it is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Job<C> {
    /// The program computes.
    Compute,
    /// A piece of a write is copied to the send buffer.
    Write(C, Piece),
    /// A segment is copied from the receive buffer.
    Read(C),
    /// A blocked writer looks for messages before it tries again.
    Look,
    /// An acknowledgement is sent, because reading has opened the window.
    Acknowledge(C),
    /// A datagram is copied to the interface in packets.
    SendDatagram,
    /// A datagram is copied from the socket.
    ReadDatagram,
}

/// A segment, or several that leave as one, to be copied to the send buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Payload, in bytes.
    pub payload: u32,
    /// True if the process pays for sending it as well, because the windows allow it when the copy
    /// begins.
    pub leaves: bool,
}
