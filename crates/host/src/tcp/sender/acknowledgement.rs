//! The processing of acknowledgements: data that have arrived, losses, and the window. `congestion`
//! adapts the congestion window.

use std::cmp::Ordering;

use crate::constants::TcpOptions;
use quantity::Time;

use super::super::congestion::{Outstanding, Progress};
use super::super::control::Marks;
use super::super::segment::{Flags, Incoming, SegmentOptions};
use super::Sender;

impl Sender {
    /// Processes the options of a segment from the peer: SACK blocks, and the echoed time stamp.
    pub(in crate::tcp) fn take_options(
        &mut self,
        segment: &Incoming,
        header: &SegmentOptions,
        now: Time,
        options: &TcpOptions,
    ) {
        if header.echo > Time::ZERO && segment.acknowledged > self.acknowledged {
            self.congestion.clock.forget();
            self.congestion.clock.measure(now.saturating_sub(header.echo), options);
        }
        if options.extensions.undo {
            self.scoreboard.set_echo(header.echo);
            if let Some((_, end)) = header.repeated(segment.acknowledged) {
                self.on_duplicate_report(end);
            }
        }
        for &block in header.blocks() {
            self.scoreboard.take(&mut self.queue, self.n_sent, self.acknowledged, block, now);
        }
    }

    /// Processes the acknowledgement in a segment from the peer; returns whether the first
    /// unacknowledged segment must be retransmitted at once.
    pub fn on_acknowledgement(
        &mut self,
        segment: &Incoming,
        now: Time,
        options: &TcpOptions,
    ) -> bool {
        let &Incoming { acknowledged, window, payload, flags, .. } = segment;
        self.n_unanswered = 0;
        self.last_heard = now;
        let has_opened = self.open_to(acknowledged + u64::from(window));
        if options.extensions.ecn {
            self.take_marks(acknowledged, flags.has(Flags::ECHO));
        }
        let before = options.extensions.rack.then(|| (self.outstanding(), self.repair()));
        let order = acknowledged.cmp(&self.acknowledged);
        let must_resend = match order {
            Ordering::Greater => self.on_progress(acknowledged, now, options),
            Ordering::Equal => self.on_repetition(payload, has_opened, options),
            // A segment that was overtaken ends no row of duplicates either (Linux 2.0, `tcp_ack`).
            Ordering::Less => false,
        };
        if let Some((before, repair)) = before {
            let n_arrived = self.scoreboard.take_arrived();
            let is_repetition = order == Ordering::Equal && payload == 0 && !has_opened;
            self.end_tail_probe(before, is_repetition && n_arrived == 0);
            self.test_repair(repair, order == Ordering::Greater);
            self.find_losses(n_arrived, order == Ordering::Greater, now, options);
            return false;
        }
        if !options.extensions.sack || self.n_sent == 0 {
            return must_resend;
        }
        self.scoreboard.judge(&mut self.queue);
        self.scoreboard.has_losses()
            && self.congestion.loss(self.acknowledged, false, self.outstanding(), options)
    }

    pub(super) fn outstanding(&self) -> Outstanding {
        Outstanding { n_sent: self.n_sent, highest: self.highest }
    }

    fn take_marks(&mut self, acknowledged: u64, is_echo: bool) {
        let bytes = acknowledged.saturating_sub(self.acknowledged);
        let marks = Marks { bytes, is_echo, acknowledged, next: self.next };
        self.owes_reduced |= self.congestion.take_marks(marks, self.outstanding());
    }

    /// Moves the right edge of the window to `edge`; returns whether it opens.
    fn open_to(&mut self, edge: u64) -> bool {
        let has_opened = edge > self.edge;
        if has_opened {
            self.edge = edge;
            self.n_probes = 0;
        }
        has_opened
    }

    fn on_progress(&mut self, acknowledged: u64, now: Time, options: &TcpOptions) -> bool {
        let before = self.outstanding();
        let is_measured =
            options.is_linux_2_0() && !self.congestion.is_repairing(self.acknowledged);
        let was_full = options.send_buffer_grows && !self.has_room(options.largest_payload(false));
        let n_released = self.release(acknowledged, now);
        self.release_tail();
        let is_watched = options.extensions.hystart;
        let round_trip = if is_watched { self.scoreboard.round_trip() } else { None };
        let next = self.next;
        let progress = Progress { acknowledged, n_released, next, round_trip, now, before };
        let resend = self.congestion.acknowledged(progress, options);
        self.congestion.end_duplicates();
        if options.is_linux_2_0() {
            self.measure_in_ticks(n_released, is_measured, now, options);
        }
        if was_full {
            self.grow_buffer(options);
        }
        match self.n_sent {
            0 => self.timeout_at = Time::MAX,
            _ => self.start_timer(now, options),
        }
        resend && self.n_sent > 0
    }

    /// Measures the round trips of the segments that were released, unless a time-out is being
    /// repaired (Linux 2.0, `tcp_ack`).
    fn measure_in_ticks(
        &mut self,
        n_released: u32,
        is_measured: bool,
        now: Time,
        options: &TcpOptions,
    ) {
        let window = self.congestion.window;
        let n = (n_released as usize).min(self.sent_at.len());
        for sent in self.sent_at.drain(..n) {
            if is_measured {
                let sample = now.saturating_sub(sent);
                self.congestion.clock.measure_in_ticks(sample, window, options);
            }
        }
    }

    /// Processes a segment with `payload` that acknowledges nothing new.
    fn on_repetition(&mut self, payload: u32, has_opened: bool, options: &TcpOptions) -> bool {
        let is_awaited = self.n_sent > 0 && !has_opened;
        if !is_awaited || payload > 0 {
            self.congestion.end_duplicates();
        }
        is_awaited
            && self.congestion.counts(payload, options)
            && self.congestion.duplicate(self.acknowledged, self.outstanding(), options)
    }

    /// Removes the acknowledged segments; returns their number.
    fn release(&mut self, acknowledged: u64, now: Time) -> u32 {
        let mut n_released = 0;
        while self.acknowledged < acknowledged {
            let Some(segment) = self.queue.pop_front() else { break };
            let start = self.acknowledged;
            self.acknowledged += u64::from(segment.payload);
            self.queued_bytes -= segment.payload;
            self.queued_memory -= self.memory_of(segment.payload, segment.is_roomy);
            self.n_sent = self.n_sent.saturating_sub(1);
            self.scoreboard.release(segment, start, now);
            n_released += 1;
        }
        self.next = self.next.max(self.acknowledged);
        n_released
    }
}
