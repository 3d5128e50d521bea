//! Rejected descriptions, and findings in networks that compile but cannot work: small cases, one
//! fault each.

use std::sync::atomic::AtomicBool;

use network::metrics::{
    Finding, Lost, MetricError, bisection, forwards, load, path, reachability, soundness,
};
use network::{
    AddressId, Addressing, DeviceId, ExplicitRoute, Fabric, FabricError, FabricSpec, Ip, LinkId,
    Network, NodeId, Owner, PortId, Routing, RoutingError, SubnetId,
};

use crate::fabrics::{GO_ON, Sketch, address, hub, switch};

fn v4(bytes: [u8; 4]) -> Ip {
    Ip { is_v6: false, bits: u32::from_be_bytes(bytes).into() }
}

/// An address in the input: its prefix length and its owner.
type Given = (Ip, u8, Owner);

/// Two nodes on one cable, with the given addresses.
fn pair(given: &[Given]) -> Network {
    let fabric = Sketch::cabled(&[2], true).fabric();
    let addressing = Addressing::new(&fabric, given).unwrap();
    let routing = Routing::shortest_path(&fabric).unwrap();
    Network::new(fabric, addressing, routing)
}

#[test]
fn faults_of_addresses_are_found() {
    let [a, b] = [Owner::Port(PortId::new(0)), Owner::Port(PortId::new(1))];
    let sound = [(v4([10, 0, 0, 1]), 24, a), (v4([10, 0, 0, 2]), 24, b)];
    assert_eq!(soundness(&pair(&sound)), []);
    let cases: [(&[Given], Finding); 4] = [
        (
            &[(v4([10, 0, 0, 1]), 24, b)],
            Finding::DuplicateAddress(AddressId::new(0), AddressId::new(2)),
        ),
        (
            &[(v4([10, 0, 0, 9]), 32, Owner::Loopback(NodeId::new(0)))],
            Finding::OverlappingSubnets(SubnetId::new(0), SubnetId::new(1)),
        ),
        (
            &[(v4([10, 0, 0, 9]), 24, Owner::Loopback(NodeId::new(0)))],
            Finding::SubnetSpansSegments(AddressId::new(0), AddressId::new(2)),
        ),
        (&[(v4([10, 0, 0, 255]), 24, b)], Finding::ReservedAddress(AddressId::new(2))),
    ];
    for (more, expected) in cases {
        assert_eq!(soundness(&pair(&[&sound, more].concat())), [expected]);
    }
    assert_eq!(soundness(&pair(&sound[..1])), [Finding::NoAddress(PortId::new(1))]);
}

#[test]
fn faults_of_cables_are_found() {
    let mut sketch = Sketch::cabled(&[3], false);
    sketch.unplug(1);
    let network = sketch.network(Routing::shortest_path).unwrap();
    let found = soundness(&network);
    assert!(found.iter().all(|finding| matches!(finding, Finding::UnpluggedInterface(_))));
    assert_eq!(found.len(), 2);
    let mut ring = Sketch::star(3, switch(None));
    let [second, third] = [ring.device(switch(None), &[-1]), ring.device(switch(None), &[-1])];
    for (a, b) in [(3, second), (second, third), (third, 3), (3, second)] {
        ring.cable(a, b, 100);
    }
    // The parallel link is a bundle; the third side closes the loop.
    let network = ring.network(Routing::shortest_path).unwrap();
    assert_eq!(soundness(&network), [Finding::BridgeLoop(LinkId::new(4))]);
}

#[test]
fn lost_packets_say_why() {
    let sketch = Sketch::cabled(&[3], false);
    let build = |routes: &[ExplicitRoute]| {
        let fabric = sketch.fabric();
        let addressing = address(&fabric);
        let routing = Routing::explicit(&fabric, &addressing, routes).unwrap();
        Network::new(fabric, addressing, routing)
    };
    let [a, b] = [0, 1].map(|port| Some(AddressId::new(3 + port)));
    let to_identity = |node, destination, via, port| ExplicitRoute {
        node,
        destination: v4([172, 16, 0, destination]),
        prefix_length: 32,
        via,
        port,
        metric: 1,
    };
    let lost = |network: &Network, node, to| match path(network, node, to) {
        Err(MetricError::Unreachable { reason, .. }) => reason,
        other => panic!("{other:?}"),
    };
    assert_eq!(lost(&build(&[]), NodeId::new(0), AddressId::new(2)), Lost::NoRoute);
    let circle = build(&[
        to_identity(NodeId::new(0), 2, b, PortId::new(0)),
        to_identity(NodeId::new(1), 2, a, PortId::new(1)),
    ]);
    assert_eq!(lost(&circle, NodeId::new(0), AddressId::new(2)), Lost::Loop);
    let found = reachability(&circle, 3, &GO_ON).unwrap();
    assert!(
        found
            .unreachable
            .iter()
            .any(|lost| lost.address == AddressId::new(2) && lost.reason == Lost::Loop)
    );
    let one_way = build(&[to_identity(NodeId::new(0), 1, b, PortId::new(0))]);
    assert_eq!(path(&one_way, NodeId::new(0), AddressId::new(1)).unwrap().len(), 2);
    assert_eq!(lost(&one_way, NodeId::new(1), AddressId::new(0)), Lost::NoRoute);
    let stretched = pair_on_two_segments();
    assert_eq!(lost(&stretched, NodeId::new(0), AddressId::new(1)), Lost::WrongSegment);
}

/// Nodes 0 and 2 of a chain have addresses in one subnet, but no common segment.
fn pair_on_two_segments() -> Network {
    let fabric = Sketch::cabled(&[3], false).fabric();
    let given = [
        (v4([10, 0, 0, 1]), 24, Owner::Port(PortId::new(0))),
        (v4([10, 0, 0, 2]), 24, Owner::Port(PortId::new(3))),
    ];
    let addressing = Addressing::new(&fabric, &given).unwrap();
    let routing = Routing::explicit(&fabric, &addressing, &[]).unwrap();
    Network::new(fabric, addressing, routing)
}

#[test]
fn a_longer_prefix_and_then_a_lower_metric_decide() {
    let fabric = Sketch::cabled(&[3], true).fabric();
    let addressing = address(&fabric);
    let gateway = |node: u32, other: u32| {
        let port = fabric
            .ports_of(DeviceId::new(node))
            .find(|&port| fabric.port(fabric.peer(port).unwrap()).device == DeviceId::new(other));
        let peer = fabric.peer(port.unwrap()).unwrap();
        let id = addressing.of_node(NodeId::new(other)).iter().copied();
        let is_peer = |&id: &AddressId| addressing.address(id).owner == Owner::Port(peer);
        (port.unwrap(), { id }.find(is_peer))
    };
    let route = |prefix_length, other, metric| {
        let (port, via) = gateway(0, other);
        let destination = v4([172, 16, 0, 2]).network(prefix_length);
        ExplicitRoute { node: NodeId::new(0), destination, prefix_length, via, port, metric }
    };
    let cases = [
        (vec![route(0, 2, 1), route(24, 1, 9)], 1),
        (vec![route(32, 2, 9), route(24, 1, 1)], 2),
        (vec![route(24, 2, 2), route(24, 1, 1)], 1),
        (vec![route(24, 2, 1), route(24, 1, 2)], 2),
    ];
    for (routes, expected) in cases {
        let routing = Routing::explicit(&fabric, &addressing, &routes).unwrap();
        let hop =
            routing.next_hop(&fabric, &addressing, NodeId::new(0), AddressId::new(2)).unwrap();
        assert_eq!(fabric.port(hop.via).device, DeviceId::new(expected), "{routes:?}");
    }
}

#[test]
fn explicit_routes_that_cannot_stand_are_refused() {
    let fabric = Sketch::cabled(&[3], false).fabric();
    let addressing = address(&fabric);
    let good = ExplicitRoute {
        node: NodeId::new(0),
        destination: v4([172, 16, 0, 2]),
        prefix_length: 32,
        via: Some(AddressId::new(4)),
        port: PortId::new(0),
        metric: 1,
    };
    let refuse = |route| Routing::explicit(&fabric, &addressing, &[route]).unwrap_err();
    assert!(Routing::explicit(&fabric, &addressing, &[good]).is_ok());
    let cases = [
        (
            ExplicitRoute { node: NodeId::new(3), ..good },
            RoutingError::UnknownNode { route: 0, node: NodeId::new(3) },
        ),
        (
            ExplicitRoute { port: PortId::new(1), ..good },
            RoutingError::ForeignPort { route: 0, node: NodeId::new(0), port: PortId::new(1) },
        ),
        (ExplicitRoute { prefix_length: 24, ..good }, RoutingError::NotAPrefix { route: 0 }),
        (ExplicitRoute { prefix_length: 33, ..good }, RoutingError::NotAPrefix { route: 0 }),
        (
            ExplicitRoute { via: Some(AddressId::new(99)), ..good },
            RoutingError::UnknownGateway { route: 0, address: AddressId::new(99) },
        ),
        (
            ExplicitRoute { via: Some(AddressId::new(6)), ..good },
            RoutingError::GatewayElsewhere {
                route: 0,
                address: AddressId::new(6),
                port: PortId::new(0),
            },
        ),
    ];
    for (route, expected) in cases {
        assert_eq!(refuse(route), expected);
    }
}

#[test]
fn dimension_order_refuses_what_is_no_grid() {
    let refuse = |sketch: &Sketch| Routing::dimension_order(&sketch.fabric()).unwrap_err();
    let mut holed = Sketch::cabled(&[3, 3], true);
    holed.unplug(4);
    assert!(matches!(refuse(&holed), RoutingError::MissingLink { .. }));
    let mut chorded = Sketch::cabled(&[5], true);
    chorded.cable(0, 2, 100);
    let lacking =
        RoutingError::MissingCable { node: NodeId::new(0), other: NodeId::new(3), axis: 0 };
    assert_eq!(refuse(&chorded), lacking);
    let mut bent = Sketch::cabled(&[3, 3], true);
    bent.cable(0, 4, 100);
    assert!(matches!(refuse(&bent), RoutingError::IrregularSegment { .. }));
    let mut short = Sketch::default();
    short.device(hub(), &[]);
    assert!(matches!(refuse(&short), RoutingError::NotAGrid { .. }));
    let spec = || FabricSpec {
        kinds: vec![network::DeviceKind::Node; 2],
        n_ports: vec![0; 2],
        shape: vec![2],
        coordinates: vec![0, 0],
        ..FabricSpec::default()
    };
    let fabric = Fabric::new(spec()).unwrap();
    let error = Routing::dimension_order(&fabric).unwrap_err();
    assert_eq!(
        error,
        RoutingError::PositionTaken { first: NodeId::new(0), second: NodeId::new(1) }
    );
    let error = Fabric::new(FabricSpec { coordinates: vec![0], ..spec() }).unwrap_err();
    assert_eq!(error, FabricError::ColumnLength { column: "coordinates", given: 1, expected: 2 });
}

#[test]
fn properties_of_things_that_do_not_exist_are_refused() {
    let network = Sketch::cabled(&[4], true).network(Routing::dimension_order).unwrap();
    assert_eq!(
        forwards(&network, &[AddressId::new(0), AddressId::new(99)], &GO_ON),
        Err(MetricError::UnknownAddress { address: AddressId::new(99) })
    );
    assert_eq!(
        path(&network, NodeId::new(9), AddressId::new(0)).unwrap_err(),
        MetricError::UnknownNode { node: NodeId::new(9) }
    );
    assert_eq!(
        bisection(&network, 1, true, &GO_ON),
        Err(MetricError::TooFewToSplit { n_nodes: 1 })
    );
    assert_eq!(
        forwards(&network, &[AddressId::new(0), AddressId::new(1), AddressId::new(2)], &GO_ON),
        Ok(vec![0, 0, 1, 0, 0, 0, 1, 0, 0])
    );
}

#[test]
fn a_count_that_nobody_waits_for_ends() {
    let network = Sketch::cabled(&[5, 5], true).network(Routing::dimension_order).unwrap();
    let stop = AtomicBool::new(true);
    assert_eq!(reachability(&network, 25, &stop).unwrap_err(), MetricError::Stopped);
    assert_eq!(
        forwards(&network, &[AddressId::new(0), AddressId::new(1)], &stop).unwrap_err(),
        MetricError::Stopped
    );
    assert_eq!(
        load(&network, &[AddressId::new(0), AddressId::new(1)], &stop).unwrap_err(),
        MetricError::Stopped
    );
    assert_eq!(bisection(&network, 25, true, &stop).unwrap_err(), MetricError::Stopped);
}

#[test]
fn a_fabric_without_nodes_has_nothing_to_route() {
    let mut sketch = Sketch::default();
    sketch.device(switch(None), &[]);
    let network = sketch.network(Routing::shortest_path).unwrap();
    assert_eq!(reachability(&network, 0, &GO_ON).unwrap().hops_histogram, []);
    assert_eq!(soundness(&network), []);
}

#[test]
fn tables_too_large_are_refused_before_they_are_made() {
    // 8281 nodes squared exceed 2^26; the table itself is never printed on a failure.
    let error = Routing::shortest_path(&Sketch::nodes(&[91, 91]).fabric()).err();
    let entries = 8281 * 8281;
    assert_eq!(error, Some(RoutingError::TableTooLarge { entries, most: 1 << 26 }));
}
