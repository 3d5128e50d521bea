//! Random numbers that depend only on (seed, purpose, id), never on the order in which parts of a
//! run ask for them.
//!
//! The generator is SplitMix64 (Steele, Lea, Flood 2014): one addition and three mixing steps per
//! number, and any two starting states give streams that are independent for our purposes.

/// A stream of random numbers.
#[derive(Clone, Copy, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// Returns the stream of `id` for `purpose` under `seed`.
    pub fn new(seed: u64, purpose: u64, id: u64) -> Random {
        let mut stream = Random { state: seed };
        for word in [purpose, id] {
            stream.state = stream.next_u64() ^ word.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        }
        stream
    }

    /// Returns the next 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Returns a number in `0..bound`; the bias of the multiplication is below 2^-32 for the bounds
    /// used here.
    pub fn below(&mut self, bound: u32) -> u32 {
        (((self.next_u64() >> 32) * u64::from(bound)) >> 32) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_differ_by_seed_purpose_and_id() {
        let first = |seed, purpose, id| Random::new(seed, purpose, id).next_u64();
        let all = [first(1, 1, 1), first(2, 1, 1), first(1, 2, 1), first(1, 1, 2)];
        for (i, a) in all.iter().enumerate() {
            assert!(all[i + 1..].iter().all(|b| a != b));
        }
        assert_eq!(first(1, 1, 1), first(1, 1, 1));
    }

    #[test]
    fn numbers_below_a_bound_cover_it_evenly() {
        let mut random = Random::new(7, 0, 0);
        let mut counts = [0u32; 8];
        for _ in 0..80_000 {
            counts[random.below(8) as usize] += 1;
        }
        assert!(counts.iter().all(|&n| (9_500..10_500).contains(&n)), "{counts:?}");
    }
}
