//! One end of a connection by itself, without a network: its timers and windows. Whole connections
//! are tested by the laws of a run.

use crate::hosts::{ideal, linux_2_0};
use host::tcp::{Endpoint, Flags, Incoming, SegmentOptions, TimeoutAction};
use host::transport::EndpointId;
use host::{CongestionControl, TcpOptions};
use quantity::Time;

const SEGMENT: u32 = 1460;

fn acknowledgement(acknowledged: u64, window: u32) -> Incoming {
    Incoming { sequence: 0, payload: 0, flags: Default::default(), acknowledged, window }
}

/// Returns the acknowledgement of all data before segment `n`, with the right edge of the window
/// unchanged.
fn all_before(n: u32, options: &TcpOptions) -> Incoming {
    acknowledgement(u64::from(n * SEGMENT), options.receive_buffer - n * SEGMENT)
}

/// Returns an end that has written `n` full segments and sent all that the windows allow.
fn sender(n: u32, options: &TcpOptions) -> Endpoint {
    let mut end = Endpoint::new(EndpointId::new(1), SEGMENT, options);
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
    assert!(end.sender.may_send(&options));
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
    let mut end = Endpoint::new(EndpointId::new(1), SEGMENT, &options);
    assert_eq!(end.receiver.acknowledge(&options), (0, 22 * SEGMENT));
}

#[test]
fn a_partial_acknowledgement_makes_room_for_one_segment() {
    let options = ideal().tcp;
    let mut end = sender(40, &options);
    let now = Time::from_ms(1);
    // The first and the sixth of ten segments are lost; eight duplicates come back.
    let resent: Vec<bool> = (0..8)
        .map(|_| end.sender.on_acknowledgement(&all_before(0, &options), now, &options))
        .collect();
    assert_eq!(resent.iter().filter(|&&resends| resends).count(), 1);
    while end.send(now, &options).is_some() {}
    assert!(end.sender.on_acknowledgement(&all_before(5, &options), now, &options));
    let n_new = std::iter::from_fn(|| end.send(now, &options)).count();
    assert_eq!(n_new, 1);
}

/// `tcp_is_cwnd_limited`: only in slow start is half of a window enough to let it grow.
#[test]
fn a_window_at_its_threshold_grows_only_while_it_limits_the_sender() {
    let mut options = ideal().tcp;
    options.extensions.counts_segments = true;
    let mut end = sender(10, &options);
    let now = Time::from_ms(1);
    // A loss among ten segments halves the window, and their acknowledgement ends the recovery.
    (0..3).for_each(|_| {
        end.sender.on_acknowledgement(&all_before(0, &options), now, &options);
    });
    end.sender.on_acknowledgement(&all_before(10, &options), now, &options);
    assert_eq!(end.sender.in_flight(&options), (0, 5));
    let mut n_acknowledged = 10;
    let mut window_after = |n_at_once: u32, n_rounds: u32| {
        for _ in 0..n_rounds {
            (0..n_at_once).for_each(|_| end.write(SEGMENT, false, now, &options));
            while end.send(now, &options).is_some() {}
            for _ in 0..n_at_once {
                n_acknowledged += 1;
                let next = all_before(n_acknowledged, &options);
                end.sender.on_acknowledgement(&next, now, &options);
            }
        }
        end.sender.in_flight(&options).1
    };
    assert_eq!(window_after(4, 10), 5);
    assert_eq!(window_after(5, 5), 6, "one segment of each five finds the window full");
}

#[test]
fn an_end_counts_the_state_of_its_congestion_control() {
    let memory = |congestion| sender(0, &TcpOptions { congestion, ..ideal().tcp }).memory_bytes();
    let plain = memory(CongestionControl::Reno);
    for boxed in [CongestionControl::Cubic, CongestionControl::Dctcp] {
        assert!(memory(boxed) >= plain + 8, "{boxed:?}");
    }
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
    // All ten segments sent are acknowledged, the last of them with a closed window.
    let closed = acknowledgement(10 * u64::from(SEGMENT), 0);
    end.sender.on_acknowledgement(&closed, now, &options);
    let later = now + Time::from_ms(10_000);
    let opened = acknowledgement(10 * u64::from(SEGMENT), 10 * SEGMENT);
    end.sender.on_acknowledgement(&opened, later, &options);
    assert_eq!(std::iter::from_fn(|| end.send(later, &options)).count(), 10);
    // Data written after an idle time start slowly.
    end.sender.on_acknowledgement(&all_before(20, &options), later, &options);
    let much_later = later + Time::from_ms(10_000);
    (0..20).for_each(|_| end.write(SEGMENT, false, much_later, &options));
    let n_first = std::iter::from_fn(|| end.send(much_later, &options)).count();
    assert_eq!(n_first as u32, options.initial_window);
}

#[test]
fn linux_2_0_acknowledges_when_it_expects_no_more_data_soon() {
    let options = linux_2_0().tcp;
    let mut end = Endpoint::new(EndpointId::new(1), SEGMENT, &options);
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
    // The first segment, then a stream, a pause of seven ticks, and one longer than the time-out of
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
    let mut end = Endpoint::new(EndpointId::new(1), SEGMENT, &options);
    let mut arrives = |n: u32| {
        let (sequence, payload) = (u64::from(n * SEGMENT), SEGMENT);
        let segment = Incoming { sequence, payload, ..acknowledgement(0, SEGMENT) };
        let at_once = end.on_data(&segment, Time::from_ms(1), &options);
        (at_once, end.receiver.acknowledge(&options).0 / u64::from(SEGMENT))
    };
    // Segments 0 to 2 are lost; each retransmission except the last leaves a gap.
    assert_eq!([3, 0, 1, 2].map(&mut arrives), [(true, 0), (true, 1), (true, 2), (true, 4)]);
    assert_eq!(arrives(4), (false, 5), "nothing is missing: the acknowledgement may wait");
}

fn sacked(blocks: &[(u64, u64)]) -> SegmentOptions {
    let mut header = SegmentOptions { n_blocks: blocks.len() as u8, ..SegmentOptions::default() };
    header.blocks[..blocks.len()].copy_from_slice(blocks);
    header
}

#[test]
fn what_blocks_leave_out_is_sent_again_once_three_have_passed_it() {
    let mut options = ideal().tcp;
    options.extensions.sack = true;
    let mut end = sender(40, &options);
    let now = Time::from_ms(1);
    let nothing_new = all_before(0, &options);
    let at = |n: u32| u64::from(n * SEGMENT);
    let acknowledge = |end: &mut Endpoint, blocks: &[(u64, u64)]| {
        end.on_options(&nothing_new, &sacked(blocks), now, &options);
        end.sender.on_acknowledgement(&nothing_new, now, &options)
    };
    // The first and the fourth of ten segments are lost.
    assert!(!acknowledge(&mut end, &[(at(1), at(2))]));
    assert!(!acknowledge(&mut end, &[(at(1), at(3))]));
    // Each of these lets a new segment leave, because data that have arrived make room.
    let n_new = std::iter::from_fn(|| end.send(now, &options)).count();
    assert_eq!(n_new, 2);
    assert!(acknowledge(&mut end, &[(at(4), at(5)), (at(1), at(3))]));
    assert_eq!(end.sender.resend_first(now, &options).map(|segment| segment.sequence), Some(0));
    // Twelve sent, three arrived, one lost and retransmitted: nine in a window of six.
    assert_eq!(end.sender.in_flight(&options), (9, 6));
    assert!(!acknowledge(&mut end, &[(at(4), at(9)), (at(1), at(3))]));
    // Two more arrived beyond the fourth, so that it is lost too; it leaves before any new segment.
    let next = end.send(now, &options).map(|segment| segment.sequence);
    assert_eq!(next, Some(at(3)));
}

#[test]
fn limited_transmit_answers_the_first_two_duplicates_with_new_segments() {
    let mut options = ideal().tcp;
    options.extensions.limited_transmit = true;
    let mut end = sender(40, &options);
    let now = Time::from_ms(1);
    for n_allowed in [1, 1] {
        end.sender.on_acknowledgement(&all_before(0, &options), now, &options);
        assert_eq!(std::iter::from_fn(|| end.send(now, &options)).count(), n_allowed);
    }
    assert!(end.sender.on_acknowledgement(&all_before(0, &options), now, &options));
}

#[test]
fn a_mark_is_echoed_until_it_is_answered_and_by_dctcp_exactly() {
    let mut options = ideal().tcp;
    options.extensions.ecn = true;
    let segment = |n: u32, flags| Incoming {
        sequence: u64::from(n * SEGMENT),
        payload: SEGMENT,
        flags,
        ..acknowledgement(0, SEGMENT)
    };
    let (marked, plain) = (Flags::CAPABLE.with(Flags::MARKED), Flags::CAPABLE);
    let echoes = |options: &TcpOptions| {
        let mut end = Endpoint::new(EndpointId::new(1), SEGMENT, options);
        let flags = [plain, marked, plain, plain.with(Flags::REDUCED), plain];
        (0..)
            .zip(flags)
            .map(|(n, flags)| {
                end.on_data(&segment(n, flags), Time::from_ms(1), options);
                end.receiver.is_echoing()
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(echoes(&options), [false, true, true, false, false]);
    options.congestion = CongestionControl::Dctcp;
    assert_eq!(echoes(&options), [false, true, false, false, false]);
    // Data received before a change of the marks are acknowledged first.
    let mut end = Endpoint::new(EndpointId::new(1), SEGMENT, &options);
    assert!(!end.receiver.must_acknowledge_first(marked, &options), "nothing is owed yet");
    end.on_data(&segment(0, plain), Time::from_ms(1), &options);
    assert!(!end.receiver.must_acknowledge_first(plain, &options));
    assert!(end.receiver.must_acknowledge_first(marked, &options));
}

#[test]
fn an_unscaled_window_ends_at_65535_bytes() {
    let mut options = ideal().tcp;
    assert_eq!(
        Endpoint::new(EndpointId::new(1), SEGMENT, &options).receiver.acknowledge(&options).1,
        131_072
    );
    options.extensions.window_scaling = false;
    assert_eq!(
        Endpoint::new(EndpointId::new(1), SEGMENT, &options).receiver.acknowledge(&options).1,
        65_535
    );
}
