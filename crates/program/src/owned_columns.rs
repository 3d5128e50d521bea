//! Steps as columns that own their entries: what readers of traces write, and what a packed run
//! holds.

use serde::{Deserialize, Serialize};

use crate::columns::Columns;
use crate::operation::Rank;

/// Columns of steps that own their entries; the owned form of [`Columns`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)] // as in `Columns`
pub struct OwnedColumns {
    pub kind: Vec<u8>,
    pub rank: Vec<i32>,
    pub peer: Vec<i32>,
    pub size_bytes: Vec<u64>,
    pub tag: Vec<u32>,
    pub compute_s: Vec<f64>,
    pub number: Vec<u32>,
}

/// One step of one rank, with the entries of its columns.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Row {
    pub kind: u8,
    pub rank: i32,
    pub peer: i32,
    pub size_bytes: u64,
    pub tag: u32,
    pub compute_s: f64,
    pub number: u32,
}

impl Row {
    /// Returns a step of a kind whose other entries are zero.
    pub fn new(rank: Rank, kind: u8) -> Row {
        Row { kind, rank: rank.get() as i32, ..Row::default() }
    }
}

impl OwnedColumns {
    /// Returns the columns for compilation.
    pub fn columns(&self) -> Columns<'_> {
        Columns {
            kind: &self.kind,
            rank: &self.rank,
            peer: &self.peer,
            size_bytes: &self.size_bytes,
            tag: &self.tag,
            compute_s: &self.compute_s,
            number: &self.number,
        }
    }

    /// Appends a step.
    pub(crate) fn push(&mut self, row: Row) {
        self.kind.push(row.kind);
        self.rank.push(row.rank);
        self.peer.push(row.peer);
        self.size_bytes.push(row.size_bytes);
        self.tag.push(row.tag);
        self.compute_s.push(row.compute_s);
        self.number.push(row.number);
    }
}

impl From<&Columns<'_>> for OwnedColumns {
    fn from(columns: &Columns<'_>) -> OwnedColumns {
        OwnedColumns {
            kind: columns.kind.to_vec(),
            rank: columns.rank.to_vec(),
            peer: columns.peer.to_vec(),
            size_bytes: columns.size_bytes.to_vec(),
            tag: columns.tag.to_vec(),
            compute_s: columns.compute_s.to_vec(),
            number: columns.number.to_vec(),
        }
    }
}
