//! A second, naive CSMA/CD, bit time by bit time, that the decisions of [`Hub`] must equal exactly
//! (tests only).
//!
//! Each station has its own ears: it knows carrier, gap and collisions only from what has reached
//! it. The two-part gap follows the wording of the standard. Nothing is shared with the hub but the
//! random stream of the back-off.

use std::collections::VecDeque;

use super::backoff::Backoff;
use super::{Decision, GivenUp, Hub, HubConfig, StationOptions};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use quantity::{Rate, Time};

const GAP: u64 = 96;
const SLOT: u64 = 512;
const PREAMBLE: u64 = 64;
const JAM: u64 = 32;
const UNKNOWN: u64 = u64::MAX;

/// A frame to send; times in bit times.
#[derive(Clone, Copy, Debug)]
struct Arrival {
    time: u64,
    station: u32,
    bytes: u32,
}

/// A frame that left the system; the token is the index of its arrival.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    Sent { frame: u32, station: u32, start: u64, end: u64 },
    GivenUp { frame: u32, station: u32 },
}

#[derive(Clone, Copy)]
struct Transmission {
    station: usize,
    start: u64,
    end: u64,
    collided: bool,
}

struct Ears {
    queue: VecDeque<u32>,
    backoff: Backoff,
    ready: u64,
    /// When the gap ends, or [`UNKNOWN`] while the medium is busy.
    gap_end: u64,
    sending: Option<usize>,
    /// True if the station sent the last frame that it knows of, and if it began the present one
    /// like that.
    has_won: bool,
    has_captured: bool,
}

struct Reference<'a> {
    arrivals: &'a [Arrival],
    delay: u64,
    options: StationOptions,
    stations: Vec<Ears>,
    transmissions: Vec<Transmission>,
    outcomes: Vec<Outcome>,
}

impl Reference<'_> {
    fn hears(&self, listener: usize, heard: impl Fn(u64, u64) -> bool) -> bool {
        let recent = self.transmissions.iter().rev().take(4 * self.stations.len());
        recent
            .filter(|t| t.station != listener)
            .any(|t| heard(t.start + self.delay, t.end + self.delay))
    }

    fn end_transmissions(&mut self, now: u64) {
        for (number, ears) in self.stations.iter_mut().enumerate() {
            let Some(index) = ears.sending.filter(|&index| self.transmissions[index].end == now)
            else {
                continue;
            };
            let Transmission { start, end, collided, .. } = self.transmissions[index];
            let (frame, station) = (ears.queue[0], number as u32);
            ears.sending = None;
            ears.ready = now;
            ears.has_won = !collided;
            if !collided {
                self.outcomes.push(Outcome::Sent { frame, station, start, end });
            } else if let Some(slots) = ears.backoff.collide(ears.has_captured) {
                ears.ready = now + slots * SLOT;
                continue;
            } else {
                self.outcomes.push(Outcome::GivenUp { frame, station });
            }
            ears.backoff.reset();
            ears.queue.pop_front();
        }
    }

    fn detect_collisions(&mut self, now: u64) {
        for number in 0..self.stations.len() {
            let Some(index) = self.stations[number].sending else { continue };
            let foreign = self.hears(number, |start, end| start <= now && now < end);
            let own = &mut self.transmissions[index];
            if foreign && !own.collided {
                own.collided = true;
                own.end = now.max(own.start + PREAMBLE) + JAM;
            }
        }
    }

    fn listen(&mut self, now: u64) {
        for number in 0..self.stations.len() {
            let carrier = self.hears(number, |start, end| start < now && now < end);
            let is_heard = self.hears(number, |start, end| start <= now && now < end);
            let ears = &mut self.stations[number];
            ears.has_won &= !is_heard;
            if is_heard && self.options.pauses_backoff && ears.ready > now {
                ears.ready += 1;
            }
            let is_busy = carrier || ears.sending.is_some();
            if !is_busy && ears.gap_end == UNKNOWN {
                ears.gap_end = now + GAP;
            } else if is_busy && (now + GAP / 3 < ears.gap_end || now > ears.gap_end) {
                ears.gap_end = UNKNOWN;
            }
        }
    }

    fn start_transmissions(&mut self, now: u64) {
        for (station, ears) in self.stations.iter_mut().enumerate() {
            let may_start = ears.sending.is_none() && now >= ears.ready && now >= ears.gap_end;
            if let Some(&frame) = ears.queue.front().filter(|_| may_start) {
                let bits = u64::from(self.arrivals[frame as usize].bytes) * 8 + PREAMBLE;
                ears.sending = Some(self.transmissions.len());
                ears.has_captured = ears.has_won && self.options.avoids_capture;
                ears.gap_end = UNKNOWN;
                let (start, end) = (now, now + bits);
                self.transmissions.push(Transmission { station, start, end, collided: false });
            }
        }
    }

    fn run(mut self) -> Vec<Outcome> {
        let mut arrived = 0;
        for now in 0.. {
            self.end_transmissions(now);
            while self.arrivals.get(arrived).is_some_and(|arrival| arrival.time == now) {
                let station = self.arrivals[arrived].station as usize;
                self.stations[station].queue.push_back(arrived as u32);
                arrived += 1;
            }
            self.detect_collisions(now);
            self.listen(now);
            self.start_transmissions(now);
            if self.outcomes.len() == self.arrivals.len() {
                break;
            }
        }
        self.outcomes
    }
}

fn play_reference(
    arrivals: &[Arrival],
    (n_stations, options): (u32, StationOptions),
    delay: u64,
    seed: u64,
) -> Vec<Outcome> {
    let ears = |station| Ears {
        queue: VecDeque::new(),
        backoff: Backoff::new(seed, 0, station),
        ready: 0,
        gap_end: 0,
        sending: None,
        has_won: false,
        has_captured: false,
    };
    let stations = (0..n_stations).map(ears).collect();
    let (transmissions, outcomes) = (Vec::new(), Vec::new());
    Reference { arrivals, delay, options, stations, transmissions, outcomes }.run()
}

fn play_hub(
    arrivals: &[Arrival],
    (n_stations, options): (u32, StationOptions),
    delay: u64,
    seed: u64,
) -> Vec<Outcome> {
    let rate = Rate::from_mbps(100);
    let bit = |bits: u64| rate.time_of_bits(bits);
    let bits = |time: Time| time.ps() / bit(1).ps();
    let (domain_delay, queue_limit) = (bit(delay), None);
    let config = HubConfig { n_stations, rate, domain_delay, queue_limit, seed, hub_id: 0 };
    let mut hub = Hub::new(config).unwrap();
    (0..n_stations).for_each(|station| hub.equip_station(station, options));
    let mut outcomes = Vec::new();
    let mut frames = (0u32..).zip(arrivals).peekable();
    loop {
        while let Some((frame, arrival)) =
            frames.next_if(|(_, arrival)| bit(arrival.time) <= hub.next_decision())
        {
            hub.offer(bit(arrival.time), arrival.station, frame, arrival.bytes);
        }
        match hub.decide(hub.next_decision()) {
            None => return outcomes,
            Some(Decision::Sent { station, frame, start, end, .. }) => {
                outcomes.push(Outcome::Sent { frame, station, start: bits(start), end: bits(end) });
            }
            Some(Decision::Collided { .. }) => outcomes.extend(
                hub.given_up()
                    .iter()
                    .map(|&GivenUp { station, frame }| Outcome::GivenUp { frame, station }),
            ),
        }
    }
}

fn some_arrivals(n_stations: u32) -> impl Strategy<Value = Vec<Arrival>> {
    let one = (0u64..2_000, 0..n_stations, prop_oneof![Just(64u32), 64u32..200]);
    prop::collection::vec(one, 1..30).prop_map(|mut steps| {
        let mut time = 0;
        let arrivals = steps.drain(..).map(|(wait, station, bytes)| {
            // Most frames come in bursts: simultaneous, or within the vulnerable window.
            time += if wait < 1_500 { wait % 150 * (wait % 3) } else { wait };
            Arrival { time, station, bytes }
        });
        arrivals.collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 300,
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn one_decision_per_contention_equals_the_standard_played_bit_by_bit(
        (n_stations, arrivals) in (1u32..6).prop_flat_map(|n| (Just(n), some_arrivals(n))),
        delay in 1u64..=256,
        seed in any::<u64>(),
        (pauses_backoff, avoids_capture) in any::<(bool, bool)>(),
    ) {
        let options =
            StationOptions { pauses_backoff, avoids_capture, ..StationOptions::default() };
        let stations = (n_stations, options);
        let mut expected = play_reference(&arrivals, stations, delay, seed);
        let mut found = play_hub(&arrivals, stations, delay, seed);
        expected.sort();
        found.sort();
        prop_assert_eq!(found, expected);
    }
}
