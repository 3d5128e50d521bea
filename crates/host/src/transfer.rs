//! Transfers: the unit that a process writes and reads.

/// Identifier of a transfer, chosen by its writer; hosts return it unread.
pub type TransferId = u64;

/// A protocol header and a body, each its own write to the socket. A part of zero bytes is not
/// written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transfer {
    /// Identifier that is returned when the transfer has been read at the other end.
    pub id: TransferId,
    /// Bytes of the header.
    pub header: u32,
    /// Bytes of the body.
    pub body: u64,
}
