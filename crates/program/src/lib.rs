//! The compiled, immutable program: the operations of every rank.
//!
//! A program is compiled from a table of [`Step`]s, each for one rank or for all of them, which may
//! be collectives and loops. Collectives are expanded by a named [`AlgorithmSet`]; loops are kept,
//! so that a program of a million repeats is a few operations long. This crate knows neither time
//! nor hosts nor networks.

mod code;
pub mod collective;
mod columns;
mod compile;
mod error;
pub mod goal;
mod operation;
mod owned_columns;
mod program;
mod rank_track;
mod step;

pub use code::STEP_KINDS;
pub use collective::{Algorithm, AlgorithmSet, Collective, Manner};
pub use columns::Columns;
pub use compile::{MAX_OPERATIONS, MAX_RANKS};
pub use error::ProgramError;
pub use operation::{
    ANY_TAG, Action, COLLECTIVE_NUMBER, COLLECTIVE_NUMBERS, COLLECTIVE_TAGS, Cpu, DatagramProtocol,
    DiskRequest, EventNumber, Operation, Rank, Ranks, RequestNumber, StreamId, Tag,
};
pub use owned_columns::OwnedColumns;
pub use program::{Program, Stream};
pub use step::{RankScope, Step, StepKind};
