//! The timers of Linux 2.0.30, an end of a connection by itself: time-outs (`tcp_rtt_estimator`,
//! `tcp_reset_xmit_timer`), the restart of an idle connection (`tcp_send_skb`), and the
//! acknowledgements of data out of order (`tcp_queue`).

use crate::hosts::linux_2_0;
use host::tcp::{Endpoint, Flags, Incoming};
use host::{CongestionControl, TcpOptions};
use quantity::Time;

const SEGMENT: u32 = 1460;

fn ms(ms: u64) -> Time {
    Time::from_ms(ms)
}

fn options() -> TcpOptions {
    let plain = linux_2_0().tcp;
    TcpOptions { congestion: CongestionControl::Linux20, fast_retransmit: true, ..plain }
}

struct Fixture {
    end: Endpoint,
    options: TcpOptions,
}

impl Fixture {
    /// Returns an end that has measured a round trip of less than a tick, at 2 ms.
    fn new() -> Fixture {
        let options = options();
        let mut fixture = Fixture { end: Endpoint::in_use(SEGMENT, 8, &options), options };
        fixture.sends(ms(1));
        fixture.takes(1, ms(2));
        fixture
    }

    fn sends(&mut self, now: Time) {
        self.end.write(SEGMENT, true, now, &self.options);
        while self.end.send(now, &self.options).is_some() {}
    }

    /// Takes an acknowledgement of `n` segments.
    fn takes(&mut self, n: u32, now: Time) {
        let (acknowledged, window) = (u64::from(n * SEGMENT), 7300);
        let flags = Flags::default();
        let segment = Incoming { sequence: 0, payload: 0, flags, acknowledged, window };
        self.end.sender.on_acknowledgement(&segment, now, &self.options);
        while self.end.send(now, &self.options).is_some() {}
    }

    /// Receives the segment of this number; returns whether it is acknowledged at once.
    fn receives(&mut self, number: u64, now: Time) -> bool {
        let (sequence, flags) = (number * u64::from(SEGMENT), Flags::default());
        let (payload, acknowledged, window) = (SEGMENT, 0, 7300);
        let segment = Incoming { sequence, payload, flags, acknowledged, window };
        let at_once = self.end.on_data(&segment, now, &self.options);
        if at_once {
            self.end.receiver.acknowledge(&self.options);
        }
        at_once
    }
}

/// The timer fires on the tick at or after the due time, and `jiffies` is the tick before.
#[test]
fn a_time_out_counts_from_the_sending_of_the_oldest_segment() {
    let mut fixture = Fixture::new();
    fixture.sends(ms(10));
    fixture.sends(ms(20));
    assert_eq!(fixture.end.sender.timeout_at(), ms(10 + 200 - 10));
    fixture.takes(2, ms(25));
    assert_eq!(fixture.end.sender.timeout_at(), ms(20 + 200 - 10));
    fixture.takes(3, ms(26));
    assert_eq!(fixture.end.sender.timeout_at(), Time::MAX);
}

#[test]
fn a_doubled_time_out_lasts_until_the_next_measurement() {
    let mut fixture = Fixture::new();
    fixture.sends(ms(10));
    fixture.end.sender.on_timeout(ms(200), &fixture.options);
    while fixture.end.send(ms(200), &fixture.options).is_some() {}
    assert_eq!(fixture.end.sender.timeout_at(), ms(200 + 400 - 10));
    // Retransmitted segments are not measured.
    fixture.takes(2, ms(205));
    fixture.sends(ms(210));
    assert_eq!(fixture.end.sender.timeout_at(), ms(210 + 400 - 10));
    fixture.takes(3, ms(215));
    fixture.sends(ms(220));
    assert_eq!(fixture.end.sender.timeout_at(), ms(220 + 200 - 10));
}

/// After a stall of 40 ticks: R = 40 and 4V = 80 by the first sample that is not empty.
#[test]
fn a_long_round_trip_makes_a_long_time_out() {
    let mut fixture = Fixture::new();
    fixture.sends(ms(10));
    fixture.end.sender.on_acknowledgement(
        &Incoming {
            sequence: 0,
            payload: 0,
            flags: Flags::default(),
            acknowledged: u64::from(2 * SEGMENT),
            window: 7300,
        },
        ms(410),
        &fixture.options,
    );
    // A window of ten: 120 and a quarter of it.
    assert_eq!(fixture.end.sender.timeout(&fixture.options), ms(1500));
}

/// Pure acknowledgements count, what this end sends does not (`idletime`).
#[test]
fn a_connection_is_idle_from_the_last_segment_received() {
    for (heard, written, is_restarted) in [(100, 290, false), (100, 301, true), (2, 203, true)] {
        let mut fixture = Fixture::new();
        fixture.takes(1, ms(heard));
        let before = fixture.end.sender.congestion_window();
        fixture.end.write(SEGMENT, true, ms(written), &fixture.options);
        let expected = if is_restarted { 1 } else { before };
        assert_eq!(fixture.end.sender.congestion_window(), expected, "{heard} {written}");
    }
}

#[test]
fn data_out_of_order_are_acknowledged_at_once_and_a_time_out_later() {
    let mut fixture = Fixture::new();
    assert!(fixture.receives(2, ms(500)));
    assert_eq!(fixture.end.receiver.ack_at(), ms(500 + 200));
    // Any acknowledgement takes its place.
    fixture.end.receiver.acknowledge(&fixture.options);
    assert_eq!(fixture.end.receiver.ack_at(), Time::MAX);
}

/// Data that fill a gap wait like data in order, also if another gap remains.
#[test]
fn a_filled_gap_is_acknowledged_with_the_delay_of_ordinary_data() {
    for later in [[1, 2], [1, 3]] {
        let mut fixture = Fixture::new();
        for number in later {
            assert!(fixture.receives(number, ms(500)));
        }
        assert!(!fixture.receives(0, ms(505)));
        let delay = fixture.end.receiver.ack_at() - ms(505);
        assert!(delay > ms(0) && delay <= ms(200), "{delay:?}");
    }
}
