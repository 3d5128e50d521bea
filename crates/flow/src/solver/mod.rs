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

use crate::units::{CAPACITY, Rate, UNLIMITED, Weight, kept, level};

/// Index of a resource.
pub type ResourceId = u32;
/// Index of a flow.
pub type FlowId = u32;

/// Mark of a flow that its cap limits.
const OWN_CAP: ResourceId = ResourceId::MAX;

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
    first: u32,
    acks: u32,
    end: u32,
    is_running: bool,
    /// Where it is settled: in which round it was taken up, and in which it was given a rate.
    free: u32,
    given: u32,
    cap: Rate,
    rate: Rate,
    next_rate: Rate,
    /// What limits it.
    bottleneck: ResourceId,
    next_bottleneck: ResourceId,
    /// The rate its acknowledgements are counted with.
    nominal: Rate,
    is_marked: bool,
}

#[derive(Clone, Copy, Debug)]
struct User {
    flow: FlowId,
    /// Index in `uses`.
    index: u32,
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
    resources: Vec<Resource>,
    flows: Vec<Flow>,
    n_running: usize,
    uses: Vec<Use>,
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
    pub fn new(n_resources: usize) -> Solver {
        let idle = Resource { whole: CAPACITY, capacity: CAPACITY, ..Resource::default() };
        Solver { resources: vec![idle; n_resources], ..Solver::default() }
    }

    /// Adds a flow that does not run, with the resources that its data and that its
    /// acknowledgements use; a resource stands at most once in each.
    pub fn add_flow(&mut self, data: &[ResourceId], acks: &[ResourceId]) -> FlowId {
        let first = self.uses.len() as u32;
        let new = |&resource: &ResourceId| Use { resource, place: 0, weight: 0 };
        self.uses.extend(data.iter().chain(acks).map(new));
        self.flows.push(Flow {
            first,
            acks: first + data.len() as u32,
            end: self.uses.len() as u32,
            is_running: false,
            free: 0,
            given: 0,
            cap: UNLIMITED,
            rate: 0,
            next_rate: 0,
            bottleneck: OWN_CAP,
            next_bottleneck: OWN_CAP,
            nominal: 0,
            is_marked: false,
        });
        self.flows.len() as FlowId - 1
    }

    /// Starts a flow: `weight` of each of its uses, in the order they were given, data first, and
    /// the rate it cannot exceed. What weighs nothing is not used.
    ///
    /// # Panics
    /// When it runs, or nothing limits it.
    pub fn start(&mut self, id: FlowId, cap: Rate, weight: impl Fn(usize) -> Weight) {
        let Flow { first, acks, end, is_running, .. } = self.flows[id as usize];
        assert!(!is_running, "flow {id} runs");
        let mut is_limited = cap < UNLIMITED;
        for index in first..end {
            let is_ack = index >= acks;
            let weight = weight((index - first) as usize);
            self.uses[index as usize].weight = weight;
            if weight > 0 {
                is_limited |= !is_ack;
                self.enter(id, index, is_ack);
            }
        }
        assert!(is_limited, "nothing limits flow {id}");
        self.n_running += 1;
        let flow = &mut self.flows[id as usize];
        (flow.is_running, flow.cap) = (true, kept(cap));
        flow.bottleneck = OWN_CAP;
        flow.free = self.round + 1;
        self.free.push(id);
        self.mark(id);
    }

    fn enter(&mut self, flow: FlowId, index: u32, is_ack: bool) {
        let Use { resource: id, weight, .. } = self.uses[index as usize];
        let resource = &mut self.resources[id as usize];
        if is_ack {
            resource.ack_weight += weight;
        } else {
            resource.data_weight += weight;
            self.uses[index as usize].place = resource.users.len() as u32;
            resource.users.push(User { flow, index });
        }
        self.shift(id);
    }

    /// Stops a flow; it has no rate any more.
    ///
    /// # Panics
    /// When it does not run.
    pub fn stop(&mut self, id: FlowId) {
        let flow = self.flows[id as usize];
        assert!(flow.is_running, "flow {id} does not run");
        for index in flow.first..flow.end {
            let Use { resource, weight, place } = self.uses[index as usize];
            if weight == 0 {
                continue;
            }
            let state = &mut self.resources[resource as usize];
            if index >= flow.acks {
                state.ack_weight -= weight;
                state.ack_load -= u128::from(weight) * u128::from(flow.nominal);
            } else {
                state.data_weight -= weight;
                state.usage -= u128::from(weight) * u128::from(flow.rate);
                state.n_limited -= u32::from(flow.bottleneck == resource);
                state.users.swap_remove(place as usize);
                if let Some(moved) = state.users.get(place as usize) {
                    self.uses[moved.index as usize].place = place;
                }
            }
            self.soil(resource);
            self.shift(resource);
        }
        if flow.free == self.round + 1 {
            self.free.retain(|&free| free != id);
        }
        self.n_running -= 1;
        let state = &mut self.flows[id as usize];
        (state.is_running, state.rate, state.nominal) = (false, 0, 0);
        (state.free, state.bottleneck) = (0, OWN_CAP);
    }

    /// Changes what a resource can be busy.
    pub fn set_capacity(&mut self, resource: ResourceId, capacity: u128) {
        if self.resources[resource as usize].whole != capacity {
            self.resources[resource as usize].whole = capacity;
            self.soil(resource);
            self.shift(resource);
        }
    }

    /// Returns the resource of a use of a flow, in the order they were given, data first.
    #[inline]
    pub fn used(&self, flow: FlowId, place: u32) -> ResourceId {
        self.uses[(self.flows[flow as usize].first + place) as usize].resource
    }

    /// Returns whether something has changed since rates were brought up to date.
    #[inline]
    pub fn is_stale(&self) -> bool {
        !(self.dirty.is_empty() && self.free.is_empty() && self.shifted.is_empty())
    }

    /// Returns the rate that a flow has if all that use what it uses run alike, however long ago
    /// rates were brought up to date.
    pub fn likely_rate(&self, id: FlowId) -> Rate {
        let flow = &self.flows[id as usize];
        let uses = &self.uses[flow.first as usize..flow.acks as usize];
        let shares = uses.iter().filter(|of| of.weight > 0).map(|of| {
            let resource = &self.resources[of.resource as usize];
            level(resource.whole as i128, resource.data_weight + resource.ack_weight)
        });
        shares.min().map_or(flow.cap, |share| share.min(flow.cap))
    }

    /// Returns the rate of a flow as it was last settled.
    #[inline]
    pub fn rate(&self, flow: FlowId) -> Rate {
        self.flows[flow as usize].rate
    }

    /// Returns what acknowledgements leave of a resource, and what data take of that.
    pub fn load(&self, resource: ResourceId) -> (u128, u128) {
        let Resource { capacity, usage, .. } = self.resources[resource as usize];
        (capacity, usage)
    }

    /// Returns the resource that limits a flow; `None` where its own cap does.
    pub fn bottleneck(&self, flow: FlowId) -> Option<ResourceId> {
        let bottleneck = self.flows[flow as usize].bottleneck;
        (bottleneck != OWN_CAP).then_some(bottleneck)
    }

    /// Returns the flows whose data use a resource, in no order.
    pub fn users(&self, resource: ResourceId) -> impl Iterator<Item = FlowId> + '_ {
        self.resources[resource as usize].users.iter().map(|user| user.flow)
    }

    /// Notes that something about a resource has changed.
    fn soil(&mut self, resource: ResourceId) {
        if !std::mem::replace(&mut self.resources[resource as usize].is_dirty, true) {
            self.dirty.push(resource);
        }
    }
}
