//! A vector of user data and its parts: algorithms divide it between elements only.
//!
//! A program gives bytes and no type of elements. An element is taken to be as long as a number of
//! 8, 4, 2 or 1 bytes, the longest of which the vector is a multiple.

use std::ops::Range;

/// Bytes of the longest element.
const LONGEST_ELEMENT: u64 = 8;

/// A vector of equal elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Vector {
    /// Number of elements.
    pub elements: u64,
    /// Bytes of an element.
    element_bytes: u64,
}

impl Vector {
    /// Returns a vector of numbers.
    pub fn of_numbers(bytes: u64) -> Vector {
        let element_bytes = 1 << bytes.trailing_zeros().min(LONGEST_ELEMENT.ilog2());
        Vector { elements: bytes / element_bytes, element_bytes }
    }

    /// Returns a vector that is divided between any two bytes.
    pub fn of_bytes(bytes: u64) -> Vector {
        Vector { elements: bytes, element_bytes: 1 }
    }

    /// Returns the bytes of some elements.
    pub fn bytes(self, elements: u64) -> u64 {
        elements * self.element_bytes
    }

    /// Returns the elements of a segment: at least one, all if segments have no length.
    pub fn segment(self, segment_bytes: u32) -> u64 {
        match segment_bytes {
            0 => self.elements,
            bytes => (u64::from(bytes) / self.element_bytes).clamp(1, self.elements.max(1)),
        }
    }

    /// Returns the bytes of each segment of this vector, in order; one of 0 bytes if it is empty.
    pub fn segments(self, segment_bytes: u32) -> Vec<u64> {
        let each = self.segment(segment_bytes).max(1);
        let n_segments = self.elements.div_ceil(each).max(1);
        (0..n_segments)
            .map(|index| self.bytes(each.min(self.elements - (index * each).min(self.elements))))
            .collect()
    }

    /// Returns the elements of part `index` of `n_parts`, of which the first have one more.
    pub fn part(self, index: u64, n_parts: u64) -> u64 {
        self.elements / n_parts + u64::from(index < self.elements % n_parts)
    }

    /// Returns the bytes of block `index` of `n_blocks`, of which the first have one element more.
    pub fn block(self, index: u32, n_blocks: u32) -> u64 {
        self.bytes(self.part(index.into(), n_blocks.into()))
    }

    /// Returns the bytes of some of `n_blocks` blocks as long as the first, the last ones shorter
    /// or empty.
    pub fn full_blocks(self, blocks: Range<u32>, n_blocks: u32) -> u64 {
        let each = self.elements.div_ceil(n_blocks.into());
        let place = |block: u32| (u64::from(block.min(n_blocks)) * each).min(self.elements);
        self.bytes(place(blocks.end) - place(blocks.start))
    }
}
