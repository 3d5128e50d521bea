//! The state of a disk. Given the time and a request, it returns when the process continues.
//!
//! A read waits for its turn and for its data. A write goes to memory; when enough has gathered
//! there it is written behind the process, which continues unless the disk is still writing the
//! previous batch. Blocks of one file are adjacent: only a change between reading and writing moves
//! the head.

use host::DiskModel;
use quantity::Time;

use crate::model::over_at;

/// The last use of the head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    Read,
    Write,
}

/// The disk of one node.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Disk {
    /// The time at which all requests so far are done.
    free: Time,
    last: Option<Direction>,
    /// Bytes written to memory and not yet to the disk.
    gathered: u64,
}

impl Disk {
    /// Returns when `bytes` have been read.
    pub fn read(&mut self, model: &DiskModel, now: Time, bytes: u64) -> Time {
        self.serve(model, now, Direction::Read, bytes)
    }

    /// Returns when a process that writes `bytes` continues.
    pub fn write(&mut self, model: &DiskModel, now: Time, bytes: u64) -> Time {
        self.gathered += bytes;
        if self.gathered < model.gather {
            return now;
        }
        let room = now.max(self.free);
        self.begin_writing(model, room);
        room
    }

    /// Returns when all written bytes are on the disk.
    pub fn flush(&mut self, model: &DiskModel, now: Time) -> Time {
        if self.gathered > 0 {
            self.begin_writing(model, now);
        }
        now.max(self.free)
    }

    fn begin_writing(&mut self, model: &DiskModel, now: Time) {
        let bytes = std::mem::take(&mut self.gathered);
        self.serve(model, now, Direction::Write, bytes);
    }

    fn serve(&mut self, model: &DiskModel, now: Time, direction: Direction, bytes: u64) -> Time {
        let seek = if self.last == Some(direction) { Time::ZERO } else { model.access };
        let cost = match direction {
            Direction::Read => model.read,
            Direction::Write => model.write,
        };
        self.last = Some(direction);
        self.free = over_at(now.max(self.free), seek + cost.of(bytes));
        self.free
    }
}

#[cfg(test)]
mod tests {
    use quantity::Cost;

    use super::*;

    /// A disk that takes 10 ms to move its head, 1 ms per read and 3 ms per write.
    fn slow() -> DiskModel {
        DiskModel {
            access: ms(10),
            read: Cost::from_seconds(1e-3, 0.0),
            write: Cost::from_seconds(3e-3, 0.0),
            copy: Cost::ZERO,
            gather: 100,
        }
    }

    fn ms(ms: u64) -> Time {
        Time::from_ms(ms)
    }

    #[test]
    fn reads_side_by_side_move_the_head_once() {
        let mut disk = Disk::default();
        assert_eq!(disk.read(&slow(), ms(0), 50), ms(11));
        assert_eq!(disk.read(&slow(), ms(20), 50), ms(21));
    }

    #[test]
    fn writes_gather_and_go_behind_the_process() {
        let mut disk = Disk::default();
        assert_eq!(disk.write(&slow(), ms(0), 60), ms(0), "in memory");
        assert_eq!(disk.write(&slow(), ms(1), 60), ms(1), "the disk begins, the process goes on");
        assert_eq!(
            disk.write(&slow(), ms(2), 120),
            ms(14),
            "what gathered before is written first"
        );
        assert_eq!(disk.flush(&slow(), ms(15)), ms(17));
    }

    #[test]
    fn a_read_waits_for_what_is_being_written_and_turns_the_head() {
        let mut disk = Disk::default();
        disk.write(&slow(), ms(0), 100);
        assert_eq!(disk.read(&slow(), ms(1), 1), ms(13 + 10 + 1));
    }

    #[test]
    fn a_flush_writes_what_is_left_and_nothing_twice() {
        let mut disk = Disk::default();
        assert_eq!(disk.flush(&slow(), ms(5)), ms(5));
        disk.write(&slow(), ms(5), 1);
        assert_eq!(disk.flush(&slow(), ms(5)), ms(18));
        assert_eq!(disk.flush(&slow(), ms(30)), ms(30));
    }
}
