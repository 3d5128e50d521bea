//! Local settling: only the flows that a change affects are recomputed.
//!
//! The flows whose rate may change are settled among themselves while all others keep theirs. The
//! result is the global answer if it is right at every resource that it changed: a flow that kept
//! its rate must still be stopped by its bottleneck, and none may be faster than the flows that a
//! full resource stops. Where that is not so, the flows concerned are settled too. The proof that
//! this suffices is in docs/design/flow-engine-precision.md.

use super::{FlowId, Resource, ResourceId, Solver, User};
use crate::units::{FlowRate, step};

/// If more than one flow in this number has to be settled, all are: to find the flows that keep
/// their rates would take longer than to recompute them.
const FEW: usize = 4;

impl Solver {
    /// Updates all rates; returns the flows whose rate has changed, each once.
    pub fn settle(&mut self) -> &[FlowId] {
        self.changed.clear();
        if !self.is_stale() {
            return &self.changed;
        }
        self.count_acknowledgements();
        for place in 0..self.dirty.len() {
            self.resources[self.dirty[place]].leave_to_data();
        }
        let mut scratch = std::mem::take(&mut self.scratch);
        loop {
            self.round += 1;
            for place in 0..self.free.len() {
                self.flows[self.free[place]].free = self.round;
            }
            scratch.touched.clear();
            self.fill(&mut scratch);
            if !self.take_up_more(&scratch.touched) {
                break;
            }
        }
        self.commit(&scratch.touched);
        self.scratch = scratch;
        &self.changed
    }

    /// Frees the flows that cannot keep their rates because of a resource of the round; returns
    /// whether there were any.
    fn take_up_more(&mut self, touched: &[ResourceId]) -> bool {
        let n_free = self.free.len();
        for &id in touched {
            let resource = &self.resources[id];
            if resource.is_changed && resource.users.len() > resource.n_free as usize {
                self.take_up_users(id);
            }
        }
        let is_more = self.free.len() > n_free;
        if is_more && self.free.len() * FEW > self.n_running {
            self.take_up_all();
        }
        is_more
    }

    fn take_up_all(&mut self) {
        self.free.clear();
        let running = self.flows.with_ids().filter(|(_, flow)| flow.is_running);
        self.free.extend(running.map(|(id, _)| id));
    }

    fn take_up_users(&mut self, id: ResourceId) {
        let resource = &self.resources[id];
        let limit = self.limit(resource);
        if limit == FlowRate::MAX && resource.n_limited == 0 {
            return;
        }
        for place in 0..self.resources[id].users.len() {
            let User { flow, .. } = self.resources[id].users[place];
            let state = &mut self.flows[flow];
            if state.free < self.round && (state.bottleneck == id.into() || state.rate > limit) {
                // Marks the flow as freed, so that no other resource frees it again; `given` tells
                // that it has no rate of this round yet.
                state.free = self.round;
                self.free.push(flow);
            }
        }
    }

    /// Returns the highest rate allowed to a flow that is not free.
    ///
    /// A resource that is full at some rate also stops slightly slower flows, as they would be full
    /// at the same rounded rate: those within the total gain of all its users by one step.
    fn limit(&self, resource: &Resource) -> FlowRate {
        if let Some((rate, stopped)) = resource.full_at {
            let gain = u128::from(resource.data_weight) * u128::from(step(rate));
            let margin = gain.div_ceil(u128::from(stopped));
            return (u128::from(rate).saturating_sub(margin)) as FlowRate;
        }
        let is_slack = |fastest: FlowRate| {
            resource.left >= (u128::from(resource.data_weight) * u128::from(step(fastest))) as i128
        };
        // With much capacity left, no user needs to be checked.
        let is_slack = is_slack(FlowRate::MAX) || is_slack(self.fastest(resource));
        if is_slack { FlowRate::MAX } else { 0 }
    }

    /// Returns the rate of the fastest user of a resource.
    fn fastest(&self, resource: &Resource) -> FlowRate {
        let rate = |user: &User| {
            let flow = &self.flows[user.flow];
            if flow.given == self.round { flow.next_rate } else { flow.rate }
        };
        resource.users.iter().map(rate).max().unwrap_or(0)
    }

    fn commit(&mut self, touched: &[ResourceId]) {
        for place in 0..self.dirty.len() {
            self.resources[self.dirty[place]].is_dirty = false;
        }
        self.dirty.clear();
        for &id in touched {
            let resource = &mut self.resources[id];
            resource.usage = (resource.capacity as i128 - resource.left) as u128;
        }
        let mut free = std::mem::take(&mut self.free);
        free.sort_unstable();
        for &id in &free {
            self.commit_flow(id);
        }
        free.clear();
        self.free = free;
    }

    fn commit_flow(&mut self, id: FlowId) {
        let flow = &mut self.flows[id];
        if flow.bottleneck != flow.next_bottleneck {
            let (old, new) = (flow.bottleneck, flow.next_bottleneck);
            if let Some(old) = old.get() {
                self.resources[old].n_limited -= 1;
            }
            if let Some(new) = new.get() {
                self.resources[new].n_limited += 1;
            }
            flow.bottleneck = new;
        }
        if flow.rate != flow.next_rate {
            flow.rate = flow.next_rate;
            self.changed.push(id);
        }
    }
}
