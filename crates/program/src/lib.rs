//! The compiled, immutable program: what every rank does, operation by operation.
//!
//! A program is compiled from a table of [`Step`]s, each for one rank or for all of them, in which
//! collectives and loops stand as they are. Collectives are expanded by a named [`AlgorithmSet`];
//! loops stay loops, so that a program of a million repeats is a few operations long. Nothing here
//! knows time, hosts or networks.

pub mod collective;
mod columns;
mod compile;
mod error;
pub mod goal;
mod operation;
mod step;

pub use collective::{AlgorithmSet, Collective};
pub use columns::{Columns, STEP_KINDS};
pub use compile::{MAX_OPERATIONS, MAX_RANKS, Program};
pub use error::ProgramError;
pub use operation::{
    ANY_TAG, Action, COLLECTIVE_NUMBER, COLLECTIVE_TAGS, DatagramProtocol, DiskRequest, Operation,
    Rank, Ranks, RequestNumber, Tag,
};
pub use step::{RankScope, Step, StepKind};
