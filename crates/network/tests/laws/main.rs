//! Laws of the compiled network over random sizes: every address is reached, no packet loops, and
//! counted values equal the formulas of the shape.

mod adjacent;
mod bisection;
mod bonds;
mod by_interface;
mod fabrics;
mod fallback;
mod faults;
mod grid;
mod load;
mod loops;
mod multipath;
mod patterns;
mod rerouting;
mod shortest;
mod stacks;
mod unplugged;

use proptest::test_runner::{Config, RngSeed};

/// A configuration of `cases` random cases that are the same in every run.
fn repeatable(cases: u32) -> Config {
    Config { cases, rng_seed: RngSeed::Fixed(0), failure_persistence: None, ..Config::default() }
}
