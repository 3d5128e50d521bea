//! The segment that waits at the end of a send buffer, an end of a connection by itself: under
//! Linux 6 later writes fill it up (`tcp_sendmsg_locked`).

use crate::hosts::ideal;
use host::TcpOptions;
use host::tcp::{Endpoint, Flags, Incoming, Outgoing};
use quantity::Time;

const SEGMENT: u32 = 1460;
const BEGIN: Time = Time::from_ms(1);

struct Fixture {
    end: Endpoint,
    options: TcpOptions,
}

impl Fixture {
    /// An end whose congestion window allows two segments.
    fn new(fills_waiting: bool) -> Fixture {
        let options = TcpOptions { fills_waiting, ..ideal().tcp };
        Fixture { end: Endpoint::in_use(SEGMENT, 2, &options), options }
    }

    /// Writes as many messages of `bytes`; returns the payloads that leave.
    fn writes(&mut self, n_messages: u32, bytes: u32) -> Vec<u32> {
        for _ in 0..n_messages {
            self.end.write(bytes, true, BEGIN, &self.options);
        }
        self.leaving().iter().map(|segment| segment.payload).collect()
    }

    fn leaving(&mut self) -> Vec<Outgoing> {
        std::iter::from_fn(|| self.end.send(BEGIN, &self.options)).collect()
    }

    /// Takes an acknowledgement; returns the segments that leave.
    fn takes(&mut self, acknowledged: u64) -> Vec<Outgoing> {
        let (flags, window) = (Flags::default(), 65_535);
        let segment = Incoming { sequence: 0, payload: 0, flags, acknowledged, window };
        self.end.sender.on_acknowledgement(&segment, BEGIN, &self.options);
        self.leaving()
    }
}

#[test]
fn writes_fill_the_segment_up_that_waits() {
    let mut fixture = Fixture::new(true);
    assert_eq!([fixture.writes(1, 100), fixture.writes(1, 100)], [[100], [100]]);
    assert!(fixture.writes(30, 100).is_empty());
    let sent = fixture.takes(200);
    assert_eq!(sent.iter().map(|segment| segment.payload).collect::<Vec<_>>(), [1460, 1460, 80]);
    assert!(sent.iter().all(|segment| segment.flags.has(Flags::PUSH)), "each holds ends of writes");
}

#[test]
fn other_kernels_begin_a_segment_with_each_write() {
    let mut fixture = Fixture::new(false);
    fixture.writes(30, 100);
    assert!(fixture.takes(200).iter().all(|segment| segment.payload == 100));
}

#[test]
fn a_segment_that_was_sent_is_not_filled() {
    let mut fixture = Fixture::new(true);
    assert_eq!(fixture.writes(1, 100), [100]);
    let timeout = fixture.end.sender.timeout_at();
    fixture.end.sender.on_timeout(timeout, &fixture.options);
    fixture.end.write(50, true, timeout, &fixture.options);
    let sent: Vec<u32> = fixture.leaving().iter().map(|segment| segment.payload).collect();
    assert_eq!(sent, [100], "after a time-out one segment is sent again");
    assert_eq!(fixture.takes(100)[0].payload, 50);
}

#[test]
fn what_is_in_the_buffer_is_counted_once() {
    let mut fixture = Fixture::new(true);
    fixture.writes(2, 100);
    fixture.writes(20, 333);
    assert_eq!(fixture.end.totals().0, 200 + 20 * 333);
    assert_eq!(fixture.end.sender.queued_bytes(), 200 + 20 * 333);
}
