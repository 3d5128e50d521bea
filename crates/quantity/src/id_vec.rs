//! Vectors indexed by the ids of one type only. A vector is also a slice, for loops over all
//! entries; untyped places do not index it.

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut, Index, IndexMut};

use crate::{Id, Ids, OptionalId};

/// A vector with an entry per id: `nodes[node]` is an entry, `nodes[port]` does not compile.
///
/// ```compile_fail
/// quantity::id! { pub NodeId; pub PortId; }
/// let nodes = quantity::IdVec::<NodeId, _>::filled('a', 3);
/// nodes[PortId::new(0)];
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdVec<I, T> {
    entries: Vec<T>,
    of: PhantomData<fn(I)>,
}

impl<I: Id, T> IdVec<I, T> {
    /// Returns a vector without entries.
    pub const fn new() -> IdVec<I, T> {
        IdVec { entries: Vec::new(), of: PhantomData }
    }

    /// Returns a vector of `n` equal entries.
    pub fn filled(entry: T, n: u32) -> IdVec<I, T>
    where
        T: Clone,
    {
        IdVec::from(vec![entry; n as usize])
    }

    /// Adds an entry and returns its id.
    #[inline]
    pub fn push(&mut self, entry: T) -> I {
        let id = I::from_index(self.entries.len());
        self.entries.push(entry);
        id
    }

    /// Returns the number of entries.
    #[inline]
    pub fn n(&self) -> u32 {
        self.entries.len() as u32
    }

    /// Returns the number of entries that fit into the memory held.
    pub fn capacity(&self) -> usize {
        self.entries.capacity()
    }

    /// Returns the ids of all entries.
    #[inline]
    pub fn ids(&self) -> Ids<I> {
        I::first(self.n())
    }

    /// Returns every entry with its id.
    #[inline]
    pub fn with_ids(&self) -> impl DoubleEndedIterator<Item = (I, &T)> + ExactSizeIterator + Clone {
        self.entries.iter().enumerate().map(|(index, entry)| (I::from_index(index), entry))
    }

    /// Returns the entry of an id, if it exists.
    #[inline]
    pub fn get(&self, id: I) -> Option<&T> {
        self.entries.get(id.index())
    }

    /// Returns the entry of an id for modification, if it exists.
    #[inline]
    pub fn get_mut(&mut self, id: I) -> Option<&mut T> {
        self.entries.get_mut(id.index())
    }

    /// Returns the entry of an id that may be absent, if both exist.
    #[inline]
    pub fn find(&self, id: OptionalId<I>) -> Option<&T> {
        self.entries.get(id.index())
    }

    /// Returns the entry of an id for modification; adds entries equal to `filler` until it exists.
    #[inline]
    pub fn reach(&mut self, id: I, filler: T) -> &mut T
    where
        T: Clone,
    {
        if id.index() >= self.entries.len() {
            self.entries.resize(id.index() + 1, filler);
        }
        &mut self.entries[id.index()]
    }

    /// Returns the underlying vector, to change its length.
    #[inline]
    pub fn as_mut_vec(&mut self) -> &mut Vec<T> {
        &mut self.entries
    }

    /// Returns the entries as a plain vector.
    pub fn into_vec(self) -> Vec<T> {
        self.entries
    }
}

impl<I: Id, T> Default for IdVec<I, T> {
    fn default() -> IdVec<I, T> {
        IdVec::new()
    }
}

impl<I: Id, T> From<Vec<T>> for IdVec<I, T> {
    #[inline]
    fn from(entries: Vec<T>) -> IdVec<I, T> {
        IdVec { entries, of: PhantomData }
    }
}

impl<I: Id, T> FromIterator<T> for IdVec<I, T> {
    fn from_iter<E: IntoIterator<Item = T>>(entries: E) -> IdVec<I, T> {
        IdVec::from(Vec::from_iter(entries))
    }
}

impl<I: Id, T> IntoIterator for IdVec<I, T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.into_iter()
    }
}

impl<'a, I: Id, T> IntoIterator for &'a IdVec<I, T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.entries.iter()
    }
}

impl<'a, I: Id, T> IntoIterator for &'a mut IdVec<I, T> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.entries.iter_mut()
    }
}

impl<I: Id, T> Index<I> for IdVec<I, T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, id: I) -> &T {
        &self.entries[id.index()]
    }
}

impl<I: Id, T> IndexMut<I> for IdVec<I, T> {
    #[inline(always)]
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.entries[id.index()]
    }
}

impl<I: Id, T> Index<Ids<I>> for IdVec<I, T> {
    type Output = [T];

    #[inline]
    fn index(&self, ids: Ids<I>) -> &[T] {
        &self.entries[ids.start.index()..ids.end.index()]
    }
}

impl<I: Id, T> IndexMut<Ids<I>> for IdVec<I, T> {
    #[inline]
    fn index_mut(&mut self, ids: Ids<I>) -> &mut [T] {
        &mut self.entries[ids.start.index()..ids.end.index()]
    }
}

impl<I, T> Deref for IdVec<I, T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        &self.entries
    }
}

impl<I, T> DerefMut for IdVec<I, T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.entries
    }
}
