//! Laws of the compiled network over random sizes: everything is reached, nothing loops, counted
//! values equal the formulas of the shape.

mod adjacent;
mod bisection;
mod bonds;
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

/// `cases` cases that are the same in every run.
fn repeatable(cases: u32) -> Config {
    Config { cases, rng_seed: RngSeed::Fixed(0), failure_persistence: None, ..Config::default() }
}
