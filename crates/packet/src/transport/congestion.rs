//! Congestion window and retransmission time-out of one direction of a connection.
//!
//! Reno with the NewReno answer to partial acknowledgements (RFC 5681, RFC 6582), counted in
//! segments as Linux does; the time-out follows RFC 6298 with the floor and clock tick of the
//! options. Linux 2.0 differs only in its options.

use quantity::Time;
use simulation::TcpOptions;

/// Beyond any window that matters; where the slow-start threshold begins.
const UNLIMITED: u32 = 1 << 30;

#[derive(Clone, Copy, Debug)]
pub(super) struct Congestion {
    /// Segments that may be in flight.
    pub window: u32,
    threshold: u32,
    /// Acknowledgements counted towards the next segment of the window beyond slow start.
    counted: u32,
    duplicates: u32,
    is_recovering: bool,
    /// Fast recovery lasts until this sequence number is acknowledged, and none begins before: the
    /// duplicates after a loss or a time-out answer what was sent again (RFC 6582, sec. 3.2).
    recover: u64,
    smoothed: Time,
    variation: Time,
    timeout: Time,
    /// Times the time-out has been doubled.
    pub backoff: u32,
    /// The sequence number whose acknowledgement is being timed, and when it was sent.
    timed: Option<(u64, Time)>,
}

impl Congestion {
    pub fn new(options: &TcpOptions) -> Congestion {
        Congestion {
            window: options.initial_window,
            threshold: UNLIMITED,
            counted: 0,
            duplicates: 0,
            is_recovering: false,
            recover: 0,
            smoothed: Time::ZERO,
            variation: Time::ZERO,
            timeout: options.first_timeout,
            backoff: 0,
            timed: None,
        }
    }

    /// Returns the time-out in force.
    pub fn timeout(&self, options: &TcpOptions) -> Time {
        (self.timeout * (1 << self.backoff.min(16))).min(options.longest_timeout)
    }

    /// Notes that new data up to `end` leaves.
    pub fn sent(&mut self, end: u64, now: Time) {
        if self.timed.is_none() {
            self.timed = Some((end, now));
        }
    }

    /// Returns to slow start after the connection was idle for a time-out.
    pub fn restart(&mut self, options: &TcpOptions) {
        self.window = self.window.min(options.initial_window);
        self.counted = 0;
    }

    /// Takes an acknowledgement of new data, `n_released` segments; returns whether the next one
    /// must be sent again at once.
    pub fn acknowledged(
        &mut self,
        acknowledged: u64,
        n_released: u32,
        now: Time,
        options: &TcpOptions,
    ) -> bool {
        self.backoff = 0;
        self.duplicates = 0;
        if let Some((end, sent)) = self.timed
            && acknowledged >= end
        {
            self.timed = None;
            self.measure(now.saturating_sub(sent), options);
        }
        if !self.is_recovering {
            self.grow();
        } else if acknowledged < self.recover {
            // Partial: what has left the network makes no room but for one segment.
            self.window = (self.window + 1).saturating_sub(n_released).max(1);
            return true;
        } else {
            self.is_recovering = false;
            self.window = self.threshold;
        }
        false
    }

    fn grow(&mut self) {
        if self.window < self.threshold {
            self.window += 1;
            return;
        }
        self.counted += 1;
        if self.counted >= self.window {
            self.counted = 0;
            self.window += 1;
        }
    }

    /// Takes a duplicate acknowledgement; returns whether the first segment must be sent again at
    /// once.
    pub fn duplicate(
        &mut self,
        acknowledged: u64,
        in_flight: u32,
        highest: u64,
        options: &TcpOptions,
    ) -> bool {
        self.duplicates += 1;
        if self.is_recovering {
            self.window += 1;
            return false;
        }
        if !options.fast_retransmit || self.duplicates != 3 || acknowledged < self.recover {
            return false;
        }
        self.threshold = (in_flight / 2).max(2);
        self.window = self.threshold + 3;
        self.is_recovering = true;
        self.recover = highest;
        self.timed = None;
        true
    }

    /// Takes a time-out of a connection that has sent up to `highest`.
    pub fn timed_out(&mut self, in_flight: u32, highest: u64) {
        self.threshold = (in_flight.min(self.window) / 2).max(2);
        self.window = 1;
        self.counted = 0;
        self.duplicates = 0;
        self.is_recovering = false;
        self.recover = highest;
        self.timed = None;
        self.backoff += 1;
    }

    /// RFC 6298, section 2.
    fn measure(&mut self, sample: Time, options: &TcpOptions) {
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
