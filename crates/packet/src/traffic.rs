//! The traffic of every port over time: frames and bytes that it sent and received, in spans of
//! equal length.
//!
//! The number of spans is bounded: when a run outlasts them, every two become one of twice the
//! length, so that a run of any length takes the same memory.

use network::PortId;
use quantity::{IdVec, Time};

use crate::arena::Attached;
use crate::frame::Frame;
use crate::observer::Observer;

/// The traffic of one port in one span.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PortTraffic {
    /// Frames sent.
    pub frames_sent: u64,
    /// Their bytes, from header to frame check sequence.
    pub bytes_sent: u64,
    /// Frames received.
    pub frames_received: u64,
    /// Their bytes.
    pub bytes_received: u64,
}

/// An [`Observer`] that counts the traffic of every port in spans of time.
#[derive(Clone, Debug)]
pub struct Traffic {
    n_ports: u32,
    span: Time,
    most: usize,
    spans: Vec<IdVec<PortId, PortTraffic>>,
}

impl Traffic {
    /// Counts in spans of `span`, at most `most` of them (an even number), and longer ones when
    /// these do not suffice.
    pub fn new(n_ports: u32, span: Time, most: usize) -> Traffic {
        assert!(most > 0 && most.is_multiple_of(2), "spans are joined in pairs");
        assert!(span > Time::ZERO, "a span takes time");
        Traffic { n_ports, span, most, spans: Vec::new() }
    }

    /// Returns the number of ports.
    pub fn n_ports(&self) -> u32 {
        self.n_ports
    }

    /// Returns the length of a span.
    pub fn span(&self) -> Time {
        self.span
    }

    /// Returns the spans in order; the last ones may be missing.
    pub fn spans(&self) -> &[IdVec<PortId, PortTraffic>] {
        &self.spans
    }

    fn at(&mut self, time: Time, port: PortId) -> &mut PortTraffic {
        let mut index = time.ps() / self.span.ps();
        while index >= self.most as u64 {
            self.join();
            index /= 2;
        }
        let index = index as usize;
        while self.spans.len() <= index {
            self.spans.push(IdVec::filled(PortTraffic::default(), self.n_ports));
        }
        &mut self.spans[index][port]
    }

    /// Makes one span of every two.
    fn join(&mut self) {
        self.span = self.span + self.span;
        let mut joined: Vec<IdVec<PortId, PortTraffic>> = Vec::with_capacity(self.most);
        for (index, of_ports) in std::mem::take(&mut self.spans).into_iter().enumerate() {
            match joined.last_mut() {
                Some(before) if index % 2 == 1 => {
                    for (port, traffic) in of_ports.with_ids() {
                        before[port].add(*traffic);
                    }
                }
                _ => joined.push(of_ports),
            }
        }
        self.spans = joined;
    }
}

impl PortTraffic {
    fn add(&mut self, other: PortTraffic) {
        self.frames_sent += other.frames_sent;
        self.bytes_sent += other.bytes_sent;
        self.frames_received += other.frames_received;
        self.bytes_received += other.bytes_received;
    }
}

impl Observer for Traffic {
    fn sent(&mut self, time: Time, port: PortId, frame: &Frame, _: Attached<'_>) {
        let traffic = self.at(time, port);
        traffic.frames_sent += 1;
        traffic.bytes_sent += u64::from(frame.bytes);
    }

    fn received(&mut self, time: Time, port: PortId, frame: &Frame, _: Attached<'_>) {
        let traffic = self.at(time, port);
        traffic.frames_received += 1;
        traffic.bytes_received += u64::from(frame.bytes);
    }
}

#[cfg(test)]
mod tests {
    use network::PortId;
    use quantity::{OptionalId, Time};

    use super::{PortTraffic, Traffic};
    use crate::arena::Attached;
    use crate::frame::{Frame, Payload};
    use crate::observer::Observer;

    const PORT: PortId = PortId::new(1);

    fn watched(times_us: &[u64]) -> Traffic {
        let mut traffic = Traffic::new(2, Time::from_us(1), 4);
        let frame = Frame {
            source: PORT,
            target: OptionalId::none(),
            bytes: 100,
            flow: 0,
            is_damaged: false,
            payload: Payload::Contents,
        };
        for &time in times_us {
            traffic.sent(Time::from_us(time), PORT, &frame, Attached::default());
        }
        traffic
    }

    #[test]
    fn frames_count_in_their_spans() {
        let traffic = watched(&[0, 0, 2]);
        let sent: Vec<u64> = traffic.spans().iter().map(|of| of[PORT].frames_sent).collect();
        assert_eq!(sent, [2, 0, 1]);
        assert_eq!(traffic.spans()[0][PORT].bytes_sent, 200);
        assert_eq!(traffic.spans()[0][PortId::new(0)], PortTraffic::default());
    }

    #[test]
    fn a_longer_run_has_longer_spans_and_the_same_sum() {
        let traffic = watched(&[0, 1, 2, 3, 9, 14]);
        assert_eq!(traffic.span(), Time::from_us(4));
        let sent: Vec<u64> = traffic.spans().iter().map(|of| of[PORT].frames_sent).collect();
        assert_eq!(sent, [4, 0, 1, 1]);
    }
}
