//! HyStart: slow start ends when the path is full, before it overruns the queue. The two signs by
//! themselves are tested where they are (`tcp/control/hystart.rs`).

use std::collections::VecDeque;

use crate::hosts::ideal;
use crate::lossy::{Pipe, SEGMENT, Story, transfer};
use host::tcp::{Endpoint, Flags, Incoming};
use host::transport::EndpointId;
use host::{CongestionControl, SendBuffer, TcpExtensions, TcpOptions};
use quantity::Time;

const FOR_EVER: Time = Time::from_ms(1_000_000);

fn options(hystart: bool) -> TcpOptions {
    let extensions = TcpExtensions {
        sack: true,
        rack: true,
        hystart,
        counts_segments: true,
        timestamps: true,
        ..TcpExtensions::PLAIN
    };
    TcpOptions {
        extensions,
        congestion: CongestionControl::Cubic,
        receive_buffer: 1 << 30,
        send_buffer: SendBuffer::Bytes(1 << 30),
        timer_margin: Time::from_ms(2),
        ..ideal().tcp
    }
}

/// Transfers `n_segments` over a path of `delay_ms` each way, whose bottleneck sends one every
/// `pace_us` and queues `most_queued`.
fn over(
    options: &TcpOptions,
    delay_ms: u64,
    pace_us: u64,
    most_queued: u64,
    n_segments: u32,
) -> Story {
    let pipe = Pipe {
        delay: Time::from_ms(delay_ms),
        pace: Time::from_us(pace_us),
        most_queued,
        mark_above: u64::MAX,
        loses_data: &|_| false,
        loses_ack: &|_| false,
    };
    transfer(options, pipe, n_segments, FOR_EVER)
}

/// Returns the window at which doubling ends: the largest that has grown by a quarter within
/// `round_trip`.
fn end_of_doubling(story: &Story, round_trip: Time) -> u32 {
    let before = |time: Time| {
        let early = story.windows.iter().take_while(|&&(at, _)| at + round_trip <= time);
        early.last().map_or(1, |&(_, window)| window)
    };
    let doubled = story.windows.iter().filter(|&&(time, window)| 4 * window > 5 * before(time));
    doubled.map(|&(_, window)| window).max().unwrap_or(0)
}

#[test]
fn slow_start_ends_where_the_path_is_full_and_loses_nothing() {
    // Paths of 400, 200 and 66 segments. The last has gaps beyond those of a train: delay ends it,
    // one round trip later.
    for (delay_ms, pace_us) in [(20, 100), (10, 100), (100, 3_000)] {
        let full = (2_000 * delay_ms / pace_us) as u32;
        let most_queued = u64::from(2 * full);
        let with = over(&options(true), delay_ms, pace_us, most_queued, 12 * full);
        let without = over(&options(false), delay_ms, pace_us, most_queued, 12 * full);
        assert_eq!(with.n_lost, 0, "{delay_ms} ms");
        assert!(without.n_lost > full as usize / 4, "{delay_ms} ms: {}", without.n_lost);
        let end = end_of_doubling(&with, Time::from_ms(2 * delay_ms));
        assert!((full..=3 * full).contains(&end), "{delay_ms} ms: {end} of {full}");
        let (with, without) = (with.end.seconds(), without.end.seconds());
        assert!(with < 1.01 * without, "{delay_ms} ms: {with} and {without}");
    }
}

#[test]
fn beyond_the_end_the_window_grows_by_a_twentieth_per_round_trip() {
    let story = over(&options(true), 20, 100, u64::MAX, 20_000);
    let (end, largest) = (end_of_doubling(&story, Time::from_ms(60)), story.windows.last());
    let &(last, window) = largest.expect("acknowledgements");
    assert!(end < 900 && window > end, "{window} after {end}");
    // Each round trip acknowledges a window: a twentieth of what was sent since.
    let first = story.windows.iter().find(|&&(_, window)| window >= end).expect("the end");
    let since = (last - first.0).seconds() / Time::from_us(100).seconds();
    let grown = f64::from(window - end) / since;
    assert!((0.03..0.06).contains(&grown), "{grown} per segment");
}

/// A sender with enough to send, whose segments are acknowledged one by one, a millisecond after
/// they left and 100 us after each other.
struct Stream {
    end: Endpoint,
    options: TcpOptions,
    now: Time,
    /// When each segment in flight is acknowledged, and its end.
    flight: VecDeque<(Time, u64)>,
}

impl Stream {
    fn new() -> Stream {
        let options = TcpOptions { restart_when_idle: true, ..options(true) };
        let end = Endpoint::new(EndpointId::new(1), SEGMENT, &options);
        Stream { end, options, now: Time::from_ms(1), flight: VecDeque::new() }
    }

    fn send(&mut self) {
        self.end.write(SEGMENT, false, self.now, &self.options);
        while let Some(segment) = self.end.send(self.now, &self.options) {
            let last = self.flight.back().map_or(Time::ZERO, |&(at, _)| at);
            let at = (self.now + Time::from_ms(1)).max(last + Time::from_us(100));
            self.flight.push_back((at, segment.sequence + u64::from(SEGMENT)));
            self.end.write(SEGMENT, false, self.now, &self.options);
        }
    }

    /// Takes `n` acknowledgements, and sends after each if it `goes_on`; returns the window.
    fn takes(&mut self, n: usize, goes_on: bool) -> u32 {
        for (at, acknowledged) in self.flight.drain(..n).collect::<Vec<_>>() {
            self.now = at;
            let flags = Flags::default();
            let ack = Incoming { sequence: 0, payload: 0, flags, acknowledged, window: 1 << 30 };
            self.end.sender.on_acknowledgement(&ack, self.now, &self.options);
            if goes_on {
                self.send();
            }
        }
        self.end.sender.in_flight(&self.options).1
    }
}

#[test]
fn after_idling_slow_start_goes_to_three_quarters_of_the_window() {
    let mut stream = Stream::new();
    stream.send();
    stream.takes(10, true);
    let end = stream.takes(10, true);
    assert!(end <= 30, "HyStart ends it: {end}");
    let window = (0..1_000).map(|_| stream.takes(1, true)).last().expect("acknowledgements");
    assert!(window > 2 * end, "{window} after {end}");
    // All that was written is acknowledged.
    while !stream.flight.is_empty() {
        stream.takes(stream.flight.len(), false);
        while let Some(segment) = stream.end.send(stream.now, &stream.options) {
            let end = segment.sequence + u64::from(SEGMENT);
            stream.flight.push_back((stream.now + Time::from_ms(1), end));
        }
    }
    let window = stream.takes(0, false);
    stream.now += Time::from_ms(60_000);
    stream.send();
    assert_eq!(stream.takes(0, false), 10);
    // Each acknowledgement opens the window by one up to there, and then by a twentieth.
    let threshold = window / 4 * 3;
    let n = (threshold - 10) as usize;
    assert_eq!((0..n).map(|_| stream.takes(1, true)).last(), Some(threshold));
    let after = (0..20).map(|_| stream.takes(1, true)).last().expect("acknowledgements");
    assert!((threshold + 1..=threshold + 2).contains(&after), "{after} after {threshold}");
}
