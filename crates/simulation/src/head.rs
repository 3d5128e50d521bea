//! The parts of a message that transfers carry. The head of a transfer says all that the executor
//! of its receiver must know: the two share nothing.

use host::Head;
use program::Tag;

use crate::message::MessageId;

/// The part of a message in a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// A whole short message.
    Short { tag: Tag, bytes: u64 },
    /// The envelope of a long message, followed at once by its data.
    Envelope,
    /// The data of a long message.
    Long { tag: Tag, bytes: u64 },
    /// The request to send of a rendezvous, with its number at the sender.
    Request { tag: Tag, sent: MessageId, bytes: u64 },
    /// The clear-to-send of a rendezvous, with its numbers at the sender and at the receiver.
    Clear { sent: MessageId, received: MessageId },
    /// The data of a rendezvous.
    Data { sent: MessageId, received: MessageId },
}

/// Bits of the first word for the upper bits of a size; the kind of the part is above them.
const SIZE_BITS: u32 = 29;

impl Part {
    /// Returns the head of a transfer with this part.
    pub fn head(self) -> Head {
        let (kind, bytes, numbers) = match self {
            Part::Short { tag, bytes } => (0, bytes, [tag, 0]),
            Part::Envelope => (1, 0, [0, 0]),
            Part::Long { tag, bytes } => (2, bytes, [tag, 0]),
            Part::Request { tag, sent, bytes } => (3, bytes, [tag, sent.get()]),
            Part::Clear { sent, received } => (4, 0, [received.get(), sent.get()]),
            Part::Data { sent, received } => (5, 0, [received.get(), sent.get()]),
        };
        let [first, second] = numbers;
        Head::new([kind << SIZE_BITS | (bytes >> 32) as u32, bytes as u32, first, second])
    }

    /// Returns the part that a head describes, if it describes one.
    pub fn of(head: Head) -> Option<Part> {
        let [word, low, first, second] = head.words();
        let bytes = u64::from(word & ((1 << SIZE_BITS) - 1)) << 32 | u64::from(low);
        let [received, sent] = [first, second].map(MessageId::new);
        match word >> SIZE_BITS {
            0 => Some(Part::Short { tag: first, bytes }),
            1 => Some(Part::Envelope),
            2 => Some(Part::Long { tag: first, bytes }),
            3 => Some(Part::Request { tag: first, sent, bytes }),
            4 => Some(Part::Clear { sent, received }),
            5 => Some(Part::Data { sent, received }),
            _ => None,
        }
    }

    /// Returns whether it is the last part of its message.
    pub fn is_last(self) -> bool {
        matches!(self, Part::Short { .. } | Part::Long { .. } | Part::Data { .. })
    }
}

/// Returns whether a head that comes from outside is that of a transfer between ranks.
#[must_use]
pub fn is_head(head: Head) -> bool {
    Part::of(head).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_describes_the_part_that_it_was_made_from() {
        let (tag, bytes) = (0xFFFF_FFF0, 5 << 40 | 3);
        let [sent, received] = [u32::MAX - 1, 7].map(MessageId::new);
        let parts = [
            Part::Short { tag, bytes },
            Part::Envelope,
            Part::Long { tag, bytes },
            Part::Request { tag, sent, bytes },
            Part::Clear { sent, received },
            Part::Data { sent, received },
        ];
        for part in parts {
            assert_eq!(Part::of(part.head()), Some(part));
        }
        assert!(!is_head(Head::new([u32::MAX; 4])));
    }
}
