//! The acknowledgements and windows of one end of a connection under Linux since 2.4, by itself. A
//! test names the kernel function that its rule comes from.

use crate::hosts::{ideal, linux_2_0};
use host::tcp::{AckTimer, Endpoint, Flags, Incoming};
use host::transport::EndpointId;
use host::{AckRule, TcpOptions, TickClock, WindowRule};
use quantity::Time;

const SEGMENT: u32 = 1460;

fn options() -> TcpOptions {
    let ack_rule = AckRule::Adaptive { shortest: Time::from_ms(40), longest: Time::from_ms(200) };
    TcpOptions { ack_rule, ..ideal().tcp }
}

/// The receiving end of a connection, with the position in the data sent to it.
struct Stream {
    end: Endpoint,
    sequence: u64,
    now: Time,
    options: TcpOptions,
}

impl Stream {
    fn new(options: TcpOptions) -> Stream {
        let end = Endpoint::new(EndpointId::new(1), SEGMENT, &options);
        Stream { end, sequence: 0, now: Time::from_ms(1_000), options }
    }

    /// Receives a full segment after `gap`; returns whether it is acknowledged at once, and the
    /// delay of its acknowledgement otherwise.
    fn takes(&mut self, gap: Time) -> (bool, Time) {
        self.now += gap;
        let (sequence, payload) = (self.sequence, SEGMENT);
        self.sequence += u64::from(SEGMENT);
        let flags = Default::default();
        let data = Incoming { sequence, payload, flags, acknowledged: 0, window: SEGMENT };
        let at_once = self.end.on_data(&data, self.now, &self.options);
        let wait = self.end.receiver.ack_at() - self.now;
        if at_once {
            self.acknowledges();
        }
        (at_once, wait)
    }

    /// Receives and reads a message of `bytes` after `gap`; returns whether reading acknowledges
    /// it. What is acknowledged at its arrival is not acknowledged again.
    fn reads(&mut self, bytes: u32, gap: Time) -> bool {
        self.now += gap;
        if self.arrives(bytes) {
            self.acknowledges();
        }
        let (_, at_reading) = self.end.receiver.read(self.now, &self.options);
        if at_reading {
            self.acknowledges();
        }
        at_reading
    }

    /// Receives a message; returns whether it must be acknowledged at once.
    fn arrives(&mut self, bytes: u32) -> bool {
        let (sequence, flags) = (self.sequence, Flags::default().with(Flags::PUSH));
        self.sequence += u64::from(bytes);
        let data = Incoming { sequence, payload: bytes, flags, acknowledged: 0, window: SEGMENT };
        self.end.on_data(&data, self.now, &self.options)
    }

    fn acknowledges(&mut self) {
        self.end.receiver.acknowledge(&self.options);
    }

    /// Sends data, which carry the acknowledgement that is owed, after `gap`.
    fn answers(&mut self, gap: Time) {
        self.now += gap;
        self.end.write(SEGMENT, true, self.now, &self.options);
        assert!(self.end.send(self.now, &self.options).is_some());
        self.acknowledges();
    }

    /// Returns how many segments in quick succession are acknowledged at once before one is not.
    fn n_quick(&mut self) -> usize {
        (0..100).take_while(|_| self.takes(Time::from_us(10)).0).count()
    }
}

/// `tcp_incr_quickack`: half of the segments that the receive buffer holds, two to sixteen.
#[test]
fn the_first_segments_are_answered_at_once_and_others_after_40_ms() {
    let mut stream = Stream::new(options());
    assert_eq!(stream.n_quick(), 16);
    assert!(stream.takes(Time::from_us(10)).0, "the second of two");
    assert_eq!(stream.takes(Time::from_us(10)), (false, Time::from_ms(40)));
    assert!(stream.takes(Time::from_us(10)).0);
    // After a pause longer than the time-out the peer is in slow start: at once again.
    assert!(stream.takes(Time::from_ms(5_000)).0);
    for (n_segments, n_quick) in [(16, 8), (9, 4), (2, 2)] {
        let receive_buffer = n_segments * SEGMENT;
        let mut stream = Stream::new(TcpOptions { receive_buffer, ..options() });
        assert_eq!(stream.n_quick(), n_quick, "{n_segments}");
    }
}

/// `tcp_event_data_recv`: half of the expected time and all of the actual one, which counts as 20
/// ms if it is shorter; a longer time than expected changes nothing.
#[test]
fn an_acknowledgement_waits_as_long_as_the_next_data_are_expected_to_stay_away() {
    let mut stream = Stream::new(options());
    stream.n_quick();
    stream.acknowledges();
    let wait_us = |gap_ms| {
        let (at_once, wait) = stream.takes(Time::from_ms(gap_ms));
        assert!(!at_once);
        stream.acknowledges();
        wait.ps() / 1_000_000
    };
    let gaps_ms = [1, 30, 30, 1, 20, 150, 45];
    let waits_us = [40_000, 50_000, 55_000, 47_500, 43_750, 43_750, 43_750];
    assert_eq!(gaps_ms.map(wait_us), waits_us);
}

/// `tcp_event_data_sent`: the end is interactive from its first answer on (`pingpong`).
#[test]
fn an_end_that_answers_soon_leaves_acknowledgements_to_its_answers() {
    for (answers_after_ms, at_once) in [(1, false), (39, false), (41, true)] {
        let mut stream = Stream::new(options());
        assert!(stream.takes(Time::ZERO).0);
        stream.answers(Time::from_ms(answers_after_ms));
        assert_eq!(stream.takes(Time::from_ms(1)).0, at_once, "{answers_after_ms}");
    }
}

/// `tcp_cleanup_rbuf`: data that end a write are acknowledged by the process that reads them.
#[test]
fn short_messages_are_acknowledged_when_they_are_read() {
    for bytes in [1, 100, SEGMENT - 1, SEGMENT] {
        let mut stream = Stream::new(options());
        assert!(!stream.reads(bytes, Time::ZERO), "at its arrival, as the first");
        let mut stream = past_quick(bytes);
        assert!((0..1000).all(|_| stream.reads(bytes, Time::from_us(10))), "{bytes}");
    }
}

/// `tcp_cleanup_rbuf`: an end that responds leaves one message to its response, but not two
/// (`ICSK_ACK_PUSHED2`).
#[test]
fn an_end_that_responds_acknowledges_the_second_message_that_it_reads() {
    let mut stream = past_quick(1);
    stream.reads(1, Time::from_us(10));
    stream.answers(Time::from_us(10));
    let reads: Vec<bool> = (0..6).map(|_| stream.reads(1, Time::from_us(10))).collect();
    assert_eq!(reads, [false, true, false, true, false, true]);
    stream.answers(Time::from_us(10));
    assert!(!stream.reads(1, Time::from_us(10)), "the response carried what was owed");
}

/// `tcp_delack_timer_handler`: an acknowledgement that no response carried ends the mode.
#[test]
fn an_end_whose_response_stayed_away_acknowledges_again_when_it_reads() {
    let mut stream = past_quick(1);
    stream.answers(Time::from_us(10));
    assert!(!stream.reads(1, Time::from_us(10)));
    let ticks = TickClock::new(Time::from_ms(1), Time::ZERO);
    let due = stream.end.arm_ack(stream.now, ticks).expect("an acknowledgement is owed");
    assert_eq!(stream.end.on_ack_timer(due, ticks), AckTimer::Due);
    stream.end.note_late_ack(&stream.options);
    stream.acknowledges();
    assert!(stream.reads(1, Time::from_ms(1)));
}

/// `tcp_measure_rcv_mss`: two messages of one length in a row are full segments of the peer, each
/// second of which is acknowledged when it arrives.
#[test]
fn messages_of_one_length_are_acknowledged_in_pairs_as_they_arrive() {
    for (bytes, n_awaited) in [(1, 537), (100, 6), (536, 2), (700, 2), (SEGMENT, 2)] {
        let mut stream = past_quick(bytes);
        stream.acknowledges();
        let n_unanswered = (0..1000).take_while(|_| !stream.arrives(bytes)).count();
        assert_eq!(n_unanswered + 1, n_awaited, "{bytes}");
    }
}

/// `tcp_delack_timer_handler`, `tcp_send_delayed_ack`: a late acknowledgement doubles the wait, up
/// to the round trip where that is known.
#[test]
fn an_acknowledgement_that_left_late_doubles_the_wait_up_to_the_round_trip() {
    let known = TcpOptions { first_round_trip: Time::from_us(100), ..options() };
    for (options, waits_ms) in [(options(), [40, 80, 160]), (known, [40, 40, 40])] {
        let mut stream = Stream::new(options);
        stream.n_quick();
        stream.acknowledges();
        let found = waits_ms.map(|_| {
            let (at_once, wait) = stream.takes(Time::from_ms(1));
            assert!(!at_once);
            stream.end.note_late_ack(&stream.options);
            stream.acknowledges();
            // The next data come later than expected, and change nothing.
            stream.now += Time::from_ms(190);
            wait
        });
        assert_eq!(found, waits_ms.map(Time::from_ms));
    }
}

/// `tcp_send_delayed_ack`: an acknowledgement that is due within a quarter of the present wait
/// leaves. After 28 ms that wait is 48 ms.
#[test]
fn an_acknowledgement_that_is_nearly_due_leaves_with_the_next_data() {
    for (gap_ms, at_once) in [(27, false), (28, true)] {
        let mut stream = past_quick(1);
        stream.acknowledges();
        assert!(!stream.arrives(1));
        stream.now += Time::from_ms(gap_ms);
        assert_eq!(stream.arrives(1), at_once, "{gap_ms}");
    }
}

/// A connection whose first segments have been acknowledged at once.
fn past_quick(bytes: u32) -> Stream {
    let mut stream = Stream::new(options());
    for _ in 0..20 {
        stream.reads(bytes, Time::from_us(10));
    }
    stream
}

/// `__tcp_select_window` (RFC 1122, sec. 4.2.3.3).
#[test]
fn only_a_nearly_closed_window_is_told_of_when_it_opens() {
    let options = options();
    let tells =
        |left: u32, window: u32| options.must_update_window(u64::from(left), window, SEGMENT);
    assert!(tells(0, 2 * SEGMENT) && tells(2 * SEGMENT - 1, 4 * SEGMENT - 1));
    assert!(!tells(0, 2 * SEGMENT - 1), "it opens by less than two segments");
    assert!(!tells(2 * SEGMENT, 4 * SEGMENT), "two segments are left");
}

#[test]
fn a_process_that_does_not_read_gets_as_much_as_its_buffer_holds() {
    for window_rule in [WindowRule::Free, WindowRule::HalfInSegments] {
        let options = TcpOptions { window_rule, receive_buffer: 20_000, ..linux_2_0().tcp };
        let mut stream = Stream::new(options);
        let has_room = |stream: &Stream| {
            let receiver = &stream.end.receiver;
            receiver.advertised() - receiver.expected() >= u64::from(SEGMENT)
        };
        while has_room(&stream) {
            stream.takes(Time::from_us(10));
            stream.acknowledges();
        }
        assert_eq!(stream.sequence, u64::from(options.most_unread(SEGMENT)), "{window_rule:?}");
    }
}
