//! Small networks and host models for the tests of the packet engine; no test uses all of them.
//! Nothing is checked here.

#![allow(dead_code)]

use std::sync::atomic::AtomicBool;

use network::{
    Addressing, BondSpec, CableSpec, DeviceKind, Fabric, FabricSpec, HubModel, Ip, Network, Owner,
    QueueLimit, Routing, SwitchMode, SwitchModel,
};
use packet::{Fault, FaultOptions, NoObserver, PacketError, PacketModel};
use program::Program;
use proptest::test_runner::{Config as ProptestConfig, RngSeed};
use quantity::{Cost, Rate, Time};
use simulation::{
    AckRule, CongestionControl, DrainRule, Executor, HostCosts, HostModel, InterfaceQueues,
    LinkOptions, MarkRecord, MessageCosts, MessageProtocol, Processors, SendBuffer, Setup,
    TcpExtensions, TcpOptions, WindowRule,
};

/// `cases` cases that are the same in every run.
pub fn repeatable(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(0),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// What joins the nodes.
#[derive(Clone, Copy, Debug)]
pub enum Middle {
    Hub,
    StoreAndForward,
    CutThrough,
}

pub fn microseconds(us: f64) -> Time {
    Time::from_seconds(us * 1e-6)
}

fn cost(us: f64, us_per_byte: f64) -> Cost {
    Cost::from_seconds(us * 1e-6, us_per_byte * 1e-6)
}

/// The constants of the calibration pentium-pro-200-linux-2.0.
pub fn linux_2_0() -> HostModel {
    HostModel {
        costs: HostCosts {
            write_call: microseconds(9.0),
            send_fixed: microseconds(24.6),
            send_copy: cost(0.0, 0.015),
            receive: cost(21.0, 0.004),
            read: cost(11.0, 0.006),
            make_ack: microseconds(9.3),
            take_ack: microseconds(16.0),
            forward: cost(31.2, 0.020),
            interrupt: Time::ZERO,
            receive_frame: Time::ZERO,
            send_frame: Time::ZERO,
        },
        processors: Processors::ONE,
        queues: InterfaceQueues::plain(116, 32),
        links: LinkOptions::PLAIN,
        tcp: TcpOptions {
            segment_bytes: 1460,
            receive_buffer: 16384,
            window_rule: WindowRule::HalfInSegments,
            ack_rule: AckRule::OnRead { pushed: Time::from_ms(20), longest: Time::from_ms(500) },
            send_buffer: SendBuffer::Segments(9),
            initial_window: 1,
            fast_retransmit: false,
            restart_when_idle: true,
            tick: Time::from_ms(10),
            first_timeout: Time::from_ms(3_000),
            shortest_timeout: Time::from_ms(200),
            longest_timeout: Time::from_ms(120_000),
            most_retransmissions: 15,
            congestion: CongestionControl::Reno,
            extensions: TcpExtensions::PLAIN,
        },
        protocol: MessageProtocol {
            header: 32,
            envelope: 24,
            control: 32,
            long_from: 16_384,
            rendezvous_from: 128_000,
            drain: DrainRule::LowerRank,
        },
        message_costs: MessageCosts {
            send: microseconds(17.0),
            take: microseconds(50.5),
            short_copy: cost(0.0, 0.003),
            long_copy: cost(0.0, 0.034),
        },
    }
}

/// Hosts that cost nothing, with a standard TCP and plain byte streams.
pub fn ideal() -> HostModel {
    let mut host = linux_2_0();
    host.costs = HostCosts {
        write_call: Time::ZERO,
        send_fixed: Time::ZERO,
        send_copy: Cost::ZERO,
        receive: Cost::ZERO,
        read: Cost::ZERO,
        make_ack: Time::ZERO,
        take_ack: Time::ZERO,
        forward: Cost::ZERO,
        interrupt: Time::ZERO,
        receive_frame: Time::ZERO,
        send_frame: Time::ZERO,
    };
    host.queues = InterfaceQueues::plain(100, 1000);
    host.tcp = TcpOptions {
        receive_buffer: 131_072,
        window_rule: WindowRule::Free,
        ack_rule: AckRule::EverySecond { delay: Time::from_ms(40) },
        send_buffer: SendBuffer::Bytes(131_072),
        initial_window: 10,
        fast_retransmit: true,
        restart_when_idle: false,
        tick: Time::ZERO,
        first_timeout: Time::from_ms(1_000),
        ..host.tcp
    };
    host.protocol = MessageProtocol {
        header: 0,
        envelope: 0,
        control: 0,
        long_from: u64::MAX,
        rendezvous_from: u64::MAX,
        drain: DrainRule::Both,
    };
    host.message_costs = MessageCosts {
        send: Time::ZERO,
        take: Time::ZERO,
        short_copy: Cost::ZERO,
        long_copy: Cost::ZERO,
    };
    host
}

fn cable(a: (u32, u32), b: (u32, u32)) -> CableSpec {
    CableSpec { a, b, rate: Rate::from_mbps(100), delay: Time::ZERO }
}

/// `n` nodes in a row, each wired to the next, with identities on loopback.
pub fn chain(n: u32) -> Network {
    let cables = (1..n).map(|node| cable((node - 1, 1), (node, 0))).collect();
    on_loopbacks(FabricSpec {
        kinds: vec![DeviceKind::Node; n as usize],
        n_ports: vec![2; n as usize],
        shape: vec![n],
        coordinates: (0..n as i32).collect(),
        cables,
        backplanes: Vec::new(),
        bonds: Vec::new(),
    })
}

/// A network whose nodes have their identities on loopback.
fn on_loopbacks(spec: FabricSpec) -> Network {
    let fabric = Fabric::new(spec).unwrap();
    let identities: Vec<_> =
        (0..fabric.n_nodes()).map(|node| (address(node), 32, Owner::Loopback(node))).collect();
    let addressing = Addressing::new(&fabric, &identities).unwrap();
    let routing = Routing::shortest_path(&fabric).unwrap();
    Network { fabric, addressing, routing }
}

/// What joins a node of a line to the next: one cable, or two and a switch between them.
#[derive(Clone, Copy, Debug)]
pub struct Hop {
    /// Rates before and behind the switch.
    pub mbps: (u64, u64),
    pub switch: Option<SwitchMode>,
    /// Propagation on each cable.
    pub delay: Time,
}

/// Nodes in a row, wired by these hops, with identities on loopback.
pub fn line(hops: &[Hop]) -> Network {
    let n = hops.len() as u32 + 1;
    let mut kinds = vec![DeviceKind::Node; n as usize];
    let mut cables = Vec::new();
    for (node, &Hop { mbps, switch, delay }) in (0..).zip(hops) {
        let cable = |a, b, mbps| CableSpec { a, b, rate: Rate::from_mbps(mbps), delay };
        let Some(mode) = switch else {
            cables.push(cable((node, 1), (node + 1, 0), mbps.0));
            continue;
        };
        let device = kinds.len() as u32;
        kinds.push(switch_that(mode, microseconds(5.0), 1_000));
        cables.push(cable((node, 1), (device, 0), mbps.0));
        cables.push(cable((device, 1), (node + 1, 0), mbps.1));
    }
    on_loopbacks(FabricSpec {
        n_ports: vec![2; kinds.len()],
        shape: vec![n],
        coordinates: (0..kinds.len() as i32).collect(),
        kinds,
        cables,
        backplanes: Vec::new(),
        bonds: Vec::new(),
    })
}

/// A switch whose queues hold `queue` frames.
fn switch_that(mode: SwitchMode, latency: Time, queue: u32) -> DeviceKind {
    DeviceKind::Switch(SwitchModel {
        mode,
        latency,
        backplane: None,
        queue: QueueLimit::Frames(queue),
        ageing: Time::from_ms(300_000),
        is_multipath: false,
    })
}

/// `n_flows` pairs of nodes, 1 and 2, 3 and 4 and so on, each node wired to node 0 in the middle.
pub fn hub_of_flows(n_flows: u32) -> Network {
    let n = 2 * n_flows + 1;
    let mut n_ports = vec![1; n as usize];
    n_ports[0] = n - 1;
    on_loopbacks(FabricSpec {
        kinds: vec![DeviceKind::Node; n as usize],
        n_ports,
        shape: vec![n],
        coordinates: (0..n as i32).collect(),
        cables: (1..n).map(|node| cable((0, node - 1), (node, 0))).collect(),
        backplanes: Vec::new(),
        bonds: Vec::new(),
    })
}

/// What joins the nodes, with queues that hold `queue` frames.
fn centre(middle: Middle, queue: u32) -> DeviceKind {
    let switch = |mode, latency| switch_that(mode, latency, queue);
    match middle {
        Middle::Hub => DeviceKind::Hub(HubModel { domain_delay: Time::from_ns(600) }),
        Middle::StoreAndForward => switch(SwitchMode::StoreAndForward, microseconds(7.2)),
        Middle::CutThrough => switch(SwitchMode::CutThrough, microseconds(5.0)),
    }
}

/// `n` nodes on one hub or switch whose queues hold `queue` frames.
pub fn star(n: u32, middle: Middle, queue: u32) -> Network {
    let centre = centre(middle, queue);
    let mut kinds = vec![DeviceKind::Node; n as usize];
    kinds.push(centre);
    let mut n_ports = vec![1; n as usize];
    n_ports.push(n);
    let mut coordinates: Vec<i32> = (0..n as i32).collect();
    coordinates.push(-1);
    let cables = (0..n).map(|node| cable((node, 0), (n, node))).collect();
    on_one_subnet(FabricSpec {
        kinds,
        n_ports,
        shape: vec![n],
        coordinates,
        cables,
        backplanes: Vec::new(),
        bonds: Vec::new(),
    })
}

/// `n` nodes with a bond of `buses` ports, each on a hub of 10 Mb/s or on a switch of its own.
pub fn bonded(n: u32, buses: u32, middle: Middle) -> Network {
    let centre = centre(middle, 20);
    let mut kinds = vec![DeviceKind::Node; n as usize];
    kinds.extend(vec![centre; buses as usize]);
    let mut n_ports = vec![buses; n as usize];
    n_ports.extend(vec![n; buses as usize]);
    let mut coordinates: Vec<i32> = (0..n as i32).collect();
    coordinates.extend(vec![-1; buses as usize]);
    let rate = Rate::from_mbps(10);
    let cables = (0..n)
        .flat_map(|node| (0..buses).map(move |bus| ((node, bus), (n + bus, node))))
        .map(|(a, b)| CableSpec { rate, ..cable(a, b) })
        .collect();
    on_one_subnet(FabricSpec {
        kinds,
        n_ports,
        shape: vec![n],
        coordinates,
        cables,
        backplanes: Vec::new(),
        bonds: (0..n).map(|node| BondSpec { node, first_port: 0, n_ports: buses }).collect(),
    })
}

/// `n` nodes, half of them on a hub of 10 Mb/s that hangs on a switch of 100 Mb/s with the others.
pub fn slow_hub_on_switch(n: u32, mode: SwitchMode, latency: Time) -> Network {
    let n_slow = n / 2;
    let (hub, switch) = (n, n + 1);
    let mut kinds = vec![DeviceKind::Node; n as usize];
    kinds.push(DeviceKind::Hub(HubModel { domain_delay: Time::from_us(2) }));
    kinds.push(DeviceKind::Switch(SwitchModel {
        mode,
        latency,
        backplane: None,
        queue: QueueLimit::Frames(20),
        ageing: Time::from_ms(300_000),
        is_multipath: false,
    }));
    let mut n_ports = vec![1; n as usize];
    n_ports.extend([n_slow + 1, n - n_slow + 1]);
    let mut coordinates: Vec<i32> = (0..n as i32).collect();
    coordinates.extend([-1, -2]);
    let slow = |a, b| CableSpec { rate: Rate::from_mbps(10), ..cable(a, b) };
    let mut cables: Vec<CableSpec> = (0..n_slow).map(|node| slow((node, 0), (hub, node))).collect();
    cables.extend((n_slow..n).map(|node| cable((node, 0), (switch, node - n_slow))));
    cables.push(slow((hub, n_slow), (switch, n - n_slow)));
    on_one_subnet(FabricSpec {
        kinds,
        n_ports,
        shape: vec![n],
        coordinates,
        cables,
        backplanes: Vec::new(),
        bonds: Vec::new(),
    })
}

/// A fat tree of `k`-port switches that choose among all shortest paths, whose queues hold `queue`
/// frames.
pub fn fat_tree(k: u32, mode: SwitchMode, queue: u32) -> Network {
    let half = k / 2;
    let (n, n_edges) = (k * half * half, k * half);
    let (aggregation, core) = (n + n_edges, n + 2 * n_edges);
    let n_switches = 2 * n_edges + half * half;
    let mut kinds = vec![DeviceKind::Node; n as usize];
    let model = SwitchModel {
        mode,
        latency: microseconds(5.0),
        backplane: None,
        queue: QueueLimit::Frames(queue),
        ageing: Time::from_ms(300_000),
        is_multipath: true,
    };
    kinds.extend(vec![DeviceKind::Switch(model); n_switches as usize]);
    let mut n_ports = vec![1; n as usize];
    n_ports.extend(vec![k; n_switches as usize]);
    let mut cables: Vec<CableSpec> =
        (0..n).map(|node| cable((node, 0), (n + node / half, node % half))).collect();
    for (lower, up) in (0..n_edges).flat_map(|lower| (0..half).map(move |up| (lower, up))) {
        let (pod, index) = (lower / half, lower % half);
        cables.push(cable((n + lower, half + up), (aggregation + pod * half + up, index)));
        cables.push(cable((aggregation + lower, half + up), (core + index * half + up, pod)));
    }
    on_one_subnet(FabricSpec {
        coordinates: (0..kinds.len() as i32).collect(),
        kinds,
        n_ports,
        shape: vec![n],
        cables,
        backplanes: Vec::new(),
        bonds: Vec::new(),
    })
}

/// A network of one subnet, with identities on the first port of each node.
fn on_one_subnet(spec: FabricSpec) -> Network {
    let fabric = Fabric::new(spec).unwrap();
    let ports: Vec<_> = (0..fabric.n_nodes())
        .map(|node| (address(node), 16, Owner::Port(fabric.ports_of(node).start)))
        .collect();
    let addressing = Addressing::new(&fabric, &ports).unwrap();
    let routing = Routing::shortest_path(&fabric).unwrap();
    Network { fabric, addressing, routing }
}

/// The same network with one address per node, on IPv6 and on loopback.
pub fn over_ipv6(network: Network) -> Network {
    let address = |node| Ip { is_v6: true, bits: 0xfd00 << 112 | u128::from(node) };
    let identities: Vec<_> = (0..network.fabric.n_nodes())
        .map(|node| (address(node), 128, Owner::Loopback(node)))
        .collect();
    let addressing = Addressing::new(&network.fabric, &identities).unwrap();
    Network { addressing, ..network }
}

fn address(node: u32) -> Ip {
    Ip { is_v6: false, bits: 0x0a00_0001 + u128::from(node) }
}

/// Plays a program with rank r on node r; `inspect` sees the engine as the run left it.
pub fn play<T>(
    network: &Network,
    host: &HostModel,
    program: &Program,
    inspect: impl FnOnce(&[MarkRecord], &PacketModel<'_, NoObserver>) -> T,
) -> Result<T, PacketError> {
    play_with_faults(network, host, program, (&[], PROMPT), inspect)
}

/// No fallback routes, and bonds that notice at once.
pub const PROMPT: FaultOptions = FaultOptions { with_fallback: false, bond_poll: Time::ZERO };

/// Does so while parts fail.
pub fn play_with_faults<T>(
    network: &Network,
    host: &HostModel,
    program: &Program,
    (faults, options): (&[Fault], FaultOptions),
    inspect: impl FnOnce(&[MarkRecord], &PacketModel<'_, NoObserver>) -> T,
) -> Result<T, PacketError> {
    let nodes: Vec<u32> = (0..network.fabric.n_nodes()).collect();
    let stop = AtomicBool::new(false);
    let setup = Setup {
        network,
        host,
        identities: &nodes,
        node_of_rank: &nodes[..program.n_ranks() as usize],
        seed: 1,
        stop: &stop,
    };
    let model = PacketModel::new(setup, NoObserver)?.with_faults(faults, options, 1);
    let executor = Executor::new(model, program, host.protocol, host.message_costs);
    let (marks, model) = executor.run()?;
    Ok(inspect(&marks, &model))
}
