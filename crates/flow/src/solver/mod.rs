//! Max-min fair rates of flows over shared resources, kept up to date change by change.
//!
//! A flow uses resources, each with a weight, and has a rate of its own that it cannot exceed, its
//! *cap*. The answer is that of progressive filling: all rates rise together, and a flow stops at
//! its cap or when one of its resources is full; resources that are full at the same rate stop
//! their flows together, so that their order does not matter. The answer is unique and, in
//! integers, identical to the bit for any sequence of changes (see
//! docs/design/flow-engine-precision.md).
//!
//! Acknowledgements are a load and not a flow: they occupy a part of each resource and are not
//! limited by it. That load is in `acknowledgements`, filling in `fill`, the propagation of a
//! change in `settle`.

mod acknowledgements;
mod fill;
mod settle;

use quantity::{Id, IdVec, Ids, OptionalId};

use crate::units::{CAPACITY, FlowRate, UNLIMITED, Weight, kept, level};

quantity::id! {
    /// Index of a resource.
    pub ResourceId;
    /// Index of a flow.
    pub FlowId;
    /// Index of a use of a resource by a flow.
    UseId;
}

/// The use of a resource by a flow; each list of a flow names a resource at most once.
#[derive(Clone, Copy, Debug)]
struct Use {
    resource: ResourceId,
    /// Its place among the users of the resource.
    place: u32,
    weight: Weight,
}

#[derive(Clone, Copy, Debug)]
struct Flow {
    /// Its uses by data are `uses[first..acks]`, those by acknowledgements `uses[acks..end]`.
    first: UseId,
    acks: UseId,
    end: UseId,
    is_running: bool,
    /// Last round in which the flow is free.
    free: u32,
    /// Last round in which the flow was given a rate.
    given: u32,
    cap: FlowRate,
    rate: FlowRate,
    next_rate: FlowRate,
    /// The resource that limits it; none if its cap does.
    bottleneck: OptionalId<ResourceId>,
    next_bottleneck: OptionalId<ResourceId>,
    /// The rate at which its acknowledgements are counted.
    nominal: FlowRate,
    is_marked: bool,
}

#[derive(Clone, Copy, Debug)]
struct User {
    flow: FlowId,
    index: UseId,
}

/// The fields that filling touches for every use are in the first cache line.
#[derive(Clone, Debug, Default)]
#[repr(C, align(64))]
struct Resource {
    /// Capacity left for the free flows of the round.
    left: i128,
    /// Weight of the free flows of the round.
    free_weight: Weight,
    round: u32,
    n_free: u32,
    is_changed: bool,
    is_dirty: bool,
    is_shifted: bool,
    /// Number of flows that it limits.
    n_limited: u32,
    /// The rate at which all its flows could run if they were equal.
    share: FlowRate,
    /// The rate at which it was full, and the weight of the flows that it stopped.
    full_at: Option<(FlowRate, Weight)>,
    users: Vec<User>,
    /// Capacity, including the share of acknowledgements.
    whole: u128,
    /// Capacity without the share of acknowledgements.
    capacity: u128,
    /// Load of data.
    usage: u128,
    /// Weight of the data of all users.
    data_weight: Weight,
    /// Weight of the acknowledgements of all users.
    ack_weight: Weight,
    ack_load: u128,
}

/// Flows and resources, and the rates of the flows.
#[derive(Debug, Default)]
pub struct Solver {
    resources: IdVec<ResourceId, Resource>,
    flows: IdVec<FlowId, Flow>,
    n_running: usize,
    uses: IdVec<UseId, Use>,
    /// Resources whose users, capacity or acknowledgements have changed.
    dirty: Vec<ResourceId>,
    /// Resources whose weights have changed.
    shifted: Vec<ResourceId>,
    /// The flows that are being settled.
    free: Vec<FlowId>,
    round: u32,
    scratch: fill::Scratch,
    marked: Vec<FlowId>,
    changed: Vec<FlowId>,
}

impl Solver {
    /// Returns a solver of `n_resources` idle resources.
    pub fn new(n_resources: u32) -> Solver {
        let idle = Resource { whole: CAPACITY, capacity: CAPACITY, ..Resource::default() };
        Solver { resources: IdVec::filled(idle, n_resources), ..Solver::default() }
    }

    /// Adds an idle flow, with the resources of its data and those of its acknowledgements; a
    /// resource occurs at most once in each.
    pub fn add_flow(&mut self, data: &[ResourceId], acks: &[ResourceId]) -> FlowId {
        let first = UseId::from_index(self.uses.len());
        let new = |&resource: &ResourceId| Use { resource, place: 0, weight: 0 };
        self.uses.as_mut_vec().extend(data.iter().chain(acks).map(new));
        self.flows.push(Flow {
            first,
            acks: first.offset(data.len() as u32),
            end: UseId::from_index(self.uses.len()),
            is_running: false,
            free: 0,
            given: 0,
            cap: UNLIMITED,
            rate: 0,
            next_rate: 0,
            bottleneck: OptionalId::none(),
            next_bottleneck: OptionalId::none(),
            nominal: 0,
            is_marked: false,
        })
    }

    /// Starts a flow with the `weight` of each of its uses, in the order of the resources given,
    /// data first, and its cap. A weight of zero is no use.
    ///
    /// # Panics
    /// When it is running, or has no limit.
    pub fn start(&mut self, id: FlowId, cap: FlowRate, weight: impl Fn(usize) -> Weight) {
        let Flow { first, acks, end, is_running, .. } = self.flows[id];
        assert!(!is_running, "flow {id} runs");
        let mut is_limited = cap < UNLIMITED;
        for index in (Ids { start: first, end }) {
            let is_ack = index >= acks;
            let weight = weight(index.offset_from(first) as usize);
            self.uses[index].weight = weight;
            if weight > 0 {
                is_limited |= !is_ack;
                self.enter(id, index, is_ack);
            }
        }
        assert!(is_limited, "nothing limits flow {id}");
        self.n_running += 1;
        let flow = &mut self.flows[id];
        (flow.is_running, flow.cap) = (true, kept(cap));
        flow.bottleneck = OptionalId::none();
        flow.free = self.round + 1;
        self.free.push(id);
        self.mark(id);
    }

    fn enter(&mut self, flow: FlowId, index: UseId, is_ack: bool) {
        let Use { resource: id, weight, .. } = self.uses[index];
        let resource = &mut self.resources[id];
        if is_ack {
            resource.ack_weight += weight;
        } else {
            resource.data_weight += weight;
            self.uses[index].place = resource.users.len() as u32;
            resource.users.push(User { flow, index });
        }
        self.shift(id);
    }

    /// Stops a flow; its rate is zero from then on.
    ///
    /// # Panics
    /// When it is not running.
    pub fn stop(&mut self, id: FlowId) {
        let flow = self.flows[id];
        assert!(flow.is_running, "flow {id} does not run");
        for index in (Ids { start: flow.first, end: flow.end }) {
            let Use { resource, weight, place } = self.uses[index];
            if weight == 0 {
                continue;
            }
            let state = &mut self.resources[resource];
            if index >= flow.acks {
                state.ack_weight -= weight;
                state.ack_load -= u128::from(weight) * u128::from(flow.nominal);
            } else {
                state.data_weight -= weight;
                state.usage -= u128::from(weight) * u128::from(flow.rate);
                state.n_limited -= u32::from(flow.bottleneck == resource.into());
                state.users.swap_remove(place as usize);
                if let Some(moved) = state.users.get(place as usize) {
                    self.uses[moved.index].place = place;
                }
            }
            self.soil(resource);
            self.shift(resource);
        }
        if flow.free == self.round + 1 {
            self.free.retain(|&free| free != id);
        }
        self.n_running -= 1;
        let state = &mut self.flows[id];
        (state.is_running, state.rate, state.nominal) = (false, 0, 0);
        (state.free, state.bottleneck) = (0, OptionalId::none());
    }

    /// Changes the capacity of a resource.
    pub fn set_capacity(&mut self, resource: ResourceId, capacity: u128) {
        if self.resources[resource].whole != capacity {
            self.resources[resource].whole = capacity;
            self.soil(resource);
            self.shift(resource);
        }
    }

    /// Returns the number of flows that run.
    #[inline]
    pub fn n_running(&self) -> usize {
        self.n_running
    }

    /// Returns the number of resources of a flow's data.
    #[inline]
    pub fn n_data(&self, flow: FlowId) -> usize {
        let Flow { first, acks, .. } = self.flows[flow];
        acks.offset_from(first) as usize
    }

    /// Returns the resource of a use of a flow, by its place in the order of the resources given,
    /// data first.
    #[inline]
    pub fn used(&self, flow: FlowId, place: u32) -> ResourceId {
        self.uses[self.flows[flow].first.offset(place)].resource
    }

    /// Returns whether any rate may have changed since the last update.
    #[inline]
    pub fn is_stale(&self) -> bool {
        !(self.dirty.is_empty() && self.free.is_empty() && self.shifted.is_empty())
    }

    /// Returns the rate that a flow would have if all users of its resources ran at equal rates,
    /// whatever the time of the last update.
    pub fn likely_rate(&self, id: FlowId) -> FlowRate {
        let flow = &self.flows[id];
        let uses = &self.uses[Ids { start: flow.first, end: flow.acks }];
        let shares = uses.iter().filter(|of| of.weight > 0).map(|of| {
            let resource = &self.resources[of.resource];
            level(resource.whole as i128, resource.data_weight + resource.ack_weight)
        });
        shares.min().map_or(flow.cap, |share| share.min(flow.cap))
    }

    /// Returns the rate of a flow as it was last settled.
    #[inline]
    pub fn rate(&self, flow: FlowId) -> FlowRate {
        self.flows[flow].rate
    }

    /// Returns the capacity of a resource without the share of acknowledgements, and the load of
    /// data.
    pub fn load(&self, resource: ResourceId) -> (u128, u128) {
        let Resource { capacity, usage, .. } = self.resources[resource];
        (capacity, usage)
    }

    /// Returns the capacity that the flows on a resource leave to another use, which is at least
    /// that of one of them if they had equal shares.
    #[inline]
    pub fn left_to_one_more(&self, resource: ResourceId) -> u128 {
        let Resource { whole, capacity, usage, n_limited, .. } = self.resources[resource];
        capacity.saturating_sub(usage).max(whole / u128::from(n_limited + 1))
    }

    /// Returns the resource that limits a flow; `None` if its own cap does.
    pub fn bottleneck(&self, flow: FlowId) -> Option<ResourceId> {
        self.flows[flow].bottleneck.get()
    }

    /// Returns the flows whose data use a resource, in arbitrary order.
    pub fn users(&self, resource: ResourceId) -> impl Iterator<Item = FlowId> + '_ {
        self.resources[resource].users.iter().map(|user| user.flow)
    }

    /// Records that a resource has changed.
    fn soil(&mut self, resource: ResourceId) {
        if !std::mem::replace(&mut self.resources[resource].is_dirty, true) {
            self.dirty.push(resource);
        }
    }
}
