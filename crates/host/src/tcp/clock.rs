//! The retransmission time-out of one direction of a connection, by RFC 6298 with the floor, the
//! ceiling and the clock tick of the options, or as Linux 2.0 computes it (`tick_estimate`).

use crate::constants::TcpOptions;
use quantity::Time;

use super::tick_estimate::TickEstimate;

#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    smoothed: Time,
    variation: Time,
    timeout: Time,
    /// Number of doublings of the time-out.
    pub backoff: u32,
    /// The sequence number whose acknowledgement is being timed, and the time at which it was sent.
    timed: Option<(u64, Time)>,
    /// The estimate of Linux 2.0.
    in_ticks: TickEstimate,
}

impl Clock {
    pub fn new(options: &TcpOptions) -> Clock {
        let mut clock = Clock {
            smoothed: Time::ZERO,
            variation: Time::ZERO,
            timeout: options.first_timeout,
            backoff: 0,
            timed: None,
            in_ticks: TickEstimate::default(),
        };
        if options.first_round_trip > Time::ZERO {
            clock.measure(options.first_round_trip, options);
        }
        clock
    }

    /// Returns the time-out in force.
    pub fn timeout(&self, options: &TcpOptions) -> Time {
        (self.timeout * (1 << self.backoff.min(16))).min(options.longest_timeout)
    }

    /// Returns the smoothed round trip, zero before the first measurement.
    pub fn round_trip(&self) -> Time {
        self.smoothed
    }

    /// Advances the clock by `span` and `bytes` of data in which everything repeats itself.
    pub fn shift(&mut self, span: Time, bytes: u64) {
        if let Some((end, sent)) = &mut self.timed {
            *end += bytes;
            *sent += span;
        }
    }

    /// Notes that new data up to `end` are sent.
    #[inline]
    pub fn sent(&mut self, end: u64, now: Time) {
        if self.timed.is_none() {
            self.timed = Some((end, now));
        }
    }

    /// Discards the measurement in progress, because a segment was retransmitted (Karn's rule).
    pub fn forget(&mut self) {
        self.timed = None;
    }

    /// Processes an acknowledgement of new data. Linux 2.0 keeps a doubled time-out until the next
    /// measurement.
    pub fn acknowledged(&mut self, acknowledged: u64, now: Time, options: &TcpOptions) {
        if options.is_linux_2_0() {
            return;
        }
        self.backoff = 0;
        if let Some((end, sent)) = self.timed
            && acknowledged >= end
        {
            self.timed = None;
            self.measure(now.saturating_sub(sent), options);
        }
    }

    /// Processes the round trip of a segment of Linux 2.0, with a window of `window` segments.
    pub fn measure_in_ticks(&mut self, sample: Time, window: u32, options: &TcpOptions) {
        let tick = options.tick.ps().max(1);
        let ticks = self.in_ticks.measure((sample.ps() / tick) as i64, window);
        let timeout = Time::from_ps(tick.saturating_mul(ticks as u64));
        self.timeout = timeout.max(options.shortest_timeout).min(options.longest_timeout);
        self.backoff = 0;
    }

    /// Processes a measured round trip (RFC 6298, section 2).
    pub fn measure(&mut self, sample: Time, options: &TcpOptions) {
        if self.smoothed == Time::ZERO {
            self.smoothed = sample;
            self.variation = Time::from_ps(sample.ps() / 2);
        } else {
            let error = sample.ps().abs_diff(self.smoothed.ps());
            self.variation = Time::from_ps((3 * self.variation.ps() + error) / 4);
            self.smoothed = Time::from_ps((7 * self.smoothed.ps() + sample.ps()) / 8);
        }
        let margin = (self.variation * 4).max(options.tick);
        self.timeout = (self.smoothed + margin).max(options.shortest_timeout);
    }
}
