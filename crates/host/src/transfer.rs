//! Transfers: the unit that a process writes and reads.

/// The head of a transfer: what its writer tells its reader. It travels with the transfer, and
/// hosts carry it unread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Head([u32; 4]);

impl Head {
    /// Length as bytes.
    pub const BYTES: usize = 16;

    /// Returns the head of these words.
    pub const fn new(words: [u32; 4]) -> Head {
        Head(words)
    }

    /// Returns the words of the head.
    pub const fn words(self) -> [u32; 4] {
        self.0
    }

    /// Returns the head as bytes.
    #[must_use]
    pub fn to_bytes(self) -> [u8; Head::BYTES] {
        let words = self.0.map(u32::to_be_bytes);
        std::array::from_fn(|byte| words[byte / 4][byte % 4])
    }

    /// Returns the head that bytes describe.
    #[must_use]
    pub fn from_bytes(bytes: &[u8; Head::BYTES]) -> Head {
        let word = |at: usize| u32::from_be_bytes(std::array::from_fn(|byte| bytes[4 * at + byte]));
        Head(std::array::from_fn(word))
    }
}

/// A protocol header and a body, each its own write to the socket. A part of zero bytes is not
/// written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transfer {
    /// Its head, which is returned when the transfer has been read at the other end.
    pub head: Head,
    /// Bytes of the header.
    pub header: u32,
    /// Bytes of the body.
    pub body: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_describe_the_head_that_they_were_made_from() {
        let head = Head::new([1, 0xFFFF_FFF0, 70_000, 5 << 28]);
        assert_eq!(Head::from_bytes(&head.to_bytes()), head);
        assert_eq!(head.to_bytes()[..8], [0, 0, 0, 1, 0xFF, 0xFF, 0xFF, 0xF0]);
    }
}
