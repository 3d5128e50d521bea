//! CUBIC (RFC 9438): the window follows a cubic function of the time since the last loss, concave
//! up to the window of that loss and convex beyond, but never falls behind Reno's.
//!
//! With fast convergence (sec. 4.7) and the Reno-friendly region (sec. 4.3). Until the first loss,
//! and after a time-out, the window beyond slow start grows by a twentieth per round trip at least
//! (Linux, `bictcp_update`). In segments and seconds. The cube root is made of sums and products,
//! so that it is the same on every machine.

use quantity::Time;

use super::hystart::{HyStart, Sample};
use super::news::Growth;

/// Steepness, in segments per cubed second (RFC 9438, sec. 5).
const C: f64 = 0.4;
/// Multiplicative decrease factor after a loss (RFC 9438, sec. 4.6).
const BETA: f64 = 0.7;
/// Additive increase that, with this decrease factor, gives Reno's throughput (RFC 9438, sec. 4.3).
const FRIENDLY: f64 = 3.0 * (1.0 - BETA) / (1.0 + BETA);
/// Least growth per segment acknowledged while no loss has shown the bandwidth.
const UNKNOWN: f64 = 1.0 / 20.0;

#[derive(Clone, Copy, Debug, Default)]
pub(in crate::tcp) struct Cubic {
    /// W_max: the window at the last loss, or less under fast convergence.
    plateau: f64,
    /// cwnd_prior: the window before the last loss; zero for none since the last time-out.
    prior: f64,
    /// Start of the present growth.
    epoch: Option<Time>,
    /// K: the time from the start of growth to the plateau.
    to_plateau_s: f64,
    /// W_est: the window that Reno would have.
    friendly: f64,
    /// Fraction of a segment by which the exact window exceeds the counted one.
    fraction: f64,
    hystart: HyStart,
}

impl Cubic {
    pub fn growth(&mut self, growth: Growth) -> u32 {
        let Growth { window, n, now, round_trip } = growth;
        let (n, present) = (f64::from(n), f64::from(window) + self.fraction);
        let since_s = (now.saturating_sub(self.begun(now, present))).seconds();
        let alpha = if self.friendly < self.prior { FRIENDLY } else { 1.0 };
        self.friendly += alpha * n / present;
        let grown = if self.at(since_s) < self.friendly {
            present.max(self.friendly)
        } else {
            let ahead = self.at(since_s + round_trip.seconds());
            present + n * (ahead.clamp(present, 1.5 * present) - present) / present
        };
        let grown = if self.prior == 0.0 { grown.max(present + n * UNKNOWN) } else { grown };
        self.fraction = grown.fract();
        grown as u32 - window
    }

    /// Returns the start of the present growth, which is now if there is none.
    fn begun(&mut self, now: Time, present: f64) -> Time {
        if let Some(epoch) = self.epoch {
            return epoch;
        }
        self.plateau = self.plateau.max(present);
        self.to_plateau_s = cube_root((self.plateau - present) / C);
        self.friendly = present;
        self.epoch = Some(now);
        now
    }

    /// Returns W_cubic.
    fn at(&self, since_s: f64) -> f64 {
        let t = since_s - self.to_plateau_s;
        C * t * t * t + self.plateau
    }

    pub fn after_loss(&mut self, window: u32, in_flight: u32) -> u32 {
        let present = f64::from(window.min(in_flight));
        let releases = present < self.plateau;
        self.plateau = if releases { present * (1.0 + BETA) / 2.0 } else { present };
        self.prior = present;
        self.epoch = None;
        self.fraction = 0.0;
        (present * BETA) as u32
    }

    /// Returns whether slow start ends with an acknowledgement, and notes its round trip.
    pub fn ends_slow_start(&mut self, sample: &Sample) -> bool {
        self.hystart.ends(sample)
    }

    /// Sets the state of a connection in use, on which HyStart is over.
    pub fn settle(&mut self) {
        self.hystart.settle();
    }

    /// Forgets what it knew of the path, after a time-out (sec. 4.8).
    pub fn reset(&mut self) {
        *self = Cubic::default();
    }

    /// Excludes an idle time from the present growth (RFC 9438, sec. 5.8).
    pub fn shift(&mut self, idle: Time) {
        self.epoch = self.epoch.map(|epoch| epoch + idle);
    }
}

/// Returns the cube root of a number that is not negative, by Newton's method from an exponent a
/// third as large.
fn cube_root(x: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    let mut root = f64::from_bits(x.to_bits() / 3 + (1023 * 2 / 3) * (1 << 52));
    for _ in 0..6 {
        root -= (root - x / (root * root)) / 3.0;
    }
    root
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cube_roots() {
        for x in [1e-9, 0.001, 1.0, 8.0, 75.0, 1e6, 3e9] {
            let root = cube_root(x);
            assert!((root * root * root / x - 1.0).abs() < 1e-14, "{x}");
        }
        assert_eq!(cube_root(0.0), 0.0);
    }

    /// A round trip of 100 ms, every segment acknowledged: the window against the formula.
    #[test]
    fn the_window_follows_the_cubic_function_after_a_loss() {
        let mut cubic = Cubic::default();
        let mut window = cubic.after_loss(1_000, 1_000);
        assert_eq!(window, 700);
        let round_trip = Time::from_ms(100);
        // K = cbrt(300 / 0.4) = 9.086 s: at the plateau then, concave before and convex after.
        let k = cube_root(300.0 / C);
        for round in 0..140 {
            let n = u64::from(window);
            for place in 1..=n {
                let now = Time::from_ps(round_trip.ps() * round + round_trip.ps() * place / n);
                window += cubic.growth(Growth { window, n: 1, now, round_trip });
            }
            let end_s = (round_trip * (round + 1)).seconds();
            let expected = C * (end_s - k).powi(3) + 1_000.0;
            let error = f64::from(window) / expected - 1.0;
            assert!(error.abs() < 0.01, "round {round}: {window} is not {expected}");
        }
        // A loss below the plateau releases bandwidth: W_max is less than the window was.
        cubic.plateau = 2_000.0;
        cubic.after_loss(1_000, 1_000);
        assert!((cubic.plateau - 850.0).abs() < 1e-9);
    }

    #[test]
    fn on_short_paths_the_window_is_that_of_reno() {
        let mut cubic = Cubic::default();
        let mut window = cubic.after_loss(20, 20);
        let round_trip = Time::from_ms(1);
        for round in 0..100 {
            let n_acknowledged = window;
            for _ in 0..n_acknowledged {
                let now = round_trip * round;
                window += cubic.growth(Growth { window, n: 1, now, round_trip });
            }
        }
        // 0.529 segments a round up to 20, a whole one from there on: 14 + 11 rounds + 88.
        assert!((104..=110).contains(&window), "{window}");
    }

    #[test]
    fn a_time_out_brings_hystart_back() {
        let mut cubic = Cubic::default();
        let ends = |cubic: &mut Cubic, now: u64| {
            let (round_trip, window, burst) = (Time::from_ms(1), 16, Time::ZERO);
            let sample = |now, acknowledged| {
                let next = acknowledged + 1_000;
                Sample { acknowledged, next, now, round_trip, window, burst }
            };
            cubic.ends_slow_start(&sample(Time::from_ms(now), 1_000 * now));
            cubic.ends_slow_start(&sample(Time::from_ms(now + 1), 1_000 * now + 1))
        };
        assert!(ends(&mut cubic, 10));
        assert!(!ends(&mut cubic, 20), "it ends once");
        cubic.reset();
        assert!(ends(&mut cubic, 30));
    }
}
