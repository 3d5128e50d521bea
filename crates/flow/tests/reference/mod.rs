//! Progressive filling by its definition: raise all rates together, stop the flows of full
//! resources, repeat.
//!
//! No state is kept from one step to the next, and nothing is sorted: every level is recomputed
//! from the flows.

use flow::units::{CAPACITY, FlowRate, Weight, kept, level};

/// A flow in a test: weights by resource, zero for none.
#[derive(Clone, Debug)]
pub struct Flow {
    pub data: Vec<(u32, Weight)>,
    pub acks: Vec<(u32, Weight)>,
    pub cap: FlowRate,
}

/// A set of flows, some of which run.
pub struct System<'a> {
    pub n_resources: usize,
    pub flows: &'a [Flow],
    pub runs: &'a [bool],
}

fn weight(uses: &[(u32, Weight)], resource: u32) -> Weight {
    uses.iter().filter(|&&(id, _)| id == resource).map(|&(_, weight)| weight).sum()
}

impl System<'_> {
    fn running(&self) -> impl Iterator<Item = &Flow> {
        self.flows.iter().zip(self.runs).filter(|&(_, &runs)| runs).map(|(flow, _)| flow)
    }

    /// Returns the load of data on a resource at these rates.
    pub fn usage(&self, resource: u32, rates: &[FlowRate]) -> u128 {
        let usage = |(flow, &rate): (&Flow, &FlowRate)| {
            u128::from(weight(&flow.data, resource)) * u128::from(rate)
        };
        self.flows.iter().zip(rates).map(usage).sum()
    }

    /// Returns the share of each user of a resource if all run at equal rates.
    fn share(&self, resource: u32) -> Option<FlowRate> {
        let all = |flow: &Flow| weight(&flow.data, resource) + weight(&flow.acks, resource);
        let sum: Weight = self.running().map(all).sum();
        (sum > 0).then(|| level(CAPACITY as i128, sum))
    }

    fn nominal(&self, flow: &Flow) -> FlowRate {
        let used = flow.data.iter().filter(|&&(_, weight)| weight > 0);
        let shares = used.filter_map(|&(resource, _)| self.share(resource));
        shares.min().unwrap_or(FlowRate::MAX).min(kept(flow.cap))
    }

    /// Returns the capacity of a resource without the share of acknowledgements.
    fn capacity(&self, resource: u32) -> u128 {
        let load =
            |flow: &Flow| u128::from(weight(&flow.acks, resource)) * u128::from(self.nominal(flow));
        CAPACITY - self.running().map(load).sum::<u128>().min(CAPACITY / 2)
    }

    /// Returns the rate of each flow, zero for those that do not run.
    pub fn rates(&self) -> Vec<FlowRate> {
        let mut rates: Vec<Option<FlowRate>> =
            self.runs.iter().map(|&runs| if runs { None } else { Some(0) }).collect();
        let capacities: Vec<u128> =
            (0..self.n_resources as u32).map(|resource| self.capacity(resource)).collect();
        while rates.contains(&None) {
            let levels: Vec<FlowRate> =
                (0..self.n_resources).map(|id| self.level(id, capacities[id], &rates)).collect();
            let limit = |flow: &Flow| {
                let used = flow.data.iter().filter(|&&(_, weight)| weight > 0);
                let least = used.map(|&(resource, _)| levels[resource as usize]).min();
                least.unwrap_or(FlowRate::MAX).min(kept(flow.cap))
            };
            let waiting = |rates: &[Option<FlowRate>], id: usize| rates[id].is_none();
            let least = (0..rates.len())
                .filter(|&id| waiting(&rates, id))
                .map(|id| limit(&self.flows[id]))
                .min();
            let stopped: Vec<usize> = (0..rates.len())
                .filter(|&id| waiting(&rates, id) && Some(limit(&self.flows[id])) == least)
                .collect();
            stopped.into_iter().for_each(|id| rates[id] = least);
        }
        rates.into_iter().flatten().collect()
    }

    /// Returns the rate at which a resource is full if all flows not yet stopped continue at equal
    /// rates.
    fn level(&self, id: usize, capacity: u128, rates: &[Option<FlowRate>]) -> FlowRate {
        let (mut left, mut going) = (capacity as i128, 0);
        for (flow, rate) in self.flows.iter().zip(rates) {
            let weight = weight(&flow.data, id as u32);
            match rate {
                Some(rate) => left -= (u128::from(weight) * u128::from(*rate)) as i128,
                None => going += weight,
            }
        }
        if going == 0 { FlowRate::MAX } else { level(left, going) }
    }
}
