//! The steady-state rate of a path, and its bottleneck: the stage that is busiest per byte, or the
//! window, if acknowledgements come too late to keep any stage busy.

use host::{HostCosts, HostModel};
use quantity::Time;

use super::timing::{Path, RECEIVER, SENDER, Step, occupancy};
use super::transfer_times::period;
use super::work::{segments_per_ack, work_of_a_stream};

/// The bottleneck of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bottleneck {
    /// The processor of the sending node.
    Sender,
    /// The processor of the receiving node.
    Receiver,
    /// The processor of a forwarder, at the end of the leg with this number, counted from 0.
    Forwarder(usize),
    /// A wire, hub or backplane, given by the numbers of its leg and of its stage there.
    Stage(usize, usize),
    /// The window: the round trip takes longer than any stage needs for a full window.
    Window,
}

/// The steady state of an endless transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SteadyState {
    /// Length of one period in steady state.
    pub period: Time,
    /// User bytes delivered per period.
    pub bytes: u64,
    /// The bottleneck.
    pub bottleneck: Bottleneck,
    /// Time that the busiest stage needs for a full segment and its share of an acknowledgement.
    pub busiest: Time,
}

impl SteadyState {
    /// Returns the bytes of user data per second.
    pub fn rate_bytes_per_s(&self) -> f64 {
        self.bytes as f64 / self.period.seconds()
    }
}

/// Returns the steady state of a path.
pub fn steady_state(path: &Path, host: &HostModel) -> SteadyState {
    let (span, bytes) = period(path, host);
    let (busiest, stage) = busiest_stage(path, host);
    let segment = f64::from(host.tcp.largest_payload(path.is_v6));
    let per_segment = span.seconds() * segment / bytes as f64;
    // The share of acknowledgements in the busiest stage is an estimate: a tolerance of 1 % covers
    // it.
    let is_stage = busiest.seconds() >= 0.99 * per_segment;
    let bottleneck = if is_stage { stage } else { Bottleneck::Window };
    SteadyState { period: span, bytes, bottleneck, busiest }
}

/// Returns the busiest stage per full segment, and its time.
fn busiest_stage(path: &Path, host: &HostModel) -> (Time, Bottleneck) {
    let tasks = Tasks::new(path, host);
    let mut stages = tasks.of_ends(host);
    for (leg, span) in path.there.iter().enumerate() {
        for (index, step) in span.steps.iter().enumerate() {
            let ack = match step {
                Step::Hub { .. } => occupancy(step, tasks.ack_bytes),
                Step::Wire { .. } | Step::Switch { .. } => Time::ZERO,
            };
            let time = tasks.shared(occupancy(step, tasks.frame_bytes), ack);
            let time = Time::from_ps(time.ps() / u64::from(span.n_lanes.max(1)));
            stages.push((time, Bottleneck::Stage(leg, index)));
        }
        if span.processor != RECEIVER && span.processor != SENDER {
            // Two processors serve one direction each.
            let is_one = host.processors.n_cpus == 1 || host.processors.n_kernel() == 1;
            let returns = path.back.iter().any(|back| back.processor == span.processor);
            let ack = if is_one && returns { tasks.forward_ack } else { Time::ZERO };
            stages.push((tasks.shared(tasks.forward, ack), Bottleneck::Forwarder(leg)));
        }
    }
    let busiest = |best: (Time, Bottleneck), stage: &(Time, Bottleneck)| {
        if stage.0 > best.0 { *stage } else { best }
    };
    stages.iter().fold((Time::ZERO, Bottleneck::Sender), busiest)
}

/// Processor times for a full segment of a long stream, and for an acknowledgement.
struct Tasks {
    frame_bytes: u32,
    ack_bytes: u32,
    segments_per_ack: u64,
    send: Time,
    receive: Time,
    read: Time,
    forward: Time,
    forward_ack: Time,
}

impl Tasks {
    fn new(path: &Path, host: &HostModel) -> Tasks {
        let payload = host.tcp.largest_payload(path.is_v6);
        let (ack_ip_bytes, ack_bytes) = host.tcp.frame_sizes(0, path.is_v6);
        let all = work_of_a_stream(host, path.is_v6);
        let each = |work: Time| Time::from_ps(work.ps() / all.n_segments);
        let HostCosts { forward, receive_frame, sent, .. } = host.costs;
        Tasks {
            frame_bytes: host.tcp.frame_sizes(payload, path.is_v6).1,
            ack_bytes,
            segments_per_ack: segments_per_ack(host, payload),
            send: each(all.send),
            receive: each(all.receive),
            read: each(all.read),
            forward: each(all.forward),
            forward_ack: forward.of(u64::from(ack_ip_bytes)) + receive_frame + sent,
        }
    }

    /// Returns the time of a segment with its share of an acknowledgement.
    fn shared(&self, data: Time, ack: Time) -> Time {
        Time::from_ps(data.ps() + ack.ps() / self.segments_per_ack)
    }

    /// Returns the times of the processors at the ends.
    fn of_ends(&self, host: &HostModel) -> Vec<(Time, Bottleneck)> {
        let HostCosts { take_ack, make_ack, receive_frame, sent, .. } = host.costs;
        let kernel = self.shared(self.receive, make_ack + sent);
        if host.processors.are_apart() {
            return vec![
                (self.send, Bottleneck::Sender),
                (self.read, Bottleneck::Receiver),
                (kernel, Bottleneck::Receiver),
            ];
        }
        vec![
            (self.shared(self.send, take_ack + receive_frame), Bottleneck::Sender),
            (kernel + self.read, Bottleneck::Receiver),
        ]
    }
}
