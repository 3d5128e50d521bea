//! The compiled, immutable program: the operations of every rank.
//!
//! A program is compiled from a table of [`Step`]s, each for one rank, a group or all ranks, which
//! may be collectives and loops. Both are kept, so that a program of a million repeats is a few
//! operations long: a [`Walk`] unrolls loops and writes the messages of a collective, by the
//! algorithms of a named [`AlgorithmSet`], when a rank enters it. This crate knows neither time nor
//! hosts nor networks.

mod code;
pub mod collective;
mod columns;
mod compile;
mod entry;
mod error;
pub mod goal;
mod group;
mod operation;
mod owned_columns;
mod program;
mod rank_track;
mod step;
mod walk;
mod written_out;

pub use code::STEP_KINDS;
pub use collective::{Algorithm, AlgorithmSet, Collective, Manner};
pub use columns::Columns;
pub use compile::{MAX_OPERATIONS, MAX_RANKS};
pub use entry::Entry;
pub use error::ProgramError;
pub use group::{Group, GroupId, GroupNumber, MemberId};
pub use operation::{
    ANY_TAG, Action, COLLECTIVE_NUMBER, COLLECTIVE_NUMBERS, COLLECTIVE_TAGS, Cpu, DatagramProtocol,
    DiskRequest, EntryId, EventNumber, Operation, Rank, Ranks, RequestNumber, StreamId, Tag,
};
pub use owned_columns::OwnedColumns;
pub use program::{Program, Stream};
pub use step::{RankScope, Step, StepKind};
pub use walk::Walk;
