//! The load of acknowledgements on the resources that they cross.
//!
//! Acknowledgements are not delayed by waiting data, so a full resource does not limit the flow
//! whose acknowledgements cross it; they only leave less of it to the data. Their load depends on
//! the rate of that flow, which depends on the acknowledgements that cross *its* resources, and so
//! on round every cycle. The cycle is cut by counting acknowledgements at a *nominal* rate: the
//! flow's share of its most contended resource if all its users, by data or acknowledgements, ran
//! at equal rates. That is exact wherever they do, and depends on the numbers of flows alone.

use quantity::Ids;

use super::{Flow, FlowId, Resource, ResourceId, Solver, Use};
use crate::units::{FlowRate, level};

impl Solver {
    /// Records that the weights on a resource have changed.
    pub(super) fn shift(&mut self, resource: ResourceId) {
        if !std::mem::replace(&mut self.resources[resource].is_shifted, true) {
            self.shifted.push(resource);
        }
    }

    /// Records that the nominal rate of a flow may have changed.
    pub(super) fn mark(&mut self, flow: FlowId) {
        if !std::mem::replace(&mut self.flows[flow].is_marked, true) {
            self.marked.push(flow);
        }
    }

    /// Recomputes the load of all acknowledgements affected by changed weights.
    pub(super) fn count_acknowledgements(&mut self) {
        for resource in std::mem::take(&mut self.shifted) {
            self.share_anew(resource);
        }
        let mut marked = std::mem::take(&mut self.marked);
        for &flow in &marked {
            self.flows[flow].is_marked = false;
            self.count_flow(flow);
        }
        marked.clear();
        self.marked = marked;
    }

    fn share_anew(&mut self, id: ResourceId) {
        let resource = &mut self.resources[id];
        resource.is_shifted = false;
        let weight = resource.data_weight + resource.ack_weight;
        let share = if weight == 0 { 0 } else { level(resource.whole as i128, weight) };
        if std::mem::replace(&mut resource.share, share) == share {
            return;
        }
        for place in 0..self.resources[id].users.len() {
            let flow = self.resources[id].users[place].flow;
            let Flow { acks, end, .. } = self.flows[flow];
            if end > acks {
                self.mark(flow);
            }
        }
    }

    fn count_flow(&mut self, id: FlowId) {
        let flow = self.flows[id];
        if !flow.is_running {
            return;
        }
        let nominal = self.nominal(&flow);
        if nominal == flow.nominal {
            return;
        }
        self.flows[id].nominal = nominal;
        for index in (Ids { start: flow.acks, end: flow.end }) {
            let Use { resource, weight, .. } = self.uses[index];
            if weight > 0 {
                let load = &mut self.resources[resource].ack_load;
                *load += u128::from(weight) * u128::from(nominal);
                *load -= u128::from(weight) * u128::from(flow.nominal);
                self.soil(resource);
            }
        }
    }

    fn nominal(&self, flow: &Flow) -> FlowRate {
        let uses = &self.uses[Ids { start: flow.first, end: flow.acks }];
        let shares =
            uses.iter().filter(|of| of.weight > 0).map(|of| self.resources[of.resource].share);
        shares.min().map_or(flow.cap, |share| share.min(flow.cap))
    }
}

impl Resource {
    /// Subtracts the load of acknowledgements from the whole; data keep at least half of it.
    pub(super) fn leave_to_data(&mut self) {
        self.capacity = self.whole - self.ack_load.min(self.whole / 2);
    }
}
