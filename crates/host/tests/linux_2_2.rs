//! The acknowledgements of one end of a connection under Linux 2.2, by itself. Each test names the
//! kernel function that its rule comes from.

use crate::hosts::linux_2_0;
use host::tcp::{Endpoint, Flags, Incoming};
use host::transport::EndpointId;
use host::{AckRule, TcpOptions};
use quantity::Time;

const SEGMENT: u32 = 1448;

fn options() -> TcpOptions {
    let ack_rule = AckRule::FullPairs { pushed: Time::from_ms(20), longest: Time::from_ms(500) };
    TcpOptions { receive_buffer: 32_768, ack_rule, ..linux_2_0().tcp }
}

/// The receiving end of a connection, with the position in the data sent to it.
struct Stream {
    end: Endpoint,
    sequence: u64,
    now: Time,
    options: TcpOptions,
}

impl Stream {
    fn new() -> Stream {
        let options = options();
        let end = Endpoint::new(EndpointId::new(1), SEGMENT, &options);
        Stream { end, sequence: 0, now: Time::from_ms(1_000), options }
    }

    /// Receives a segment after `gap_ms`; returns the delay of its acknowledgement in ms.
    fn takes(&mut self, payload: u32, push: bool, gap_ms: u64) -> u64 {
        self.now += Time::from_ms(gap_ms);
        let flags = Flags::default().with_if(push, Flags::PUSH);
        let sequence = self.sequence;
        self.sequence += u64::from(payload);
        let data = Incoming { sequence, payload, flags, acknowledged: 0, window: SEGMENT };
        let at_once = self.end.on_data(&data, self.now, &self.options);
        let wait = self.end.receiver.ack_at().saturating_sub(self.now);
        if at_once {
            self.end.receiver.acknowledge(&self.options);
            return 0;
        }
        wait.ps() / 1_000_000_000
    }

    fn reads(&mut self, n_segments: u32) -> bool {
        (0..n_segments).any(|_| self.end.receiver.read(self.now, &self.options).1)
    }
}

/// `tcp_delack_estimator`: half of the expected time and all of the actual one, in ticks.
#[test]
fn a_single_segment_waits_as_long_as_the_next_is_expected_to_stay_away() {
    let mut stream = Stream::new();
    let mut waits = |gap_ms: u64| {
        let wait = stream.takes(700, false, gap_ms);
        stream.end.receiver.acknowledge(&stream.options);
        stream.reads(1);
        wait
    };
    // The first data of a connection are acknowledged at once.
    assert_eq!([0, 1, 1, 70, 1, 1, 1].map(&mut waits), [0, 10, 10, 70, 40, 30, 20]);
    // A pause beyond the time-out counts as the time-out of three seconds, and the most is half a
    // second.
    assert_eq!(waits(60_000), 500);
}

/// `tcp_remember_ack`: a pushed segment shorter than half a full one.
#[test]
fn after_a_short_message_an_acknowledgement_waits_for_two_ticks_at_most() {
    for (payload, push, wait_ms) in [(56, true, 20), (56, false, 500), (SEGMENT, true, 500)] {
        let mut stream = Stream::new();
        stream.takes(56, true, 0);
        assert_eq!(stream.takes(payload, push, 2_000), wait_ms, "{payload} {push}");
    }
}

/// `__tcp_ack_snd_check`: it counts bytes and not segments.
#[test]
fn as_many_bytes_as_two_full_segments_have_are_acknowledged_at_once() {
    let mut stream = Stream::new();
    stream.takes(56, true, 0);
    assert_eq!([SEGMENT, SEGMENT].map(|payload| stream.takes(payload, false, 1)), [10, 0]);
    // The earlier of two timers expires.
    assert_eq!([SEGMENT, SEGMENT - 1].map(|payload| stream.takes(payload, false, 1)), [10, 9]);
    assert_eq!(stream.takes(1, false, 1), 0);
    let n_waiting = (0..60).take_while(|_| stream.takes(50, true, 0) > 0).count();
    assert_eq!(n_waiting, 57, "57 of 50 bytes are less than 2896, and 58 are more");
}

/// `tcp_measure_rcv_mss`.
#[test]
fn two_segments_in_a_row_of_the_same_length_are_full_ones() {
    let mut stream = Stream::new();
    stream.takes(56, true, 0);
    assert_eq!([1_000, 1_000, 1_000].map(|payload| stream.takes(payload, false, 1)), [10, 0, 10]);
    assert_eq!(stream.takes(1_000, false, 1), 0);
    // Segments shorter than 536 bytes are not taken as full ones.
    let mut short = Stream::new();
    short.takes(56, true, 0);
    let n_waiting = (0..10).take_while(|_| short.takes(524, false, 0) > 0).count();
    assert_eq!(n_waiting, 5, "the sixth makes 3144 of 2896 bytes");
}

/// `tcp_raise_window` when data arrive, `cleanup_rbuf` when the process reads.
#[test]
fn a_window_that_at_least_doubles_is_told() {
    let mut stream = Stream::new();
    // The initial window is eleven segments; unread data reduce it by half their size.
    for _ in 0..20 {
        stream.takes(SEGMENT, false, 1);
    }
    assert!(stream.takes(SEGMENT - 1, false, 1) > 0, "a byte short of a pair");
    let n_read = (1..=21).find(|_| stream.reads(1));
    assert_eq!(n_read, Some(1));
    stream.end.receiver.acknowledge(&stream.options);
    assert!(!stream.reads(1), "of one more segment in a window of some there is no word");
}
