//! Laws of the solver, over random flows, resources, weights, caps and changes.
//!
//! The reference refills everything, resource by resource, without order or memory; the solver
//! agrees with it to the bit after every change, and the other laws rest on that.

mod reference;

use flow::solver::{FlowId, ResourceId, Solver};
use flow::units::{CAPACITY, FlowRate, UNLIMITED, Weight};
use proptest::prelude::*;
use quantity::Id;
use reference::{Flow, System};

/// A change of one flow.
#[derive(Clone, Debug)]
struct Change {
    flow: usize,
    /// Whether the rates are read before the next change.
    settles: bool,
}

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 400,
        rng_seed: proptest::test_runner::RngSeed::Fixed(0),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// Weights that are often equal, as those of the wires of a cluster are, and sometimes zero.
fn weight() -> impl Strategy<Value = Weight> {
    prop_oneof![
        6 => Just(80_000 << 16),
        2 => Just(8_000 << 16),
        2 => 1u64 << 20..1 << 40,
        1 => Just(0),
    ]
}

fn cap() -> impl Strategy<Value = FlowRate> {
    prop_oneof![
        4 => Just(UNLIMITED),
        1 => Just(5_000_000u64 << 24),
        1 => 1u64 << 30..1 << 48,
    ]
}

fn uses(n_resources: usize, most: usize) -> impl Strategy<Value = Vec<(u32, Weight)>> {
    prop::collection::btree_map(0..n_resources as u32, weight(), 0..=most)
        .prop_map(|uses| uses.into_iter().collect())
}

fn flow(n_resources: usize) -> impl Strategy<Value = Flow> {
    (uses(n_resources, 5), uses(n_resources, 3), cap()).prop_map(|(data, acks, cap)| {
        // Every flow needs a limit; acknowledgements are small.
        let is_limited = cap < UNLIMITED || data.iter().any(|&(_, weight)| weight > 0);
        let cap = if is_limited { cap } else { 1 << 40 };
        let acks = acks.into_iter().map(|(id, weight)| (id, weight / 40)).collect();
        Flow { data, acks, cap }
    })
}

fn system() -> impl Strategy<Value = (usize, Vec<Flow>, Vec<Change>)> {
    (1usize..12, 1usize..30).prop_flat_map(|(n_resources, n_flows)| {
        let change = (0..n_flows, prop::bool::weighted(0.7))
            .prop_map(|(flow, settles)| Change { flow, settles });
        (
            Just(n_resources),
            prop::collection::vec(flow(n_resources), n_flows),
            prop::collection::vec(change, 1..60),
        )
    })
}

fn added(n_resources: usize, flows: &[Flow]) -> Solver {
    let mut solver = Solver::new(n_resources as u32);
    for flow in flows {
        let ids = |uses: &[(u32, Weight)]| -> Vec<ResourceId> {
            uses.iter().map(|&(id, _)| ResourceId::new(id)).collect()
        };
        solver.add_flow(&ids(&flow.data), &ids(&flow.acks));
    }
    solver
}

fn start(solver: &mut Solver, id: usize, flow: &Flow) {
    let weights: Vec<Weight> = flow.data.iter().chain(&flow.acks).map(|&(_, w)| w).collect();
    solver.start(FlowId::new(id as u32), flow.cap, |place| weights[place]);
}

/// Returns the rates of the first `n` flows.
fn rates(solver: &Solver, n: usize) -> Vec<FlowRate> {
    FlowId::first(n as u32).map(|id| solver.rate(id)).collect()
}

/// Returns the rates of the running flows, from a solver to which all of them were just added.
fn at_once(n_resources: usize, flows: &[Flow], runs: &[bool]) -> Vec<FlowRate> {
    let mut solver = added(n_resources, flows);
    for (id, flow) in flows.iter().enumerate().filter(|&(id, _)| runs[id]) {
        start(&mut solver, id, flow);
    }
    solver.settle();
    rates(&solver, flows.len())
}

/// Checks that every flow is at its cap, or stopped by a full resource at which no flow is faster.
fn check_bottlenecks(solver: &Solver, flows: &[Flow], runs: &[bool]) {
    for (id, flow) in flows.iter().enumerate().filter(|&(id, _)| runs[id]) {
        let rate = solver.rate(FlowId::new(id as u32));
        assert!(rate <= flow.cap, "flow {id} exceeds its cap");
        let Some(bottleneck) = solver.bottleneck(FlowId::new(id as u32)) else {
            assert_eq!(rate, flow::units::kept(flow.cap), "flow {id} is at its cap");
            continue;
        };
        assert!(flow.data.iter().any(|&(resource, _)| resource == bottleneck.get()));
        for other in solver.users(bottleneck) {
            assert!(solver.rate(other) <= rate, "{other} is faster at {bottleneck} than {id}");
        }
        let (capacity, usage) = solver.load(bottleneck);
        let most: u128 = flows
            .iter()
            .zip(runs)
            .filter(|&(_, &runs)| runs)
            .flat_map(|(flow, _)| &flow.data)
            .filter(|&&(resource, _)| resource == bottleneck.get())
            .map(|&(_, weight)| u128::from(weight))
            .sum();
        // Rounding leaves less than a step for every user there.
        let step = u128::from(flow::units::step(rate));
        assert!(capacity - usage < most * step, "{bottleneck} has room");
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn rates_are_those_of_the_reference_after_every_change(
        (n_resources, flows, changes) in system()
    ) {
        let mut solver = added(n_resources, &flows);
        let mut runs = vec![false; flows.len()];
        for Change { flow, settles } in changes {
            runs[flow] = !runs[flow];
            match runs[flow] {
                true => start(&mut solver, flow, &flows[flow]),
                false => solver.stop(FlowId::new(flow as u32)),
            }
            if !settles {
                continue;
            }
            let before = rates(&solver, flows.len());
            let changed = solver.settle().to_vec();
            let rates = rates(&solver, flows.len());
            let system = System { n_resources, flows: &flows, runs: &runs };
            prop_assert_eq!(&rates, &system.rates());
            prop_assert_eq!(&rates, &at_once(n_resources, &flows, &runs));
            let found: Vec<FlowId> = FlowId::first(flows.len() as u32)
                .filter(|id| rates[id.index()] != before[id.index()])
                .filter(|id| runs[id.index()])
                .collect();
            prop_assert_eq!(changed, found);
            check_bottlenecks(&solver, &flows, &runs);
            for resource in 0..n_resources as u32 {
                let (capacity, usage) = solver.load(ResourceId::new(resource));
                prop_assert!(usage <= capacity && capacity <= CAPACITY);
                prop_assert_eq!(usage, system.usage(resource, &rates));
            }
        }
    }

    #[test]
    fn relabelling_changes_nothing((n_resources, flows, _) in system(), turn in 0usize..12) {
        let runs = vec![true; flows.len()];
        let moved = |id: u32| (id + turn as u32) % n_resources as u32;
        let moved = |uses: &[(u32, Weight)]| uses.iter().map(|&(id, w)| (moved(id), w)).collect();
        let mut others: Vec<Flow> = flows
            .iter()
            .map(|flow| Flow { data: moved(&flow.data), acks: moved(&flow.acks), cap: flow.cap })
            .collect();
        others.reverse();
        let mut rates = at_once(n_resources, &others, &runs);
        rates.reverse();
        prop_assert_eq!(rates, at_once(n_resources, &flows, &runs));
    }

    /// Flows that use the same resources in the same way have the same rate, to the bit.
    #[test]
    fn equal_flows_are_equal((n_resources, flows, _) in system(), copies in 2usize..5) {
        let all: Vec<Flow> =
            flows.iter().flat_map(|flow| std::iter::repeat_n(flow.clone(), copies)).collect();
        let rates = at_once(n_resources, &all, &vec![true; all.len()]);
        for of_one in rates.chunks(copies) {
            prop_assert!(of_one.iter().all(|&rate| rate == of_one[0]));
        }
    }
}

#[test]
fn a_smaller_capacity_slows_what_is_there() {
    let flows: Vec<Flow> = (0..3)
        .map(|_| Flow { data: vec![(0, 80_000 << 16)], acks: vec![], cap: UNLIMITED })
        .collect();
    let mut solver = added(1, &flows);
    flows.iter().enumerate().for_each(|(id, flow)| start(&mut solver, id, flow));
    solver.settle();
    let full = solver.rate(FlowId::new(0));
    solver.set_capacity(ResourceId::new(0), CAPACITY / 2);
    assert_eq!(solver.settle(), [0, 1, 2].map(FlowId::new));
    assert!(full / 2 - solver.rate(FlowId::new(0)) <= flow::units::step(full));
    solver.set_capacity(ResourceId::new(0), CAPACITY);
    solver.settle();
    assert_eq!(solver.rate(FlowId::new(2)), full);
}
