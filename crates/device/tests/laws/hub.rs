//! A hub loses no frame without counting it, keeps each station's order, and never lets two frames
//! overlap.

use device::{Decision, GivenUp, Hub, HubConfig, QueueLimit, StationOptions};
use proptest::prelude::*;
use quantity::{Rate, Time};

const N_STATIONS: u32 = 6;

#[derive(Clone, Copy, Debug)]
struct Arrival {
    time: Time,
    station: u32,
    bytes: u32,
}

fn arrivals() -> impl Strategy<Value = Vec<Arrival>> {
    let wait_ps = prop_oneof![Just(0u64), 0u64..2_000_000, 0u64..300_000_000];
    let steps = prop::collection::vec((wait_ps, 0..N_STATIONS, 64u32..=1518), 1..120);
    steps.prop_map(|steps| {
        let mut time = Time::ZERO;
        let mut arrive = |(wait, station, bytes)| {
            time += Time::from_ps(wait);
            Arrival { time, station, bytes }
        };
        steps.into_iter().map(&mut arrive).collect()
    })
}

fn hub(queue_limit: Option<QueueLimit>, delay_ns: u64, seed: u64) -> Hub {
    let (rate, domain_delay) = (Rate::from_mbps(100), Time::from_ns(delay_ns));
    let config =
        HubConfig { n_stations: N_STATIONS, rate, domain_delay, queue_limit, seed, hub_id: 3 };
    Hub::new(config).unwrap()
}

/// The frames a hub sent and gave up; a frame's token is the index of its arrival.
#[derive(Default, Debug, PartialEq)]
struct History {
    n_offered: u64,
    refused: Vec<u32>,
    decisions: Vec<(Decision, Vec<GivenUp>)>,
}

/// Plays the arrivals for at most `n_decisions` decisions.
fn play(hub: &mut Hub, arrivals: &[Arrival], n_decisions: usize) -> History {
    let mut history = History::default();
    let mut frames = (0u32..).zip(arrivals).peekable();
    while history.decisions.len() < n_decisions {
        while let Some((frame, arrival)) = frames.next_if(|(_, a)| a.time <= hub.next_decision()) {
            history.n_offered += 1;
            if !hub.offer(arrival.time, arrival.station, frame, arrival.bytes) {
                history.refused.push(frame);
            }
        }
        let now = hub.next_decision();
        let Some(decision) = hub.decide(now) else { break };
        history.decisions.push((decision, hub.given_up().to_vec()));
    }
    history
}

/// The tokens sent or given up, in order.
fn gone(history: &History) -> Vec<u32> {
    let tokens = history.decisions.iter().flat_map(|(decision, given_up)| {
        let sent = match decision {
            Decision::Sent { frame, .. } => Some(*frame),
            Decision::Collided { .. } => None,
        };
        sent.into_iter().chain(given_up.iter().map(|lost| lost.frame))
    });
    tokens.collect()
}

#[test]
fn a_station_that_pauses_lets_another_send_between_its_frames() {
    let mut hub = hub(None, 600, 1);
    hub.equip_station(0, StationOptions { pause: Time::from_us(10), ..Default::default() });
    let arrival = |us, station| Arrival { time: Time::from_us(us), station, bytes: 64 };
    let history = play(&mut hub, &[arrival(0, 0), arrival(0, 0), arrival(2, 1), arrival(90, 0)], 9);
    assert_eq!(gone(&history), [0, 2, 1, 3]);
    let starts = history.decisions.iter().map(|(decision, _)| match decision {
        Decision::Sent { start, .. } => start.ps() / 1_000,
        Decision::Collided { .. } => panic!("they take turns"),
    });
    // A frame takes 5.76 us. The other station has heard the first one 0.6 us later, and waits for
    // a gap of 0.96 us.
    assert_eq!(starts.collect::<Vec<_>>(), [0, 7_320, 15_760, 90_000]);
}

proptest! {
    #![proptest_config(super::seeded())]

    #[test]
    fn every_frame_is_sent_given_up_refused_or_queued(
        arrivals in arrivals(), limit in 1u32..6, delay_ns in 1u64..2_560, seed in any::<u64>(),
        n_decisions in 1usize..200,
    ) {
        let mut hub = hub(Some(QueueLimit::Frames(limit)), delay_ns, seed);
        let history = play(&mut hub, &arrivals, n_decisions);
        let counters = hub.counters();
        let queued = |station| hub.queued(Time::MAX, station).frames;
        let queued: u32 = (0..N_STATIONS).map(queued).sum();
        let left = counters.frames + counters.given_up;
        prop_assert_eq!(left, gone(&history).len() as u64);
        prop_assert_eq!(counters.dropped, history.refused.len() as u64);
        prop_assert_eq!(history.n_offered, left + counters.dropped + u64::from(queued));
        if history.decisions.len() < n_decisions {
            prop_assert_eq!((history.n_offered, queued), (arrivals.len() as u64, 0));
        }
    }

    #[test]
    fn a_contention_is_decided_when_it_is_due_and_not_before(
        arrivals in arrivals(), delay_ns in 1u64..2_560, seed in any::<u64>(), late_ns in 0u64..9,
    ) {
        let mut hub = hub(None, delay_ns, seed);
        prop_assert_eq!(hub.decide(Time::MAX), None);
        let first = arrivals[0];
        hub.offer(first.time, first.station, 0, first.bytes);
        let due = hub.next_decision();
        prop_assert_eq!(hub.decide(due - Time::from_ps(1)), None);
        prop_assert!(hub.decide(due + Time::from_ns(late_ns)).is_some());
    }

    #[test]
    fn stations_keep_their_order_and_frames_do_not_overlap(
        arrivals in arrivals(), delay_ns in 1u64..2_560, seed in any::<u64>(),
    ) {
        let mut hub = hub(None, delay_ns, seed);
        let history = play(&mut hub, &arrivals, usize::MAX);
        let mut silent = [Time::ZERO; N_STATIONS as usize];
        let gap = Time::from_ns(960);
        for (decision, _) in &history.decisions {
            match *decision {
                Decision::Sent { station, frame, start, end, heard } => {
                    let arrival = arrivals[frame as usize];
                    prop_assert_eq!(station, arrival.station);
                    prop_assert!(start >= arrival.time);
                    prop_assert!(start >= silent[station as usize]);
                    prop_assert_eq!(end - start, Time::from_ns(u64::from(arrival.bytes + 8) * 80));
                    prop_assert_eq!(heard, end + Time::from_ns(delay_ns));
                    silent = [heard + gap; N_STATIONS as usize];
                    silent[station as usize] = end + gap;
                }
                Decision::Collided { n_stations, start, end } => {
                    prop_assert!(n_stations >= 2 && end > start);
                    prop_assert!(start >= *silent.iter().min().unwrap());
                }
            }
        }
        let gone = gone(&history);
        for station in 0..N_STATIONS {
            let own = |frame: &&u32| arrivals[**frame as usize].station == station;
            let order: Vec<&u32> = gone.iter().filter(own).collect();
            prop_assert!(order.is_sorted());
        }
        prop_assert_eq!(gone.len(), arrivals.len());
    }

    #[test]
    fn the_same_seed_gives_the_same_history(
        arrivals in arrivals(), delay_ns in 1u64..2_560, seed in any::<u64>(),
    ) {
        let run = || play(&mut hub(None, delay_ns, seed), &arrivals, usize::MAX);
        prop_assert_eq!(run(), run());
    }

    #[test]
    fn a_station_alone_is_delayed_by_nothing(
        waits in prop::collection::vec((0u64..500_000_000, 64u32..=1518), 1..50),
    ) {
        let mut hub = hub(None, 600, 0);
        let mut line = device::Channel::new(Rate::from_mbps(100), None);
        let mut now = Time::ZERO;
        let mut arrivals = Vec::new();
        for (wait, bytes) in waits {
            now += Time::from_ps(wait);
            arrivals.push(Arrival { time: now, station: 2, bytes });
        }
        let history = play(&mut hub, &arrivals, usize::MAX);
        for ((decision, _), arrival) in history.decisions.iter().zip(&arrivals) {
            let expected = line.offer(arrival.time, arrival.bytes).unwrap();
            let &Decision::Sent { start, end, .. } = decision else { panic!("a collision alone") };
            prop_assert_eq!((start, end), (expected.start, expected.end));
        }
    }
}
