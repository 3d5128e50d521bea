//! The compiled, immutable program: the operations of every rank.
//!
//! A program is compiled from a table of [`Step`]s, each for one rank or for all of them, which may
//! be collectives and loops. Collectives are expanded by a named [`AlgorithmSet`]; loops are kept,
//! so that a program of a million repeats is a few operations long. This crate knows neither time
//! nor hosts nor networks.

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
