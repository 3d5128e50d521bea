//! One end of a connection by itself, without a network: what its timers and windows do. Whole
//! connections are tested by the laws of a run.

mod networks;

use networks::{ideal, linux_2_0};
use packet::transport::{Endpoint, Incoming, TimeoutAction};
use quantity::Time;
use simulation::TcpOptions;

const SEGMENT: u32 = 1460;

fn acknowledgement(acknowledged: u64, window: u32) -> Incoming {
    Incoming { sequence: 0, payload: 0, flags: Default::default(), acknowledged, window }
}

/// Everything before segment `n` has arrived, and the window ends where it did at first.
fn all_before(n: u32, options: &TcpOptions) -> Incoming {
    acknowledgement(u64::from(n * SEGMENT), options.receive_buffer - n * SEGMENT)
}

/// Returns an end that has written `n` full segments and sent what it may.
fn sender(n: u32, options: &TcpOptions) -> Endpoint {
    let mut end = Endpoint::new(0, 1, SEGMENT, options);
    (0..n).for_each(|_| end.write(SEGMENT, false, Time::ZERO, options));
    while end.send(Time::ZERO, options).is_some() {}
    end
}

#[test]
fn probes_of_a_closed_window_wait_ever_longer_until_it_opens() {
    let options = TcpOptions { receive_buffer: 2 * SEGMENT, ..ideal().tcp };
    let mut end = sender(4, &options);
    let mut now = Time::from_ms(50);
    end.sender.on_acknowledgement(&acknowledgement(2 * u64::from(SEGMENT), 0), now, &options);
    end.sender.watch_closed_window(now, &options);
    let mut waits_ms = Vec::new();
    for _ in 0..4 {
        waits_ms.push((end.sender.timeout_at() - now).ps() / 1_000_000_000);
        now = end.sender.timeout_at();
        assert_eq!(end.sender.on_timeout(now, &options), TimeoutAction::Probe);
    }
    assert_eq!(waits_ms, [200, 400, 800, 1600]);
    end.sender.on_acknowledgement(&acknowledgement(2 * u64::from(SEGMENT), SEGMENT), now, &options);
    assert!(end.sender.may_send());
}

#[test]
fn probes_that_nobody_answers_end_the_connection() {
    let options = TcpOptions { receive_buffer: SEGMENT, most_retransmissions: 3, ..ideal().tcp };
    let mut end = sender(2, &options);
    let closed = acknowledgement(u64::from(SEGMENT), 0);
    end.sender.on_acknowledgement(&closed, Time::ZERO, &options);
    end.sender.watch_closed_window(Time::ZERO, &options);
    let ring = |end: &mut Endpoint| end.sender.on_timeout(end.sender.timeout_at(), &options);
    assert!((0..3).all(|_| ring(&mut end) == TimeoutAction::Probe));
    end.sender.on_acknowledgement(&closed, end.sender.timeout_at(), &options);
    assert!((0..3).all(|_| ring(&mut end) == TimeoutAction::Probe));
    assert_eq!(ring(&mut end), TimeoutAction::GiveUp(3));
}

#[test]
fn linux_2_0_never_advertises_more_than_32767_bytes() {
    let options = TcpOptions { receive_buffer: 1 << 20, ..linux_2_0().tcp };
    let mut end = Endpoint::new(0, 1, SEGMENT, &options);
    assert_eq!(end.receiver.acknowledge(&options), (0, 22 * SEGMENT));
}

#[test]
fn a_partial_acknowledgement_makes_room_for_one_segment() {
    let options = ideal().tcp;
    let mut end = sender(40, &options);
    let now = Time::from_ms(1);
    // Of the ten that left, the first and the sixth are lost; eight duplicates come back.
    let resent: Vec<bool> = (0..8)
        .map(|_| end.sender.on_acknowledgement(&all_before(0, &options), now, &options))
        .collect();
    assert_eq!(resent.iter().filter(|&&resends| resends).count(), 1);
    while end.send(now, &options).is_some() {}
    assert!(end.sender.on_acknowledgement(&all_before(5, &options), now, &options));
    let n_new = std::iter::from_fn(|| end.send(now, &options)).count();
    assert_eq!(n_new, 1);
}

#[test]
fn duplicates_after_a_time_out_do_not_send_again() {
    let options = ideal().tcp;
    let mut end = sender(40, &options);
    let now = end.sender.timeout_at();
    assert_eq!(end.sender.on_timeout(now, &options), TimeoutAction::Retransmit);
    assert!(end.send(now, &options).is_some());
    let duplicate = all_before(0, &options);
    assert!((0..5).all(|_| !end.sender.on_acknowledgement(&duplicate, now, &options)));
}

#[test]
fn what_a_closed_window_held_back_leaves_with_the_congestion_window_it_had() {
    let options = TcpOptions { restart_when_idle: true, ..ideal().tcp };
    let mut end = sender(20, &options);
    let now = Time::from_ms(1);
    // All ten that left are acknowledged, the last of them with a window that is closed.
    let closed = acknowledgement(10 * u64::from(SEGMENT), 0);
    end.sender.on_acknowledgement(&closed, now, &options);
    let later = now + Time::from_ms(10_000);
    let opened = acknowledgement(10 * u64::from(SEGMENT), 10 * SEGMENT);
    end.sender.on_acknowledgement(&opened, later, &options);
    assert_eq!(std::iter::from_fn(|| end.send(later, &options)).count(), 10);
    // What is written after an idle time begins slowly.
    end.sender.on_acknowledgement(&all_before(20, &options), later, &options);
    let much_later = later + Time::from_ms(10_000);
    (0..20).for_each(|_| end.write(SEGMENT, false, much_later, &options));
    let n_first = std::iter::from_fn(|| end.send(much_later, &options)).count();
    assert_eq!(n_first as u32, options.initial_window);
}

#[test]
fn linux_2_0_acknowledges_when_it_expects_no_more_data_soon() {
    let options = linux_2_0().tcp;
    let mut end = Endpoint::new(0, 1, SEGMENT, &options);
    let mut now = Time::from_ms(1_000);
    let mut delay_ms = |end: &mut Endpoint, sequence: u32, gap_ms: u64| {
        now += Time::from_ms(gap_ms);
        let sequence = u64::from(sequence * SEGMENT);
        let data = Incoming { sequence, payload: SEGMENT, ..acknowledgement(0, SEGMENT) };
        end.on_data(&data, now, &options);
        let due = end.receiver.ack_at() - now;
        end.receiver.acknowledge(&options);
        due.ps() / 1_000_000_000
    };
    // The first of all, then a stream, a pause of seven ticks, and one longer than the time-out of
    // three seconds, which the cap of half a second shortens.
    assert_eq!(delay_ms(&mut end, 0, 0), 330);
    let stream: Vec<u64> = (1..7).map(|n| delay_ms(&mut end, n, 1)).collect();
    assert_eq!(stream, [170, 90, 50, 30, 20, 20]);
    assert_eq!(delay_ms(&mut end, 7, 70), 80);
    assert_eq!(delay_ms(&mut end, 8, 60_000), 500);
}

#[test]
fn what_fills_part_of_a_gap_is_acknowledged_at_once() {
    let options = ideal().tcp;
    let mut end = Endpoint::new(0, 1, SEGMENT, &options);
    let mut arrives = |n: u32| {
        let (sequence, payload) = (u64::from(n * SEGMENT), SEGMENT);
        let segment = Incoming { sequence, payload, ..acknowledgement(0, SEGMENT) };
        let at_once = end.on_data(&segment, Time::from_ms(1), &options);
        (at_once, end.receiver.acknowledge(&options).0 / u64::from(SEGMENT))
    };
    // Segments 0 to 2 are lost; each that is sent again but the last releases nothing.
    assert_eq!([3, 0, 1, 2].map(&mut arrives), [(true, 0), (true, 1), (true, 2), (true, 4)]);
    assert_eq!(arrives(4), (false, 5), "nothing is missing: the acknowledgement may wait");
}
