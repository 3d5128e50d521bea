//! What one station of a collision domain holds: its queue, its back-off, and what it did last.

use std::collections::VecDeque;

use super::backoff::Backoff;
use crate::queue::{Backlog, QueueLimit};
use quantity::Time;

#[derive(Clone, Debug)]
pub(super) struct Station {
    pub(super) queue: VecDeque<(u32, u32)>,
    pub(super) backlog: Backlog,
    pub(super) limit: Option<QueueLimit>,
    /// The frame on the wire has left the queue but counts until its last bit.
    pub(super) sending: (Time, u32),
    pub(super) backoff: Backoff,
    /// The activity it last took part in, and when its own gap after it ends.
    pub(super) activity: u64,
    pub(super) gap_end: Time,
}

impl Station {
    pub(super) fn new(limit: Option<QueueLimit>, backoff: Backoff) -> Station {
        Station {
            queue: VecDeque::new(),
            backlog: Backlog::default(),
            limit,
            sending: (Time::ZERO, 0),
            backoff,
            activity: u64::MAX,
            gap_end: Time::ZERO,
        }
    }

    /// Forgets the frame on the wire once its last bit has left.
    #[inline]
    pub(super) fn release(&mut self, now: Time) {
        if self.sending.1 != 0 && self.sending.0 <= now {
            self.backlog.remove(self.sending.1);
            self.sending.1 = 0;
        }
    }
}
