//! The buffers and the held tail of Linux 2.0.30, an end of a connection by itself: both buffers
//! count memory (`sock_wmalloc`, `tcp_new_window`), and a tail shorter than a segment stays with
//! the connection (`do_tcp_sendmsg`, `tcp_sendmsg`, `tcp_ack`).

use crate::hosts::linux_2_0;
use host::tcp::{Endpoint, Flags, Incoming, Outgoing};
use host::{CongestionControl, Head, SendBuffer, TcpOptions, Transfer, WindowRule};
use quantity::Time;

const SEGMENT: u32 = 1460;
const BEGIN: Time = Time::from_ms(1);
/// The congestion window never limits.
const OPEN: u32 = 100;

fn options() -> TcpOptions {
    TcpOptions {
        congestion: CongestionControl::Linux20,
        fast_retransmit: true,
        window_rule: WindowRule::HalfOfMemory,
        send_buffer: SendBuffer::Memory(16_384),
        holds_tail: true,
        ..linux_2_0().tcp
    }
}

fn transfer(header: u32, body: u64) -> Transfer {
    Transfer { head: Head::default(), header, body }
}

/// An end whose peer advertises 8,192 bytes at first.
struct Fixture {
    end: Endpoint,
    options: TcpOptions,
}

impl Fixture {
    fn new() -> Fixture {
        let options = options();
        Fixture { end: Endpoint::in_use(SEGMENT, OPEN, &options), options }
    }

    /// Writes as a process does that is never blocked; returns the payloads that leave.
    fn writes(&mut self, mut bytes: u32) -> Vec<u32> {
        while bytes > 0 {
            let room = self.end.sender.room_in_tail().unwrap_or(SEGMENT);
            let piece = bytes.min(room);
            bytes -= piece;
            self.end.write(piece, bytes == 0, BEGIN, &self.options);
        }
        self.leaving().iter().map(|segment| segment.payload).collect()
    }

    fn leaving(&mut self) -> Vec<Outgoing> {
        std::iter::from_fn(|| self.end.send(BEGIN, &self.options)).collect()
    }

    /// Takes an acknowledgement with a window; returns the payloads that leave.
    fn takes(&mut self, acknowledged: u64, window: u32) -> Vec<u32> {
        let flags = Flags::default();
        let segment = Incoming { sequence: 0, payload: 0, flags, acknowledged, window };
        self.end.sender.on_acknowledgement(&segment, BEGIN, &self.options);
        self.leaving().iter().map(|segment| segment.payload).collect()
    }

    fn receives(&mut self, sequence: u64, payload: u32) -> bool {
        let flags = Flags::default();
        let segment = Incoming { sequence, payload, flags, acknowledged: 0, window: 8192 };
        self.end.on_data(&segment, BEGIN, &self.options)
    }

    fn advertised(&mut self) -> u32 {
        self.end.receiver.acknowledge(&self.options).1
    }
}

#[test]
fn a_tail_inside_the_window_leaves_at_the_end_of_its_write() {
    let mut fixture = Fixture::new();
    assert_eq!(fixture.writes(32), [32]);
    assert_eq!(fixture.writes(8_000), [1460, 1460, 1460, 1460, 1460, 700]);
    assert_eq!(fixture.end.sender.room_in_tail(), None);
}

/// The test of the kernel is strict: `before(write_seq, window_seq)`.
#[test]
fn a_tail_at_the_edge_of_the_window_is_held() {
    for (bytes, is_held) in [(8_191 - 32, false), (8_192 - 32, true), (8_192, true)] {
        let mut fixture = Fixture::new();
        fixture.writes(32);
        let left: u32 = fixture.writes(bytes).iter().sum();
        assert_eq!(fixture.end.sender.room_in_tail().is_some(), is_held, "{bytes} bytes");
        assert_eq!(left, if is_held { 5 * SEGMENT } else { bytes });
    }
}

#[test]
fn a_window_that_opens_does_not_release_it_but_the_last_acknowledgement_does() {
    let mut fixture = Fixture::new();
    fixture.writes(32);
    fixture.writes(8_192);
    assert_eq!(fixture.takes(32 + 3 * 1460, 20_000), [0; 0]);
    assert_eq!(fixture.takes(32 + 4 * 1460, 20_000), [0; 0]);
    assert_eq!(fixture.takes(32 + 5 * 1460, 20_000), [8_192 - 5 * 1460]);
    assert_eq!(fixture.end.sender.room_in_tail(), None);
}

/// A window that has opened meanwhile releases it at the end of the next write.
#[test]
fn the_next_write_joins_it() {
    for (window, left) in [(8_192, vec![]), (20_000, vec![892 + 32])] {
        let mut fixture = Fixture::new();
        fixture.writes(32);
        fixture.writes(8_192);
        fixture.takes(32, window);
        assert_eq!(fixture.writes(32), left);
    }
    let mut fixture = Fixture::new();
    fixture.writes(32);
    fixture.writes(8_192);
    fixture.takes(32, 20_000);
    assert_eq!(fixture.writes(2_000), [1460, 2_000 - 568], "filled, it leaves first");
}

#[test]
fn it_is_held_while_a_time_out_has_everything_sent_again() {
    let mut fixture = Fixture::new();
    fixture.writes(32);
    fixture.writes(8_192);
    let due = fixture.end.sender.timeout_at();
    fixture.end.sender.on_timeout(due, &fixture.options);
    assert_eq!(fixture.leaving().len(), 1);
    assert_eq!(fixture.end.sender.room_in_tail(), Some(SEGMENT - 892));
    assert_eq!(fixture.takes(32 + 5 * 1460, 8_192), [892]);
}

#[test]
fn kernels_without_it_send_every_tail() {
    let mut fixture = Fixture::new();
    fixture.options.holds_tail = false;
    fixture.writes(32);
    fixture.writes(8_192);
    assert_eq!(fixture.takes(32 + 1460, 20_000), [892]);
}

/// Under Nagle's rule the end of 2,048 bytes waits for the first segment (`tcp_write` of 1.2.13).
#[test]
fn without_no_delay_a_tail_waits_wherever_the_window_ends() {
    let mut fixture = Fixture::new();
    (fixture.options.holds_tail, fixture.options.nagle) = (false, true);
    fixture.end.write(SEGMENT, false, BEGIN, &fixture.options);
    assert_eq!(fixture.leaving().len(), 1);
    assert!(fixture.writes(588).is_empty(), "the window has room");
    assert_eq!(fixture.takes(1_460, 20_000), [588]);
    fixture.takes(2_048, 20_000);
    assert_eq!(fixture.writes(1_024), [1024], "nothing is unacknowledged");
    assert!(fixture.writes(100).is_empty());
    assert_eq!(fixture.writes(1_360), [1460], "the next write fills it");
}

/// 16,384 bytes of memory are full of ten full segments or nine short ones, the first of which is
/// allocated while nothing is unacknowledged and counts 324.
#[test]
fn a_send_buffer_counts_memory() {
    for (payload, most) in [(SEGMENT, 10), (32, 10), (200, 10)] {
        let mut fixture = Fixture::new();
        fixture.options.holds_tail = false;
        let mut n_written = 0;
        while fixture.end.sender.has_room(payload) {
            fixture.writes(payload);
            n_written += 1;
        }
        assert_eq!(n_written, most, "{payload} bytes");
        // The first took little, so that its end makes no room for another.
        fixture.takes(u64::from(payload), 8_192);
        assert_eq!(fixture.end.sender.has_room(payload), payload == SEGMENT);
        fixture.takes(u64::from(2 * payload), 8_192);
        assert!(fixture.end.sender.has_room(payload));
    }
}

#[test]
fn a_window_is_half_of_the_free_memory_in_units_of_1024() {
    let mut fixture = Fixture::new();
    fixture.end.receiver.expect_transfer(transfer(0, 1 << 20));
    let mut windows = Vec::new();
    for n in 0..9 {
        windows.push(fixture.options.window(n * 1716, SEGMENT));
    }
    assert_eq!(windows, [8192, 7168, 6144, 5120, 4096, 3072, 2048, 2048, 0]);
    // The edge never moves back: after five unread segments 892 bytes of the first window are left,
    // and the memory allows 3,072.
    let mut sequence = 0;
    let left: Vec<u32> = (0..9)
        .map(|_| {
            fixture.receives(sequence, SEGMENT);
            sequence += u64::from(SEGMENT);
            fixture.advertised()
        })
        .collect();
    assert_eq!(left, [7168, 6144, 5120, 4096, 3072, 2048, 2048, 588, 0]);
}

/// Small frames take eight times their payload.
#[test]
fn unread_small_segments_shrink_the_window_by_their_memory() {
    let mut fixture = Fixture::new();
    fixture.end.receiver.expect_transfer(transfer(0, 1 << 20));
    for n in 0..20 {
        fixture.receives(32 * n, 32);
    }
    assert_eq!(fixture.options.window(20 * 260, SEGMENT), 5_120);
    fixture.end.receiver.read(BEGIN, &fixture.options);
    assert_eq!(fixture.options.window(19 * 260, SEGMENT), 5_120);
}

#[test]
fn data_out_of_order_take_memory_and_are_discarded_when_it_is_full() {
    let mut fixture = Fixture::new();
    let at = |n: u64| n * u64::from(SEGMENT);
    (1..=4).for_each(|n| assert!(fixture.receives(at(n), SEGMENT)));
    assert_eq!(fixture.advertised(), 8_192, "as promised before");
    // Five more make 15,444 bytes; the tenth does not fit, and nothing out of order is left.
    (5..=10).for_each(|n| assert!(fixture.receives(at(n), SEGMENT)));
    fixture.receives(0, SEGMENT);
    assert_eq!(fixture.end.receiver.expected(), at(1));
}

/// A segment that joined a tail holds the end of one transfer and the beginning of the next.
#[test]
fn a_read_ends_with_its_transfer() {
    let mut fixture = Fixture::new();
    let (first, second) = (Head::new([1; 4]), Head::new([2; 4]));
    fixture.end.receiver.expect_transfer(Transfer { head: first, header: 32, body: 868 });
    fixture.end.receiver.expect_transfer(Transfer { head: second, header: 32, body: 528 });
    fixture.receives(0, SEGMENT);
    let receiver = &mut fixture.end.receiver;
    assert_eq!(receiver.next_unread(), Some(900));
    assert_eq!(receiver.read(BEGIN, &fixture.options).0, Some(first));
    assert_eq!(receiver.next_unread(), Some(560));
    assert_eq!(receiver.read(BEGIN, &fixture.options).0, Some(second));
    assert_eq!(receiver.next_unread(), None);
}

/// Reads `n` segments; returns for each whether an acknowledgement left, which opens the window.
fn opens(fixture: &mut Fixture, n: usize) -> Vec<bool> {
    let read = |fixture: &mut Fixture| {
        let (_, opens) = fixture.end.receiver.read(BEGIN, &fixture.options);
        if opens {
            fixture.end.receiver.acknowledge(&fixture.options);
        }
        opens
    };
    (0..n).map(|_| read(fixture)).collect()
}

/// A read takes all segments that are queued, and looks at the window at its end (`tcp_recvmsg`,
/// `cleanup_rbuf`); the header is a read of its own.
#[test]
fn a_read_opens_the_window_at_its_end() {
    let mut fixture = Fixture::new();
    fixture.end.receiver.expect_transfer(transfer(32, 5 * u64::from(SEGMENT)));
    fixture.receives(0, 32);
    for n in 0..5 {
        fixture.receives(32 + n * u64::from(SEGMENT), SEGMENT);
    }
    assert_eq!(opens(&mut fixture, 6), [true, false, false, false, false, true]);
}

/// Segments that arrive while the process is in a read wait for the next (`tcp_rcv`, `sk->users`).
#[test]
fn a_read_takes_what_is_queued_when_it_begins() {
    let at = |n: u64| 32 + n * u64::from(SEGMENT);
    let mut fixture = Fixture::new();
    fixture.end.receiver.expect_transfer(transfer(32, at(9)));
    fixture.receives(0, 32);
    (0..3).for_each(|n| assert!(!fixture.receives(at(n), SEGMENT)));
    assert_eq!(opens(&mut fixture, 1), [false], "the header");
    assert_eq!(fixture.end.receiver.begin_read(), Some(SEGMENT));
    (3..5).for_each(|n| assert!(!fixture.receives(at(n), SEGMENT)));
    assert_eq!(opens(&mut fixture, 5), [false, false, true, false, false]);
}

/// The header that a segment holds in front of a body frees no memory; the body's read does.
#[test]
fn a_header_in_front_of_a_body_leaves_the_segment_to_the_next_read() {
    let mut fixture = Fixture::new();
    fixture.end.receiver.expect_transfer(transfer(32, 5 * u64::from(SEGMENT) - 32));
    (0..5).for_each(|n| assert!(!fixture.receives(n * u64::from(SEGMENT), SEGMENT)));
    assert_eq!(opens(&mut fixture, 5), [false, false, false, false, true]);
}
