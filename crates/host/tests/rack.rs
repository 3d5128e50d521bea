//! Loss detection by time and probes of the tail, in the situations of RFC 8985: a lost tail, a
//! lost retransmission, reordering.

use crate::hosts::ideal;
use crate::lossy::{Pipe, SEGMENT, Story, transfer};
use host::tcp::{Endpoint, Incoming, SegmentOptions, TimeoutAction};
use host::transport::EndpointId;
use host::{CongestionControl, SendBuffer, TcpExtensions, TcpOptions};
use quantity::Time;

const FOR_EVER: Time = Time::from_ms(100_000);
const DELAY: Time = Time::from_ms(1);
const MARGIN: Time = Time::from_ms(2);

/// Returns the options of a connection whose handshake took two delays.
fn options() -> TcpOptions {
    let extensions = TcpExtensions {
        sack: true,
        rack: true,
        undo: true,
        counts_segments: true,
        timestamps: true,
        ..TcpExtensions::PLAIN
    };
    TcpOptions {
        extensions,
        congestion: CongestionControl::Cubic,
        receive_buffer: 1 << 24,
        send_buffer: SendBuffer::Bytes(1 << 24),
        first_round_trip: DELAY * 2,
        timer_margin: MARGIN,
        ..ideal().tcp
    }
}

/// Transfers `n_segments` over a path that loses the segments in the order of their departure.
fn losing(options: &TcpOptions, n_segments: u32, lost: &[usize]) -> Story {
    let pipe = Pipe {
        delay: DELAY,
        pace: Time::from_us(10),
        most_queued: u64::MAX,
        mark_above: u64::MAX,
        loses_data: &|n| lost.contains(&n),
        loses_ack: &|_| false,
    };
    transfer(options, pipe, n_segments, FOR_EVER)
}

#[test]
fn a_lost_tail_is_probed_and_repaired_without_a_time_out() {
    for first_lost in 1..9 {
        let lost: Vec<usize> = (first_lost..10).collect();
        let story = losing(&options(), 10, &lost);
        assert_eq!((story.n_timeouts, story.n_probes), (0, 1), "from {first_lost} on");
        // The acknowledgement of the head, two round trips and the margin, the probe, the rest.
        let limit = DELAY * 20;
        assert!(story.end < limit, "{} for what {first_lost} began", story.end);
        let without = TcpOptions {
            extensions: TcpExtensions { rack: false, undo: false, ..options().extensions },
            ..options()
        };
        assert!(losing(&without, 10, &lost).n_timeouts > 0);
    }
}

#[test]
fn the_probe_of_a_whole_flight_shows_its_loss() {
    let story = losing(&options(), 10, &(0..10).collect::<Vec<_>>());
    assert_eq!((story.n_timeouts, story.n_probes), (0, 1));
}

#[test]
fn a_single_lost_segment_waits_for_a_delayed_acknowledgement_first() {
    let story = losing(&options(), 1, &[0]);
    assert_eq!((story.n_timeouts, story.n_probes), (0, 1));
    assert!(story.end >= options().shortest_timeout);
}

#[test]
fn a_lost_probe_is_followed_by_the_time_out() {
    let story = losing(&options(), 2, &[0, 1, 2]);
    assert_eq!((story.n_timeouts, story.n_probes), (1, 1));
}

#[test]
fn a_lost_retransmission_is_sent_again_at_once() {
    // The third segment is lost; its retransmission is the thirteenth that leaves, or a later one.
    for again in 10..16 {
        let story = losing(&options(), 200, &[2, again]);
        assert_eq!(story.n_timeouts, 0, "{again}");
        assert!(story.end < DELAY * 150, "{again}: {}", story.end);
    }
}

#[test]
fn any_two_losses_of_a_short_transfer_cost_no_time_out() {
    for first in 0..12 {
        for second in first + 1..14 {
            let story = losing(&options(), 12, &[first, second]);
            let is_probe = story.n_probes > 1 || second >= 12;
            assert!(story.n_timeouts == 0 || is_probe, "{first} and {second}: {story:?}");
        }
    }
}

/// An end with ten segments in flight that were sent 10 us after each other.
struct Flight {
    end: Endpoint,
    options: TcpOptions,
    /// The time stamp that acknowledgements echo.
    echo: Time,
}

fn at(n: u32) -> u64 {
    u64::from(n * SEGMENT)
}

impl Flight {
    fn new() -> Flight {
        Flight::with(options())
    }

    fn with(options: TcpOptions) -> Flight {
        let mut end = Endpoint::new(EndpointId::new(1), SEGMENT, &options);
        for n in 0..10 {
            let now = Time::from_us(10 * n);
            end.write(SEGMENT, false, now, &options);
            end.send(now, &options).expect("the window is open");
        }
        Flight { end, options, echo: Time::ZERO }
    }

    /// Acknowledges all before segment `n`, and those in one block beyond.
    fn acknowledge(&mut self, n: u32, block: Option<(u32, u32)>, now: Time) {
        let window = self.options.receive_buffer;
        let flags = Default::default();
        let segment = Incoming { sequence: 0, payload: 0, flags, acknowledged: at(n), window };
        let mut header = SegmentOptions { echo: self.echo, ..SegmentOptions::default() };
        if let Some((from, to)) = block {
            (header.blocks[0], header.n_blocks) = ((at(from), at(to)), 1);
        }
        self.end.on_options(&segment, &header, now, &self.options);
        assert!(!self.end.sender.on_acknowledgement(&segment, now, &self.options));
    }

    /// Returns the segments that leave now.
    fn leaving(&mut self, now: Time) -> Vec<u64> {
        let sent = std::iter::from_fn(|| self.end.send(now, &self.options));
        sent.map(|segment| segment.sequence / u64::from(SEGMENT)).collect()
    }

    fn ring(&mut self) -> (Time, TimeoutAction) {
        let now = self.end.sender.timeout_at();
        (now, self.end.sender.on_timeout(now, &self.options))
    }
}

#[test]
fn one_segment_that_arrives_early_condemns_none_until_the_window_is_over() {
    let mut flight = Flight::new();
    let now = DELAY * 2 + Time::from_us(10);
    // The second arrives, the first does not: a quarter of the shortest round trip is left to it.
    flight.acknowledge(0, Some((1, 2)), now);
    assert_eq!(flight.leaving(now), [] as [u64; 0]);
    let wait = flight.end.sender.timeout_at() - now;
    assert_eq!(wait, Time::from_us(500 - 10) + MARGIN);
    let (late, action) = flight.ring();
    assert_eq!(action, TimeoutAction::Repair);
    assert_eq!(flight.leaving(late), [0]);
}

#[test]
fn three_segments_that_pass_it_condemn_one_at_once() {
    let mut flight = Flight::new();
    let now = DELAY * 2 + Time::from_us(30);
    flight.acknowledge(0, Some((1, 4)), now);
    assert_eq!(flight.leaving(now), [0]);
}

#[test]
fn after_a_reordering_no_number_of_segments_condemns_one_early() {
    let mut flight = Flight::new();
    let mut now = DELAY * 2 + Time::from_us(10);
    flight.acknowledge(0, Some((1, 2)), now);
    // The first arrives late, without having been sent again.
    now += Time::from_us(100);
    flight.acknowledge(2, None, now);
    flight.acknowledge(2, Some((3, 9)), now);
    assert_eq!(flight.leaving(now), [] as [u64; 0]);
    let (late, action) = flight.ring();
    assert_eq!((action, flight.leaving(late)), (TimeoutAction::Repair, vec![2]));
}

#[test]
fn recovery_sends_in_proportion_to_what_arrives() {
    let options = options();
    let mut flight = Flight::new();
    let mut now = DELAY * 2 + Time::from_us(30);
    (0..20).for_each(|_| flight.end.write(SEGMENT, false, now, &options));
    // The first of ten is lost: seven of each ten that arrive are answered, the first at once.
    let mut n_left = Vec::new();
    for n in 4..=10 {
        flight.acknowledge(0, Some((1, n)), now);
        n_left.push(flight.leaving(now).len());
        now += Time::from_us(10);
    }
    assert_eq!(n_left.iter().sum::<usize>(), 7);
    assert!(n_left.iter().all(|&n| n <= 3), "{n_left:?}");
}

impl Flight {
    /// Lets the probe and the time-out pass; returns the time of the latter.
    fn time_out(&mut self) -> Time {
        let (now, action) = self.ring();
        assert_eq!(action, TimeoutAction::ProbeTail);
        self.end.sender.probe_tail(now, &self.options).expect("the last segment");
        let (now, action) = self.ring();
        assert_eq!((action, self.leaving(now)), (TimeoutAction::Retransmit, vec![0]));
        now
    }

    fn window(&self) -> u32 {
        self.end.sender.in_flight(&self.options).1
    }
}

#[test]
fn an_answer_from_before_the_time_out_shows_that_it_was_spurious() {
    let mut flight = Flight::new();
    let now = flight.time_out() + Time::from_us(100);
    assert_eq!(flight.window(), 1);
    // The path was held up: the answer to the first transmission arrives now.
    flight.echo = Time::from_us(10);
    flight.acknowledge(2, None, now);
    assert!(flight.window() >= 10, "{}", flight.window());
    assert_eq!(flight.leaving(now), [] as [u64; 0], "nothing is lost");
    flight.acknowledge(10, None, now);
    assert_eq!(flight.end.sender.bytes_in_flight(), 0);
}

#[test]
fn without_time_stamps_new_data_show_that_a_time_out_was_spurious() {
    for is_spurious in [true, false] {
        let mut flight = Flight::new();
        let now = flight.time_out() + Time::from_us(100);
        (0..5).for_each(|_| flight.end.write(SEGMENT, false, now, &flight.options));
        // An answer to the first segment may answer its retransmission: two new ones leave.
        flight.acknowledge(1, None, now);
        assert_eq!(flight.leaving(now), [10, 11]);
        let later = now + DELAY * 2;
        if is_spurious {
            flight.acknowledge(3, None, later);
            assert!(flight.window() >= 10);
            assert_eq!(flight.leaving(later)[..1], [12]);
        } else {
            flight.acknowledge(1, Some((10, 11)), later);
            assert_eq!(flight.leaving(later)[..1], [1]);
        }
    }
}

#[test]
fn a_report_that_data_arrived_twice_undoes_a_repair() {
    let mut flight = Flight::new();
    let now = DELAY * 2 + Time::from_us(30);
    flight.acknowledge(0, Some((1, 4)), now);
    assert_eq!(flight.leaving(now), [0]);
    // The first segment was late, and its retransmission is reported as superfluous.
    flight.acknowledge(4, None, now + Time::from_us(50));
    assert!(flight.window() < 10);
    flight.acknowledge(10, Some((0, 1)), now + DELAY * 2);
    assert!(flight.window() >= 10, "{}", flight.window());
}

#[test]
fn a_receiver_reports_what_arrives_twice() {
    let options = options();
    let mut end = Endpoint::new(EndpointId::new(1), SEGMENT, &options);
    let mut arrives = |n: u32| {
        let (sequence, payload, flags) = (at(n), SEGMENT, Default::default());
        let segment = Incoming { sequence, payload, flags, acknowledged: 0, window: SEGMENT };
        assert!(end.on_data(&segment, DELAY, &options));
        let header = end.header(0, DELAY, &options).expect("time stamps at least");
        let (acknowledged, _) = end.receiver.acknowledge(&options);
        (header.blocks().to_vec(), header.repeated(acknowledged))
    };
    assert_eq!(arrives(2), (vec![(at(2), at(3))], None));
    assert_eq!(arrives(2), (vec![(at(2), at(3)); 2], Some((at(2), at(3)))));
    assert_eq!(arrives(0), (vec![(at(2), at(3))], None));
    assert_eq!(arrives(0), (vec![(at(0), at(1)), (at(2), at(3))], Some((at(0), at(1)))));
}
