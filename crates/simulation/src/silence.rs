//! The question whether awaited ranks are deadlocked, which each answers for itself.
//!
//! An empty event queue answers it, but background ranks keep the queue busy. So a run is
//! deadlocked too after much silence from the awaited ranks, without their computations, sleeps and
//! data in flight.

use quantity::Time;

use crate::model::over_at;

/// The silence after which a rank without data in flight is overdue. Longer than TCP's last retry.
const SILENCE: Time = Time::from_ms(3_600_000);
/// Longer silence allowed per byte in flight, in ps: a fifth of the rate of 10 Mb/s Ethernet.
const SILENCE_PER_BYTE_PS: u64 = 4_000_000;

/// The answer of one rank.
#[derive(Debug)]
pub(crate) struct Silence {
    /// Time by which it must be heard of if no data are in flight.
    heard_by: Time,
    /// Bytes of messages that it has begun to write, and that have arrived at it.
    written_bytes: u64,
    read_bytes: u64,
}

impl Default for Silence {
    fn default() -> Silence {
        Silence { heard_by: SILENCE, written_bytes: 0, read_bytes: 0 }
    }
}

impl Silence {
    /// Records a sign of life after which the rank may be silent for a span longer than usual.
    #[inline]
    pub fn allow(&mut self, now: Time, span: Time) {
        self.heard_by = self.heard_by.max(over_at(now, span) + SILENCE);
    }

    /// Records that the rank begins to write the data of a message.
    #[inline]
    pub fn writes(&mut self, bytes: u64) {
        self.written_bytes += bytes;
    }

    /// Records that the data of a message have arrived at the rank.
    #[inline]
    pub fn has_read(&mut self, bytes: u64) {
        self.read_bytes += bytes;
    }

    /// Returns the time until which all of some ranks may be silent.
    pub fn end<'r>(ranks: impl Iterator<Item = &'r Silence> + Clone) -> Time {
        let heard_by = ranks.clone().map(|rank| rank.heard_by).max().unwrap_or(SILENCE);
        let written: u64 = ranks.clone().map(|rank| rank.written_bytes).sum();
        let read: u64 = ranks.map(|rank| rank.read_bytes).sum();
        let allowed = written.saturating_sub(read).saturating_mul(SILENCE_PER_BYTE_PS);
        Time::from_ps(heard_by.ps().saturating_add(allowed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_may_be_silent_as_long_as_one_computes_or_data_are_in_flight() {
        let mut ranks = [Silence::default(), Silence::default()];
        assert_eq!(Silence::end(ranks.iter()), SILENCE);
        ranks[1].allow(Time::from_ms(5), Time::from_ms(20));
        ranks[0].allow(Time::from_ms(10), Time::ZERO);
        let computed = SILENCE + Time::from_ms(25);
        assert_eq!(Silence::end(ranks.iter()), computed);
        ranks[0].writes(1_000_000);
        assert_eq!(Silence::end(ranks.iter()), computed + Time::from_ms(4_000));
        ranks[1].has_read(1_000_000);
        assert_eq!(Silence::end(ranks.iter()), computed);
    }
}
