//! Congestion control over a pipe that loses and marks: no byte is lost to the reader whatever the
//! pattern, and windows and queues follow the closed forms.

use crate::hosts::ideal;
use crate::lossy::{Pipe, SEGMENT, Story, transfer};
use host::{AckRule, CongestionControl, SendBuffer, TcpExtensions, TcpOptions};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use quantity::Time;

const FOR_EVER: Time = Time::from_ms(100_000_000);

fn never(_: usize) -> bool {
    false
}

/// A long path without a queue, which loses only the given segments.
fn long_path(delay: Time, loses_data: &dyn Fn(usize) -> bool) -> Pipe<'_> {
    let most = u64::MAX;
    let pace = Time::ZERO;
    Pipe { delay, pace, most_queued: most, mark_above: most, loses_data, loses_ack: &never }
}

/// Returns options with SACK, buffers that do not limit, and windows that count segments.
fn open(congestion: CongestionControl) -> TcpOptions {
    let extensions = TcpExtensions { sack: true, counts_segments: true, ..TcpExtensions::PLAIN };
    TcpOptions {
        congestion,
        extensions,
        receive_buffer: 1 << 30,
        send_buffer: SendBuffer::Bytes(1 << 30),
        ..ideal().tcp
    }
}

fn options() -> impl Strategy<Value = TcpOptions> {
    let congestion = prop_oneof![
        Just(CongestionControl::Reno),
        Just(CongestionControl::Cubic),
        Just(CongestionControl::Dctcp),
        Just(CongestionControl::Linux20),
    ];
    let ms = Time::from_ms;
    let ack_rule = prop_oneof![
        Just(AckRule::EverySecond { delay: ms(40) }),
        Just(AckRule::Adaptive { shortest: ms(40), longest: ms(200) }),
        Just(AckRule::OnRead { pushed: ms(20), longest: ms(500) }),
    ];
    let flags = prop::array::uniform10(any::<bool>());
    (congestion, ack_rule, flags, 2u32..90).prop_map(|(congestion, ack_rule, flags, window)| {
        let [sack, limited_transmit, timestamps, counts_segments, ..] = flags;
        let [.., fast_retransmit, ecn, rack, undo, hystart, grows] = flags;
        let sack = sack || rack;
        let ecn = ecn || congestion == CongestionControl::Dctcp;
        let window_scaling = true;
        let extensions = TcpExtensions {
            sack,
            rack,
            undo: undo && rack,
            hystart: hystart && rack,
            limited_transmit,
            timestamps,
            counts_segments,
            window_scaling,
            ecn,
            local_drops: true,
        };
        let receive_buffer = window * SEGMENT;
        let mut options = TcpOptions { ack_rule, fast_retransmit, extensions, ..ideal().tcp };
        (options.congestion, options.receive_buffer) = (congestion, receive_buffer);
        options.first_receive_buffer = if grows { SEGMENT * window.div_ceil(4) } else { 0 };
        options.send_buffer_grows = grows;
        options
    })
}

/// Returns whether a bit is set in a pattern; beyond its end none is.
fn bit(pattern: &[bool], n: usize) -> bool {
    pattern.get(n).copied().unwrap_or(false)
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 400,
        rng_seed: RngSeed::Fixed(0),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// The pipe asserts that every byte is read once, that the connection never stalls and that the
    /// data in flight never exceed the window.
    #[test]
    fn all_arrives_whatever_is_lost(
        options in options(),
        n_segments in 1u32..150,
        data in prop::collection::vec(prop::bool::weighted(0.15), 0..300),
        acks in prop::collection::vec(prop::bool::weighted(0.1), 0..200),
        most_queued in prop_oneof![Just(u64::MAX), 4u64..40],
    ) {
        let run = || {
            let pipe = Pipe {
                delay: Time::from_ms(5),
                pace: Time::from_us(120),
                most_queued,
                mark_above: 3,
                loses_data: &|n| bit(&data, n),
                loses_ack: &|n| bit(&acks, n),
            };
            transfer(&options, pipe, n_segments, FOR_EVER)
        };
        let story = run();
        prop_assert!(story.n_data - story.n_lost >= n_segments as usize);
        prop_assert!(story.end < FOR_EVER);
        prop_assert_eq!(story, run());
    }
}

/// Returns the mean of the samples from `from` on, weighted by the time that each one holds.
fn mean(samples: impl Iterator<Item = (Time, f64)> + Clone, from: Time) -> f64 {
    let next = samples.clone().skip(1);
    let spans = samples.zip(next).filter(|((time, _), _)| *time >= from);
    let (sum, span) = spans.fold((0.0, 0.0), |(sum, span), ((time, value), (end, _))| {
        let held = (end - time).seconds();
        (sum + value * held, span + held)
    });
    sum / span
}

fn mean_window(story: &Story, from: Time) -> f64 {
    mean(story.windows.iter().map(|&(time, window)| (time, f64::from(window))), from)
}

#[test]
fn the_sawtooth_of_reno_against_its_closed_form() {
    // Mathis et al.: 1.22 / sqrt(p) segments per round trip, every segment counted.
    for every in [200, 800, 3_200] {
        let delay = Time::from_ms(50);
        let loses = move |n: usize| n % every == every - 1;
        let pipe = long_path(delay, &loses);
        let story = transfer(&open(CongestionControl::Reno), pipe, 40 * every as u32, FOR_EVER);
        assert_eq!(story.n_timeouts, 0);
        let mean = mean_window(&story, Time::from_ps(story.end.ps() / 4));
        let expected = 1.22 * (every as f64).sqrt();
        assert!((mean / expected - 1.0).abs() < 0.08, "{every}: {mean} is not {expected}");
        let highest = story.windows.iter().skip(story.windows.len() / 2).map(|&(_, w)| w).max();
        let peak = f64::from(highest.unwrap()) / (8.0 / 3.0 * every as f64).sqrt();
        assert!((0.9..1.2).contains(&peak), "the peak of the sawtooth: {peak}");
    }
}

#[test]
fn the_mean_window_of_cubic_against_its_closed_form() {
    // RFC 9438, sec. 5.1: 1.054 (RTT / p)^0.75 segments, less the effect of fast convergence at a
    // loss just below the plateau.
    for (delay_ms, every) in [(100, 5_000), (200, 2_000)] {
        let loses = move |n: usize| n % every == every - 1;
        let pipe = long_path(Time::from_ms(delay_ms), &loses);
        let story = transfer(&open(CongestionControl::Cubic), pipe, 40 * every as u32, FOR_EVER);
        assert_eq!(story.n_timeouts, 0);
        let expected = 1.054 * (delay_ms as f64 * 0.002 * every as f64).powf(0.75);
        let found = mean_window(&story, Time::from_ps(story.end.ps() / 4));
        let share = found / expected;
        assert!((0.78..1.02).contains(&share), "{found} is not {expected}");
    }
}

#[test]
fn of_a_hundred_in_flight_a_loss_leaves_seventy_to_cubic_and_fifty_to_reno() {
    for (congestion, share) in [(CongestionControl::Reno, 50), (CongestionControl::Cubic, 70)] {
        let loses = |n: usize| n == 5_000;
        let pipe = long_path(Time::from_ms(50), &loses);
        let mut options = open(congestion);
        options.initial_window = 100;
        // Before the loss only the window of the receiver limits.
        options.receive_buffer = 100 * SEGMENT;
        let story = transfer(&options, pipe, 8_000, FOR_EVER);
        let falls: Vec<_> = story.windows.windows(2).filter(|w| w[1].1 < w[0].1).collect();
        assert_eq!(falls.len(), 1, "{falls:?}");
        assert_eq!(falls[0][1].1, share);
    }
}

#[test]
fn dctcp_keeps_the_queue_near_its_threshold() {
    let pipe = |mark_above| Pipe {
        delay: Time::from_us(100),
        pace: Time::from_us(12),
        most_queued: 200,
        mark_above,
        loses_data: &never,
        loses_ack: &never,
    };
    let mut options = open(CongestionControl::Dctcp);
    options.extensions.ecn = true;
    let story = transfer(&options, pipe(20), 60_000, FOR_EVER);
    assert_eq!((story.n_lost, story.n_timeouts), (0, 0));
    let settled = story.queued.iter().skip(story.queued.len() / 4);
    let queued: Vec<u64> = settled.map(|&(_, queued)| queued).collect();
    let mean = queued.iter().sum::<u64>() as f64 / queued.len() as f64;
    assert!((10.0..24.0).contains(&mean), "a mean of {mean} above a threshold of 20");
    let (least, most) = (queued.iter().min().unwrap(), queued.iter().max().unwrap());
    assert!(*least > 0 && *most < 40, "between {least} and {most}");
    // The bottleneck is hardly ever idle: 12 us per segment, and the delay of the last
    // acknowledgement.
    assert!(story.end < Time::from_us(60_000 * 12 + 5_000 + 40_000), "{}", story.end);
    // Reno fills the same queue, with or without marks.
    let reno = transfer(&open(CongestionControl::Reno), pipe(20), 60_000, FOR_EVER);
    assert!(reno.n_lost > 0 && reno.n_marked == 0);
    let mut ecn = open(CongestionControl::Reno);
    ecn.extensions.ecn = true;
    let marked = transfer(&ecn, pipe(20), 60_000, FOR_EVER);
    assert!(marked.n_lost == 0 && marked.n_marked > 0);
}

#[test]
fn sack_sends_again_what_is_lost_and_nothing_else() {
    // Ten of a hundred segments in flight are lost at once.
    let loses = |n: usize| (2_000..2_100).contains(&n) && n.is_multiple_of(10);
    let mut options = open(CongestionControl::Reno);
    options.initial_window = 100;
    options.receive_buffer = 100 * SEGMENT;
    let run = |options: &TcpOptions| {
        transfer(options, long_path(Time::from_ms(50), &loses), 4_000, FOR_EVER)
    };
    let with = run(&options);
    assert_eq!((with.n_data, with.n_timeouts), (4_010, 0));
    options.extensions.sack = false;
    let without = run(&options);
    // NewReno needs a round trip for each loss: nine more of 100 ms.
    let later = (without.end - with.end).seconds();
    assert!((0.5..1.5).contains(&later), "{later}");
}
