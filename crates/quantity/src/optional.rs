//! Ids that may be absent, for tables where every byte counts. Elsewhere an `Option` serves, at
//! twice the size.

use std::fmt::Debug;

use crate::Id;

/// An id or none, in the size of an id.
///
/// The largest number represents none. So an entry of a table remains four bytes, and reading the
/// id costs only the comparison.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct OptionalId<I>(I);

impl<I: Id> OptionalId<I> {
    /// Returns the id with a number, or none for the largest number.
    #[inline(always)]
    pub fn new(number: u32) -> OptionalId<I> {
        OptionalId(I::new(number))
    }

    /// Returns no id.
    #[inline(always)]
    pub fn none() -> OptionalId<I> {
        OptionalId(I::new(u32::MAX))
    }

    /// Returns the id, if present.
    #[inline(always)]
    pub fn get(self) -> Option<I> {
        self.is_some().then_some(self.0)
    }

    /// Returns the index of the id in a vector. That of none is beyond any vector.
    #[inline(always)]
    pub(crate) fn index(self) -> usize {
        self.0.index()
    }

    /// Returns whether an id is present.
    #[inline(always)]
    pub fn is_some(self) -> bool {
        self.0.get() != u32::MAX
    }

    /// Returns whether no id is present.
    #[inline(always)]
    pub fn is_none(self) -> bool {
        !self.is_some()
    }
}

impl<I: Id> Default for OptionalId<I> {
    fn default() -> OptionalId<I> {
        OptionalId::none()
    }
}

impl<I: Id> From<I> for OptionalId<I> {
    #[inline(always)]
    fn from(id: I) -> OptionalId<I> {
        OptionalId(id)
    }
}

impl<I: Id> From<Option<I>> for OptionalId<I> {
    #[inline(always)]
    fn from(id: Option<I>) -> OptionalId<I> {
        id.map_or(OptionalId::none(), OptionalId)
    }
}

impl<I: Id> Debug for OptionalId<I> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.get().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use crate::OptionalId;

    crate::id! { PortId; }

    #[test]
    fn an_absent_id_takes_no_room_of_its_own() {
        assert_eq!(size_of::<OptionalId<PortId>>(), size_of::<u32>());
        for id in [None, Some(PortId::new(0)), Some(PortId::new(7))] {
            assert_eq!(OptionalId::from(id).get(), id);
        }
        assert_eq!(OptionalId::<PortId>::default(), OptionalId::none());
    }
}
