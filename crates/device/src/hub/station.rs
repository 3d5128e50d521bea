//! The state of one station of a collision domain: its queue, its back-off, its last activity, and
//! the options of its interface. The hub decides when it sends.

use std::collections::VecDeque;

use super::backoff::Backoff;
use super::contender::Contender;
use super::interface::StationOptions;
use crate::queue::{Backlog, QueueLimit};
use quantity::Time;

#[derive(Clone, Debug)]
pub(super) struct Station {
    /// Token and bytes of each frame that waits, oldest first.
    pub(super) queue: VecDeque<(u32, u32)>,
    pub(super) backlog: Backlog,
    pub(super) limit: Option<QueueLimit>,
    /// End and bytes of the frame on the wire, which has left the queue but counts until its last
    /// bit; 0 bytes when there is none.
    pub(super) sending: (Time, u32),
    pub(super) backoff: Backoff,
    /// Number of the last transmission or collision in which this station took part.
    pub(super) activity: u64,
    /// When this station's own gap after it ends.
    pub(super) gap_end: Time,
    /// When its interface is ready for its next frame.
    pub(super) ready: Time,
    pub(super) options: StationOptions,
    /// True if this station sent a frame whole in it.
    pub(super) has_won: bool,
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
            ready: Time::ZERO,
            options: StationOptions::default(),
            has_won: false,
        }
    }

    /// Returns whether this station avoids capture and had the medium last before the present
    /// `activity`.
    #[inline]
    pub(super) fn has_captured(&self, activity: u64) -> bool {
        self.options.avoids_capture && self.has_won && self.activity.wrapping_add(1) == activity
    }

    /// Returns when this station contends for its next frame, if it has one.
    #[inline]
    pub(super) fn next_contender(&self, station: u32) -> Option<Contender> {
        let contender =
            Contender { due: self.gap_end.max(self.ready), station, backoff_end: Time::ZERO };
        (!self.queue.is_empty()).then_some(contender)
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
