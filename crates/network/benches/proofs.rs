//! Timings of the proofs over all pairs and failures, at 576 nodes.
#![allow(missing_docs)] // The macros of criterion make public functions.

use quantity::Id;
use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use network::metrics::{Progress, ReroutingOptions, Watch, reachability, rerouting};
use network::{AddressId, Network, NodeId, Routing};

#[allow(dead_code)] // The laws need more of it.
#[path = "../tests/laws/fabrics.rs"]
mod fabrics;

use fabrics::{GO_ON, Sketch, single_failures};

const OPTIONS: ReroutingOptions = ReroutingOptions {
    with_fallback: true,
    with_return_paths: false,
    planner: NodeId::new(0),
    most_examples: 8,
};

fn prove(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("proofs");
    group.sample_size(10);
    let sketches = [
        ("p-mesh 24x24", Sketch::switched(&[24, 24], false)),
        ("torus 24x24", Sketch::cabled(&[24, 24], true)),
    ];
    for (name, sketch) in sketches {
        let compile = || sketch.network(Routing::dimension_order).expect("a grid");
        let reach = |network: &Network| reachability(black_box(network), 576, &GO_ON);
        group.bench_function(format!("compile and reachability of {name}"), |bencher| {
            bencher.iter(|| reach(&compile()))
        });
        let network = compile();
        let identities: Vec<AddressId> = AddressId::first(576).collect();
        let failures = single_failures(&network.fabric);
        group.bench_function(format!("single failures of {name}"), |bencher| {
            let progress = Progress::default();
            let watch = Watch { stop: &GO_ON, progress: &progress };
            let prove =
                |network: &Network| rerouting(network, &identities, &failures, OPTIONS, watch);
            bencher.iter(|| prove(black_box(&network)).expect("small"))
        });
    }
    group.finish();
}

criterion_group!(benches, prove);
criterion_main!(benches);
