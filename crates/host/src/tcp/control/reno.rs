//! Reno: a segment more per window that was acknowledged, half of it after a loss (RFC 5681,
//! sec. 3.1), counted in segments as Linux does.

use super::news::Growth;

#[derive(Clone, Copy, Debug, Default)]
pub(in crate::tcp) struct Reno {
    /// What is counted towards the next segment of the window.
    counted: u32,
}

impl Reno {
    #[inline]
    pub fn growth(&mut self, growth: Growth) -> u32 {
        self.counted += growth.n;
        if self.counted < growth.window {
            return 0;
        }
        // What a larger window had counted is forgotten.
        self.counted = (self.counted - growth.window).min(growth.n - 1);
        1
    }
}
