//! The growth of a receive buffer, as in Linux since 4.16 (`tcp_rcv_space_adjust`,
//! `tcp_grow_window`).
//!
//! The buffer grows to twice what the process has read in a round trip, and further while that
//! increases; the advertised window follows it by twice the data that arrive. A receiver knows the
//! round trip by its time stamps, in milliseconds, and by the time that a whole window takes,
//! whichever is less. The buffer is counted by the payload that it holds, half of its memory.

use quantity::Time;

use crate::constants::TcpOptions;

/// Segments that the buffer holds beyond twice what was read.
const CUSHION_SEGMENTS: u32 = 16;
/// Least payload that opens the window.
const LEAST_OPENING: u32 = 128;
/// The unit of time stamps, the shortest round trip that they show.
const STAMP: Time = Time::from_ms(1);

/// The growing buffer of a receiver.
#[derive(Clone, Debug)]
pub(super) struct GrowingBuffer {
    buffer: u32,
    /// Most bytes that are advertised (`rcv_ssthresh`).
    most_advertised: u32,
    /// The round trip; zero while unknown.
    round_trip: Time,
    /// The time from which the present window is measured, and its end; zero for none.
    window_from: Time,
    window_end: u64,
    /// The last time stamp that the peer echoed, in milliseconds.
    echoed: u64,
    /// The time and the data from which reading is measured, and the most read in a round trip.
    read_from: (Time, u64),
    most_read: u32,
}

impl GrowingBuffer {
    /// Returns the buffer of a new connection; `None` if buffers do not grow.
    pub fn new(segment_bytes: u32, options: &TcpOptions) -> Option<Box<GrowingBuffer>> {
        let buffer = options.first_receive_buffer;
        let has_stamps = options.extensions.timestamps;
        (buffer > 0 && buffer < options.receive_buffer).then(|| {
            Box::new(GrowingBuffer {
                buffer,
                most_advertised: buffer,
                // The first round trip is that of the handshake.
                round_trip: if has_stamps { STAMP } else { Time::ZERO },
                window_from: Time::ZERO,
                window_end: 0,
                echoed: 0,
                read_from: (Time::ZERO, 0),
                most_read: buffer.min(options.initial_window * segment_bytes),
            })
        })
    }

    /// Returns the window that is advertised while `unread` bytes wait for the process.
    pub fn window(&self, unread: u32) -> u32 {
        self.buffer.saturating_sub(unread).min(self.most_advertised)
    }

    /// Notes the arrival of `payload` bytes in order, up to `expected`, after which `unread` bytes
    /// wait for the process and the peer has been allowed `window` bytes.
    #[inline(never)]
    pub fn arrived(&mut self, payload: u32, expected: u64, unread: u32, window: u64, now: Time) {
        if self.window_from == Time::ZERO || expected >= self.window_end {
            if self.window_from > Time::ZERO {
                let span = now.saturating_sub(self.window_from);
                let is_less = self.round_trip == Time::ZERO || span < self.round_trip;
                self.round_trip = if is_less { span } else { self.round_trip };
            }
            (self.window_from, self.window_end) = (now, expected + window);
        }
        let room = self.buffer.saturating_sub(unread).saturating_sub(self.most_advertised);
        if payload >= LEAST_OPENING {
            self.most_advertised += room.min(2 * payload);
        }
    }

    /// Notes a full segment that echoes the time `echo`.
    pub fn echoed(&mut self, echo: Time, now: Time) {
        let stamp = |time: Time| time.ps() / STAMP.ps();
        if std::mem::replace(&mut self.echoed, stamp(echo)) == stamp(echo) {
            return;
        }
        let sample = (STAMP * stamp(now).saturating_sub(stamp(echo))).max(STAMP);
        self.round_trip = match self.round_trip {
            Time::ZERO => sample,
            known => Time::from_ps((7 * known.ps() + sample.ps()) / 8),
        };
    }

    /// Notes that the process has read all before `read_to`, and grows once per round trip.
    #[inline(never)]
    pub fn read(&mut self, read_to: u64, now: Time, segment_bytes: u32, most: u32) {
        let (since, from) = self.read_from;
        if self.round_trip == Time::ZERO || now.saturating_sub(since) < self.round_trip {
            return;
        }
        self.read_from = (now, read_to);
        let read = (read_to - from).min(u64::from(most)) as u32;
        if read > self.most_read {
            let twice = 2 * u64::from(read) + u64::from(CUSHION_SEGMENTS * segment_bytes);
            let growth = twice * u64::from(read - self.most_read) / u64::from(self.most_read);
            let buffer = (twice + 2 * growth).min(u64::from(most)) as u32;
            self.buffer = self.buffer.max(buffer);
            self.most_read = read;
        }
    }
}
