//! One transfer on an idle path: the times of `simulation::path` compared with this engine, which
//! moves the frames. They are equal to the picosecond if the clocks of the kernels do not tick and
//! no hub lets data and acknowledgements collide; the effects of those two are bounded here.

use crate::networks::{
    Hop, Middle, chain, fat_tree, ideal, line, linux_2_0, over_ipv6, repeatable, simulate, star,
};
use host::{HostCosts, HostModel, InterfaceQueues, MessageCosts, Processors, SendBuffer, Steering};
use network::{AddressId, Network, NodeId, SwitchMode};
use program::{Action, AlgorithmSet, Program, Rank, Step};
use proptest::prelude::*;
use quantity::{Cost, Time};
use simulation::path::{
    Bottleneck, ConnectionState, Path, RouteTracer, SteadyState, TransferTimes, Writes,
    steady_state, transfer_times,
};

const SIZES: [u64; 10] = [1, 1_460, 1_461, 5_000, 8_192, 16_384, 20_000, 65_536, 500_000, 1 << 20];

/// Returns the times when node 0 has written and the last node has read one transfer of `body`
/// bytes, by the engine.
fn simulated(network: &Network, host: &HostModel, body: u64) -> (Time, Time) {
    let last = network.fabric.n_nodes() - 1;
    let steps = [
        Step::one(Rank::new(0), Action::Send { to: Rank::new(last), bytes: body, tag: 0 }),
        Step::one(Rank::new(0), Action::Mark { mark: 0 }),
        Step::one(Rank::new(last), Action::Receive { from: Some(Rank::new(0)), tag: 0 }),
        Step::one(Rank::new(last), Action::Mark { mark: 1 }),
    ];
    let program = Program::compile(last + 1, &steps, AlgorithmSet::Mpich1_1).unwrap();
    simulate(network, host, &program, |marks, _| {
        let time = |mark| marks.iter().find(|passed| passed.mark == mark).unwrap().time;
        (time(0), time(1))
    })
    .unwrap()
}

fn path(network: &Network) -> Path {
    let last = network.fabric.n_nodes() - 1;
    let walker = RouteTracer::new(network);
    Path::new(
        &walker.route(NodeId::new(0), AddressId::new(last)).unwrap(),
        &walker.route(NodeId::new(last), AddressId::new(0)).unwrap(),
    )
}

fn derived(network: &Network, host: &HostModel, body: u64) -> TransferTimes {
    let writes = Writes { header: host.protocol.header, body };
    transfer_times(&path(network), host, writes, ConnectionState::silent(host.tcp.initial_window))
}

/// Returns hosts that send plain transfers: no messages, no envelopes, connections in use for a
/// while.
fn plain(mut host: HostModel) -> HostModel {
    host.protocol.envelope = 0;
    host.protocol.long_from = u64::MAX;
    host.protocol.rendezvous_from = u64::MAX;
    host.message_costs = MessageCosts {
        send: Time::ZERO,
        take: Time::ZERO,
        watch: Time::ZERO,
        look: Time::ZERO,
        short_copy: Cost::ZERO,
        long_copy: Cost::ZERO,
    };
    host.tcp.initial_window = 1_000;
    host
}

/// Returns such hosts with clocks that tick once in a hundred seconds.
fn tickless(mut host: HostModel) -> HostModel {
    host.tcp.tick = Time::from_ms(100_000);
    plain(host)
}

fn networks() -> Vec<(String, Network)> {
    let named = |name: &str, network| (name.to_string(), network);
    let mut all: Vec<_> = (1..=9).map(|hops| (format!("{hops} hops"), chain(hops + 1))).collect();
    all.push(named("stored", star(2, Middle::StoreAndForward, 100)));
    all.push(named("cut through", star(2, Middle::CutThrough, 100)));
    all.push(named("fat tree, stored", fat_tree(4, SwitchMode::StoreAndForward, 100)));
    all.push(named("fat tree, cut through", fat_tree(4, SwitchMode::CutThrough, 100)));
    all.push(named("2 hops, IPv6", over_ipv6(chain(3))));
    all
}

fn check_exact(network: &Network, host: &HostModel, body: u64, what: &str) {
    let times = derived(network, host, body);
    let derived = (times.written, times.read);
    assert_eq!(derived, simulated(network, host, body), "{what}, {body} bytes");
}

#[test]
fn a_transfer_between_hosts_without_cost_is_exact() {
    for (name, network) in networks() {
        for body in SIZES {
            check_exact(&network, &plain(ideal()), body, &name);
        }
    }
}

#[test]
fn a_cold_connection_between_hosts_without_cost_is_exact() {
    for (name, network) in networks() {
        for initial_window in [1, 2, 3, 4, 10] {
            let mut host = plain(ideal());
            host.tcp.initial_window = initial_window;
            // A window of one waits for the timer, which the computation knows too.
            for body in SIZES {
                check_exact(&network, &host, body, &name);
            }
        }
    }
}

#[test]
fn a_transfer_between_pentium_pros_is_exact_but_for_the_ticks_of_their_clocks() {
    for (name, network) in networks() {
        for body in SIZES {
            check_exact(&network, &tickless(linux_2_0()), body, &name);
        }
    }
}

#[test]
fn a_transfer_with_an_interrupt_for_each_frame_sent_is_exact() {
    for sends_singly in [false, true] {
        let mut host = tickless(linux_2_0());
        (host.costs.sent, host.queues.sends_singly) = (Time::from_us(10), sends_singly);
        for (name, network) in networks() {
            for body in SIZES {
                check_exact(&network, &host, body, &name);
            }
        }
    }
}

#[test]
fn the_interrupt_of_a_header_delays_the_body() {
    let (network, mut host) = (chain(2), tickless(linux_2_0()));
    let before = derived(&network, &host, 1).read;
    host.costs.sent = Time::from_us(10);
    let delay = derived(&network, &host, 1).read - before;
    // The work of the receiver on the header hides a part.
    assert!((Time::from_us(9)..=Time::from_us(10)).contains(&delay), "{delay:?}");
}

/// At a tick an acknowledgement may leave that would otherwise have waited for a third segment: the
/// sender continues earlier once, and the rhythm of the acknowledgements shifts.
#[test]
fn the_ticks_of_clocks_change_a_transfer_by_some_percent() {
    let host = plain(linux_2_0());
    for (name, network) in networks() {
        let most = if network.fabric.n_nodes() <= 5 { 0.04 } else { 0.12 };
        for body in SIZES {
            let (_, read) = simulated(&network, &host, body);
            let ratio = derived(&network, &host, body).read.seconds() / read.seconds();
            assert!((ratio - 1.0).abs() < most, "{name}, {body} bytes: {ratio}");
        }
    }
}

/// Data and acknowledgements collide, which costs a hub some of its capacity; the computation does
/// not model it.
#[test]
fn collisions_on_a_hub_take_up_to_a_sixth() {
    let network = star(2, Middle::Hub, 100);
    for (host, most) in [(plain(ideal()), 1.0 / 6.0), (tickless(linux_2_0()), 0.06)] {
        for body in SIZES {
            let (_, read) = simulated(&network, &host, body);
            let ratio = derived(&network, &host, body).read.seconds() / read.seconds();
            assert!((ratio - 1.0).abs() < most, "{body} bytes: {ratio}");
        }
        for body in [1, 1_460] {
            check_exact(&network, &host, body, "hub");
        }
    }
}

fn hops() -> impl Strategy<Value = Vec<Hop>> {
    let rate = prop_oneof![Just(10u64), Just(100), Just(1_000), Just(10_000)];
    let middle = prop_oneof![
        Just(None),
        Just(Some(SwitchMode::StoreAndForward)),
        Just(Some(SwitchMode::CutThrough))
    ];
    let hop = ((rate.clone(), rate), middle, 0u64..20_000)
        .prop_map(|(mbps, switch, delay_ns)| Hop { mbps, switch, delay: Time::from_ns(delay_ns) });
    prop::collection::vec(hop, 1..7)
}

proptest! {
    #![proptest_config(repeatable(96))]

    #[test]
    fn any_waits_and_any_bytes_together_are_exact(
        hops in hops(),
        body in prop_oneof![1u64..5_000, 5_000u64..400_000],
        (hold_ns, frames) in (0u64..60_000, prop_oneof![Just(0u32), 2u32..40]),
        (send_bytes, receive_bytes) in (0u32..70_000, 0u32..70_000),
        steering in prop_oneof![Just(Steering::One), Just(Steering::ProcessCpu)],
        (n_cpus, initial_window) in (1u32..5, 2u32..40),
    ) {
        let mut host = modern(steering, n_cpus);
        host.queues = InterfaceQueues {
            interrupt_hold: Time::from_ns(hold_ns),
            interrupt_frames: frames,
            send_bytes,
            receive_bytes,
            ..host.queues
        };
        host.tcp.initial_window = initial_window;
        let network = line(&hops);
        let times = derived(&network, &host, body);
        prop_assert_eq!((times.written, times.read), simulated(&network, &host, body));
    }

    #[test]
    fn any_line_of_rates_switches_and_forwarders_is_exact(
        hops in hops(),
        body in prop_oneof![1u64..5_000, 5_000u64..400_000],
        (is_ideal, buffer) in prop_oneof![
            (Just(true), prop_oneof![Just(2_920u32), Just(8_760), Just(60_000), Just(131_072)]),
            // With a larger one, a full send buffer of Linux 2.0 waits for the ticks of clocks.
            (Just(false), prop_oneof![Just(8_760u32), Just(16_384)]),
        ],
    ) {
        let mut host = if is_ideal { plain(ideal()) } else { tickless(linux_2_0()) };
        host.tcp.receive_buffer = buffer;
        // No queue between two rates may overflow.
        host.queues.transmit = 1_000;
        let network = line(&hops);
        let times = derived(&network, &host, body);
        prop_assert_eq!((times.written, times.read), simulated(&network, &host, body));
    }
}

fn pace_of(hops: u32, host: &HostModel) -> SteadyState {
    steady_state(&path(&chain(hops + 1)), host)
}

#[test]
fn the_pace_is_that_of_the_wire_until_acknowledgements_come_too_late() {
    let ideal = pace_of(4, &plain(ideal()));
    assert!(matches!(ideal.bottleneck, Bottleneck::Stage(..)));
    assert!((ideal.rate_bytes_per_s() / (1460.0 / 123.04e-6) - 1.0).abs() < 1e-9);
    let host = tickless(linux_2_0());
    assert!(matches!(pace_of(1, &host).bottleneck, Bottleneck::Stage(0, 0)));
    // Three segments per round trip, from the window of five [MPITCP, sec. 4].
    for hops in 3..=6 {
        let pace = pace_of(hops, &host);
        assert_eq!((pace.bottleneck, pace.bytes), (Bottleneck::Window, 3 * 1460), "{hops} hops");
    }
}

#[test]
fn the_pace_is_what_a_long_transfer_comes_to() {
    let host = tickless(linux_2_0());
    for hops in 1..=5 {
        let network = chain(hops + 1);
        let read = |body| simulated(&network, &host, body).1.seconds();
        let slope = 1_460_000.0 / (read(2_920_000) - read(1_460_000));
        let pace = pace_of(hops, &host).rate_bytes_per_s();
        assert!((pace / slope - 1.0).abs() < 2e-3, "{hops} hops: {pace} is not {slope}");
    }
}

#[test]
fn slow_processors_set_the_pace_where_they_are_slower_than_the_wire() {
    let mut host = plain(ideal());
    host.costs.forward = Cost::from_seconds(200e-6, 0.0);
    assert_eq!(pace_of(3, &host).bottleneck, Bottleneck::Forwarder(0));
    host.costs.read = Cost::from_seconds(900e-6, 0.0);
    assert_eq!(pace_of(3, &host).bottleneck, Bottleneck::Receiver);
    host.costs.send_fixed = Time::from_ms(1);
    let pace = pace_of(3, &host);
    assert_eq!((pace.bottleneck, pace.busiest), (Bottleneck::Sender, Time::from_ms(1)));
    assert!((pace.rate_bytes_per_s() / 1_460_000.0 - 1.0).abs() < 1e-9);
}

/// Modern hosts: several processors, delayed interrupts, and batches of segments.
fn modern(steering: Steering, n_cpus: u32) -> HostModel {
    let mut host = plain(ideal());
    host.costs = HostCosts {
        write_call: Time::from_ns(600),
        send_fixed: Time::from_ns(1_200),
        send_copy: Cost::from_seconds(0.0, 1e-10),
        receive: Cost::from_seconds(0.8e-6, 0.0),
        read: Cost::from_seconds(1.2e-6, 1e-10),
        make_ack: Time::from_ns(500),
        take_ack: Time::from_ns(500),
        forward: Cost::from_seconds(0.7e-6, 0.0),
        interrupt: Time::from_us(2),
        receive_frame: Time::from_ns(300),
        send_frame: Time::from_ns(10),
        sent: Time::ZERO,
    };
    host.processors = Processors { n_cpus, n_receive_queues: n_cpus, steering };
    host.queues = InterfaceQueues {
        interrupt_hold: Time::from_us(20),
        send_bytes: 65_536,
        receive_bytes: 65_536,
        ..InterfaceQueues::plain(100_000, 100_000)
    };
    host.tcp.receive_buffer = 3_145_728;
    host.tcp.send_buffer = SendBuffer::Bytes(4_194_304);
    host
}

const RATES_MBPS: [u64; 5] = [1_000, 2_500, 10_000, 100_000, 400_000];
const BODIES: [u64; 9] =
    [1, 1_460, 1_461, 10_000, 65_040, 100_000, 1_000_000, 4_000_000, 16_000_000];

fn straight(n_hops: usize, mbps: u64) -> Network {
    line(&vec![Hop { mbps: (mbps, mbps), switch: None, delay: Time::from_ns(300) }; n_hops])
}

#[test]
fn a_transfer_between_hosts_of_today_is_exact() {
    let hosts = [
        (Steering::One, 1),
        (Steering::One, 4),
        (Steering::ProcessCpu, 8),
        // One processor is left beside that of the process, for both directions.
        (Steering::FlowHash, 2),
        (Steering::FlowHash, 4),
    ];
    for (steering, n_cpus) in hosts {
        for (mbps, n_hops) in RATES_MBPS.into_iter().zip([1, 2, 3, 1, 3]) {
            for initial_window in [10, 5_000] {
                let mut host = modern(steering, n_cpus);
                host.tcp.initial_window = initial_window;
                for body in BODIES {
                    let what = format!("{steering:?}, {n_hops} hops, {mbps} Mb/s");
                    check_exact(&straight(n_hops, mbps), &host, body, &what);
                }
            }
        }
    }
}

#[test]
fn a_window_that_counts_segments_is_exact() {
    let mut host = plain(ideal());
    host.tcp.extensions.counts_segments = true;
    for initial_window in [2, 3, 10] {
        host.tcp.initial_window = initial_window;
        for body in SIZES {
            check_exact(&chain(3), &host, body, "counted segments");
        }
    }
}

/// Acknowledgements on their way matter while an interrupt may still be delayed by them; their ages
/// are rounded to a 256th of that delay, so that transfers share a state.
#[test]
fn a_transfer_begins_behind_the_acknowledgements_of_two_interrupt_delays() {
    let mut host = ideal();
    host.queues.interrupt_hold = Time::from_ns(256_000);
    let now = Time::from_ms(1_000);
    let before = |ns| now - Time::from_ns(ns);
    let acks = [before(1_499), before(1_500), before(512_000), before(512_001)];
    let ahead = ConnectionState::behind(10, now, acks, &host).ahead;
    assert_eq!(ahead, [1_000, 2_000, 512_000, 0].map(Time::from_ns));
    let none = ConnectionState::behind(10, now, [Time::ZERO; 4], &host);
    assert_eq!(none, ConnectionState::silent(10));
}
