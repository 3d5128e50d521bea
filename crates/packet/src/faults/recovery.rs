//! Who stalls by a fault, and for how long: a connection stalls when data of it are lost, and goes
//! on when they have arrived after all.

use std::collections::BTreeSet;

use host::tcp::EndpointId;
use quantity::Time;

use super::{FaultId, FaultReport};

#[derive(Clone, Copy, Debug)]
struct Stall {
    fault: FaultId,
    /// The end that waits for the data.
    endpoint: EndpointId,
    /// The first byte that was lost.
    sequence: u64,
    since: Time,
}

/// Stalls that are not over, and who stalled by each fault.
#[derive(Debug, Default)]
pub(super) struct Stalls {
    open: Vec<Stall>,
    seen: BTreeSet<(FaultId, EndpointId)>,
}

impl Stalls {
    /// Notes that data from `sequence` on, for an end that has `received` all before, are lost.
    pub fn note(
        &mut self,
        (fault, endpoint): (FaultId, EndpointId),
        sequence: u64,
        now: Time,
        report: &mut FaultReport,
    ) {
        if self.seen.insert((fault, endpoint)) {
            report.n_stalled += 1;
        }
        let mut open = self.open.iter_mut();
        match open.find(|stall| (stall.fault, stall.endpoint) == (fault, endpoint)) {
            Some(stall) => stall.sequence = stall.sequence.min(sequence),
            None => self.open.push(Stall { fault, endpoint, sequence, since: now }),
        }
    }

    /// Notes that an end has all data before `received`.
    pub fn progress(
        &mut self,
        endpoint: EndpointId,
        received: u64,
        now: Time,
        reports: &mut [FaultReport],
    ) {
        self.open.retain(|stall| {
            let is_over = stall.endpoint == endpoint && received > stall.sequence;
            if is_over {
                let report = &mut reports[usize::from(stall.fault)];
                report.longest_stall = report.longest_stall.max(now.saturating_sub(stall.since));
            }
            !is_over
        });
    }

    /// Enters the stalls that are not over.
    pub fn count_open(&self, reports: &mut [FaultReport]) {
        for stall in &self.open {
            reports[usize::from(stall.fault)].n_unrecovered += 1;
        }
    }
}
