//! Who stalls by a fault, and for how long: a connection stalls when data of it are lost, and goes
//! on when they have arrived after all.

use std::collections::BTreeSet;

use host::tcp::EndpointId;
use quantity::Time;

use super::fault::FaultReport;
use crate::loss::FaultId;

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
    /// Per end: all data before this sequence number have arrived.
    received: Vec<u64>,
}

impl Stalls {
    /// Notes that data from `sequence` on are lost, for an end that may have them already.
    pub fn note(
        &mut self,
        (fault, endpoint): (FaultId, EndpointId),
        sequence: u64,
        now: Time,
        report: &mut FaultReport,
    ) {
        let received = self.received.get(endpoint as usize).copied().unwrap_or(0);
        if sequence < received {
            return;
        }
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
        if self.received.len() <= endpoint as usize {
            self.received.resize(endpoint as usize + 1, 0);
        }
        self.received[endpoint as usize] = received;
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
