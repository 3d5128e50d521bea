//! The head of a transfer: all that another executor needs to continue its message. A program runs
//! in one executor, or in several that each drive one rank; those exchange heads.

use host::MessageKind;
use program::{Rank, Tag};

use crate::message::{Call, Message, MessageId, ROLES, Role};

/// The head of a transfer between two executors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    pub(crate) from: Rank,
    pub(crate) to: Rank,
    pub(crate) tag: Tag,
    pub(crate) bytes: u64,
    pub(crate) kind: MessageKind,
    pub(crate) role: Role,
    /// The message, as the executor of its sender numbers it.
    pub(crate) message: MessageId,
}

const KINDS: [MessageKind; 3] = [MessageKind::Short, MessageKind::Long, MessageKind::Rendezvous];

impl Head {
    /// Length as bytes.
    pub const BYTES: usize = 26;

    pub(crate) fn new(message: &Message, role: Role, number: MessageId) -> Head {
        let &Message { from, to, tag, bytes, kind, .. } = message;
        Head { from, to, tag, bytes, kind, role, message: number }
    }

    /// Returns the message as far as its receiver's executor knows it.
    pub(crate) fn message(&self) -> Message {
        let &Head { from, to, tag, bytes, kind, .. } = self;
        Message { kind, ..Message::new(from, to, bytes, tag, Call::ELSEWHERE) }
    }

    /// Returns the head as bytes.
    #[must_use]
    pub fn to_bytes(self) -> [u8; Head::BYTES] {
        let mut bytes = [0; Head::BYTES];
        bytes[..4].copy_from_slice(&self.from.get().to_be_bytes());
        bytes[4..8].copy_from_slice(&self.to.get().to_be_bytes());
        bytes[8..12].copy_from_slice(&self.tag.to_be_bytes());
        bytes[12..20].copy_from_slice(&self.bytes.to_be_bytes());
        bytes[20..24].copy_from_slice(&self.message.get().to_be_bytes());
        bytes[24] = self.kind as u8;
        bytes[25] = self.role as u8;
        bytes
    }

    /// Returns the head that bytes describe, if they describe one.
    #[must_use]
    pub fn from_bytes(bytes: &[u8; Head::BYTES]) -> Option<Head> {
        let word = |at: usize| u32::from_be_bytes(std::array::from_fn(|byte| bytes[at + byte]));
        Some(Head {
            from: Rank::new(word(0)),
            to: Rank::new(word(4)),
            tag: word(8),
            bytes: u64::from(word(12)) << 32 | u64::from(word(16)),
            kind: *KINDS.get(usize::from(bytes[24]))?,
            role: *ROLES.get(usize::from(bytes[25]))?,
            message: MessageId::new(word(20)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_describe_the_head_that_they_were_made_from() {
        for kind in KINDS {
            for role in ROLES {
                let head = Head {
                    from: Rank::new(3),
                    to: Rank::new(70_000),
                    tag: 0xFFFF_FFF0,
                    bytes: 5 << 33,
                    kind,
                    role,
                    message: MessageId::new(u32::MAX - 1),
                };
                assert_eq!(Head::from_bytes(&head.to_bytes()), Some(head));
            }
        }
        assert_eq!(Head::from_bytes(&[0xFF; Head::BYTES]), None);
    }
}
