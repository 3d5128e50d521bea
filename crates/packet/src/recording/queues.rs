//! The bytes that wait at outgoing ports over time, from the times for which each frame waited. A
//! frame that is being sent no longer waits.

use network::PortId;
use quantity::{IdVec, Time, columns};

columns! {
    /// Bytes that wait at a port after each change, in order of time.
    "queues": Queues of QueueRow {
        /// The port.
        port: u32,
        /// Time of the change, in seconds.
        time: f64,
        /// Bytes that wait from then on.
        bytes: u32,
    }
}

/// The time for which one frame waited.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stay {
    pub port: PortId,
    pub joined: Time,
    pub left: Time,
    pub bytes: u32,
}

/// Returns the bytes that wait at each port.
pub(super) fn queues(stays: Vec<Stay>) -> Queues {
    let joined = stays.iter().map(|stay| (stay.joined, stay.port, i64::from(stay.bytes)));
    let left = stays.iter().map(|stay| (stay.left, stay.port, -i64::from(stay.bytes)));
    let mut changes: Vec<(Time, PortId, i64)> = joined.chain(left).collect();
    changes.sort_unstable();
    let mut waiting: IdVec<PortId, i64> = IdVec::new();
    let mut rows: Vec<QueueRow> = Vec::new();
    for (index, &(time, port, bytes)) in changes.iter().enumerate() {
        let waiting = waiting.reach(port, 0);
        *waiting += bytes;
        // Changes of one instant are one.
        let is_last = changes.get(index + 1).is_none_or(|next| (next.0, next.1) != (time, port));
        if is_last {
            let bytes = *waiting as u32;
            rows.push(QueueRow { port: port.get(), time: time.seconds(), bytes });
        }
    }
    rows.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_queue_holds_the_frames_that_wait() {
        let stay = |joined, left, bytes| Stay {
            port: PortId::new(3),
            joined: Time::from_us(joined),
            left: Time::from_us(left),
            bytes,
        };
        let queues = queues(vec![stay(0, 2, 100), stay(1, 4, 50), stay(2, 4, 7)]);
        assert_eq!(queues.bytes, [100, 150, 57, 0]);
        assert_eq!(queues.port, [3; 4]);
    }
}
