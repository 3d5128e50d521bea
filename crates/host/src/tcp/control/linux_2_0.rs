//! Linux 2.0: Reno as `tcp_ack` of that kernel has it, read in its source. Three things differ from
//! the standard and can be felt.
//!
//! - *Duplicates.* The test of whether a segment carries no data is the wrong way round: segments
//!   *with* data that acknowledge nothing new are counted, and acknowledgements alone are not. So
//!   two hosts that send each other three segments at once halve their windows, with nothing lost,
//!   and a loss is made good at once only while data come the other way.
//! - *When they count.* Only after `high_seq`, which is zero until a time-out, in the arithmetic of
//!   32-bit sequence numbers; and those begin at the wall clock in microseconds. So connections
//!   that were made in one half of every 71 minutes do not count them until a time-out.
//! - *Growth.* Slow start goes one beyond the threshold; then the window opens by one for one more
//!   acknowledgement than it has segments. A time-out leaves half the window as threshold, without
//!   a floor.

use super::news::LEAST;

/// Number of duplicates that indicate a loss (Linux, `MAX_DUP_ACKS`).
const ENOUGH: u32 = 3;
/// The smallest window that counts duplicates: below it there cannot be enough of them.
const LEAST_COUNTING: u32 = 3;
/// The largest window beyond slow start; in slow start a window may grow up to the threshold.
const WIDEST: u32 = 2048;

#[derive(Clone, Copy, Debug)]
pub(in crate::tcp) struct Linux20 {
    /// Number of acknowledgements counted towards the next segment of the window (`cong_count`).
    counted: u32,
    /// Number of duplicates in a row (`rcv_ack_cnt`, from zero).
    duplicates: u32,
    /// The kernel's sequence number of the first byte.
    first_sequence: u32,
    /// The sequence number after which duplicates count (`high_seq`).
    counts_after: u32,
}

impl Linux20 {
    pub fn new(first_sequence: u32) -> Linux20 {
        Linux20 { counted: 0, duplicates: 0, first_sequence, counts_after: 0 }
    }

    /// Returns by how many segments a window beyond slow start opens.
    pub fn growth(&mut self, window: u32) -> u32 {
        if self.counted < window {
            self.counted += 1;
            return 0;
        }
        self.counted = 0;
        u32::from(window < WIDEST)
    }

    /// Processes data that acknowledge nothing beyond `acknowledged`; returns the threshold and the
    /// window, if these duplicates now indicate a loss.
    pub fn duplicate(&mut self, acknowledged: u64, window: u32) -> (Option<u32>, u32) {
        let counts = window >= LEAST_COUNTING || self.duplicates >= ENOUGH;
        if !counts || !self.is_after(acknowledged) {
            return (None, window);
        }
        self.duplicates += 1;
        if self.duplicates == ENOUGH {
            let threshold = (window / 2).max(LEAST);
            return (Some(threshold), threshold + ENOUGH + 1);
        }
        (None, if self.duplicates > ENOUGH { window + 1 } else { window })
    }

    fn is_after(&self, acknowledged: u64) -> bool {
        let sequence = self.first_sequence.wrapping_add(acknowledged as u32);
        (sequence.wrapping_sub(self.counts_after) as i32) > 0
    }

    /// Ends the row of duplicates; returns whether they indicated a loss.
    pub fn end_duplicates(&mut self) -> bool {
        std::mem::take(&mut self.duplicates) >= ENOUGH
    }

    /// Processes a time-out with all data before `highest` sent; returns the threshold.
    pub fn timed_out(&mut self, window: u32, highest: u64) -> u32 {
        self.counted = 0;
        self.counts_after = self.first_sequence.wrapping_add(highest as u32);
        window / 2
    }

    /// Restarts after an idle time.
    pub fn restart(&mut self) {
        self.counted = 0;
    }
}
