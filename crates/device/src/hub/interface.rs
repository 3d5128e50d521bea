//! Options of the interface of a station: two deviations of the DEC 21140 from the standard, and
//! the pause of a driver that hands it one frame at a time.
//!
//! Bits 5 and 17 of its command register (CSR6) switch them on. The driver inside Linux 2.0.30 sets
//! both, `tulip` 0.78 and 0.79 none [LINUX-2.0.30, tulip.c].

use quantity::Time;

/// Options of the interface of a station; by default it follows IEEE 802.3.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StationOptions {
    /// True if the back-off counts only while the medium is silent (CSR6, bit 5).
    pub pauses_backoff: bool,
    /// True if a station that has sent the last frame on the medium waits two slots after the first
    /// collision of its next frame, and none after the second (CSR6, bit 17).
    pub avoids_capture: bool,
    /// Least time from the end of a frame that it has sent to the start of its next one.
    pub pause: Time,
}
