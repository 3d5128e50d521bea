//! The compiled, immutable program: what every rank does, operation by operation.
//!
//! A program is compiled from a table of [`Step`]s, each for one rank or for all of them, in which collectives and loops
//! stand as they are. Collectives are expanded by a named [`AlgorithmSet`]; loops stay loops, so that a program of a
//! million repeats is a few operations long. Nothing here knows time, hosts or networks.

mod builder;
pub mod collective;
mod operation;

pub use builder::{Program, ProgramError, RankScope, Step, StepKind};
pub use collective::AlgorithmSet;
pub use operation::{Operation, Rank, Tag};
