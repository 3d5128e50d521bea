//! Square grids of any side and a permutation of messages on them, as benchmarks/cases.py has them:
//! 100 Mb/s, 1 us per wire, switches that store and forward without a latency, routes in dimension
//! order.

use network::{
    Addressing, CableSpec, DeviceId, DeviceKind, Fabric, FabricSpec, Ip, Network, NodeId, Owner,
    QueueLimit, Routing, SwitchMode, SwitchModel,
};
use program::{Action, AlgorithmSet, Program, Rank, Step};
use quantity::{Rate, Time};

/// The parts that join the nodes of a grid.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A switch for every row and every column.
    PMesh,
    /// A cable to each of four neighbours.
    Torus,
}

impl Kind {
    pub const ALL: [(&'static str, Kind); 2] = [("p-mesh", Kind::PMesh), ("torus", Kind::Torus)];

    /// Wires that a message between two random nodes crosses, on average.
    pub fn mean_wires(self, side: u32) -> f64 {
        let side = f64::from(side);
        match self {
            Kind::PMesh => 4.0 * (side - 1.0) / side,
            Kind::Torus => side / 2.0,
        }
    }
}

const SWITCH: DeviceKind = DeviceKind::Switch(SwitchModel {
    mode: SwitchMode::StoreAndForward,
    latency: Time::ZERO,
    backplane: None,
    queue: QueueLimit::Bytes(151_800),
    ageing: Time::from_ms(300_000),
    is_multipath: false,
});

/// Returns the grid of `side` times `side` nodes, whose applications use loopback addresses.
pub fn grid(kind: Kind, side: u32) -> Network {
    let n = side * side;
    let (mut kinds, mut n_ports) = (vec![DeviceKind::Node; n as usize], vec![4; n as usize]);
    let mut coordinates: Vec<i32> =
        (0..n as i32).flat_map(|node| [node / side as i32, node % side as i32]).collect();
    if kind == Kind::PMesh {
        kinds.extend(vec![SWITCH; 2 * side as usize]);
        n_ports = vec![2; n as usize];
        n_ports.extend(vec![side; 2 * side as usize]);
        coordinates.extend((0..side as i32).flat_map(|line| [-1, line, line, -1]));
    }
    let fabric = Fabric::new(FabricSpec {
        kinds,
        n_ports,
        shape: vec![side, side],
        coordinates,
        cables: cables(kind, side),
        ..FabricSpec::default()
    })
    .expect("a grid");
    let identities: Vec<_> = (0..n)
        .map(|node| (Ip { is_v6: false, bits: 0x0a00_0001 + u128::from(node) }, 32, node))
        .map(|(ip, length, node)| (ip, length, Owner::Loopback(NodeId::new(node))))
        .collect();
    let addressing = Addressing::new(&fabric, &identities).expect("addresses");
    let routing = Routing::dimension_order(&fabric).expect("routes");
    Network::new(fabric, addressing, routing)
}

fn cables(kind: Kind, side: u32) -> Vec<CableSpec> {
    let n = side * side;
    let places = (0..n).map(|node| (node, node / side, node % side));
    let wired = |(node, y, x): (u32, u32, u32)| match kind {
        Kind::PMesh => [((node, 0), (n + 2 * x, y)), ((node, 1), (n + 2 * y + 1, x))],
        Kind::Torus => [
            ((node, 0), ((y + 1) % side * side + x, 1)),
            ((node, 2), (y * side + (x + 1) % side, 3)),
        ],
    };
    let (rate, delay) = (Rate::from_mbps(100), Time::from_us(1));
    let end = |(device, port)| (DeviceId::new(device), port);
    places.flat_map(wired).map(|(a, b)| CableSpec { a: end(a), b: end(b), rate, delay }).collect()
}

/// Returns one message of `bytes` from every rank to the one that a seeded permutation gives it.
pub fn permutation(n_ranks: u32, bytes: u64) -> Program {
    let targets = shuffled(n_ranks);
    let moves = || (0..).zip(targets.iter().copied()).filter(|&(rank, to)| rank != to);
    let mut steps: Vec<Step> = vec![Step::all(Action::Mark { mark: 0 })];
    let receive = |from: Rank| Action::StartReceive { from: Some(from), tag: 0, number: 0 };
    steps.extend(moves().map(|(rank, to)| Step::one(to, receive(rank))));
    steps.extend(
        moves()
            .map(|(rank, to)| Step::one(rank, Action::StartSend { to, bytes, tag: 0, number: 0 })),
    );
    steps.push(Step::all(Action::WaitAll));
    steps.push(Step::all(Action::Mark { mark: 1 }));
    Program::compile(n_ranks, &steps, AlgorithmSet::Mpich1_1).expect("a program")
}

/// The permutation of seed 1 of the workload of that name (workloads/permutation.py).
fn shuffled(n_ranks: u32) -> Vec<Rank> {
    let mut targets: Vec<Rank> = (0..n_ranks).collect();
    let mut state: u64 = 1;
    for i in (1..n_ranks as usize).rev() {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        targets.swap(i, (state >> 33) as usize % (i + 1));
    }
    targets
}
