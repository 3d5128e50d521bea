//! HyStart: slow start ends when the path is full, before it overruns the queue. The two signs by
//! themselves are tested where they are (`tcp/control/hystart.rs`).

mod hosts;
mod lossy;

use host::{CongestionControl, SendBuffer, TcpExtensions, TcpOptions};
use hosts::ideal;
use lossy::{Pipe, Story, transfer};
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
