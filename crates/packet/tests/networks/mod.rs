//! Small networks and hosts for the tests of the packet engine. No test uses all of them, and
//! nothing is checked here.

use network::{
    Addressing, BondSpec, CableSpec, DeviceId, DeviceKind, Fabric, FabricSpec, HubModel, Ip,
    Network, NodeId, Owner, QueueLimit, Routing, SwitchMode, SwitchModel,
};
use proptest::test_runner::{Config as ProptestConfig, RngSeed};
use quantity::{Rate, Time};

#[path = "../../../host/tests/hosts/mod.rs"]
mod hosts;
mod simulate;

pub use hosts::{ideal, linux_2_0, microseconds};
pub use simulate::{PROMPT, simulate, simulate_with_faults};

/// A configuration of `cases` random cases that are the same in every run.
pub fn repeatable(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(0),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// The device between the nodes.
#[derive(Clone, Copy, Debug)]
pub enum Middle {
    Hub,
    StoreAndForward,
    CutThrough,
}

fn cable(a: (u32, u32), b: (u32, u32)) -> CableSpec {
    let end = |(device, port)| (DeviceId::new(device), port);
    CableSpec { a: end(a), b: end(b), rate: Rate::from_mbps(100), delay: Time::ZERO }
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
        fabric.nodes().map(|node| (address(node.get()), 32, Owner::Loopback(node))).collect();
    let addressing = Addressing::new(&fabric, &identities).unwrap();
    let routing = Routing::shortest_path(&fabric).unwrap();
    Network::new(fabric, addressing, routing)
}

/// The connection of a node of a line to the next: one cable, or two and a switch between them.
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
            cables.push(cable((DeviceId::new(node), 1), (DeviceId::new(node + 1), 0), mbps.0));
            continue;
        };
        let device = kinds.len() as u32;
        kinds.push(switch_that(mode, microseconds(5.0), 1_000));
        cables.push(cable((DeviceId::new(node), 1), (DeviceId::new(device), 0), mbps.0));
        cables.push(cable((DeviceId::new(device), 1), (DeviceId::new(node + 1), 0), mbps.1));
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

/// Returns the device between the nodes, with queues of `queue` frames.
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
        bonds: (0..n)
            .map(|node| BondSpec { node: NodeId::new(node), first_port: 0, n_ports: buses })
            .collect(),
    })
}

/// `n` nodes, half of them on a switch of 100 Mb/s, the others on a hub of 10 Mb/s attached to it.
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
    let ports: Vec<_> = fabric
        .nodes()
        .map(|node| (address(node.get()), 16, Owner::Port(fabric.ports_of(node).start)))
        .collect();
    let addressing = Addressing::new(&fabric, &ports).unwrap();
    let routing = Routing::shortest_path(&fabric).unwrap();
    Network::new(fabric, addressing, routing)
}

/// The same network with one address per node, on IPv6 and on loopback.
pub fn over_ipv6(network: Network) -> Network {
    let address = |node: NodeId| Ip { is_v6: true, bits: 0xfd00 << 112 | u128::from(node.get()) };
    let identities: Vec<_> =
        network.fabric.nodes().map(|node| (address(node), 128, Owner::Loopback(node))).collect();
    let addressing = Addressing::new(&network.fabric, &identities).unwrap();
    Network::new(network.fabric, addressing, network.routing)
}

fn address(node: u32) -> Ip {
    Ip { is_v6: false, bits: 0x0a00_0001 + u128::from(node) }
}
