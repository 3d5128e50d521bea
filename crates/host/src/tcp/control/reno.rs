//! Reno: the window grows by a segment per window of acknowledged data, and halves after a loss
//! (RFC 5681, sec. 3.1), counted in segments as in Linux.

use super::news::Growth;

#[derive(Clone, Copy, Debug, Default)]
pub(in crate::tcp) struct Reno {
    /// Acknowledgements counted towards the next segment of the window.
    counted: u32,
}

impl Reno {
    #[inline]
    pub fn growth(&mut self, growth: Growth) -> u32 {
        self.counted += growth.n;
        if self.counted < growth.window {
            return 0;
        }
        // A count made by a larger window is reset.
        self.counted = (self.counted - growth.window).min(growth.n - 1);
        1
    }
}
