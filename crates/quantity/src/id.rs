//! Typed ids: dense indices, each with the type of its object, and ranges of them.
//!
//! [`id!`](crate::id) declares a type of ids. It has the layout of a `u32`, so that whole columns
//! of ids cross interfaces unchanged. The conversions between ids and places in memory are here,
//! and only the typed vectors beside this file use them.

use std::fmt::Debug;
use std::iter::FusedIterator;

/// Declares types of ids, each with its documentation.
#[macro_export]
macro_rules! id {
    ($($(#[$attribute:meta])* $visibility:vis $name:ident;)+) => {$(
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(transparent)]
        $visibility struct $name(u32);

        #[allow(dead_code)] // not every type uses both
        impl $name {
            /// Returns the id with a number.
            #[inline(always)]
            pub const fn new(number: u32) -> $name {
                $name(number)
            }

            /// Returns the number of the id.
            #[inline(always)]
            pub const fn get(self) -> u32 {
                self.0
            }
        }

        impl $crate::Id for $name {
            #[inline(always)]
            fn new(number: u32) -> $name {
                $name(number)
            }

            #[inline(always)]
            fn get(self) -> u32 {
                self.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(&self.0, f)
            }
        }

        impl $crate::serde::Serialize for $name {
            fn serialize<S: $crate::serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_u32(self.0)
            }
        }

        impl<'de> $crate::serde::Deserialize<'de> for $name {
            fn deserialize<D: $crate::serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                <u32 as $crate::serde::Deserialize>::deserialize(from).map($name)
            }
        }
    )+};
}

/// A type of ids: numbers from 0, without gaps.
pub trait Id: Copy + Debug + Ord {
    /// Returns the id with a number.
    fn new(number: u32) -> Self;

    /// Returns the number of the id.
    fn get(self) -> u32;

    /// Returns the id of an index in a vector.
    #[inline(always)]
    fn from_index(index: usize) -> Self {
        Self::new(index as u32)
    }

    /// Returns the index of the id in a vector.
    #[inline(always)]
    fn index(self) -> usize {
        self.get() as usize
    }

    /// Returns the id `n` after this one.
    #[inline(always)]
    fn offset(self, n: u32) -> Self {
        Self::new(self.get() + n)
    }

    /// Returns the distance of the id from an earlier one.
    #[inline(always)]
    fn offset_from(self, first: Self) -> u32 {
        self.get() - first.get()
    }

    /// Returns the next id.
    #[inline(always)]
    fn following(self) -> Self {
        Self::new(self.get() + 1)
    }

    /// Returns the first `n` ids.
    #[inline]
    fn first(n: u32) -> Ids<Self> {
        Ids { start: Self::new(0), end: Self::new(n) }
    }
}

/// Consecutive ids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ids<I> {
    /// The first id of the range.
    pub start: I,
    /// The id after the last of the range.
    pub end: I,
}

impl<I: Id> Ids<I> {
    /// Returns the `n` ids from `start`.
    #[inline]
    pub fn from(start: I, n: u32) -> Ids<I> {
        Ids { start, end: I::new(start.get() + n) }
    }

    /// Returns whether the range contains an id.
    #[inline]
    pub fn contains(&self, id: I) -> bool {
        self.start <= id && id < self.end
    }
}

impl<I: Id> Iterator for Ids<I> {
    type Item = I;

    #[inline]
    fn next(&mut self) -> Option<I> {
        let id = self.start;
        (id < self.end).then(|| {
            self.start = I::new(id.get() + 1);
            id
        })
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = self.end.index().saturating_sub(self.start.index());
        (n, Some(n))
    }

    #[inline]
    fn nth(&mut self, n: usize) -> Option<I> {
        self.start = I::from_index(self.end.index().min(self.start.index() + n));
        self.next()
    }
}

impl<I: Id> DoubleEndedIterator for Ids<I> {
    #[inline]
    fn next_back(&mut self) -> Option<I> {
        (self.start < self.end).then(|| {
            self.end = I::new(self.end.get() - 1);
            self.end
        })
    }
}

impl<I: Id> ExactSizeIterator for Ids<I> {}
impl<I: Id> FusedIterator for Ids<I> {}

#[cfg(test)]
mod tests {
    use super::{Id, Ids};

    crate::id! { PortId; }

    #[test]
    fn ids_are_walked_from_both_ends_and_know_how_many_are_left() {
        let mut ports = Ids::from(PortId::new(3), 5);
        assert_eq!((ports.next(), ports.next_back()), (Some(PortId::new(3)), Some(PortId::new(7))));
        assert_eq!((ports.len(), ports.nth(1)), (3, Some(PortId::new(5))));
        assert_eq!((ports.nth(1), ports.next(), ports.next_back()), (None, None, None));
        assert_eq!(PortId::first(0).len(), 0);
        assert!(Ids::from(PortId::new(3), 2).contains(PortId::new(4)));
        assert!(!Ids::from(PortId::new(3), 2).contains(PortId::new(5)));
    }
}
