//! Progressive filling of the free flows, all others keeping their rates.
//!
//! Resources wait in a heap by the rate at which they would be full; fixing the rates of some flows
//! only raises this rate for the rest, so an entry is recomputed when it comes to the top.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

use quantity::{Ids, OptionalId};

use super::{FlowId, Resource, ResourceId, Solver, Use};
use crate::units::{FlowRate, level};

/// Scratch vectors, kept to reuse their memory.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// Resources of the round.
    pub touched: Vec<ResourceId>,
    /// Resources by a lower bound of the rate at which they are full.
    levels: BinaryHeap<Reverse<(FlowRate, ResourceId)>>,
    /// Free flows by their caps, the least last.
    caps: Vec<(FlowRate, FlowId)>,
    full: Vec<ResourceId>,
}

impl Resource {
    /// Returns the rate at which it is full if its free flows continue at equal rates.
    fn level(&self) -> FlowRate {
        level(self.left, self.free_weight)
    }
}

impl Solver {
    /// Gives every free flow its rate, as `next_rate`.
    pub(super) fn fill(&mut self, scratch: &mut Scratch) {
        self.prepare(scratch);
        while let Some((rate, by_resource)) = self.next_rate(scratch) {
            while let Some(&(cap, flow)) = scratch.caps.last()
                && cap <= rate
            {
                scratch.caps.pop();
                self.give(flow, cap, OptionalId::none());
            }
            if by_resource {
                for &resource in &scratch.full {
                    self.stop_users(resource, rate);
                }
            }
        }
    }

    fn prepare(&mut self, scratch: &mut Scratch) {
        for place in 0..self.dirty.len() {
            self.touch(self.dirty[place], scratch);
        }
        for place in 0..self.free.len() {
            let flow = self.flows[self.free[place]];
            scratch.caps.push((flow.cap, self.free[place]));
            for index in (Ids { start: flow.first, end: flow.acks }) {
                let Use { resource, weight, .. } = self.uses[index];
                if weight > 0 {
                    self.touch(resource, scratch);
                    let state = &mut self.resources[resource];
                    state.left += (u128::from(weight) * u128::from(flow.rate)) as i128;
                    state.free_weight += weight;
                    state.n_free += 1;
                }
            }
        }
        scratch.caps.sort_unstable_by_key(|&entry| Reverse(entry));
        let mut levels = std::mem::take(&mut scratch.levels).into_vec();
        levels.clear();
        let shared = scratch.touched.iter().filter(|&&id| self.resources[id].n_free > 0);
        levels.extend(shared.map(|&id| Reverse((self.resources[id].level(), id))));
        scratch.levels = BinaryHeap::from(levels);
    }

    #[inline]
    fn touch(&mut self, id: ResourceId, scratch: &mut Scratch) {
        let round = self.round;
        let resource = &mut self.resources[id];
        if resource.round != round {
            resource.round = round;
            resource.left = resource.capacity as i128 - resource.usage as i128;
            (resource.free_weight, resource.n_free) = (0, 0);
            resource.full_at = None;
            resource.is_changed = resource.is_dirty;
            scratch.touched.push(id);
        }
    }

    /// Returns the lowest rate at which free flows stop, and whether full resources (listed in
    /// `full`) stop them; `None` when no flow is free any more.
    fn next_rate(&mut self, scratch: &mut Scratch) -> Option<(FlowRate, bool)> {
        while let Some(&(_, flow)) = scratch.caps.last()
            && self.flows[flow].given == self.round
        {
            scratch.caps.pop();
        }
        let &(cap, _) = scratch.caps.last()?;
        scratch.full.clear();
        let mut rate = cap;
        let mut is_full = false;
        // A level only rises while other flows are fixed, so the top one is the least once it has
        // been recomputed.
        while let Some(mut top) = scratch.levels.peek_mut() {
            let Reverse((known, id)) = *top;
            let resource = &self.resources[id];
            if resource.free_weight == 0 {
                PeekMut::pop(top);
                continue;
            }
            if known > rate {
                break;
            }
            let level = resource.level();
            if level > known {
                *top = Reverse((level, id));
                continue;
            }
            (rate, is_full) = (level, true);
            PeekMut::pop(top);
            scratch.full.push(id);
        }
        for &id in &scratch.full {
            let resource = &mut self.resources[id];
            resource.full_at = Some((rate, resource.free_weight));
        }
        Some((rate, is_full))
    }

    /// Stops the free users of a full resource.
    fn stop_users(&mut self, id: ResourceId, rate: FlowRate) {
        let mut place = 0;
        while self.resources[id].free_weight > 0 {
            let flow = self.resources[id].users[place].flow;
            let state = &self.flows[flow];
            if state.free == self.round && state.given != self.round {
                self.give(flow, rate, id.into());
            }
            place += 1;
        }
    }

    fn give(&mut self, id: FlowId, rate: FlowRate, bottleneck: OptionalId<ResourceId>) {
        let flow = &mut self.flows[id];
        if flow.given == self.round {
            return;
        }
        flow.given = self.round;
        let is_changed = rate != flow.rate;
        (flow.next_rate, flow.next_bottleneck) = (rate, bottleneck);
        let uses = Ids { start: flow.first, end: flow.acks };
        // A resource that becomes the limit of a flow must be checked as if it had changed.
        let is_new = bottleneck != flow.bottleneck;
        for &Use { resource, weight, .. } in &self.uses[uses] {
            if weight > 0 {
                let state = &mut self.resources[resource];
                state.left -= (u128::from(weight) * u128::from(rate)) as i128;
                state.free_weight -= weight;
                state.is_changed |= is_changed || (is_new && bottleneck == resource.into());
            }
        }
    }
}
