//! Random numbers that depend only on (seed, purpose, ids), never on the order in which parts of a
//! run ask for them. The generator is SplitMix64 (Steele, Lea, Flood 2014): any two starting states
//! give streams that are independent for our purposes.

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub struct Random(SplitMix64);

impl Random {
    /// Returns the stream of the thing that `words` name, the purpose first, under `seed`.
    pub fn new(seed: u64, words: &[u64]) -> Random {
        let start = words.iter().fold(seed, |state, word| mixed(state) ^ word.wrapping_mul(GOLDEN));
        Random(SplitMix64::seed_from_u64(start))
    }

    /// Returns the next 64 random bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }
}

/// Returns the first number of the stream that starts at `state`: a hash of it.
#[inline]
pub fn mixed(state: u64) -> u64 {
    SplitMix64::seed_from_u64(state).next_u64()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_differ_by_seed_purpose_and_id() {
        let first = |seed, purpose, id| Random::new(seed, &[purpose, id]).next_u64();
        let all = [first(1, 1, 1), first(2, 1, 1), first(1, 2, 1), first(1, 1, 2)];
        for (i, a) in all.iter().enumerate() {
            assert!(all[i + 1..].iter().all(|b| a != b));
        }
        assert_eq!(first(1, 1, 1), first(1, 1, 1));
    }

    /// The first numbers of SplitMix64 from state 0, as its authors publish them.
    #[test]
    fn the_generator_is_the_published_one() {
        let mut stream = SplitMix64::seed_from_u64(0);
        assert_eq!(stream.next_u64(), 0xE220_A839_7B1D_CDAF);
        assert_eq!(stream.next_u64(), 0x6E78_9E6A_A1B9_65F4);
        assert_eq!(mixed(0), 0xE220_A839_7B1D_CDAF);
    }
}
