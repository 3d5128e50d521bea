//! How fast a path can go for ever, and what sets the pace: the stage that is busiest per byte, or
//! the window that is acknowledged too late to keep any stage busy.

use quantity::Time;

use super::passage::period;
use super::timing::{Path, RECEIVER, SENDER, Step, occupancy};
use crate::host::{AckRule, HostModel};

/// What limits a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bottleneck {
    /// The processor of the node that writes.
    Sender,
    /// The processor of the node that reads.
    Receiver,
    /// The processor of a forwarder: the end of which leg, counted from 0.
    Forwarder(usize),
    /// A wire, hub or backplane: of which leg, and which stage of it.
    Stage(usize, usize),
    /// The window: the round trip takes longer than any stage needs for what it lets through.
    Window,
}

/// The steady state of an endless transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// The path repeats itself after so long,
    pub period: Time,
    /// in which so many bytes of user data pass.
    pub bytes: u64,
    /// What limits it.
    pub bottleneck: Bottleneck,
    /// How long the bottleneck, were it a stage, is busy with a full segment and its share of an
    /// acknowledgement.
    pub busiest: Time,
}

impl Pace {
    /// Returns the bytes of user data per second.
    pub fn rate_bytes_per_s(&self) -> f64 {
        self.bytes as f64 / self.period.seconds()
    }
}

/// Returns the pace of a path.
pub fn pace(path: &Path, host: &HostModel) -> Pace {
    let (span, bytes) = period(path, host);
    let (busiest, stage) = busiest_stage(path, host);
    let segment = f64::from(host.tcp.largest_payload(path.is_v6));
    let per_segment = span.seconds() * segment / bytes as f64;
    // The share of acknowledgements in the busiest stage is an estimate: a hundredth covers it.
    let is_stage = busiest.seconds() >= 0.99 * per_segment;
    let bottleneck = if is_stage { stage } else { Bottleneck::Window };
    Pace { period: span, bytes, bottleneck, busiest }
}

/// Returns the stage that is busiest per full segment, and for how long.
fn busiest_stage(path: &Path, host: &HostModel) -> (Time, Bottleneck) {
    let costs = &host.costs;
    let payload = host.tcp.largest_payload(path.is_v6);
    let (ip_bytes, frame_bytes) = host.tcp.frame_sizes(payload, path.is_v6);
    let (ack_ip_bytes, ack_bytes) = host.tcp.frame_sizes(0, path.is_v6);
    let n = segments_per_ack(host, payload);
    let shared = |data: Time, ack: Time| Time::from_ps(data.ps() + ack.ps() / n);
    let send = costs.send_fixed + costs.send_copy.of(u64::from(payload));
    let take = costs.receive.of(u64::from(payload)) + costs.read.of(u64::from(payload));
    let mut stages = vec![
        (shared(send, costs.take_ack), Bottleneck::Sender),
        (shared(take, costs.make_ack), Bottleneck::Receiver),
    ];
    let ack_forward = costs.forward.of(u64::from(ack_ip_bytes));
    for (leg, span) in path.there.iter().enumerate() {
        for (index, step) in span.steps.iter().enumerate() {
            let ack = match step {
                Step::Hub { .. } => occupancy(step, ack_bytes),
                Step::Wire { .. } | Step::Switch { .. } => Time::ZERO,
            };
            let time = shared(occupancy(step, frame_bytes), ack);
            let time = Time::from_ps(time.ps() / u64::from(span.n_lanes.max(1)));
            stages.push((time, Bottleneck::Stage(leg, index)));
        }
        if span.processor != RECEIVER && span.processor != SENDER {
            let returns = path.back.iter().any(|back| back.processor == span.processor);
            let ack = if returns { ack_forward } else { Time::ZERO };
            let time = shared(costs.forward.of(u64::from(ip_bytes)), ack);
            stages.push((time, Bottleneck::Forwarder(leg)));
        }
    }
    let busiest = |best: (Time, Bottleneck), stage: &(Time, Bottleneck)| {
        if stage.0 > best.0 { *stage } else { best }
    };
    stages.iter().fold((Time::ZERO, Bottleneck::Sender), busiest)
}

/// Returns after how many full segments an acknowledgement leaves where nothing waits.
pub fn segments_per_ack(host: &HostModel, segment_bytes: u32) -> u64 {
    match host.tcp.ack_rule {
        AckRule::EverySecond { .. } | AckRule::Adaptive { .. } => 2,
        // When what is left of the window is at most half of it.
        AckRule::OnRead { .. } => {
            let window = host.tcp.window(0, segment_bytes);
            u64::from(window.div_ceil(2).div_ceil(segment_bytes).max(1))
        }
    }
}
