//! The reach of packets: a TTL of n allows n - 1 forwards, over IPv4 and IPv6, for TCP and UDP.
//! Rows of nodes, with forwards counted by hand.

use crate::networks::{PROMPT, chain, ideal, over_ipv6, simulate, simulate_with_faults};
use host::HostModel;
use network::metrics::Part;
use network::{
    AddressId, Addressing, ExplicitRoute, Ip, LinkId, Network, NodeId, Owner, PortId, Routing,
};
use packet::{Counters, Fault, FaultKind, PacketError};
use program::{Action, AlgorithmSet, DatagramProtocol, Program, Rank, Step};
use quantity::Time;
use simulation::RunError;

fn with_ttl(ttl: u8) -> HostModel {
    let mut host = ideal();
    host.links.ttl = ttl;
    host
}

/// One message, or datagram, from the first to the last node.
fn program(network: &Network, by_tcp: bool) -> Program {
    let to = network.fabric.n_nodes() - 1;
    let datagram = Action::Datagram {
        to: Rank::new(to),
        bytes: 1000,
        answer: 0,
        protocol: DatagramProtocol::Udp,
        spacing: Time::ZERO,
    };
    let message = [
        Step::one(Rank::new(0), Action::Send { to: Rank::new(to), bytes: 1000, tag: 0 }),
        Step::one(Rank::new(to), Action::Receive { from: Some(Rank::new(0)), tag: 0 }),
    ];
    let steps = if by_tcp { &message[..] } else { &[Step::one(Rank::new(0), datagram)] };
    Program::compile(to + 1, steps, AlgorithmSet::Mpich1_1).unwrap()
}

fn run(network: &Network, host: &HostModel, by_tcp: bool) -> Result<Counters, PacketError> {
    simulate(network, host, &program(network, by_tcp), |_, model| model.counters())
}

#[test]
fn a_ttl_is_for_one_forward_less() {
    for (ttl, forwards) in [(64, 63), (1, 0), (2, 1), (66, 65), (255, 254)] {
        let host = with_ttl(ttl);
        for by_tcp in [true, false] {
            for is_v6 in [false, true] {
                let built = |n| if is_v6 { over_ipv6(chain(n)) } else { chain(n) };
                // A row of n nodes has n - 2 nodes between its ends.
                let counters = run(&built(forwards + 2), &host, by_tcp).unwrap();
                assert_eq!(counters.frames_dropped(), 0);
                assert!(counters.forwards >= u64::from(forwards));
                let error = run(&built(forwards + 3), &host, by_tcp).unwrap_err();
                let (to, forwards) = (forwards + 2, forwards + 1);
                let expected = RunError::RouteTooLong {
                    from: NodeId::new(0),
                    to: NodeId::new(to),
                    forwards,
                    ttl,
                };
                assert_eq!(error, PacketError::Run(expected));
            }
        }
    }
}

#[test]
fn among_faults_it_is_a_drop_that_is_counted() {
    let network = chain(4);
    // A wire fails behind the only datagram.
    let faults = [Fault {
        parts: vec![Part::Cable(LinkId::new(0))],
        kind: FaultKind::Down,
        from: Time::from_ms(1),
        until: Time::MAX,
    }];
    let program = program(&network, false);
    let counters = |ttl| {
        let host = with_ttl(ttl);
        simulate_with_faults(&network, &host, &program, (&faults, PROMPT), |_, model| {
            model.counters()
        })
        .unwrap()
    };
    assert_eq!(counters(3).dropped_without_route, 0);
    assert_eq!((counters(2).dropped_without_route, counters(2).forwards), (1, 1));
}

#[test]
fn a_circle_is_no_route() {
    // Nodes 0 and 1 forward packets for node 2 to each other.
    let fabric = chain(3).fabric;
    let ip = |bits| Ip { is_v6: false, bits };
    let loopback =
        |node: u32| (ip(0x0a00_0001 + u128::from(node)), 32, Owner::Loopback(NodeId::new(node)));
    let given = [
        loopback(0),
        loopback(1),
        loopback(2),
        (ip(0xac10_0001), 24, Owner::Port(PortId::new(1))),
        (ip(0xac10_0002), 24, Owner::Port(PortId::new(2))),
    ];
    let addressing = Addressing::new(&fabric, &given).unwrap();
    let route = |node, via, port| ExplicitRoute {
        node,
        destination: ip(0x0a00_0003),
        prefix_length: 32,
        via: Some(via),
        port,
        metric: 1,
    };
    let routes = [
        route(NodeId::new(0), AddressId::new(4), PortId::new(1)),
        route(NodeId::new(1), AddressId::new(3), PortId::new(2)),
    ];
    let routing = Routing::explicit(&fabric, &addressing, &routes).unwrap();
    let network = Network::new(fabric, addressing, routing);
    let error = run(&network, &ideal(), false).unwrap_err();
    assert_eq!(
        error,
        PacketError::Run(RunError::NoRoute { from: NodeId::new(0), to: NodeId::new(2) })
    );
}
