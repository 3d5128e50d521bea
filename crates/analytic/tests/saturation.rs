//! Laws of loads and saturation on grids of nodes that relay: loads are conserved, the bottleneck
//! is full at the saturation throughput, and rates, costs and traffic scale.

use std::sync::atomic::AtomicBool;

use analytic::{Resource, Saturation, Traffic, saturation};
use host::{
    AckRule, CongestionControl, HostCosts, HostModel, InterfaceQueues, LinkOptions, MessageCosts,
    MessageProtocol, Processors, ProgressRule, SendBuffer, TcpExtensions, TcpOptions, WindowRule,
};
use network::metrics::{Load, pattern_load};
use network::{
    AddressId, Addressing, CableSpec, DeviceId, DeviceKind, Fabric, FabricSpec, Ip, Network,
    NodeId, Owner, Routing,
};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use quantity::{Cost, IdVec, Rate, Time};

static GO_ON: AtomicBool = AtomicBool::new(false);
/// A full frame and an acknowledgement with preamble and gap, and the user data of the frame.
const FRAME_BYTES: f64 = 1538.0;
const ACK_BYTES: f64 = 84.0;
const PAYLOAD_BYTES: f64 = 1460.0;

fn repeatable() -> ProptestConfig {
    ProptestConfig {
        cases: 64,
        rng_seed: RngSeed::Fixed(0),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// Nodes in rows and columns, each wired to the next in both directions.
fn grid(n_rows: u32, n_columns: u32, mbps: u64) -> Network {
    let n = n_rows * n_columns;
    let end = |(device, port)| (DeviceId::new(device), port);
    let cable =
        |a, b| CableSpec { a: end(a), b: end(b), rate: Rate::from_mbps(mbps), delay: Time::ZERO };
    let mut cables = Vec::new();
    for node in 0..n {
        if (node + 1) % n_columns > 0 {
            cables.push(cable((node, 0), (node + 1, 1)));
        }
        if node + n_columns < n {
            cables.push(cable((node, 2), (node + n_columns, 3)));
        }
    }
    let coordinates = (0..n).flat_map(|node| [node / n_columns, node % n_columns]);
    let fabric = Fabric::new(FabricSpec {
        kinds: vec![DeviceKind::Node; n as usize],
        n_ports: vec![4; n as usize],
        shape: vec![n_rows, n_columns],
        coordinates: coordinates.map(|at| at as i32).collect(),
        cables,
        backplanes: Vec::new(),
        bonds: Vec::new(),
    })
    .unwrap();
    let ip = |node: u32| Ip { is_v6: false, bits: 0x0a00_0001 + u128::from(node) };
    let identities: Vec<_> =
        (0..n).map(|node| (ip(node), 32, Owner::Loopback(NodeId::new(node)))).collect();
    let addressing = Addressing::new(&fabric, &identities).unwrap();
    let routing = Routing::shortest_path(&fabric).unwrap();
    Network::new(fabric, addressing, routing)
}

/// Hosts without costs, whose receivers acknowledge every second segment.
fn free() -> HostModel {
    let nothing = Cost::ZERO;
    HostModel {
        costs: HostCosts {
            write_call: Time::ZERO,
            send_fixed: Time::ZERO,
            send_copy: nothing,
            receive: nothing,
            read: nothing,
            make_ack: Time::ZERO,
            take_ack: Time::ZERO,
            forward: nothing,
            interrupt: Time::ZERO,
            receive_frame: Time::ZERO,
            send_frame: Time::ZERO,
            sent: Time::ZERO,
        },
        local: None,
        processors: Processors::ONE,
        queues: InterfaceQueues::plain(100, 100),
        links: LinkOptions::PLAIN,
        tcp: TcpOptions {
            segment_bytes: 1460,
            receive_buffer: 131_072,
            first_receive_buffer: 0,
            window_rule: WindowRule::Free,
            copied_frame: 0,
            ack_rule: AckRule::EverySecond { delay: Time::from_ms(40) },
            send_buffer: SendBuffer::Bytes(131_072),
            send_buffer_grows: false,
            initial_window: 10,
            fast_retransmit: true,
            holds_tail: false,
            nagle: false,
            fills_waiting: false,
            restart_when_idle: false,
            tick: Time::ZERO,
            first_timeout: Time::from_ms(1_000),
            first_round_trip: Time::ZERO,
            timer_margin: Time::ZERO,
            shortest_timeout: Time::from_ms(200),
            longest_timeout: Time::from_ms(120_000),
            most_retransmissions: 15,
            congestion: CongestionControl::Reno,
            extensions: TcpExtensions::PLAIN,
        },
        protocol: MessageProtocol {
            header: 0,
            envelope: 0,
            request: 0,
            clear: 0,
            long_from: u64::MAX,
            rendezvous_from: u64::MAX,
            progress: ProgressRule::Both,
            reads_lowest_first: false,
            retry_in_use: 0,
        },
        message_costs: MessageCosts {
            send: Time::ZERO,
            take: Time::ZERO,
            watch: Time::ZERO,
            look: Time::ZERO,
            short_copy: nothing,
            long_copy: nothing,
        },
        disk: None,
    }
}

/// Hosts on which only relaying has a cost.
fn relaying(us: u64) -> HostModel {
    let mut host = free();
    host.costs.forward = Cost::from_seconds(us as f64 * 1e-6, 0.0);
    host
}

/// A pattern with its loads.
struct Counted {
    data: Load,
    back: Load,
    sent: IdVec<NodeId, u64>,
    received: IdVec<NodeId, u64>,
}

fn counted(network: &Network, pairs: &[(u32, u32)]) -> Counted {
    let packet = |from: u32, to: u32| (NodeId::new(from), AddressId::new(to));
    let there: Vec<_> = pairs.iter().map(|&(from, to)| packet(from, to)).collect();
    let back: Vec<_> = pairs.iter().map(|&(from, to)| packet(to, from)).collect();
    let number = |of: &dyn Fn(&(u32, u32)) -> u32| {
        let n_of = |node: NodeId| pairs.iter().filter(|pair| of(pair) == node.get()).count();
        network.fabric.nodes().map(|node| n_of(node) as u64).collect()
    };
    Counted {
        data: pattern_load(network, &there, &GO_ON).unwrap(),
        back: pattern_load(network, &back, &GO_ON).unwrap(),
        sent: number(&|pair| pair.0),
        received: number(&|pair| pair.1),
    }
}

fn saturated(network: &Network, host: &HostModel, of: &Counted) -> Saturation {
    let Counted { data, back, sent, received } = of;
    let traffic = Traffic { data, back, sent, received };
    saturation(&network.fabric, host, &traffic).unwrap().expect("something is sent")
}

/// A grid, and pairs of its nodes, each of two different ones.
fn grid_and_pairs() -> impl Strategy<Value = ((u32, u32), Vec<(u32, u32)>)> {
    (1u32..5, 2u32..5).prop_flat_map(|(n_rows, n_columns)| {
        let n = n_rows * n_columns;
        let pair = (0..n, 1..n).prop_map(move |(from, on)| (from, (from + on) % n));
        (Just((n_rows, n_columns)), prop::collection::vec(pair, 1..40))
    })
}

fn hops((from, to): (u32, u32), n_columns: u32) -> u64 {
    let rows = (from / n_columns).abs_diff(to / n_columns);
    u64::from(rows + (from % n_columns).abs_diff(to % n_columns))
}

fn is_close(a: f64, b: f64) -> bool {
    (a / b - 1.0).abs() < 1e-9
}

proptest! {
    #![proptest_config(repeatable())]

    #[test]
    fn links_carry_the_hops_of_all_packets_and_nodes_relay_one_less(
        ((n_rows, n_columns), pairs) in grid_and_pairs(),
    ) {
        let load = counted(&grid(n_rows, n_columns, 100), &pairs).data;
        let n_hops: u64 = pairs.iter().map(|&pair| hops(pair, n_columns)).sum();
        prop_assert!(is_close(load.channels.iter().flatten().sum(), n_hops as f64));
        prop_assert_eq!(load.forwarded.iter().sum::<u64>(), n_hops - pairs.len() as u64);
    }

    #[test]
    fn at_the_saturation_throughput_the_fullest_channel_is_full(
        ((n_rows, n_columns), pairs) in grid_and_pairs(),
    ) {
        let network = grid(n_rows, n_columns, 100);
        let of = counted(&network, &pairs);
        let Saturation { rate_bytes_per_s, bottleneck, .. } = saturated(&network, &free(), &of);
        let injected = *of.sent.iter().max().unwrap() as f64;
        let rounds_per_s = rate_bytes_per_s / PAYLOAD_BYTES / injected;
        let both = of.data.channels.iter().flatten().zip(of.back.channels.iter().flatten());
        let bytes = both.map(|(data, back)| data * FRAME_BYTES + back / 2.0 * ACK_BYTES);
        let fullest = bytes.fold(0.0, f64::max);
        prop_assert!(is_close(rounds_per_s * fullest, 12.5e6));
        prop_assert!(matches!(bottleneck, Resource::Channel(_)));
    }

    #[test]
    fn at_the_saturation_throughput_of_slow_nodes_the_busiest_forwarder_has_no_time_left(
        ((n_rows, n_columns), pairs) in grid_and_pairs(),
    ) {
        let network = grid(n_rows, n_columns, 100);
        let of = counted(&network, &pairs);
        let relayed = of.data.forwarded.iter().zip(&of.back.forwarded);
        let busiest = relayed.map(|(&data, &back)| data as f64 + back as f64 / 2.0);
        let busiest = busiest.fold(0.0, f64::max);
        prop_assume!(busiest > 0.0);
        let found = saturated(&network, &relaying(100_000), &of);
        let injected = *of.sent.iter().max().unwrap() as f64;
        let rounds_per_s = found.rate_bytes_per_s / PAYLOAD_BYTES / injected;
        prop_assert!(is_close(rounds_per_s * busiest * 0.1, 1.0));
        prop_assert!(matches!(found.bottleneck, Resource::Processor(_)));
    }

    #[test]
    fn throughput_grows_with_rates_falls_with_costs_and_is_that_of_the_pattern_repeated(
        ((n_rows, n_columns), pairs) in grid_and_pairs(),
        // At these rates a byte takes whole picoseconds.
        factor in prop_oneof![Just(2u64), Just(4), Just(5), Just(10)],
    ) {
        let network = grid(n_rows, n_columns, 100);
        let of = counted(&network, &pairs);
        let rate = |network: &Network, host: &HostModel, of: &Counted| {
            saturated(network, host, of).rate_bytes_per_s
        };
        let once = rate(&network, &free(), &of);
        let faster = grid(n_rows, n_columns, 100 * factor);
        prop_assert!(is_close(rate(&faster, &free(), &of), once * factor as f64));
        let again = counted(&network, &pairs.repeat(factor as usize));
        prop_assert!(is_close(rate(&network, &free(), &again), once));
        if of.data.forwarded.iter().any(|&n| n > 0) {
            let slow = rate(&network, &relaying(100_000), &of);
            let slower = rate(&network, &relaying(100_000 * factor), &of);
            prop_assert!(is_close(slower * factor as f64, slow));
        }
    }
}
