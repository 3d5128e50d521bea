//! Timings of the calls an engine makes per frame and per contention.
#![allow(missing_docs)] // The macros of criterion make public functions.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use device::{
    Channel, Decision, Egress, ForwardingMode, Hub, HubConfig, QueueLimit, Switch, SwitchModel,
};
use quantity::{Rate, Time};

const N_CALLS: u64 = 100_000;

fn full_hub(n_stations: u32) -> Hub {
    let mut hub = Hub::new(HubConfig {
        n_stations,
        rate: Rate::from_mbps(100),
        domain_delay: Time::from_ns(600),
        queue_limit: None,
        seed: 1,
        hub_id: 0,
    })
    .expect("the delay is below half a slot");
    for station in 0..n_stations {
        (0..4).for_each(|frame| assert!(hub.offer(Time::ZERO, station, frame, 1518)));
    }
    hub
}

/// Decides `N_CALLS` contentions among stations whose queues are refilled at once.
fn decide(hub: &mut Hub) {
    let mut lost = Vec::new();
    for _ in 0..N_CALLS {
        let now = hub.next_decision();
        match black_box(hub.decide(now)) {
            Some(Decision::Sent { station, .. }) => {
                hub.offer(now, station, 0, 1518);
            }
            _ => {
                lost.clear();
                lost.extend(hub.given_up().iter().map(|given_up| given_up.station));
                lost.iter().for_each(|&station| assert!(hub.offer(now, station, 0, 1518)));
            }
        }
    }
}

fn hubs(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("hub decisions");
    group.throughput(Throughput::Elements(N_CALLS));
    for n_stations in [2, 16, 36] {
        let mut hub = full_hub(n_stations);
        group.bench_function(format!("{n_stations} saturated stations"), |b| {
            b.iter(|| decide(&mut hub));
        });
    }
    group.finish();
}

fn channels(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("channel offers");
    group.throughput(Throughput::Elements(N_CALLS));
    for (name, limit) in [("unlimited", None), ("64 frames", Some(QueueLimit::Frames(64)))] {
        let mut channel = Channel::new(Rate::from_mbps(100), limit);
        let mut now = Time::ZERO;
        group.bench_function(name, |b| {
            b.iter(|| {
                for _ in 0..N_CALLS {
                    now += Time::from_ns(123_040);
                    black_box(channel.offer(now, 1518));
                }
            });
        });
    }
    group.finish();
}

fn switches(criterion: &mut Criterion) {
    let model = SwitchModel {
        mode: ForwardingMode::StoreAndForward,
        latency: Time::from_us(7),
        ageing: Time::from_ms(300_000),
    };
    let bundles: Vec<u32> = (0..24).collect();
    let mut switch = Switch::new(model, &bundles, 24);
    (0..24)
        .for_each(|port| assert_eq!(switch.forward(Time::ZERO, port, port, None), Egress::Flood));
    let mut group = criterion.benchmark_group("switch");
    group.throughput(Throughput::Elements(N_CALLS));
    group.bench_function("forward", |b| {
        b.iter(|| {
            for call in 0..N_CALLS {
                let src = (call % 24) as u32;
                black_box(switch.forward(Time::from_us(call), src, src, Some((src + 1) % 24)));
            }
        });
    });
    group.finish();
}

criterion_group!(benches, hubs, channels, switches);
criterion_main!(benches);
