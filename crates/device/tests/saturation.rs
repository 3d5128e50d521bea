//! Throughput of saturated collision domains, beside the values of an independent simulation and of
//! the literature.
//!
//! The table comes from a slot-free simulation of IEEE 802.3 with all stations always ready, zero
//! host spacing and a propagation delay of 0.6 us at 100 Mb/s and 2 us at 10 Mb/s; its tolerance is
//! 2 points.

use device::saturation::{Saturation, Source, saturate};
use device::{Decision, DeviceError, Hub, HubConfig};
use quantity::{Rate, Time};

const STATIONS: [u32; 7] = [1, 2, 4, 8, 16, 24, 36];
const SHARES_PERCENT: [(u32, [f64; 7]); 6] = [
    (64, [76.2, 75.9, 75.3, 74.0, 72.0, 69.0, 65.0]),
    (128, [86.5, 86.1, 85.5, 84.0, 81.5, 79.0, 75.0]),
    (256, [92.8, 92.4, 91.8, 90.5, 88.0, 85.5, 83.0]),
    (512, [96.2, 95.8, 95.3, 94.0, 92.0, 90.3, 88.5]),
    (1024, [98.1, 97.7, 97.1, 96.0, 94.6, 93.7, 93.0]),
    (1518, [98.7, 98.3, 97.8, 96.8, 95.8, 95.2, 94.9]),
];
const FAST: (u64, u64) = (100, 600);
const SLOW: (u64, u64) = (10, 2_000);

fn config((mbps, delay_ns): (u64, u64), n_stations: u32, seed: u64) -> HubConfig {
    let (rate, domain_delay) = (Rate::from_mbps(mbps), Time::from_ns(delay_ns));
    HubConfig { n_stations, rate, domain_delay, queue_limit: None, seed, hub_id: 0 }
}

fn run(medium: (u64, u64), n_stations: u32, frame_bytes: u32) -> Saturation {
    let source = Source { frame_bytes, spacing: Time::ZERO };
    saturate(config(medium, n_stations, 1), source, 40_000).unwrap()
}

fn assert_near(what: &str, found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{what}: {found} where {expected} is expected");
}

#[test]
fn the_share_of_the_rate_agrees_within_2_points_at_100_mbps() {
    for (frame_bytes, shares) in SHARES_PERCENT {
        for (n_stations, share) in STATIONS.into_iter().zip(shares) {
            let found = 100.0 * run(FAST, n_stations, frame_bytes).utilisation;
            assert_near(&format!("{n_stations} x {frame_bytes} B"), found, share, 2.0);
        }
    }
}

#[test]
fn ten_megabits_per_second_carry_the_same_share() {
    for (n_stations, frame_bytes, share) in
        [(2, 64, 75.9), (8, 512, 94.0), (16, 1518, 95.8), (24, 64, 69.0), (36, 1024, 93.0)]
    {
        let found = 100.0 * run(SLOW, n_stations, frame_bytes).utilisation;
        assert_near(&format!("{n_stations} x {frame_bytes} B at 10 Mb/s"), found, share, 2.0);
    }
}

#[test]
fn a_single_station_carries_exactly_8_l_over_8_l_plus_160() {
    for medium in [FAST, SLOW] {
        for frame_bytes in [64, 128, 256, 512, 1024, 1518] {
            let bits = f64::from(8 * frame_bytes);
            let alone = run(medium, 1, frame_bytes);
            assert_near("alone", alone.utilisation, bits / (bits + 160.0), 1e-12);
            assert_eq!(alone.collisions_per_frame, 0.0);
        }
    }
}

#[test]
fn collisions_and_lost_frames_are_those_quoted_for_full_frames() {
    for (n_stations, collisions) in [(2, 0.1), (4, 0.27), (8, 0.56), (16, 0.88), (36, 1.2)] {
        let found = run(FAST, n_stations, 1518).collisions_per_frame;
        assert_near(&format!("{n_stations} stations"), found, collisions, 0.06);
    }
    // Quoted as ranges: 0.5 to 1 %, 4 %, 8 to 10 % of frames.
    for (n_stations, percent, tolerance) in [(2, 0.75, 0.3), (8, 4.0, 0.7), (16, 9.0, 1.3)] {
        let found = 100.0 * run(FAST, n_stations, 1518).given_up_share;
        assert_near(&format!("{n_stations} stations give up"), found, percent, tolerance);
    }
}

#[test]
fn the_winner_of_a_first_collision_wins_the_next_with_probability_five_eighths() {
    let (mut rounds, mut wins) = (0, 0);
    for seed in 0..20_000 {
        let mut hub = Hub::new(config(FAST, 2, seed)).unwrap();
        for frame in 0..2 {
            (0..2).for_each(|station| assert!(hub.offer(Time::ZERO, station, frame, 1518)));
        }
        let mut next = || {
            let now = hub.next_decision();
            hub.decide(now).unwrap()
        };
        // One collision, a winner, the collision of its next frame with the loser's first: then the
        // loser chooses among four slots and the winner among two.
        if !matches!(next(), Decision::Collided { .. }) {
            panic!("both start at once");
        }
        let (Decision::Sent { station: winner, .. }, Decision::Collided { .. }) = (next(), next())
        else {
            continue;
        };
        rounds += 1;
        if let Decision::Sent { station, .. } = next() {
            wins += u32::from(station == winner);
        }
    }
    assert_near("wins", f64::from(wins) / f64::from(rounds), 0.625, 0.015);
    assert!(rounds > 9_000, "{rounds} rounds of the wanted kind");
}

#[test]
fn sharing_is_even_in_the_long_run_and_uneven_in_short_spans() {
    let saturated = run(FAST, 8, 1518);
    assert!(saturated.fairness_overall() > 0.99, "{}", saturated.fairness_overall());
    assert!(saturated.fairness(80) < 0.5, "{}", saturated.fairness(80));
    assert!(saturated.mean_run > 8.0, "{}", saturated.mean_run);
    // A host that needs 50 us between frames lets others in: no runs.
    let source = Source { frame_bytes: 1518, spacing: Time::from_us(50) };
    let spaced = saturate(config(FAST, 8, 1), source, 40_000).unwrap();
    assert!(spaced.mean_run < 1.2, "{}", spaced.mean_run);
}

#[test]
fn a_seed_decides_the_run_and_another_seed_another_run() {
    let senders = |seed| {
        let mut hub = Hub::new(config(FAST, 4, seed)).unwrap();
        (0..200).for_each(|i| assert!(hub.offer(Time::ZERO, i % 4, i, 64)));
        let decide = || {
            let now = hub.next_decision();
            hub.decide(now)
        };
        std::iter::from_fn(decide).collect::<Vec<Decision>>()
    };
    assert_eq!(senders(1), senders(1));
    assert_ne!(senders(1), senders(2));
}

#[test]
fn a_domain_larger_than_half_a_slot_is_refused() {
    let at = |delay_ns| Hub::new(config((100, delay_ns), 4, 0)).map(|_| ());
    assert_eq!(at(2_560), Ok(()));
    let error = at(2_561).unwrap_err();
    let (delay, most) = (Time::from_ns(2_561), Time::from_ns(2_560));
    assert_eq!(error, DeviceError::DomainTooLarge { delay, most });
    let none = Hub::new(config(FAST, 0, 0)).map(|_| ());
    assert_eq!(none, Err(DeviceError::NoStations));
}
