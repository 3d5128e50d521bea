//! The sample of addresses, or pairs, whose packets are followed where all of them are too many.

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// The seed of the sample, the same for every network and every version.
const SEED: u64 = 0;

/// Returns a seeded sample of `n` distinct places in a list, in order.
pub(super) fn sample<T: Copy>(given: &[T], n: usize) -> Vec<T> {
    let mut random = SplitMix64::seed_from_u64(SEED);
    let mut places: Vec<usize> = (0..given.len()).collect();
    for chosen in 0..n {
        let rest = (places.len() - chosen) as u64;
        places.swap(chosen, chosen + (random.next_u64() % rest) as usize);
    }
    places.truncate(n);
    places.sort_unstable();
    places.into_iter().map(|place| given[place]).collect()
}
