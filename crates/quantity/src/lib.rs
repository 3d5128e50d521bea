//! Physical quantities as integer newtypes: time in picoseconds, rates in bits per second. Typed
//! ids are in `id`, with the vectors and tables that they index beside it; tables by column are in
//! `columns`.
//!
//! Integer picoseconds make the time of a byte exact from 10 Mb/s (800,000 ps) to 800 Gb/s (10 ps),
//! so that two runs with the same input agree to the bit. A `u64` of picoseconds covers 213 days.
//! Conversions to floating point exist only at the interface to other languages.

mod columns;
mod groups;
mod id;
mod id_vec;
mod optional;
mod table;

use std::fmt;
use std::ops::{Add, AddAssign, Mul, Sub};

use serde::{Deserialize, Serialize};

pub use columns::{Column, NamedColumn};
pub use groups::Groups;
pub use id::{Id, Ids};
pub use id_vec::IdVec;
pub use optional::OptionalId;
#[doc(hidden)]
pub use serde;
pub use table::IdTable;

/// A point in simulated time, or a span of it, in picoseconds.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct Time(u64);

impl Time {
    /// The start of every run.
    pub const ZERO: Time = Time(0);
    /// Later than any event: "never".
    pub const MAX: Time = Time(u64::MAX);

    /// Returns a time of `ps` picoseconds.
    pub const fn from_ps(ps: u64) -> Time {
        Time(ps)
    }

    /// Returns a time of `ns` nanoseconds.
    pub const fn from_ns(ns: u64) -> Time {
        Time(ns * 1_000)
    }

    /// Returns a time of `us` microseconds.
    pub const fn from_us(us: u64) -> Time {
        Time(us * 1_000_000)
    }

    /// Returns a time of `ms` milliseconds.
    pub const fn from_ms(ms: u64) -> Time {
        Time(ms * 1_000_000_000)
    }

    /// Returns the time nearest to `seconds`; negative and non-finite values become zero.
    pub fn from_seconds(seconds: f64) -> Time {
        Time((seconds * 1e12).round() as u64)
    }

    /// Returns the number of picoseconds.
    pub const fn ps(self) -> u64 {
        self.0
    }

    /// Returns the time in seconds.
    pub fn seconds(self) -> f64 {
        self.0 as f64 * 1e-12
    }

    /// Returns `self - other`, or zero where `other` is later.
    pub const fn saturating_sub(self, other: Time) -> Time {
        Time(self.0.saturating_sub(other.0))
    }
}

impl Add for Time {
    type Output = Time;
    fn add(self, other: Time) -> Time {
        Time(self.0 + other.0)
    }
}

impl AddAssign for Time {
    fn add_assign(&mut self, other: Time) {
        self.0 += other.0;
    }
}

impl Sub for Time {
    type Output = Time;
    fn sub(self, other: Time) -> Time {
        Time(self.0 - other.0)
    }
}

impl Mul<u64> for Time {
    type Output = Time;
    fn mul(self, factor: u64) -> Time {
        Time(self.0 * factor)
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            ps if ps >= 1_000_000_000_000 => write!(f, "{:.6} s", self.seconds()),
            ps if ps >= 1_000_000_000 => write!(f, "{:.3} ms", self.seconds() * 1e3),
            _ => write!(f, "{:.3} us", self.seconds() * 1e6),
        }
    }
}

/// A rate in bits per second; never zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u64", into = "u64")]
pub struct Rate(u64);

impl TryFrom<u64> for Rate {
    type Error = &'static str;

    fn try_from(bps: u64) -> Result<Rate, &'static str> {
        Rate::from_bps(bps).ok_or("a rate of zero")
    }
}

impl From<Rate> for u64 {
    fn from(rate: Rate) -> u64 {
        rate.0
    }
}

impl Rate {
    /// Returns a rate, or `None` for zero, as a link without a rate is no link.
    pub const fn from_bps(bps: u64) -> Option<Rate> {
        if bps == 0 { None } else { Some(Rate(bps)) }
    }

    /// Returns a rate of `mbps` megabits per second.
    ///
    /// # Panics
    /// When `mbps` is zero.
    pub const fn from_mbps(mbps: u64) -> Rate {
        assert!(mbps > 0);
        Rate(mbps * 1_000_000)
    }

    /// Returns the bits per second.
    pub const fn bps(self) -> u64 {
        self.0
    }

    /// Returns the time of `bits`, rounded up to the next picosecond.
    pub fn time_of_bits(self, bits: u64) -> Time {
        let ps = (u128::from(bits) * 1_000_000_000_000).div_ceil(u128::from(self.0));
        Time(ps as u64)
    }

    /// Returns the time of `bytes`, rounded up to the next picosecond.
    pub fn time_of_bytes(self, bytes: u64) -> Time {
        self.time_of_bits(bytes * 8)
    }
}

/// A cost that grows with size: a fixed time and a time per byte.
///
/// The part per byte is kept in units of 2^-16 ps, so that a host constant such as 0.003 us/B is
/// exact to 5e-9 of its value and the product with a size is one multiplication.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    fixed: Time,
    per_byte_scaled: u64,
}

impl Cost {
    /// Zero cost.
    pub const ZERO: Cost = Cost { fixed: Time::ZERO, per_byte_scaled: 0 };

    /// Returns the cost of `fixed_s` seconds and `per_byte_s` seconds per byte.
    pub fn from_seconds(fixed_s: f64, per_byte_s: f64) -> Cost {
        Cost {
            fixed: Time::from_seconds(fixed_s),
            per_byte_scaled: (per_byte_s * 1e12 * 65536.0).round() as u64,
        }
    }

    /// Returns the cost of handling `bytes`.
    pub fn of(self, bytes: u64) -> Time {
        let scaled = u128::from(bytes) * u128::from(self.per_byte_scaled);
        self.fixed + Time((scaled >> 16) as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_time_is_exact_from_10_mbps_to_800_gbps() {
        for (mbps, ps) in
            [(10, 800_000), (100, 80_000), (1_000, 8_000), (400_000, 20), (800_000, 10)]
        {
            assert_eq!(Rate::from_mbps(mbps).time_of_bytes(1), Time::from_ps(ps), "{mbps} Mb/s");
        }
    }

    #[test]
    fn a_full_frame_at_100_mbps_occupies_the_wire_123_us() {
        assert_eq!(Rate::from_mbps(100).time_of_bytes(1538), Time::from_ns(123_040));
    }

    #[test]
    fn an_uneven_rate_rounds_up() {
        assert_eq!(Rate::from_bps(3).unwrap().time_of_bits(1), Time::from_ps(333_333_333_334));
        assert!(Rate::from_bps(0).is_none());
    }

    #[test]
    fn costs_add_their_fixed_and_sized_parts() {
        let cost = Cost::from_seconds(24.6e-6, 0.015e-6);
        assert_eq!(cost.of(0), Time::from_ps(24_600_000));
        assert_eq!(cost.of(1460), Time::from_ps(24_600_000 + 21_900_000));
    }
}
