//! One direction of a full-duplex link whose transmitter the other end may stop: PAUSE frames, IEEE
//! 802.3 annex 31B.
//!
//! With them the departure of a frame is not known when it is offered, so this transmitter keeps
//! its frames and is driven twice per frame: when one may begin, and when its last bit has left. A
//! frame that has begun, or would begin in the gap behind one that has just left, is not stopped.
//! Frames of the MAC itself go ahead of all others and are never stopped. [`crate::Channel`] is the
//! transmitter without PAUSE, which needs no event.

use std::collections::VecDeque;

use crate::channel::Departure;
use crate::ethernet::{ByteTime, GAP_BYTES};
use crate::queue::{Backlog, QueueLimit};
use quantity::{Rate, Time};

/// A frame in the queue: its token, its bytes, and the port by which it entered the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Queued {
    /// Token, given back when the frame begins.
    pub frame: u32,
    /// Length, header to frame check sequence.
    pub bytes: u32,
    /// The driver's mark for the port of arrival, given back when the frame has left.
    pub origin: u32,
}

/// A transmitter that can be stopped, with its queue.
#[derive(Clone, Debug)]
pub struct PacedChannel {
    byte_time: ByteTime,
    gap: Time,
    limit: Option<QueueLimit>,
    queue: VecDeque<Queued>,
    /// Frames of the MAC itself.
    control: VecDeque<Queued>,
    backlog: Backlog,
    sending: Option<Queued>,
    free: Time,
    is_stopped: bool,
}

impl PacedChannel {
    /// Returns an idle transmitter; without a `limit` it takes every frame.
    pub fn new(rate: Rate, limit: Option<QueueLimit>) -> PacedChannel {
        let byte_time = ByteTime::new(rate);
        PacedChannel {
            byte_time,
            gap: byte_time.of(GAP_BYTES),
            limit,
            queue: VecDeque::new(),
            control: VecDeque::new(),
            backlog: Backlog::default(),
            sending: None,
            free: Time::ZERO,
            is_stopped: false,
        }
    }

    /// Puts a frame into the queue; returns `false` when it is full and the frame is lost.
    pub fn offer(&mut self, frame: Queued) -> bool {
        if self.limit.is_some_and(|limit| !limit.admits(self.backlog, frame.bytes)) {
            return false;
        }
        self.backlog.add(frame.bytes);
        self.queue.push_back(frame);
        true
    }

    /// Puts a frame of the MAC ahead of the queue.
    pub fn offer_control(&mut self, frame: Queued) {
        self.control.push_back(frame);
    }

    /// Starts the next frame at `now` or when the gap is over, if one may start; returns its token
    /// and its departure. The driver calls [`PacedChannel::finish`] at its end.
    pub fn begin(&mut self, now: Time) -> Option<(u32, Departure)> {
        if self.sending.is_some() {
            return None;
        }
        let next = match self.control.pop_front() {
            Some(control) => control,
            None if self.is_stopped => return None,
            None => self.queue.pop_front()?,
        };
        let start = now.max(self.free);
        let end = start + self.byte_time.of_frame(next.bytes);
        self.free = end + self.gap;
        self.sending = Some(next);
        Some((next.frame, Departure { start, end }))
    }

    /// Returns the frame whose last bit has left, or `None` for a frame of the MAC itself.
    ///
    /// # Panics
    /// When no frame had begun.
    pub fn finish(&mut self) -> Option<Queued> {
        let sent = self.sending.take().expect("a frame that leaves has begun");
        let is_control = sent.origin == Queued::CONTROL;
        if !is_control {
            self.backlog.remove(sent.bytes);
        }
        (!is_control).then_some(sent)
    }

    /// Stops the queue behind the frame that has begun, or resumes it.
    pub fn stop(&mut self, is_stopped: bool) {
        self.is_stopped = is_stopped;
    }

    /// Returns whether frames are held back by a stop.
    pub fn is_held(&self) -> bool {
        self.is_stopped && !self.queue.is_empty()
    }

    /// Returns the frames accepted and not completely sent.
    pub fn queued(&self) -> Backlog {
        self.backlog
    }

    /// Returns the frames that have not begun, the first to leave first.
    pub fn waiting(&self) -> impl Iterator<Item = &Queued> {
        self.queue.iter()
    }
}

impl Queued {
    /// Origin of a frame of the MAC itself.
    pub const CONTROL: u32 = u32::MAX;
    /// Origin of a frame that the device has made.
    pub const OWN: u32 = u32::MAX - 1;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(frame: u32, bytes: u32) -> Queued {
        Queued { frame, bytes, origin: Queued::OWN }
    }

    fn channel() -> PacedChannel {
        PacedChannel::new(Rate::from_mbps(100), Some(QueueLimit::Frames(3)))
    }

    #[test]
    fn without_a_pause_frames_leave_as_from_a_plain_channel() {
        let (mut paced, mut plain) = (channel(), crate::Channel::new(Rate::from_mbps(100), None));
        let mut now = Time::from_us(5);
        for (id, bytes) in [(0, 1518), (1, 64)] {
            assert!(paced.offer(frame(id, bytes)));
            let expected = plain.offer(now, bytes).unwrap();
            assert_eq!(paced.begin(now), Some((id, expected)));
            now = expected.end;
            assert_eq!(paced.finish(), Some(frame(id, bytes)));
        }
        assert_eq!(paced.begin(now), None);
    }

    #[test]
    fn a_stopped_queue_finishes_its_frame_and_sends_those_of_the_mac_alone() {
        let mut paced = channel();
        (0..3).for_each(|id| assert!(paced.offer(frame(id, 1518))));
        assert!(!paced.offer(frame(3, 64)), "three are all it holds");
        let (_, first) = paced.begin(Time::ZERO).unwrap();
        assert!(!paced.is_held(), "frames wait, but nothing stops them");
        paced.stop(true);
        assert!(paced.is_held());
        assert_eq!(paced.begin(Time::ZERO), None, "one at a time");
        paced.finish();
        assert_eq!(paced.queued(), Backlog { frames: 2, bytes: 3036 });
        assert_eq!(paced.begin(first.end), None);
        paced.offer_control(Queued { frame: 9, bytes: 64, origin: Queued::CONTROL });
        let (id, control) = paced.begin(first.end).unwrap();
        assert_eq!((id, control.start), (9, first.end + Time::from_ns(960)));
        assert_eq!(paced.finish(), None);
        paced.stop(false);
        assert_eq!(paced.begin(control.end).map(|(id, _)| id), Some(1));
        paced.finish();
        paced.begin(control.end).unwrap();
        paced.stop(true);
        assert!(!paced.is_held(), "no frame waits");
    }
}
