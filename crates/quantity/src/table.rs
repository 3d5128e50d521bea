//! Tables with a row per id of one kind and a column per id of another.

use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

use crate::Id;

/// A table with an entry per pair of ids, row by row in one vector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdTable<R, C, T> {
    n_columns: usize,
    entries: Vec<T>,
    of: PhantomData<fn(R, C)>,
}

impl<R: Id, C: Id, T: Clone> IdTable<R, C, T> {
    /// Returns a table whose entries are all the same.
    pub fn filled(entry: T, n_rows: u32, n_columns: u32) -> IdTable<R, C, T> {
        let n_columns = n_columns as usize;
        IdTable { n_columns, entries: vec![entry; n_rows as usize * n_columns], of: PhantomData }
    }
}

impl<R: Id, C: Id, T> IdTable<R, C, T> {
    /// Returns the entries of a row, in order of column.
    pub fn row_mut(&mut self, row: R) -> &mut [T] {
        let first = row.index() * self.n_columns;
        &mut self.entries[first..first + self.n_columns]
    }

    #[inline(always)]
    fn place(&self, row: R, column: C) -> usize {
        debug_assert!(column.index() < self.n_columns);
        row.index() * self.n_columns + column.index()
    }
}

impl<R: Id, C: Id, T> Index<(R, C)> for IdTable<R, C, T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, (row, column): (R, C)) -> &T {
        &self.entries[self.place(row, column)]
    }
}

impl<R: Id, C: Id, T> IndexMut<(R, C)> for IdTable<R, C, T> {
    #[inline(always)]
    fn index_mut(&mut self, (row, column): (R, C)) -> &mut T {
        let place = self.place(row, column);
        &mut self.entries[place]
    }
}
