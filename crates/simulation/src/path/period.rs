//! The period of a transfer: what stands at an acknowledgement is compared with what stood at an
//! earlier one, by Brent's method, and where they are equal but for the time, the transfer jumps
//! over whole periods to its end.

use std::cmp::Reverse;

use quantity::Time;

use super::ends::Segment;
use super::passage::{Event, Run};
use super::timing::{RECEIVER, SENDER};

/// Segments of a write from which a period is looked for.
const SEGMENTS_FOR_A_PERIOD: u64 = 16;
/// Acknowledgements after which a transfer without end counts as periodic as it is.
const MOST_ACKNOWLEDGEMENTS: u32 = 1_024;

/// What stood when an acknowledgement came.
#[derive(Debug, Default)]
pub(super) struct Snapshot {
    pub outline: [u64; 5],
    pub state: Vec<u64>,
    pub now: Time,
    pub acknowledged: u64,
}

impl Run<'_> {
    /// Compares what stands with the snapshot: where they are equal but for the time, everything
    /// between them happens again until the write comes to its end.
    pub fn look_for_period(&mut self) {
        self.n_acknowledgements += 1;
        let segment = u64::from(self.segment_bytes);
        if self.sending.left < SEGMENTS_FOR_A_PERIOD * segment + self.most_at_once() {
            return;
        }
        let is_due = self.n_acknowledgements == self.next_snapshot;
        let outline = self.outline();
        if outline != self.snapshot.outline && !is_due {
            return;
        }
        let state = self.describe();
        let span = self.now.saturating_sub(self.snapshot.now);
        let bytes = self.sending.acknowledged - self.snapshot.acknowledged;
        if state == self.snapshot.state && bytes > 0 {
            self.jump(span, bytes);
        } else if is_due {
            if self.n_acknowledgements >= MOST_ACKNOWLEDGEMENTS {
                self.jump_without_period(span, bytes, outline[0] == self.snapshot.outline[0]);
            }
            let (now, acknowledged) = (self.now, self.sending.acknowledged);
            self.snapshot = Snapshot { outline, state, now, acknowledged };
            self.next_snapshot *= 2;
        }
    }

    /// Returns the most bytes that the process writes at once, and may be writing.
    fn most_at_once(&self) -> u64 {
        u64::from(self.host.queues.send_bytes.max(self.segment_bytes))
    }

    /// Takes half of the acknowledgements so far for a period where none is found, which happens
    /// with interrupts that wait and processors that are behind. What ends earlier is exact.
    fn jump_without_period(&mut self, span: Time, bytes: u64, is_steady: bool) {
        if !self.jumps || (self.lanes.is_used() && is_steady) {
            self.jump(span, bytes);
        }
    }

    /// What is cheap to compare of all that the future depends on.
    fn outline(&self) -> [u64; 5] {
        let [sender, receiver] = [SENDER, RECEIVER]
            .map(|end| self.processors[end].job_end.saturating_sub(self.now).ps());
        let window = u64::from(self.sending.congestion_window);
        [window, self.events.len() as u64, self.sending.in_flight(), sender, receiver]
    }

    /// Everything the future depends on, but for the time and what is left to write.
    fn describe(&self) -> Vec<u64> {
        let (now, acknowledged) = (self.now, self.sending.acknowledged);
        let mut state = Vec::with_capacity(128);
        if self.waits_for_ticks {
            state.push(now.ps() % self.host.tcp.tick.ps());
        }
        self.processors.iter().for_each(|processor| processor.describe(now, &mut state));
        let servers = self.there.iter().chain(&self.back);
        servers.for_each(|servers| servers.describe(now, &mut state));
        self.hubs.iter().for_each(|medium| medium.describe(now, &mut state));
        self.sending.describe(&mut state);
        self.receiving.describe(acknowledged, &mut state);
        self.lanes.describe(now, acknowledged, &mut state);
        state.extend(self.left_at.map(|time| time.saturating_sub(now).ps()));
        let mut events: Vec<_> = self.events.iter().map(|Reverse(event)| *event).collect();
        events.sort_unstable();
        for (time, _, event) in events {
            state.push(time.saturating_sub(now).ps());
            state.extend(match event {
                Event::Segment { span, segment: Segment { payload, push } } => {
                    [0, span as u64, u64::from(payload), u64::from(push)]
                }
                Event::Acknowledgement { span, acknowledged: to, edge } => {
                    [1, span as u64, to.wrapping_sub(acknowledged), edge - acknowledged]
                }
                Event::Ahead { span } => [5, span as u64, 0, 0],
                Event::JobEnd { processor } => [2, processor as u64, 0, 0],
                Event::Interrupt { lane } => [3, lane as u64, 0, 0],
                Event::Served { server } => [4, server as u64, 0, 0],
            });
        }
        state
    }

    /// Jumps over as many whole periods as end before the write does.
    fn jump(&mut self, span: Time, bytes: u64) {
        if !self.jumps {
            self.period = (span, bytes);
            return;
        }
        let n = self.sending.left.saturating_sub(self.most_at_once()) / bytes;
        let (span, bytes) = (Time::from_ps(span.ps() * n), bytes * n);
        self.processors.iter_mut().for_each(|processor| processor.put_off(span));
        self.there.iter_mut().chain(&mut self.back).for_each(|servers| servers.put_off(span));
        self.hubs.iter_mut().for_each(|medium| medium.put_off(span));
        self.lanes.put_off(span, bytes);
        self.left_at.iter_mut().for_each(|time| *time += span);
        self.sending.skip(bytes);
        self.receiving.skip(bytes);
        self.now += span;
        self.passage.taken += span;
        self.passage.acks.iter_mut().for_each(|time| *time += span);
        let events = std::mem::take(&mut self.events);
        let events = events.into_iter().map(|Reverse(event)| Reverse(later(event, span, bytes)));
        self.events = events.collect();
    }
}

fn later((time, number, event): (Time, u64, Event), span: Time, bytes: u64) -> (Time, u64, Event) {
    let event = match event {
        Event::Acknowledgement { span, acknowledged, edge } => {
            Event::Acknowledgement { span, acknowledged: acknowledged + bytes, edge: edge + bytes }
        }
        other => other,
    };
    (time + span, number, event)
}
