//! Support for the computation of steady states: a connection end that begins in use, a description
//! of its future without losses, and a jump over time and data in which everything repeats itself.

use quantity::Time;

use crate::constants::TcpOptions;

use super::endpoint::Endpoint;
use super::receiver::Receiver;
use super::segment::{Flags, Incoming};
use super::sender::Sender;
use crate::transport::EndpointId;

impl Endpoint {
    /// Returns an end of a silent connection that has been in use: its congestion window allows
    /// `window` segments in flight, its buffers have grown, and its first data, which some kernels
    /// acknowledge at once, lie in the past.
    pub fn in_use(segment_bytes: u32, window: u32, options: &TcpOptions) -> Endpoint {
        let mut end = Endpoint::new(EndpointId::new(0), segment_bytes, options);
        end.receiver.settle(options);
        end.sender.settle(window, end.receiver.advertised(), options);
        end
    }

    /// Advances the end by `span` and `bytes` of data, in the direction in which they flow, in
    /// which everything repeats itself.
    pub fn shift(&mut self, span: Time, (sent, received): (u64, u64)) {
        self.sender.shift(span, sent);
        self.receiver.shift(span, received);
    }
}

impl Sender {
    fn settle(&mut self, window: u32, edge: u64, options: &TcpOptions) {
        self.congestion.settle(window);
        self.edge = edge;
        self.buffer = options.send_buffer;
    }

    /// Marks all data sent as acknowledged, as by data in the other direction.
    pub fn acknowledge_all(&mut self, now: Time, options: &TcpOptions) {
        let window = (self.edge - self.next) as u32;
        let (acknowledged, flags) = (self.next, Flags::default());
        let last = Incoming { sequence: 0, payload: 0, flags, acknowledged, window };
        self.on_acknowledgement(&last, now, options);
    }

    /// Appends to `state` everything that the future depends on; a congestion window of `most`
    /// segments or more does not limit.
    pub fn describe(&self, most: u32, state: &mut Vec<u64>) {
        state.extend([self.next - self.acknowledged, self.edge - self.acknowledged]);
        state.extend([u64::from(self.n_sent), self.queue.len() as u64]);
        state.push(u64::from(self.held_bytes()));
        self.congestion.describe(self.acknowledged, most, state);
        state.extend(self.queue.iter().map(|segment| segment.code()));
    }

    fn shift(&mut self, span: Time, bytes: u64) {
        for number in [&mut self.acknowledged, &mut self.next, &mut self.highest, &mut self.edge] {
            *number += bytes;
        }
        if self.timeout_at < Time::MAX {
            self.timeout_at += span;
        }
        self.last_sent += span;
        self.last_heard += span;
        self.sent_at.iter_mut().for_each(|time| *time += span);
        self.congestion.shift(span, bytes);
        self.scoreboard.shift(span, bytes);
    }
}

impl Receiver {
    fn settle(&mut self, options: &TcpOptions) {
        self.delay.settle(options);
        if self.growing.take().is_some() {
            self.advertised = u64::from(options.window(0, self.segment_bytes()));
        }
    }

    /// Appends to `state` everything that the future depends on, with data before `acknowledged`
    /// acknowledged at the other end.
    pub fn describe(&self, acknowledged: u64, state: &mut Vec<u64>) {
        let numbers = [self.expected, self.advertised, self.read_to, self.acknowledged_to];
        // Data may be acknowledged before they are read.
        state.extend(numbers.map(|number| number.wrapping_sub(acknowledged)));
        state.extend([u64::from(self.owed_segments), u64::from(self.owed_bytes)]);
        self.delay.describe(state);
        self.full_segment.describe(state);
        for &(start, payload) in &self.out_of_order {
            state.extend([start.wrapping_sub(acknowledged), u64::from(payload)]);
        }
        state.extend([self.unread.len() as u64, u64::from(self.first_read)]);
        state.extend(self.call());
        state.extend(self.unread.iter().map(|&payload| u64::from(payload)));
    }

    fn shift(&mut self, span: Time, bytes: u64) {
        for number in
            [&mut self.expected, &mut self.advertised, &mut self.read_to, &mut self.acknowledged_to]
        {
            *number += bytes;
        }
        for time in [&mut self.ack_at, &mut self.repeat_at] {
            if *time < Time::MAX {
                *time += span;
            }
        }
        self.out_of_order.iter_mut().for_each(|(start, _)| *start += bytes);
        self.ranges.shift(bytes);
        self.delay.shift(span);
    }
}
