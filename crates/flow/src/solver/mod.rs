//! Max-min fair rates of flows over shared resources, kept up to date change by change.
//!
//! A flow uses resources, each with a weight, and has a rate of its own that it cannot exceed, its
//! *cap*. The answer is that of progressive filling: all rates rise together, and a flow stops at
//! its cap or when one of its resources is full; resources that are full at the same rate stop
//! their flows together, so that no order of theirs matters. The answer is unique and, in
//! integers, the same to the bit however it was come by (see docs/design/flow-engine-precision.md).
//!
//! Acknowledgements are a load and not a flow: they take some of what they cross and are not held
//! up by it. How much of it is in `acknowledgements`, filling in `fill`, what a change touches in
//! `settle`.

mod acknowledgements;
mod fill;
mod settle;

use quantity::{Id, IdVec, Ids, OptionalId};

use crate::units::{CAPACITY, Rate, UNLIMITED, Weight, kept, level};

quantity::id! {
    /// Index of a resource.
    pub ResourceId;
    /// Index of a flow.
    pub FlowId;
    /// Index of a use of a resource by a flow.
    UseId;
}

/// What a flow does to a resource; it has one use at most of each resource in either list.
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
    /// Where it is settled: in which round it was taken up, and in which it was given a rate.
    free: u32,
    given: u32,
    cap: Rate,
    rate: Rate,
    next_rate: Rate,
    /// The resource that limits it; none where its cap does.
    bottleneck: OptionalId<ResourceId>,
    next_bottleneck: OptionalId<ResourceId>,
    /// The rate its acknowledgements are counted with.
    nominal: Rate,
    is_marked: bool,
}

#[derive(Clone, Copy, Debug)]
struct User {
    flow: FlowId,
    index: UseId,
}

/// What filling reads and writes for every use stands in the first line of the cache.
#[derive(Clone, Debug, Default)]
#[repr(C, align(64))]
struct Resource {
    /// Of the round: what is left for the free flows, and their weights.
    left: i128,
    free_weight: Weight,
    round: u32,
    n_free: u32,
    is_changed: bool,
    is_dirty: bool,
    is_shifted: bool,
    /// How many flows it limits.
    n_limited: u32,
    /// The rate at which all of them could run, were they alike.
    share: Rate,
    /// The rate at which it was full, and the weight of what it stopped.
    full_at: Option<(Rate, Weight)>,
    users: Vec<User>,
    /// What it can be busy, acknowledgements included.
    whole: u128,
    /// What acknowledgements leave of that.
    capacity: u128,
    /// What data take of it.
    usage: u128,
    /// Weights of data and of acknowledgements of all users.
    data_weight: Weight,
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
    /// Returns a solver of so many resources, all idle.
    pub fn new(n_resources: u32) -> Solver {
        let idle = Resource { whole: CAPACITY, capacity: CAPACITY, ..Resource::default() };
        Solver { resources: IdVec::filled(idle, n_resources), ..Solver::default() }
    }

    /// Adds a flow that does not run, with the resources that its data and that its
    /// acknowledgements use; a resource stands at most once in each.
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

    /// Starts a flow: `weight` of each of its uses, in the order they were given, data first, and
    /// the rate it cannot exceed. What weighs nothing is not used.
    ///
    /// # Panics
    /// When it runs, or nothing limits it.
    pub fn start(&mut self, id: FlowId, cap: Rate, weight: impl Fn(usize) -> Weight) {
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

    /// Stops a flow; it has no rate any more.
    ///
    /// # Panics
    /// When it does not run.
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

    /// Changes what a resource can be busy.
    pub fn set_capacity(&mut self, resource: ResourceId, capacity: u128) {
        if self.resources[resource].whole != capacity {
            self.resources[resource].whole = capacity;
            self.soil(resource);
            self.shift(resource);
        }
    }

    /// Returns the resource of a use of a flow, in the order they were given, data first.
    #[inline]
    pub fn used(&self, flow: FlowId, place: u32) -> ResourceId {
        self.uses[self.flows[flow].first.offset(place)].resource
    }

    /// Returns whether something has changed since rates were brought up to date.
    #[inline]
    pub fn is_stale(&self) -> bool {
        !(self.dirty.is_empty() && self.free.is_empty() && self.shifted.is_empty())
    }

    /// Returns the rate that a flow has if all that use what it uses run alike, however long ago
    /// rates were brought up to date.
    pub fn likely_rate(&self, id: FlowId) -> Rate {
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
    pub fn rate(&self, flow: FlowId) -> Rate {
        self.flows[flow].rate
    }

    /// Returns what acknowledgements leave of a resource, and what data take of that.
    pub fn load(&self, resource: ResourceId) -> (u128, u128) {
        let Resource { capacity, usage, .. } = self.resources[resource];
        (capacity, usage)
    }

    /// Returns the resource that limits a flow; `None` where its own cap does.
    pub fn bottleneck(&self, flow: FlowId) -> Option<ResourceId> {
        self.flows[flow].bottleneck.get()
    }

    /// Returns the flows whose data use a resource, in no order.
    pub fn users(&self, resource: ResourceId) -> impl Iterator<Item = FlowId> + '_ {
        self.resources[resource].users.iter().map(|user| user.flow)
    }

    /// Notes that something about a resource has changed.
    fn soil(&mut self, resource: ResourceId) {
        if !std::mem::replace(&mut self.resources[resource].is_dirty, true) {
            self.dirty.push(resource);
        }
    }
}
