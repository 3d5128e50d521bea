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
        for &block in header.blocks() {
            self.scoreboard.take(&mut self.queue, self.n_sent, self.acknowledged, block);
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
        let has_opened = self.open_to(acknowledged + u64::from(window));
        if options.extensions.ecn {
            self.take_marks(acknowledged, flags.has(Flags::ECHO));
        }
        let must_resend = match acknowledged.cmp(&self.acknowledged) {
            Ordering::Greater => self.on_progress(acknowledged, now, options),
            Ordering::Equal => self.on_repetition(payload, has_opened, options),
            // A segment that was overtaken ends no row of duplicates either (Linux 2.0, `tcp_ack`).
            Ordering::Less => false,
        };
        if options.extensions.sack && self.n_sent > 0 {
            self.scoreboard.judge(&mut self.queue);
            return self.scoreboard.has_losses()
                && self.congestion.loss(self.acknowledged, self.outstanding(), options);
        }
        must_resend
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
        let n_released = self.release(acknowledged);
        let progress = Progress { acknowledged, n_released, now, before };
        let resend = self.congestion.acknowledged(progress, options);
        self.congestion.end_data_duplicates();
        match self.n_sent {
            0 => self.timeout_at = Time::MAX,
            _ => self.start_timer(now, options),
        }
        resend && self.n_sent > 0
    }

    /// Processes a segment with `payload` that acknowledges nothing new.
    fn on_repetition(&mut self, payload: u32, has_opened: bool, options: &TcpOptions) -> bool {
        let is_awaited = self.n_sent > 0 && !has_opened;
        if !is_awaited || payload == 0 {
            self.congestion.end_data_duplicates();
        }
        is_awaited
            && self.congestion.counts(payload, options)
            && self.congestion.duplicate(self.acknowledged, self.outstanding(), options)
    }

    /// Removes the acknowledged segments; returns their number.
    fn release(&mut self, acknowledged: u64) -> u32 {
        let mut n_released = 0;
        while self.acknowledged < acknowledged {
            let Some(segment) = self.queue.pop_front() else { break };
            self.acknowledged += u64::from(segment.payload);
            self.has_first = false;
            self.queued_bytes -= segment.payload;
            self.n_sent = self.n_sent.saturating_sub(1);
            self.scoreboard.release(segment);
            n_released += 1;
        }
        self.next = self.next.max(self.acknowledged);
        n_released
    }
}
