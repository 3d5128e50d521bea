//! A channel keeps the order, leaves exact times, never idles with work, and drops only at the full
//! queue.

use device::{Backlog, Channel, Departure, QueueLimit};
use proptest::prelude::*;
use quantity::{Rate, Time};

/// The wait before an offer, in picoseconds, and the bytes of the frame.
type Offer = (u64, u32);

fn offers() -> impl Strategy<Value = Vec<Offer>> {
    let wait = prop_oneof![Just(0), 0u64..1_000_000, 0u64..400_000_000];
    prop::collection::vec((wait, 64u32..=1518), 1..200)
}

fn rates() -> impl Strategy<Value = Rate> {
    prop_oneof![
        prop::sample::select(vec![10, 100, 1_000, 25_000, 800_000]).prop_map(Rate::from_mbps),
        (1_000_000u64..2_000_000_000).prop_map(|bps| Rate::from_bps(bps).unwrap()),
    ]
}

fn limits() -> impl Strategy<Value = Option<QueueLimit>> {
    prop_oneof![
        Just(None),
        (1u32..20).prop_map(|frames| Some(QueueLimit::Frames(frames))),
        (1518u32..20_000).prop_map(|bytes| Some(QueueLimit::Bytes(bytes))),
    ]
}

/// Returns the backlog at `now`, from the departures alone.
fn unsent(sent: &[(Departure, u32)], now: Time) -> Backlog {
    let left = sent.iter().filter(|(departure, _)| departure.end > now);
    left.fold(Backlog::default(), |sum, (_, bytes)| Backlog {
        frames: sum.frames + 1,
        bytes: sum.bytes + u64::from(*bytes),
    })
}

fn admits(limit: Option<QueueLimit>, backlog: Backlog, bytes: u32) -> bool {
    match limit {
        None => true,
        Some(QueueLimit::Frames(most)) => backlog.frames < most,
        Some(QueueLimit::Bytes(most)) => backlog.bytes + u64::from(bytes) <= u64::from(most),
    }
}

proptest! {
    #![proptest_config(super::seeded())]

    #[test]
    fn frames_leave_in_order_at_exact_times_and_only_a_full_queue_drops(
        rate in rates(), limit in limits(), offers in offers(),
    ) {
        let mut channel = Channel::new(rate, limit);
        let mut sent: Vec<(Departure, u32)> = Vec::new();
        let (mut now, mut dropped, mut free) = (Time::ZERO, 0, Time::ZERO);
        for (wait, bytes) in offers {
            now += Time::from_ps(wait);
            let backlog = unsent(&sent, now);
            prop_assert_eq!(channel.queued(now), backlog);
            let departure = channel.offer(now, bytes);
            prop_assert_eq!(departure.is_some(), admits(limit, backlog, bytes));
            let Some(departure) = departure else {
                dropped += 1;
                continue;
            };
            // Work conserving: it waits for the gap after the frame ahead and for nothing else.
            prop_assert_eq!(departure.start, now.max(free));
            let on_wire = rate.time_of_bytes(u64::from(bytes) + 8);
            prop_assert_eq!(departure.end, departure.start + on_wire);
            free = departure.end + rate.time_of_bytes(12);
            sent.push((departure, bytes));
        }
        prop_assert_eq!(channel.frames(), sent.len() as u64);
        let sent_bytes: u64 = sent.iter().map(|(_, bytes)| u64::from(*bytes)).sum();
        prop_assert_eq!(channel.bytes(), sent_bytes);
        prop_assert_eq!(channel.dropped(), dropped);
        prop_assert_eq!(channel.queued(Time::MAX), Backlog::default());
    }
}
