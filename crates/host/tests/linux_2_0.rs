//! One end of a connection of Linux 2.0 by itself: its rule for duplicates, the opening of its
//! window, and the queue after a time-out.

use crate::hosts::linux_2_0;
use host::tcp::{Endpoint, Incoming, Outgoing};
use host::transport::EndpointId;
use host::{CongestionControl, SendBuffer, TcpOptions};
use quantity::Time;

const SEGMENT: u32 = 1460;
const BEGIN: Time = Time::from_ms(1);

/// Returns options with buffers that do not limit, so that the congestion window does.
fn options() -> TcpOptions {
    TcpOptions {
        congestion: CongestionControl::Linux20,
        fast_retransmit: true,
        send_buffer: SendBuffer::Segments(100),
        receive_buffer: 60 * SEGMENT,
        ..linux_2_0().tcp
    }
}

/// A sending end, with `n_acknowledged` segments acknowledged one by one.
struct Fixture {
    end: Endpoint,
    options: TcpOptions,
    n_acknowledged: u32,
}

impl Fixture {
    fn new(n_written: u32) -> Fixture {
        let options = options();
        let mut end = Endpoint::new(EndpointId::new(1), SEGMENT, &options);
        (0..n_written).for_each(|_| end.write(SEGMENT, false, BEGIN, &options));
        let mut fixture = Fixture { end, options, n_acknowledged: 0 };
        fixture.send();
        fixture
    }

    fn send(&mut self) -> Vec<Outgoing> {
        std::iter::from_fn(|| self.end.send(BEGIN, &self.options)).collect()
    }

    fn window(&self) -> u32 {
        self.end.sender.in_flight(&self.options).1
    }

    /// Receives a segment with `payload` that repeats the last acknowledgement; returns whether the
    /// first segment is to be retransmitted.
    fn takes(&mut self, payload: u32) -> bool {
        self.takes_of(self.n_acknowledged, payload)
    }

    /// Receives a segment with an acknowledgement that may be an older one.
    fn takes_of(&mut self, n_acknowledged: u32, payload: u32) -> bool {
        let acknowledged = u64::from(n_acknowledged * SEGMENT);
        let window = (30 - self.n_acknowledged) * SEGMENT;
        let segment =
            Incoming { sequence: 0, payload, flags: Default::default(), acknowledged, window };
        self.end.sender.on_acknowledgement(&segment, BEGIN, &self.options)
    }

    fn takes_new(&mut self) {
        self.n_acknowledged += 1;
        assert!(!self.takes(0));
        self.send();
    }

    fn with_window(window: u32) -> Fixture {
        let mut fixture = Fixture::new(40);
        (1..window).for_each(|_| fixture.takes_new());
        assert_eq!(fixture.window(), window);
        fixture
    }
}

#[test]
fn two_duplicates_halve_the_window() {
    let mut fixture = Fixture::with_window(8);
    assert_eq!([(); 2].map(|()| fixture.takes(0)), [false, true]);
    // Half of the window, and the two segments that have left the network with one more.
    assert_eq!(fixture.window(), 4 + 3);
    assert!(!fixture.takes(0));
    assert_eq!(fixture.window(), 8);
    fixture.takes_new();
    assert_eq!(fixture.window(), 4);
}

#[test]
fn data_are_no_duplicates_and_begin_the_count_anew() {
    let mut fixture = Fixture::with_window(8);
    for payload in [100, 100, 100, 0, 100, 0] {
        assert!(!fixture.takes(payload));
    }
    assert_eq!(fixture.window(), 8);
    assert!(fixture.takes(0));
}

/// Wires of a bond let segments overtake each other; `tcp_ack` ignores late ones.
#[test]
fn what_was_overtaken_ends_no_row() {
    let mut fixture = Fixture::with_window(8);
    for n_acknowledged in [7, 6] {
        assert!(!fixture.takes_of(n_acknowledged, 0));
    }
    assert!(fixture.takes(0));
    assert!(!fixture.takes_of(6, 0));
    assert_eq!(fixture.window(), 4 + 3);
}

#[test]
fn a_window_of_two_counts_nothing() {
    let mut fixture = Fixture::with_window(2);
    assert!(!(0..10).any(|_| fixture.takes(0)));
    assert_eq!(fixture.window(), 2);
}

/// Duplicates of retransmissions indicate no loss (Floyd; Linux, `high_seq`).
#[test]
fn until_all_is_acknowledged_that_was_sent_before_a_time_out_nothing_counts() {
    let mut fixture = Fixture::with_window(8);
    let due = fixture.end.sender.timeout_at();
    fixture.end.sender.on_timeout(due, &fixture.options);
    (0..7).for_each(|_| fixture.takes_new());
    assert!(fixture.window() >= 3);
    assert!(!(0..10).any(|_| fixture.takes(0)));
    (0..8).for_each(|_| fixture.takes_new());
    assert!((0..2).any(|_| fixture.takes(0)));
}

/// The comparison with `high_seq` is signed, and that is zero before the first time-out.
#[test]
fn half_of_all_connections_count_no_duplicates_before_their_first_time_out() {
    for (first, counts) in
        [(1, true), (0x7fff_0000, true), (0x8000_0000, false), (0xffff_0000, false)]
    {
        let mut fixture = Fixture::with_window(8);
        fixture.end.begin_at(first);
        assert_eq!((0..2).any(|_| fixture.takes(0)), counts, "{first:x}");
        let due = fixture.end.sender.timeout_at();
        fixture.end.sender.on_timeout(due, &fixture.options);
        (0..16).for_each(|_| fixture.takes_new());
        assert!((0..2).any(|_| fixture.takes(0)), "{first:x}");
    }
}

#[test]
fn a_time_out_during_a_call_is_put_off_by_a_second() {
    let mut fixture = Fixture::with_window(8);
    let due = fixture.end.sender.timeout_at();
    fixture.end.sender.postpone(due - Time::from_ms(1));
    assert_eq!(fixture.end.sender.timeout_at(), due, "not due");
    fixture.end.sender.postpone(due);
    assert_eq!(fixture.end.sender.timeout_at(), due + Time::from_ms(1_000));
}

#[test]
fn beyond_the_threshold_a_window_opens_by_one_for_one_more_than_it_has() {
    let mut fixture = Fixture::with_window(8);
    (0..2).for_each(|_| {
        fixture.takes(0);
    });
    fixture.takes_new();
    let windows: Vec<u32> = (0..13)
        .map(|_| {
            fixture.takes_new();
            fixture.window()
        })
        .collect();
    // At the threshold of 4 the window opens once more as in slow start. One acknowledgement was
    // counted while the window was wide, so that 5 lasts for five and 6 for seven.
    assert_eq!(windows, [5, 5, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7]);
}

#[test]
fn after_a_time_out_new_data_wait_for_all_that_was_sent_before() {
    let mut fixture = Fixture::with_window(4);
    let due = fixture.end.sender.timeout_at();
    fixture.end.sender.on_timeout(due, &fixture.options);
    let sent: u64 = u64::from(SEGMENT) * (3 + 4);
    assert_eq!(fixture.send().len(), 1);
    for _ in 0..3 {
        fixture.n_acknowledged += 1;
        fixture.takes(0);
        assert!(fixture.send().iter().all(|segment| segment.sequence < sent));
    }
    fixture.n_acknowledged += 1;
    fixture.takes(0);
    assert!(fixture.send().iter().all(|segment| segment.sequence >= sent));
}

/// The threshold is zero then, and the row of duplicates has not ended.
#[test]
fn duplicates_before_two_time_outs_leave_a_window_that_sends() {
    let mut fixture = Fixture::with_window(8);
    assert!([(); 2].map(|()| fixture.takes(0))[1]);
    for _ in 0..2 {
        let due = fixture.end.sender.timeout_at();
        fixture.end.sender.on_timeout(due, &fixture.options);
        assert_eq!(fixture.send().len(), 1);
    }
    fixture.n_acknowledged += 1;
    fixture.takes(0);
    assert_eq!(fixture.window(), 1);
    assert_eq!(fixture.send().len(), 1);
}
