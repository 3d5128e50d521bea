//! Processors and interfaces of hosts: several processors, delayed interrupts, and batches of
//! segments. Their effects in cases that can be computed by hand, and the results that they must
//! never change.

use crate::networks::{Middle, chain, hub_of_flows, ideal, linux_2_0, simulate, star};
use host::{HostModel, Processors, Steering};
use network::Network;
use packet::Counters;
use program::{Action, AlgorithmSet, Collective, Program, Rank, Step, StepKind};
use proptest::prelude::*;
use quantity::{Cost, Time};

const SEGMENT: u64 = 1460;

/// Returns the marks and the counters of a program, and checks that every written byte is read.
fn run(network: &Network, host: &HostModel, steps: &[Step]) -> (Vec<Time>, Counters) {
    let program = Program::compile(network.fabric.n_nodes(), steps, AlgorithmSet::Mpich1_1);
    simulate(network, host, &program.unwrap(), |marks, model| {
        let counters = model.counters();
        assert_eq!(
            counters.frames_created,
            counters.frames_consumed + counters.frames_dropped() + model.frames_in_flight(),
            "frames are taken in, dropped or under way"
        );
        for end in model.endpoints() {
            let written = model.endpoints()[end.peer].totals().0;
            assert_eq!(written, end.totals().3, "every byte written is read");
        }
        (marks.iter().map(|mark| mark.time).collect(), counters)
    })
    .unwrap()
}

fn send(from: u32, to: u32, bytes: u64) -> Vec<Step> {
    vec![
        Step::one(Rank::new(from), Action::Send { to: Rank::new(to), bytes, tag: 0 }),
        Step::one(Rank::new(to), Action::Receive { from: Some(Rank::new(from)), tag: 0 }),
        Step::one(Rank::new(to), Action::Mark { mark: to }),
    ]
}

/// Returns half a round trip of one byte over warm connections.
fn latency(network: &Network, host: &HostModel) -> Time {
    let count = 20;
    let [there, back] = [(0, 1), (1, 0)].map(|(from, to)| {
        let message =
            Step::one(Rank::new(from), Action::Send { to: Rank::new(to), bytes: 1, tag: 0 });
        (message, Step::one(Rank::new(to), Action::Receive { from: Some(Rank::new(from)), tag: 0 }))
    });
    let both = |kind| [Step::one(Rank::new(0), kind), Step::one(Rank::new(1), kind)];
    let mut steps = vec![Step::one(Rank::new(0), Action::Mark { mark: 0 })];
    steps.extend(both(StepKind::Repeat { count }));
    steps.extend([there.0, there.1, back.0, back.1]);
    steps.extend(both(StepKind::EndRepeat));
    steps.push(Step::one(Rank::new(0), Action::Mark { mark: 1 }));
    let (marks, _) = run(network, host, &steps);
    Time::from_ps((marks[1] - marks[0]).ps() / (2 * u64::from(count)))
}

fn with_cpus(host: HostModel, n_cpus: u32, steering: Steering) -> HostModel {
    let processors = Processors { n_cpus, n_receive_queues: n_cpus, steering };
    HostModel { processors, ..host }
}

fn storm(n: u32, bytes: u64) -> Vec<Step> {
    let mut steps = vec![Step::all(Collective::AllToAll { bytes }), Step::all(Collective::Barrier)];
    steps.extend((0..n).map(|rank| Step::one(Rank::new(rank), Action::Mark { mark: 0 })));
    steps
}

/// Returns hosts that use receive queues although they need not: segments are batched one by one.
fn through_lanes(host: HostModel) -> HostModel {
    let mut host = host;
    host.queues.receive_bytes = 1;
    host
}

#[test]
fn one_processor_that_polls_gives_what_one_gives_that_is_interrupted_by_each_frame() {
    // Without the timers of the old hosts, and without losses that start timers: one that expires
    // while frames are queued overtakes them.
    let costs = linux_2_0().costs;
    for host in [ideal(), HostModel { costs, ..ideal() }] {
        for network in [chain(2), chain(4), star(5, Middle::StoreAndForward, 20)] {
            let n = network.fabric.n_nodes();
            for bytes in [1, 1_461, 20_000] {
                let steps = storm(n, bytes);
                let (marks, counters) = run(&network, &host, &steps);
                let (polled, polled_counters) = run(&network, &through_lanes(host), &steps);
                assert_eq!(marks, polled, "{n} nodes, {bytes} bytes");
                assert_eq!(counters.forwards, polled_counters.forwards);
            }
        }
    }
}

#[test]
fn an_interrupt_that_waits_adds_its_wait_to_each_message_of_a_ping_pong() {
    let pair = chain(2);
    for mut host in [linux_2_0(), ideal()] {
        let before = latency(&pair, &host);
        host.protocol.header = 0; // one frame a message
        let one_frame = latency(&pair, &host);
        assert!(one_frame <= before);
        host.queues.interrupt_hold = Time::from_us(50);
        assert_eq!(latency(&pair, &host), one_frame + Time::from_us(50));
        host.queues.interrupt_frames = 1;
        assert_eq!(latency(&pair, &host), one_frame, "one frame is enough");
        host.costs.interrupt = Time::from_us(3);
        assert_eq!(latency(&pair, &host), one_frame + Time::from_us(3));
    }
}

#[test]
fn coalesced_interrupts_leave_the_processor_more_time() {
    let mut host = ideal();
    host.costs.interrupt = Time::from_us(60);
    host.costs.forward = Cost::from_seconds(20e-6, 0.0);
    let (done, counters) = computing_while_relaying(&host);
    host.queues.interrupt_hold = Time::from_us(600);
    let (held_done, held_counters) = computing_while_relaying(&host);
    // Only the node in the middle relays; the ends have interrupts as well.
    let work = |done: Time, n: u64| done - Time::from_us(20) * n;
    assert!(held_counters.interrupts * 3 < counters.interrupts, "{held_counters:?}");
    let [before, after] = [(done, counters), (held_done, held_counters)]
        .map(|(done, counters)| work(done, counters.forwards) - WORK);
    assert!(after * 3 < before, "{after} of interrupts and {before}");
}

const WORK: Time = Time::from_ms(200);

/// Returns when node 1 ends a computation while it relays a stream from 0 to 2.
fn computing_while_relaying(host: &HostModel) -> (Time, Counters) {
    let mut steps = vec![Step::one(Rank::new(1), Action::Compute { work: WORK })];
    steps.push(Step::one(Rank::new(1), Action::Mark { mark: 1 }));
    steps.extend(send(0, 2, 400_000));
    let (marks, counters) = run(&chain(3), host, &steps);
    (marks.into_iter().max().unwrap(), counters)
}

#[test]
fn a_forwarder_at_its_limit_relays_as_many_packets_as_its_processors_allow() {
    // Flows that share only the forwarder in the middle.
    let (n_flows, n_segments, cost) = (16, 100, Time::from_us(400));
    let network = hub_of_flows(n_flows);
    let steps: Vec<Step> =
        (0..n_flows).flat_map(|i| send(2 * i + 1, 2 * i + 2, n_segments * SEGMENT)).collect();
    for n_cpus in [1, 4] {
        let mut host = with_cpus(ideal(), n_cpus, Steering::FlowHash);
        host.costs.forward = Cost::from_seconds(cost.seconds(), 0.0);
        // No window fills the ring of the forwarder, so that no frame is lost.
        host.tcp.receive_buffer = 8 * SEGMENT as u32;
        host.tcp.send_buffer = host::SendBuffer::Bytes(8 * SEGMENT as u32);
        // Connection i has the ends 2 i, which receives the acknowledgements, and 2 i + 1.
        let mut packets = vec![0; n_cpus as usize];
        for end in 0..2 * u64::from(n_flows) {
            let cpu = host.processors.cpu_of(device::mixed(end), false);
            packets[cpu as usize] += if end % 2 == 0 { n_segments / 2 } else { n_segments };
        }
        let (marks, counters) = run(&network, &host, &steps);
        assert_eq!(counters.frames_dropped(), 0);
        let expected = cost * packets.into_iter().max().unwrap();
        let ratio = marks.into_iter().max().unwrap().seconds() / expected.seconds();
        assert!((0.98..1.02).contains(&ratio), "{n_cpus} processors: {ratio}");
    }
}

#[test]
fn the_number_of_a_processor_changes_nothing() {
    // One flow through a forwarder is steered to one processor per direction, whatever its pair of
    // nodes.
    let network = hub_of_flows(8);
    let mut host = with_cpus(ideal(), 3, Steering::FlowHash);
    host.costs.forward = Cost::from_seconds(30e-6, 0.0);
    let mut times: Vec<Time> = Vec::new();
    for i in 0..8 {
        // Earlier connections change the number of this one, and so its hashes.
        let mut steps: Vec<Step> = (0..i).flat_map(|j| send(2 * j + 1, 2 * j + 2, 1)).collect();
        let at = Step::one(Rank::new(2 * i + 1), Action::Compute { work: Time::from_ms(10) });
        steps.push(at);
        steps.extend(send(2 * i + 1, 2 * i + 2, 30 * SEGMENT));
        let (marks, _) = run(&network, &host, &steps);
        times.push(marks.into_iter().max().unwrap());
    }
    // If both directions share a processor they wait for each other: two values at most.
    times.sort_unstable();
    times.dedup();
    assert!(times.len() <= 2, "{times:?}");
}

#[test]
fn segments_put_together_are_taken_read_and_acknowledged_once() {
    let pair = chain(2);
    let mut host = ideal();
    // A whole window of 8 segments arrives during the interrupt delay.
    host.queues.interrupt_hold = Time::from_ms(2);
    host.queues.receive_bytes = 65_536;
    host.costs.receive = Cost::from_seconds(10e-6, 0.0);
    host.costs.receive_frame = Time::from_us(1);
    let steps = send(0, 1, 8 * SEGMENT);
    let (marks, counters) = run(&pair, &host, &steps);
    let wire = Time::from_ns(1538 * 80);
    let first = wire - Time::from_ns(12 * 80);
    let expected = first + Time::from_ms(2) + Time::from_us(10 + 8);
    assert_eq!(marks, [expected]);
    assert_eq!(counters.frames_created, 8 + 1, "one acknowledgement for the lot");
    host.queues.receive_bytes = 0;
    let (apart, counters) = run(&pair, &host, &steps);
    assert_eq!(apart, [first + Time::from_ms(2) + Time::from_us(8 * 11)]);
    assert_eq!(counters.frames_created, 8 + 4, "one for every second");
}

#[test]
fn segments_sent_as_one_cost_the_sender_once() {
    let pair = chain(2);
    let mut host = ideal();
    host.costs.send_fixed = Time::from_us(500);
    host.costs.send_frame = Time::from_us(1);
    host.costs.write_call = Time::from_us(3);
    let steps = send(0, 1, 8 * SEGMENT);
    let wire = Time::from_ns(1538 * 80);
    let (apart, _) = run(&pair, &host, &steps);
    let last_bit = wire - Time::from_ns(12 * 80);
    assert_eq!(apart, [Time::from_us(3 + 8 * 500) + last_bit]);
    host.queues.send_bytes = 65_536;
    let (together, _) = run(&pair, &host, &steps);
    assert_eq!(together, [Time::from_us(3 + 500 + 7) + wire * 7 + last_bit]);
}

#[test]
fn merging_saves_a_forwarder_work_only_if_its_interface_cuts() {
    let mut host = ideal();
    host.costs.forward = Cost::from_seconds(500e-6, 0.0);
    host.queues.receive_bytes = 65_536;
    let steps = send(0, 2, 64 * SEGMENT);
    let all_forwards = Time::from_us(500) * 64;
    assert!(run(&chain(3), &host, &steps).0[0] > all_forwards);
    host.queues.send_bytes = 65_536;
    assert!(run(&chain(3), &host, &steps).0[0] < all_forwards);
}

#[test]
fn a_second_processor_takes_the_interrupts_from_a_computation() {
    let mut host = ideal();
    host.costs.forward = Cost::from_seconds(100e-6, 0.0);
    let (done, counters) = computing_while_relaying(&host);
    assert_eq!(done, WORK + Time::from_us(100) * counters.forwards);
    assert_eq!(computing_while_relaying(&with_cpus(host, 2, Steering::One)).0, WORK);
}

fn steerings() -> impl Strategy<Value = Steering> {
    prop_oneof![Just(Steering::One), Just(Steering::FlowHash), Just(Steering::ProcessCpu)]
}

proptest! {
    #![proptest_config(crate::networks::repeatable(96))]

    #[test]
    fn no_option_changes_what_arrives(
        n in 2u32..7,
        is_chain in any::<bool>(),
        bytes in 0u64..60_000,
        n_cpus in 1u32..5,
        steering in steerings(),
        hold_us in 0u64..300,
        frames in 0u32..5,
        send_bytes in prop_oneof![Just(0u32), Just(4_000), Just(65_536)],
        receive_bytes in prop_oneof![Just(0u32), Just(4_000), Just(65_536)],
        ring in 4u32..40,
        is_old in any::<bool>(),
    ) {
        let network = if is_chain { chain(n) } else { star(n, Middle::StoreAndForward, 20) };
        let mut host = with_cpus(if is_old { linux_2_0() } else { ideal() }, n_cpus, steering);
        host.costs.interrupt = Time::from_us(5);
        host.costs.receive_frame = Time::from_us(2);
        host.costs.send_frame = Time::from_us(2);
        host.queues.interrupt_hold = Time::from_us(hold_us);
        host.queues.interrupt_frames = frames;
        host.queues.send_bytes = send_bytes;
        host.queues.receive_bytes = receive_bytes;
        host.queues.receive = ring;
        let first = run(&network, &host, &storm(n, bytes));
        prop_assert_eq!(first.0.len(), n as usize);
        prop_assert_eq!(first, run(&network, &host, &storm(n, bytes)));
    }

    #[test]
    fn the_wait_of_an_interrupt_bounds_what_it_adds_to_latency(hold_us in 0u64..500) {
        let pair = chain(2);
        let mut host = linux_2_0();
        let before = latency(&pair, &host);
        host.queues.interrupt_hold = Time::from_us(hold_us);
        let held = latency(&pair, &host);
        prop_assert!(held >= before.saturating_sub(Time::from_us(32)), "{held} {before}");
        prop_assert!(held <= before + Time::from_us(2 * hold_us), "{held} {before}");
    }

    #[test]
    fn more_processors_are_never_slower_for_flows_that_share_nothing_else(
        n_flows in 1u32..9,
        bytes in 1u64..100_000,
        forward_us in 1u64..500,
    ) {
        let network = hub_of_flows(n_flows);
        let steps: Vec<Step> =
            (0..n_flows).flat_map(|i| send(2 * i + 1, 2 * i + 2, bytes)).collect();
        let last = |n_cpus| {
            let mut host = with_cpus(ideal(), n_cpus, Steering::FlowHash);
            host.costs.forward = Cost::from_seconds(forward_us as f64 * 1e-6, 0.0);
            host.tcp.receive_buffer = 16 * SEGMENT as u32;
            run(&network, &host, &steps).0.into_iter().max().unwrap()
        };
        let (one, four) = (last(1), last(4));
        prop_assert!(four <= one, "{four} after {one}");
    }
}
