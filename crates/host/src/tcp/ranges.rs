//! Data that have arrived out of order, as ranges of sequence numbers, from which SACK blocks are
//! made (RFC 2018, sec. 4).

use super::segment::{MOST_BLOCKS, SegmentOptions};

/// Disjoint ranges, ascending.
#[derive(Clone, Debug, Default)]
pub(super) struct Ranges {
    ranges: Vec<(u64, u64)>,
    /// Start of the latest segment.
    latest: u64,
    /// Data that arrived twice and are not reported yet.
    pub repeated: Option<(u64, u64)>,
}

impl Ranges {
    pub fn heap_bytes(&self) -> usize {
        self.ranges.capacity() * size_of::<(u64, u64)>()
    }

    /// Advances all ranges by `bytes` of data in which everything repeats itself.
    pub fn shift(&mut self, bytes: u64) {
        self.latest += bytes;
        self.repeated = None;
        for (start, end) in &mut self.ranges {
            *start += bytes;
            *end += bytes;
        }
    }

    /// Adds a segment, merged with the ranges that it touches.
    pub fn insert(&mut self, start: u64, end: u64) {
        self.latest = start;
        let from = self.ranges.partition_point(|&(_, known_end)| known_end < start);
        let to = self.ranges.partition_point(|&(known_start, _)| known_start <= end);
        let touched = &self.ranges[from..to.max(from)];
        let first = touched.first().map_or(start, |&(first, _)| first.min(start));
        let last = touched.last().map_or(end, |&(_, last)| last.max(end));
        self.ranges.splice(from..to.max(from), [(first, last)]);
    }

    /// Removes the ranges before `expected`.
    pub fn release(&mut self, expected: u64) {
        let n = self.ranges.partition_point(|&(_, end)| end <= expected);
        self.ranges.drain(..n);
    }

    /// Writes the SACK blocks of an acknowledgement: first data that arrived twice (RFC 2883), then
    /// the range with the latest segment, then the others in descending order, which is their order
    /// of arrival where no path overtakes another.
    pub fn report(&self, options: &mut SegmentOptions) {
        let latest =
            self.ranges.iter().position(|&(start, end)| (start..end).contains(&self.latest));
        let others = (0..self.ranges.len()).rev().filter(|&place| Some(place) != latest);
        let ranges = latest.into_iter().chain(others).map(|place| self.ranges[place]);
        for (block, range) in options.blocks.iter_mut().zip(self.repeated.into_iter().chain(ranges))
        {
            *block = range;
        }
        let n_blocks = self.ranges.len() + usize::from(self.repeated.is_some());
        options.n_blocks = n_blocks.min(MOST_BLOCKS) as u8;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reported(ranges: &Ranges) -> Vec<(u64, u64)> {
        let mut options = SegmentOptions::default();
        ranges.report(&mut options);
        options.blocks().to_vec()
    }

    #[test]
    fn the_examples_of_rfc_2018() {
        // Segments of 500 from 5000 on. The first is lost: the block grows.
        let mut ranges = Ranges::default();
        for n in 1..8 {
            ranges.insert(5000 + 500 * n, 5500 + 500 * n);
            assert_eq!(reported(&ranges), [(5500, 5500 + 500 * n)]);
        }
        // The 2nd, 4th, 6th and 8th are lost; the latest comes first.
        let mut ranges = Ranges::default();
        ranges.insert(6000, 6500);
        ranges.insert(7000, 7500);
        ranges.insert(8000, 8500);
        assert_eq!(reported(&ranges), [(8000, 8500), (7000, 7500), (6000, 6500)]);
        // The 4th comes late and joins two blocks.
        ranges.insert(6500, 7000);
        assert_eq!(reported(&ranges), [(6000, 7500), (8000, 8500)]);
        ranges.release(7500);
        assert_eq!(reported(&ranges), [(8000, 8500)]);
    }
}
