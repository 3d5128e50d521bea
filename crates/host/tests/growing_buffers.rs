//! Buffers that grow: the receiver's by what its process reads in a round trip, the sender's with
//! the congestion window.

use crate::hosts::ideal;
use crate::lossy::{Pipe, SEGMENT, Story, transfer};
use host::tcp::{Endpoint, Flags, Incoming};
use host::transport::EndpointId;
use host::{CongestionControl, SendBuffer, TcpExtensions, TcpOptions};
use quantity::Time;

const FOR_EVER: Time = Time::from_ms(1_000_000);
const FIRST: u32 = 65_536;
const MOST: u32 = 3_145_728;

fn options() -> TcpOptions {
    let extensions = TcpExtensions {
        sack: true,
        rack: true,
        counts_segments: true,
        timestamps: true,
        ..TcpExtensions::PLAIN
    };
    TcpOptions {
        extensions,
        congestion: CongestionControl::Cubic,
        receive_buffer: MOST,
        first_receive_buffer: FIRST,
        send_buffer: SendBuffer::Bytes(4 << 20),
        send_buffer_grows: true,
        timer_margin: Time::from_ms(2),
        ..ideal().tcp
    }
}

/// A receiver that takes segments in order and reads some of them.
struct Reader {
    end: Endpoint,
    options: TcpOptions,
    now: Time,
    sequence: u64,
}

impl Reader {
    fn new(options: TcpOptions) -> Reader {
        let end = Endpoint::new(EndpointId::new(1), SEGMENT, &options);
        Reader { end, options, now: Time::from_ms(1_000), sequence: 0 }
    }

    /// Takes `n_segments` `gap` apart and acknowledges each; the process reads if it `reads`.
    fn takes(&mut self, n_segments: u32, gap: Time, reads: bool) {
        for _ in 0..n_segments {
            self.now += gap;
            let (sequence, payload, flags) = (self.sequence, SEGMENT, Flags::default());
            let data = Incoming { sequence, payload, flags, acknowledged: 0, window: SEGMENT };
            self.sequence += u64::from(SEGMENT);
            self.end.on_data(&data, self.now, &self.options);
            if reads {
                self.end.receiver.read(self.now, &self.options);
            }
            self.end.receiver.acknowledge(&self.options);
        }
    }

    fn window(&mut self) -> u32 {
        self.end.receiver.acknowledge(&self.options).1
    }
}

#[test]
fn the_window_begins_with_the_first_buffer_and_grows_by_what_is_read_in_a_round_trip() {
    let mut reader = Reader::new(options());
    assert_eq!(reader.window(), FIRST);
    // Ten segments a millisecond, the round trip of the time stamps: as much as was assumed.
    reader.takes(1_000, Time::from_us(100), true);
    assert_eq!(reader.window(), FIRST);
    // Twenty-five at once: twice that, a cushion of sixteen segments, and three times as much again
    // for the growth from ten to twenty-five.
    reader.takes(25 * 40, Time::from_us(40), true);
    let twice = (2 * 25 + 16) * SEGMENT;
    let window = reader.window();
    assert!((3 * twice..5 * twice).contains(&window), "{window} by {twice}");
}

#[test]
fn without_reading_nothing_grows() {
    let mut reader = Reader::new(options());
    reader.takes(30, Time::from_us(10), false);
    assert!(reader.window() <= FIRST - 30 * SEGMENT);
}

#[test]
fn no_window_goes_beyond_the_most() {
    let most = 3 * FIRST;
    let mut reader = Reader::new(TcpOptions { receive_buffer: most, ..options() });
    reader.takes(10_000, Time::from_us(1), true);
    // A segment that waits for the process when it opens the window takes its own place.
    assert!((most - SEGMENT..=most).contains(&reader.window()));
}

/// Transfers over a path without losses, `pace` between segments.
fn over(options: &TcpOptions, delay: Time, pace: Time, n_segments: u32) -> Story {
    let pipe = Pipe {
        delay,
        pace,
        most_queued: u64::MAX,
        mark_above: u64::MAX,
        loses_data: &|_| false,
        loses_ack: &|_| false,
    };
    transfer(options, pipe, n_segments, FOR_EVER)
}

#[test]
fn a_long_path_is_filled_as_if_the_buffers_had_always_been_large() {
    // 1 Gb/s and 20 ms: 1700 segments in flight, and 64 KiB would leave it idle for 97 %.
    let (delay, pace, n) = (Time::from_ms(10), Time::from_us(12), 60_000);
    let took = |options: TcpOptions| over(&options, delay, pace, n).end.seconds();
    let large = TcpOptions { first_receive_buffer: 0, send_buffer_grows: false, ..options() };
    let small = TcpOptions { receive_buffer: FIRST, first_receive_buffer: 0, ..options() };
    let narrow = TcpOptions { send_buffer: SendBuffer::Bytes(87_040), ..options() };
    let (growing, large) = (took(options()), took(large));
    assert!(growing < 1.05 * large, "{growing} and {large}");
    assert!(took(small) > 20.0 * large);
    assert!(took(narrow) > 20.0 * large);
}

#[test]
fn the_send_buffer_holds_twice_the_window_in_the_memory_of_its_segments() {
    let buffer =
        |segment_bytes, window| TcpOptions { segment_bytes, ..options() }.send_buffer_for(window);
    // A new connection of Linux with frames of 1500 bytes.
    assert_eq!(buffer(1460, 10), SendBuffer::Bytes(87_040));
    assert_eq!(buffer(1460, 1), SendBuffer::Bytes(87_040));
    assert_eq!(buffer(1460, 100), SendBuffer::Bytes(870_400));
    assert_eq!(buffer(8960, 10), SendBuffer::Bytes(332_800));
    assert_eq!(buffer(1460, 100_000), SendBuffer::Bytes(4 << 20));
    let fixed = TcpOptions { send_buffer_grows: false, ..options() };
    assert_eq!(fixed.send_buffer_for(10), SendBuffer::Bytes(4 << 20));
}
