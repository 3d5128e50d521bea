//! The passage of a small transfer through the resources on its way, one after the other: when it
//! comes to each on an idle path, and for how long it occupies it.
//!
//! Acknowledgements are kept apart, since they take time of a resource and never delay the data
//! that they acknowledge.

use host::HostModel;
use quantity::Time;
use simulation::path::{TransferTimes, Work};

use crate::claims::{Claim, Task};
use crate::units::{busy, volume};

/// A resource on the way of the data, by the place of its claim.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stage {
    pub place: u32,
    /// From the beginning of the transfer until its first frame is here.
    pub head: Time,
    pub work: Time,
    /// From its first frame here until its last one has passed, on an idle path: its frames come at
    /// the pace of the slowest resource so far.
    pub spread: Time,
}

/// The stages of the data, in order, and the work of acknowledgements, by the place of the claim.
#[derive(Clone, Debug, Default)]
pub(crate) struct Passage {
    pub stages: Vec<Stage>,
    pub acks: Vec<(u32, Time)>,
}

/// The bytes of all acknowledgements of a transfer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AckSizes {
    pub frame_bytes: u64,
    pub wire_bytes: u64,
}

impl Passage {
    /// Returns the passage of a transfer of `wire_bytes` with these claims, which on an idle path
    /// is all there after `open`.
    pub fn new<'a>(
        host: &HostModel,
        claims: impl Iterator<Item = &'a Claim>,
        (transfer, wire_bytes, ack_sizes): (&Work, u64, AckSizes),
        (times, open): (&TransferTimes, Time),
    ) -> Passage {
        let mut passage = Passage::default();
        for (place, claim) in (0..).zip(claims) {
            let on_wire = |weight, bytes| busy(volume(bytes), weight);
            let (data, acks) = kernel_work(host, claim.task, transfer);
            let work =
                data + on_wire(claim.wire, wire_bytes) + on_wire(claim.frame, transfer.frame_bytes);
            let ack_work = acks
                + on_wire(claim.ack_wire, ack_sizes.wire_bytes)
                + on_wire(claim.ack_frame, ack_sizes.frame_bytes);
            if work > Time::ZERO {
                passage.stages.push(Stage { place, head: Time::ZERO, work, spread: work });
            }
            if ack_work > Time::ZERO {
                passage.acks.push((place, ack_work));
            }
        }
        passage.time_heads(transfer.n_segments, times, open);
        passage
    }

    /// Spreads the stages over the time of the first segment, each after the work of those before;
    /// none is occupied for longer than the transfer takes.
    fn time_heads(&mut self, n_segments: u64, times: &TransferTimes, open: Time) {
        // The sender sets any pace that no resource on the route explains.
        let longest = self.stages.iter().map(|stage| stage.work).max().unwrap_or(Time::ZERO);
        let spread = open.saturating_sub(times.reached);
        let of_sender = if spread > longest { spread } else { Time::ZERO };
        let n = n_segments.max(1);
        let mut slowest = Time::ZERO;
        let all: Time = self.stages.iter().fold(Time::ZERO, |sum, stage| sum + stage.work);
        let span = times.reached.saturating_sub(times.departed);
        let mut before = Time::ZERO;
        for stage in &mut self.stages {
            let part = u128::from(span.ps()) * u128::from(before.ps()) / u128::from(all.ps());
            let head = times.departed + Time::from_ps(part as u64);
            slowest = slowest.max(stage.work);
            let spread = stage.work.ps() / n + slowest.ps() / n * (n - 1);
            stage.spread = of_sender.max(Time::from_ps(spread)).max(stage.work);
            stage.head = head.min(open.saturating_sub(stage.spread));
            before += stage.work;
        }
        // The clip must not let a later stage be reached before an earlier one.
        let mut next = Time::MAX;
        for stage in self.stages.iter_mut().rev() {
            stage.head = stage.head.min(next);
            next = stage.head;
        }
    }
}

/// Returns the work of a kernel for the data of a transfer, and for its acknowledgements; a process
/// does its own work while it writes and reads.
fn kernel_work(host: &HostModel, task: Task, transfer: &Work) -> (Time, Time) {
    let processors = &host.processors;
    let shared = |work: Time| Time::from_ps(work.ps() / u64::from(processors.n_kernel()));
    match task {
        Task::Send if !processors.are_apart() => (Time::ZERO, transfer.take_acks),
        Task::Receive if !processors.are_apart() => (transfer.receive, transfer.make_acks),
        Task::Nothing | Task::Send | Task::Receive => (Time::ZERO, Time::ZERO),
        Task::TakeAcks => (Time::ZERO, shared(transfer.take_acks)),
        Task::TakeData => (shared(transfer.receive), shared(transfer.make_acks)),
        Task::Forward { data, acks } => {
            let of = |is_there: bool, work: Time| if is_there { shared(work) } else { Time::ZERO };
            (of(data, transfer.forward), of(acks, transfer.forward_acks))
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig {
            rng_seed: proptest::test_runner::RngSeed::Fixed(0),
            failure_persistence: None,
            ..ProptestConfig::default()
        })]

        /// A burst comes to its resources in order, and has passed each when it is all there: what
        /// follows on an idle path does not wait.
        #[test]
        fn a_transfer_has_left_its_way_when_it_is_there(
            works in prop::collection::vec(1u64..1_000, 1..12),
            n_segments in 1u64..50,
            departed in 0u64..500,
            more in (0u64..5_000, 0u64..50_000),
        ) {
            let stages = (0..).zip(&works).map(|(place, &work)| {
                let work = Time::from_ns(work);
                Stage { place, head: Time::ZERO, work, spread: work }
            });
            let mut passage = Passage { stages: stages.collect(), acks: Vec::new() };
            let [departed, reached, taken] =
                [departed, departed + more.0, departed + more.0 + more.1].map(Time::from_ns);
            let longest = Time::from_ns(works.iter().copied().max().unwrap_or(0));
            let open = taken.max(longest);
            let times = TransferTimes { departed, reached, ..TransferTimes::default() };
            passage.time_heads(n_segments, &times, open);
            prop_assert!(passage.stages.is_sorted_by_key(|stage| stage.head));
            for stage in &passage.stages {
                prop_assert!(stage.spread >= stage.work);
                prop_assert!(stage.head == Time::ZERO || stage.head + stage.spread <= open);
            }
        }
    }
}
