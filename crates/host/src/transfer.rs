//! What a process writes in one go.

/// Identifies a transfer to the one who wrote it; hosts hand it back unread.
pub type TransferId = u64;

/// A protocol header and a body, each its own write to the socket. A part of zero bytes is not
/// written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transfer {
    /// Handed back when the transfer has been read at the other end.
    pub id: TransferId,
    /// Bytes of the header.
    pub header: u32,
    /// Bytes of the body.
    pub body: u64,
}
