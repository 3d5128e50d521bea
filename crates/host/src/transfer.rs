//! Transfers: the unit that a process writes and reads.

/// Identifier of a transfer, chosen by its writer; hosts return it unread. It indexes nothing, and
/// has room for more than the number of an object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TransferId(u64);

impl TransferId {
    /// Returns the identifier with a number.
    pub const fn new(number: u64) -> TransferId {
        TransferId(number)
    }

    /// Returns the number of the identifier.
    pub const fn get(self) -> u64 {
        self.0
    }
}

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
