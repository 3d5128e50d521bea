//! The period of a transfer: the state at an acknowledgement is compared with the state at an
//! earlier one, by Brent's method, and where they are equal up to a shift in time, the transfer
//! jumps over whole periods to its end.

use host::process::Job;
use quantity::Time;

use super::frame::Frame;
use super::run::{Event, Run, Snapshot};
use super::timing::{RECEIVER, SENDER};

/// Least segments left to write for which a period is looked for.
const SEGMENTS_FOR_A_PERIOD: u64 = 16;
/// Acknowledgements after which an endless transfer is treated as periodic.
const MOST_ACKNOWLEDGEMENTS: u32 = 1_024;

impl Run<'_> {
    /// Compares the state with the snapshot: if they are equal up to a shift in time, all events
    /// between them repeat until the write ends.
    pub fn look_for_period(&mut self) {
        self.n_acknowledgements += 1;
        let segment = u64::from(self.segment_bytes());
        if self.call.left() < SEGMENTS_FOR_A_PERIOD * segment + self.most_at_once() {
            return;
        }
        let is_due = self.n_acknowledgements == self.next_snapshot;
        let outline = self.outline();
        if outline != self.snapshot.outline && !is_due {
            return;
        }
        let state = self.describe();
        let span = self.now.saturating_sub(self.snapshot.now);
        let bytes = self.acknowledged() - self.snapshot.acknowledged;
        if state == self.snapshot.state && bytes > 0 {
            self.jump(span, bytes);
        } else if is_due {
            if self.n_acknowledgements >= MOST_ACKNOWLEDGEMENTS {
                self.jump_without_period(span, bytes, outline[0] == self.snapshot.outline[0]);
            }
            let (now, acknowledged) = (self.now, self.acknowledged());
            self.snapshot = Snapshot { outline, state, now, acknowledged };
            self.next_snapshot *= 2;
        }
    }

    /// Returns the most bytes that the process writes at once, and may be writing.
    fn most_at_once(&self) -> u64 {
        u64::from(self.host.queues.send_bytes.max(self.segment_bytes()))
    }

    fn segment_bytes(&self) -> u32 {
        self.ends[SENDER].receiver.segment_bytes()
    }

    /// Returns the sequence number up to which all data are acknowledged.
    fn acknowledged(&self) -> u64 {
        self.ends[SENDER].sender.acknowledged()
    }

    /// Takes half of the acknowledgements so far for a period if none is found, which happens with
    /// delayed interrupts and processors that lag behind. A transfer that ends earlier is exact.
    fn jump_without_period(&mut self, span: Time, bytes: u64, is_steady: bool) {
        if !self.jumps || (self.rx.is_used() && is_steady) {
            self.jump(span, bytes);
        }
    }

    /// The part of the state that is cheap to compare.
    fn outline(&self) -> [u64; 5] {
        let [sender, receiver] =
            [SENDER, RECEIVER].map(|end| self.cpus[end].job_end().saturating_sub(self.now).ps());
        let in_flight = self.ends[SENDER].sender.bytes_in_flight();
        let window = u64::from(self.congestion_window());
        [window, self.events.len() as u64, in_flight, sender, receiver]
    }

    /// The whole state that the future depends on, except the time and the bytes left to write.
    fn describe(&self) -> Vec<u64> {
        let (now, acknowledged) = (self.now, self.acknowledged());
        let mut state = Vec::with_capacity(128);
        if self.waits_for_ticks {
            state.push(now.ps() % self.host.tcp.tick.ps());
        }
        self.cpus.iter().for_each(|cpus| cpus.describe(now, code_of_job, &mut state));
        self.legs.iter().for_each(|leg| leg.servers.describe(now, &mut state));
        self.hubs.iter().for_each(|medium| medium.describe(now, &mut state));
        self.call.describe(&mut state);
        self.ends[SENDER].sender.describe(self.most_in_flight, &mut state);
        self.ends[RECEIVER].receiver.describe(acknowledged, &mut state);
        let frame = |frame: &Frame, state: &mut Vec<u64>| frame.describe(acknowledged, state);
        self.rx.describe(now, frame, &mut state);
        state.extend(self.left_at.map(|time| time.saturating_sub(now).ps()));
        for (time, event) in self.events.in_order() {
            state.push(time.saturating_sub(now).ps());
            match event {
                Event::Arrive { leg, frame } => {
                    state.extend([0, leg as u64]);
                    frame.describe(acknowledged, &mut state);
                }
                Event::JobEnd { node } => state.extend([1, node as u64]),
                Event::Interrupt { queue } => state.extend([2, u64::from(queue.get())]),
                Event::Polled { context } => state.extend([3, u64::from(context.get())]),
                Event::HasSent { node } => state.extend([4, node as u64]),
            }
        }
        state
    }

    /// Jumps over all whole periods that end before the write does.
    fn jump(&mut self, span: Time, bytes: u64) {
        if !self.jumps {
            self.period = (span, bytes);
            return;
        }
        let n = self.call.left().saturating_sub(self.most_at_once()) / bytes;
        let (span, bytes) = (Time::from_ps(span.ps() * n), bytes * n);
        self.cpus.iter_mut().for_each(|cpus| cpus.shift(span));
        self.legs.iter_mut().for_each(|leg| leg.servers.put_off(span));
        self.hubs.iter_mut().for_each(|medium| medium.put_off(span));
        self.rx.shift(span, |frame| frame.shift(bytes));
        self.left_at.iter_mut().for_each(|time| *time += span);
        self.call.skip(bytes);
        self.ends[SENDER].shift(span, (bytes, 0));
        self.ends[RECEIVER].shift(span, (0, bytes));
        self.now += span;
        self.times.taken += span;
        self.times.acks.iter_mut().for_each(|time| *time += span);
        self.events.shift(span, |event| {
            if let Event::Arrive { frame, .. } = event {
                frame.shift(bytes);
            }
        });
    }
}

fn code_of_job(job: Job<()>) -> u64 {
    match job {
        Job::Write((), piece) => u64::from(piece.payload) << 1 | u64::from(piece.leaves),
        Job::Read(()) => 1 << 40,
        Job::Acknowledge(()) => 2 << 40,
        Job::Compute | Job::SendDatagram | Job::ReadDatagram | Job::Look => 3 << 40,
    }
}
