//! A station that contends for the medium, and its patience while the medium is busy.

use quantity::Time;

/// A station with a frame, and the earliest time it may start by the carrier it has sensed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contender {
    pub due: Time,
    pub station: u32,
    /// When a back-off that pauses ends if the medium stays silent; zero for any other.
    pub backoff_end: Time,
}

impl Contender {
    /// Waits for a gap after a carrier that is heard from `heard` until `silence`.
    #[inline]
    pub fn defer(&mut self, heard: Time, silence: Time, gap: Time) {
        if self.backoff_end > heard {
            self.backoff_end += silence - heard;
        }
        self.due = self.due.max(silence + gap).max(self.backoff_end);
    }
}
