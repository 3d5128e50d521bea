//! The time-out of Linux 2.0 (`tcp_rtt_estimator`): Jacobson's estimate in whole ticks of the
//! clock, R + 4V, lengthened by a quarter, and by itself shifted right by the window less one.
//!
//! Every segment is measured, unless a time-out is being repaired. The first samples of less than a
//! tick leave the estimate empty, so that the floor of the time-out holds.

/// Scaled integers, as the kernel keeps them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TickEstimate {
    /// Eighths of a tick.
    smoothed: i64,
    /// Quarters of a tick.
    variation: i64,
}

impl TickEstimate {
    /// Processes a round trip in ticks, with a congestion window of `window` segments; returns the
    /// time-out in ticks.
    pub fn measure(&mut self, ticks: i64, window: u32) -> i64 {
        if self.smoothed == 0 {
            (self.smoothed, self.variation) = (ticks << 3, ticks << 1);
        } else {
            let error = ticks.max(1) - (self.smoothed >> 3);
            self.smoothed += error;
            self.variation += error.abs() - (self.variation >> 2);
        }
        let plain = (self.smoothed >> 3) + self.variation;
        // A processor of 32 bits shifts by the last five bits of the count.
        plain + (plain >> 2) + (plain >> (window.saturating_sub(1) & 31))
    }
}

#[cfg(test)]
mod tests {
    use super::TickEstimate;

    fn timeouts<const N: usize>(window: u32, samples: [i64; N]) -> [i64; N] {
        let mut estimate = TickEstimate::default();
        samples.map(|ticks| estimate.measure(ticks, window))
    }

    /// Computed by hand from the kernel's lines.
    #[test]
    fn a_window_of_one_waits_for_nine_quarters() {
        // R = 10, 4V = 20: 30, and 7, and 30.
        assert_eq!(timeouts(1, [10]), [67]);
        assert_eq!(timeouts(2, [10]), [30 + 7 + 15]);
        assert_eq!(timeouts(6, [10]), [30 + 7]);
        assert_eq!(timeouts(33, [10]), [67]);
    }

    #[test]
    fn samples_of_less_than_a_tick_leave_it_empty() {
        assert_eq!(timeouts(10, [0, 0, 0]), [0; 3]);
        // Then a sample of zero counts as one tick.
        assert_eq!(timeouts(10, [0, 1, 0]), [0, 3, 3]);
    }

    #[test]
    fn a_steady_round_trip_loses_its_variation() {
        let found = timeouts(10, [40; 20]);
        assert_eq!(found[0], 120 + 30);
        // The integers stop at a variation of three quarters, which counts four times.
        assert_eq!(found[19], 43 + 10);
    }
}
