//! DCTCP (RFC 8257): the window shrinks by half the share of marked bytes, averaged over windows of
//! data, so that a queue stays about its marking threshold. Growth and losses are Reno's.

use super::news::Marks;
use super::reno::Reno;

/// Weight of the latest window of data in the average (RFC 8257, sec. 4.2).
const GAIN: f64 = 1.0 / 16.0;

#[derive(Clone, Copy, Debug)]
pub(in crate::tcp) struct Dctcp {
    pub reno: Reno,
    /// The estimated share of marked bytes.
    alpha: f64,
    acknowledged_bytes: u64,
    marked_bytes: u64,
    /// End of the present window of data, as a sequence number.
    round_end: u64,
}

impl Default for Dctcp {
    /// Alpha begins at 1, so that the first marks reduce the window like a loss (RFC 8257, sec.
    /// 3.3).
    fn default() -> Dctcp {
        let reno = Reno::default();
        Dctcp { reno, alpha: 1.0, acknowledged_bytes: 0, marked_bytes: 0, round_end: 0 }
    }
}

impl Dctcp {
    pub fn take_marks(&mut self, marks: Marks) {
        self.acknowledged_bytes += marks.bytes;
        self.marked_bytes += if marks.is_echo { marks.bytes } else { 0 };
        if marks.acknowledged <= self.round_end {
            return;
        }
        if self.acknowledged_bytes > 0 {
            let share = self.marked_bytes as f64 / self.acknowledged_bytes as f64;
            self.alpha += GAIN * (share - self.alpha);
        }
        (self.acknowledged_bytes, self.marked_bytes) = (0, 0);
        self.round_end = marks.next;
    }

    pub fn after_marks(&mut self, window: u32) -> u32 {
        (f64::from(window) * (1.0 - self.alpha / 2.0)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alpha_converges_to_the_share_of_marks() {
        let mut dctcp = Dctcp::default();
        let mut acknowledged = 0;
        // A quarter of every ten segments of a hundred bytes, rounded: one window of data each.
        for n in 0..2_000 {
            acknowledged += 100;
            let marks =
                Marks { bytes: 100, is_echo: n % 4 == 0, acknowledged, next: acknowledged + 1_000 };
            dctcp.take_marks(marks);
        }
        assert!((dctcp.alpha - 0.25).abs() < 0.02, "{}", dctcp.alpha);
        assert_eq!(dctcp.after_marks(100), (100.0 * (1.0 - dctcp.alpha / 2.0)) as u32);
    }

    #[test]
    fn without_marks_alpha_vanishes_by_a_sixteenth_per_window() {
        let mut dctcp = Dctcp::default();
        for n in 1..=3 {
            let (acknowledged, next) = (n * 1_000, n * 1_000);
            dctcp.take_marks(Marks { bytes: 1_000, is_echo: false, acknowledged, next });
        }
        assert_eq!(dctcp.alpha, (15.0f64 / 16.0).powi(3));
    }
}
