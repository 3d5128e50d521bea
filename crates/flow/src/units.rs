//! Rates, weights and volumes as integers, so that equal shares are equal and sums do not depend on
//! the order.
//!
//! A volume is counted in bytes on the wire. A *weight* is the time that one of them occupies a
//! resource, in 2^-16 ps; a *rate* is in 2^-24 bytes per second. Their product is the share of a
//! resource that a flow uses, and [`CAPACITY`] is the whole resource. Rates are kept to 24
//! significant bits ([`kept`]): smaller changes are dropped, which keeps the effect of a change
//! local.

use quantity::{Rate, Time};

/// The time that a byte occupies a resource, in 2^-16 ps.
pub type Weight = u64;

/// Bytes per second, in units of 2^-24.
pub type FlowRate = u64;

/// Full utilisation of a resource, as weight times rate: a second every second.
pub const CAPACITY: u128 = PS_PER_S << (WEIGHT_BITS + RATE_BITS);

/// The rate of an unlimited flow.
pub const UNLIMITED: FlowRate = FlowRate::MAX;

const PS_PER_S: u128 = 1_000_000_000_000;
const WEIGHT_BITS: u32 = 16;
const RATE_BITS: u32 = 24;
/// Significant bits of a rate.
const KEPT_BITS: u32 = 24;

/// Returns the weight of a resource that `bytes` occupy for `work`.
pub fn weight(work: Time, bytes: u64) -> Weight {
    ((u128::from(work.ps()) << WEIGHT_BITS) / u128::from(bytes.max(1))) as Weight
}

/// Returns the weight of a byte on a wire of this rate.
pub fn wire_weight(rate: Rate) -> Weight {
    (((8 * PS_PER_S) << WEIGHT_BITS) / u128::from(rate.bps())) as Weight
}

/// Returns the rate of `bytes` in `span`.
pub fn rate(bytes: u64, span: Time) -> FlowRate {
    let rate = ((u128::from(bytes) * PS_PER_S) << RATE_BITS) / u128::from(span.ps().max(1));
    kept(rate.min(u128::from(UNLIMITED)) as FlowRate)
}

/// Returns the rate at which `weight` uses all of `capacity`.
#[inline]
pub fn level(capacity: i128, weight: Weight) -> FlowRate {
    let level = capacity.max(0) as u128 / u128::from(weight);
    kept(level.min(u128::from(UNLIMITED)) as FlowRate)
}

/// Returns a rate rounded down to its significant bits.
#[inline]
pub fn kept(rate: FlowRate) -> FlowRate {
    rate & !(step(rate) - 1)
}

/// Returns the distance from a rate to the next larger one.
#[inline]
pub fn step(rate: FlowRate) -> FlowRate {
    1 << (64 - rate.leading_zeros()).saturating_sub(KEPT_BITS)
}

/// A volume, or the rest of one: bytes times [`rate`]'s unit times picoseconds.
pub type Volume = u128;

/// Returns the volume of `bytes`.
pub fn volume(bytes: u64) -> Volume {
    (u128::from(bytes) * PS_PER_S) << RATE_BITS
}

/// Returns the volume that a rate drains in a span.
#[inline]
pub fn carried(rate: FlowRate, span: Time) -> Volume {
    u128::from(rate) * u128::from(span.ps())
}

/// Returns the time that a volume occupies a resource.
#[inline]
pub fn busy(volume: Volume, weight: Weight) -> Time {
    let scaled = (volume >> RATE_BITS) / PS_PER_S * u128::from(weight);
    Time::from_ps((scaled >> WEIGHT_BITS) as u64)
}

/// Returns the time that a rate needs for a volume, rounded up; `None` if it never ends.
#[inline]
pub fn duration(volume: Volume, rate: FlowRate) -> Option<Time> {
    if volume == 0 {
        return Some(Time::ZERO);
    }
    let ps = volume.div_ceil(u128::from(std::num::NonZeroU64::new(rate)?.get()));
    // Beyond the range of times no transfer ends.
    u64::try_from(ps).ok().map(Time::from_ps)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wire_alone_carries_its_rate() {
        let byte = Time::from_ns(80);
        let alone = level(CAPACITY as i128, weight(byte, 1));
        assert_eq!(alone, 12_500_000 << RATE_BITS);
        assert_eq!(duration(volume(12_500_000), alone), Some(Time::from_ms(1_000)));
        assert_eq!(rate(12_500_000, Time::from_ms(1_000)), alone);
    }

    #[test]
    fn rates_are_kept_to_24_bits_and_never_rise() {
        for rate in [0, 1, 0xFF_FFFF, 0x1FF_FFFF, 12_500_000 << 24, u64::MAX] {
            assert!(kept(rate) <= rate && rate - kept(rate) < step(rate), "{rate}");
            assert_eq!(kept(kept(rate)), kept(rate));
        }
        assert_eq!(duration(1, 0), None);
    }
}
