//! Laws that every device keeps, over random traffic. The random cases are the same in every run.

mod channel;
mod hub;
mod switch;

use proptest::prelude::ProptestConfig;
use proptest::test_runner::RngSeed;

fn seeded() -> ProptestConfig {
    ProptestConfig {
        cases: 300,
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}
