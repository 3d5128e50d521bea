//! One direction of a full-duplex link, with the output queue in front of it.
//!
//! Rate and order are fixed, so the departure of a frame is known when it is offered and no event
//! is needed to start it: start = max(now, end of the previous frame + gap). The channel otherwise
//! only counts the frames not yet sent, for the limit. Propagation is not here: the driver adds it
//! to both ends of the departure.

use std::collections::VecDeque;

use crate::ethernet::{ByteTime, GAP_BYTES};
use crate::queue::{Backlog, QueueLimit};
use quantity::{Rate, Time};

/// When a frame leaves a transmitter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Departure {
    /// The first bit of the preamble leaves.
    pub start: Time,
    /// The last bit of the frame has left.
    pub end: Time,
}

/// A transmitter of fixed rate with a first-in, first-out queue that drops what does not fit.
#[derive(Clone, Debug)]
pub struct Channel {
    byte_time: ByteTime,
    limit: Option<QueueLimit>,
    /// Bytes of silence that the interface needs after a frame.
    gap_bytes: u32,
    /// The earliest start of the next frame.
    free: Time,
    /// End and bytes of every frame not known to be sent, oldest first. Frames that have been sent
    /// are removed lazily: when the next one finds no space, here or in the queue.
    pending: VecDeque<(Time, u32)>,
    /// Total bytes of the frames in `pending`.
    pending_bytes: u64,
    frames: u64,
    bytes: u64,
    dropped: u32,
    #[cfg(debug_assertions)]
    last_offer: Time,
}

impl Channel {
    /// Returns an idle channel; without a `limit` it never drops.
    pub fn new(rate: Rate, limit: Option<QueueLimit>) -> Channel {
        Channel {
            byte_time: ByteTime::new(rate),
            limit,
            gap_bytes: GAP_BYTES,
            free: Time::ZERO,
            pending: VecDeque::new(),
            pending_bytes: 0,
            frames: 0,
            bytes: 0,
            dropped: 0,
            #[cfg(debug_assertions)]
            last_offer: Time::ZERO,
        }
    }

    /// Returns the channel of an interface that needs at least `pause` between two frames, rounded
    /// up to the time of a byte.
    pub fn with_pause(mut self, pause: Time) -> Channel {
        let byte = self.byte_time.of(1).ps();
        self.gap_bytes = self.gap_bytes.max(pause.ps().div_ceil(byte) as u32);
        self
    }

    /// Takes a frame of `frame_bytes` (header to frame check sequence) and returns when it leaves,
    /// or `None` when the queue is full and the frame is lost.
    ///
    /// `now` must not run backwards between calls on one channel.
    ///
    /// # Panics
    /// In debug builds, when it does.
    #[inline]
    pub fn offer(&mut self, now: Time, frame_bytes: u32) -> Option<Departure> {
        #[cfg(debug_assertions)]
        {
            assert!(now >= self.last_offer, "an offer before the last one");
            self.last_offer = now;
        }
        if !self.admits(frame_bytes) || self.pending.len() == self.pending.capacity() {
            self.release(now);
            if !self.admits(frame_bytes) {
                self.dropped += 1;
                return None;
            }
        }
        let start = now.max(self.free);
        let end = start + self.byte_time.of_frame(frame_bytes);
        self.free = end + self.byte_time.of(self.gap_bytes);
        self.pending.push_back((end, frame_bytes));
        self.pending_bytes += u64::from(frame_bytes);
        self.frames += 1;
        self.bytes += u64::from(frame_bytes);
        Some(Departure { start, end })
    }

    /// Forgets every frame that is not completely sent: the link has failed, or has come back.
    pub fn clear(&mut self, now: Time) {
        self.pending.clear();
        self.pending_bytes = 0;
        self.free = now;
    }

    #[inline]
    fn admits(&self, frame_bytes: u32) -> bool {
        self.limit.is_none_or(|limit| limit.admits(self.backlog(), frame_bytes))
    }

    #[inline]
    fn backlog(&self) -> Backlog {
        Backlog { frames: self.pending.len() as u32, bytes: self.pending_bytes }
    }

    /// Returns the frames accepted and not completely sent at `now`, including the one on the wire.
    pub fn queued(&mut self, now: Time) -> Backlog {
        self.release(now);
        self.backlog()
    }

    /// Returns when `frames` more will fit (or the whole queue is empty, if that never happens),
    /// provided that no others are offered; a limit in bytes is ignored.
    pub fn room_at(&mut self, now: Time, frames: u32) -> Time {
        self.release(now);
        let Some(QueueLimit::Frames(most)) = self.limit else { return now };
        let over = self.n_queued().saturating_sub(most.saturating_sub(frames));
        match over {
            0 => now,
            over => self.pending[over as usize - 1].0,
        }
    }

    /// Returns the number of frames accepted and not known to be sent when the last was offered.
    #[inline]
    pub fn n_queued(&self) -> u32 {
        self.pending.len() as u32
    }

    /// Returns when fewer than `most` of the frames accepted so far are unsent; zero if that holds
    /// already.
    pub fn time_below(&self, most: u32) -> Time {
        let place = self.pending.len().checked_sub(most.max(1) as usize);
        place.map_or(Time::ZERO, |place| self.pending[place].0)
    }

    /// Returns the earliest time at which a frame offered now or later could start.
    #[inline]
    pub fn free(&self) -> Time {
        self.free
    }

    /// Returns the number of frames accepted.
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// Returns the bytes accepted, header to frame check sequence.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns the number of frames lost at the full queue.
    pub fn dropped(&self) -> u64 {
        u64::from(self.dropped)
    }

    #[inline]
    fn release(&mut self, now: Time) {
        while let Some(&(end, bytes)) = self.pending.front()
            && end <= now
        {
            self.pending.pop_front();
            self.pending_bytes -= u64::from(bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_frame_takes_122_us_and_the_next_starts_after_the_gap() {
        let mut channel = Channel::new(Rate::from_mbps(100), None);
        let first = channel.offer(Time::from_us(5), 1518).unwrap();
        let second = channel.offer(Time::from_us(6), 64).unwrap();
        assert_eq!(first.start, Time::from_us(5));
        assert_eq!(first.end, Time::from_us(5) + Time::from_ns(122_080));
        assert_eq!(second.start, first.end + Time::from_ns(960));
        assert_eq!(second.end, second.start + Time::from_ns(5_760));
    }

    #[test]
    fn an_interface_that_needs_a_pause_starts_the_next_frame_after_it() {
        let mut channel = Channel::new(Rate::from_mbps(100), None).with_pause(Time::from_us(10));
        let end = channel.offer(Time::ZERO, 64).unwrap().end;
        assert_eq!(channel.offer(end, 64).unwrap().start, end + Time::from_us(10));
        let late = end + Time::from_us(40);
        assert_eq!(channel.offer(late, 64).unwrap().start, late, "the pause is over");
    }

    #[test]
    fn a_rate_that_divides_nothing_rounds_each_frame_up() {
        let mut channel = Channel::new(Rate::from_bps(7_000_000).unwrap(), None);
        let departure = channel.offer(Time::ZERO, 64).unwrap();
        assert_eq!(departure.end, Time::from_ps(82_285_715));
    }

    #[test]
    fn the_limit_counts_the_frame_on_the_wire_until_its_last_bit() {
        let mut channel = Channel::new(Rate::from_mbps(100), Some(QueueLimit::Frames(1)));
        let end = channel.offer(Time::ZERO, 64).unwrap().end;
        assert!(channel.offer(end - Time::from_ps(1), 64).is_none());
        assert_eq!(channel.queued(end - Time::from_ps(1)), Backlog { frames: 1, bytes: 64 });
        assert!(channel.offer(end, 64).is_some());
        assert_eq!((channel.frames(), channel.bytes(), channel.dropped()), (2, 128, 1));
    }

    #[test]
    fn a_cleared_channel_is_free_at_once() {
        let mut channel = Channel::new(Rate::from_mbps(100), Some(QueueLimit::Frames(1)));
        channel.offer(Time::ZERO, 1518).unwrap();
        channel.clear(Time::from_us(1));
        assert_eq!(channel.queued(Time::from_us(1)), Backlog::default());
        assert_eq!(channel.offer(Time::from_us(2), 64).unwrap().start, Time::from_us(2));
    }

    #[test]
    fn the_queue_falls_below_a_length_when_its_first_frames_have_left() {
        let mut channel = Channel::new(Rate::from_mbps(100), None);
        let ends: Vec<Time> = (0..3).map(|_| channel.offer(Time::ZERO, 64).unwrap().end).collect();
        let times: Vec<Time> = (1..5).map(|most| channel.time_below(most)).collect();
        assert_eq!(times, [ends[2], ends[1], ends[0], Time::ZERO]);
        assert_eq!(channel.n_queued(), 3);
    }

    #[test]
    fn a_limit_in_bytes_may_drop_a_long_frame_and_take_a_short_one() {
        let mut channel = Channel::new(Rate::from_mbps(100), Some(QueueLimit::Bytes(1600)));
        assert!(channel.offer(Time::ZERO, 1518).is_some());
        assert!(channel.offer(Time::ZERO, 83).is_none());
        assert!(channel.offer(Time::ZERO, 82).is_some());
    }
}
