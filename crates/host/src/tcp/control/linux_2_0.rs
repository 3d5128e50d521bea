//! Linux 2.0: Reno as `tcp_ack` of that kernel has it, read in its source. Two things differ from
//! the standard and can be felt.
//!
//! - *Duplicates.* Two in a row indicate a loss, not three, if the window had at least three
//!   segments.
//! - *Growth.* Slow start goes one beyond the threshold; then the window opens by one for one more
//!   acknowledgement than it has segments. A time-out leaves half the window as threshold, without
//!   a floor.

use super::news::LEAST;

/// Number of duplicates that indicate a loss (Linux, `MAX_DUP_ACKS`).
const ENOUGH: u32 = 2;
/// The smallest window that counts duplicates: below it there cannot be enough of them.
const LEAST_COUNTING: u32 = 3;
/// The largest window beyond slow start; in slow start a window may grow up to the threshold.
const WIDEST: u32 = 2048;

#[derive(Clone, Copy, Debug, Default)]
pub(in crate::tcp) struct Linux20 {
    /// Number of acknowledgements counted towards the next segment of the window (`cong_count`).
    counted: u32,
    /// Number of duplicates in a row (`rcv_ack_cnt`, from zero).
    duplicates: u32,
}

impl Linux20 {
    /// Returns by how many segments a window beyond slow start opens.
    pub fn growth(&mut self, window: u32) -> u32 {
        if self.counted < window {
            self.counted += 1;
            return 0;
        }
        self.counted = 0;
        u32::from(window < WIDEST)
    }

    /// Processes a duplicate acknowledgement; returns the threshold and the window, if these
    /// duplicates now indicate a loss.
    pub fn duplicate(&mut self, window: u32) -> (Option<u32>, u32) {
        if window < LEAST_COUNTING && self.duplicates < ENOUGH {
            return (None, window);
        }
        self.duplicates += 1;
        if self.duplicates == ENOUGH {
            let threshold = (window / 2).max(LEAST);
            return (Some(threshold), threshold + ENOUGH + 1);
        }
        (None, if self.duplicates > ENOUGH { window + 1 } else { window })
    }

    /// Ends the row of duplicates; returns whether they indicated a loss.
    pub fn end_duplicates(&mut self) -> bool {
        std::mem::take(&mut self.duplicates) >= ENOUGH
    }

    /// Restarts after a time-out.
    pub fn timed_out(&mut self) {
        self.counted = 0;
    }
}
