//! Stalls of connections: a connection stalls when a fault loses data of it, and recovers when the
//! data have arrived after all.

use std::collections::BTreeSet;

use host::transport::EndpointId;
use quantity::{IdVec, Time};

use super::fault::FaultReport;
use crate::loss::FaultId;

#[derive(Clone, Copy, Debug)]
struct Stall {
    fault: FaultId,
    /// The end that waits for the data.
    endpoint: EndpointId,
    /// Sequence number of the first byte that was lost.
    sequence: u64,
    since: Time,
}

/// Stalls in progress, and the connections that each fault has stalled.
#[derive(Debug, Default)]
pub(super) struct Stalls {
    open: Vec<Stall>,
    seen: BTreeSet<(FaultId, EndpointId)>,
    /// The sequence number, per connection end, before which all data have arrived.
    received: IdVec<EndpointId, u64>,
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
        let received = self.received.get(endpoint).copied().unwrap_or(0);
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

    /// Notes that a connection end has received all data before `received`.
    pub fn progress(
        &mut self,
        endpoint: EndpointId,
        received: u64,
        now: Time,
        reports: &mut IdVec<FaultId, FaultReport>,
    ) {
        *self.received.reach(endpoint, 0) = received;
        self.open.retain(|stall| {
            let is_over = stall.endpoint == endpoint && received > stall.sequence;
            if is_over {
                let report = &mut reports[stall.fault];
                report.longest_stall = report.longest_stall.max(now.saturating_sub(stall.since));
            }
            !is_over
        });
    }

    /// Adds the stalls in progress to the reports.
    pub fn count_open(&self, reports: &mut IdVec<FaultId, FaultReport>) {
        for stall in &self.open {
            reports[stall.fault].n_unrecovered += 1;
        }
    }
}
