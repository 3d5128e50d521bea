//! Batches: segments of one connection, in order, that a processor takes together, so that the
//! fixed costs of TCP count once (GRO).

use std::collections::VecDeque;

use quantity::Time;

use crate::constants::HostModel;
use crate::tcp::{Flags, Incoming};

use super::RxFrames;

/// Number of frames that one poll of a queue examines (NAPI weight of Linux).
pub const POLLED_FRAMES: usize = 64;

/// The content of a frame, or of several merged ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RxFrame {
    /// Number that tells connections apart.
    pub flow: u32,
    /// The segment.
    pub segment: Incoming,
    /// Length of the IP packet.
    pub ip_bytes: u32,
}

impl RxFrame {
    /// Merges frames of one connection, which are in order, into one.
    ///
    /// # Panics
    /// If there are no frames.
    #[inline]
    pub fn of_batch<F>(batch: &[F], frames: &impl RxFrames<F>) -> RxFrame {
        let first = frames.frame(&batch[0]);
        batch[1..].iter().fold(first, |whole, next| whole.with(&frames.frame(next)))
    }

    /// Returns whether `next` can be merged behind: its data follow, and it says the same of the
    /// other direction. The last segment of a write ends a merged frame.
    fn is_continued_by(&self, next: &RxFrame) -> bool {
        let (whole, next) = (&self.segment, &next.segment);
        whole.payload > 0
            && next.payload > 0
            && next.sequence == whole.sequence + u64::from(whole.payload)
            && next.acknowledged == whole.acknowledged
            && whole.flags == next.flags.without(Flags::PUSH)
    }

    /// Returns the frame with `next` merged behind.
    #[inline]
    fn with(&self, next: &RxFrame) -> RxFrame {
        let Incoming { payload, flags, window, .. } = next.segment;
        let payload = self.segment.payload + payload;
        let segment = Incoming { payload, flags, window, ..self.segment };
        RxFrame { segment, ip_bytes: self.ip_bytes + next.ip_bytes, ..*self }
    }
}

/// Extends a batch by the frames that continue it, up to `most_bytes` of payload.
pub(super) fn take_more<F>(
    waiting: &mut VecDeque<F>,
    batch: &mut Vec<F>,
    most_bytes: u32,
    frames: &impl RxFrames<F>,
) {
    if most_bytes == 0 || waiting.is_empty() {
        return;
    }
    let mut whole = RxFrame::of_batch(batch, frames);
    let mut place = 0;
    while place < waiting.len() && batch.len() + place < POLLED_FRAMES {
        let next = frames.frame(&waiting[place]);
        if next.flow != whole.flow {
            place += 1;
            continue;
        }
        let payload = whole.segment.payload + next.segment.payload;
        if !whole.is_continued_by(&next) || payload > most_bytes {
            return;
        }
        whole = whole.with(&next);
        batch.extend(waiting.remove(place));
    }
}

/// Returns the processor time of a batch, received by TCP or forwarded.
pub(super) fn work<F>(batch: &[F], frames: &impl RxFrames<F>, host: &HostModel) -> Time {
    let n_frames = batch.len() as u64;
    let whole = RxFrame::of_batch(batch, frames);
    let from_interface = host.costs.receive_frame * n_frames;
    if frames.is_local(&batch[0]) {
        return from_interface + host.costs.receive_segment(whole.segment.payload);
    }
    from_interface + host.forward_merged(n_frames, u64::from(whole.ip_bytes))
}
