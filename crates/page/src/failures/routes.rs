//! The route of one packet for the drawing of a page: its hops, the links it crosses, and the
//! reason where it ends. Counts over all packets come from `resilience::rerouting`.

use std::collections::VecDeque;

use quantity::IdVec;
use resilience::rerouting::{Cause, Destination, Route, current_route, successor};
use resilience::{DeviceId, LinkId, NodeId, PlaceId, PortId, ResidualFabric, Wiring};

/// The tables that a packet follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tables {
    /// The tables as they are, in the whole network.
    Before,
    /// The same tables, after the last failure.
    After,
    /// Tables recomputed for the residual network: some shortest route.
    Recomputed,
}

/// The end of a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The packet arrives.
    Arrived,
    /// The packet is lost.
    Lost(Cause),
    /// No path is left.
    Disconnected,
}

/// The route of a packet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageRoute {
    /// For each hop, the port out, the port in, and the links in between.
    pub hops: Vec<(PortId, PortId, Vec<LinkId>)>,
    /// The outcome.
    pub end: End,
    /// The node where the route ends; for a loop, the node to which it returns.
    pub at: NodeId,
    /// The two ports of the last attempt, for a packet sent into a broken wire.
    pub attempt: Option<Route>,
}

/// Follows a packet by the tables of the nodes.
pub fn by_tables(
    wiring: &Wiring,
    to: &Destination,
    left: &ResidualFabric,
    from: NodeId,
) -> PageRoute {
    let mut route = PageRoute { hops: Vec::new(), end: End::Arrived, at: from, attempt: None };
    let mut is_seen = IdVec::filled(false, wiring.n_places());
    let mut place = PlaceId::from(from);
    loop {
        route.at = wiring.at(place).0;
        if std::mem::replace(&mut is_seen[place], true) {
            return PageRoute { end: End::Lost(Cause::Loop), ..route };
        }
        let current = current_route(to, left, wiring.at(place));
        match (successor(wiring, to, left, place), current) {
            (Ok(next), Some(Route { port, via: Some(via) })) => {
                route.hops.push((port, via, links_between(wiring, left, port, via)));
                place = next;
            }
            (Err(Ok(_)), _) => return route,
            (end, attempt) => {
                let cause = end.err().and_then(Result::err).unwrap_or(Cause::NoRoute);
                return PageRoute { end: End::Lost(cause), attempt, ..route };
            }
        }
    }
}

/// Returns a shortest route in the residual fabric.
pub fn shortest(wiring: &Wiring, left: &ResidualFabric, from: NodeId, to: NodeId) -> PageRoute {
    let mut came_by = IdVec::filled(None, wiring.n_nodes());
    let mut is_spent = IdVec::filled(false, wiring.n_ports());
    let mut queue = VecDeque::from([from]);
    while let Some(node) = queue.pop_front().filter(|&node| node != to) {
        for port in wiring.ports_of(node) {
            // All ports on one piece of a wire reach the same nodes.
            if std::mem::replace(&mut is_spent[port], true) {
                continue;
            }
            for via in left.stations_with(port) {
                is_spent[via] = true;
                let next = wiring.node_of(via);
                if next != from && came_by[next].is_none() {
                    came_by[next] = Some((port, via));
                    queue.push_back(next);
                }
            }
        }
    }
    let (mut hops, mut node) = (Vec::new(), to);
    while let Some((port, via)) = came_by[node] {
        hops.push((port, via, links_between(wiring, left, port, via)));
        node = wiring.node_of(port);
    }
    hops.reverse();
    let end = if node == from { End::Arrived } else { End::Disconnected };
    PageRoute { hops, end, at: to, attempt: None }
}

/// Returns the links from one interface to another, across hubs and switches.
fn links_between(wiring: &Wiring, left: &ResidualFabric, from: PortId, to: PortId) -> Vec<LinkId> {
    let ports = left.live_ports(from);
    let on_wires = ports.filter_map(|from| Some((from, wiring.on_wire(from, to)?)));
    on_wires.flat_map(|(from, to)| links_of_wire(wiring, left, from, to)).collect()
}

/// Returns a shortest chain of links between two ports of a wire, or `None` where none joins them.
fn links_of_wire(wiring: &Wiring, left: &ResidualFabric, from: PortId, to: PortId) -> Vec<LinkId> {
    // The port through which each hub or switch was first entered.
    let mut entered = IdVec::filled(None, wiring.n_devices());
    let mut queue = VecDeque::from([from]);
    while let Some(port) = queue.pop_front() {
        let alive = wiring.link(port).filter(|&link| left.is_alive(link));
        let Some(far) = alive.and_then(|_| wiring.peer(port)) else { continue };
        if far == to {
            return trail(wiring, &entered, port, from);
        }
        let device = wiring.device(far);
        if !wiring.is_node(device) && entered[device].is_none() {
            entered[device] = Some(port);
            queue.extend(wiring.ports_of(device));
        }
    }
    Vec::new()
}

fn trail(
    wiring: &Wiring,
    entered: &IdVec<DeviceId, Option<PortId>>,
    last: PortId,
    from: PortId,
) -> Vec<LinkId> {
    let before = |&port: &PortId| entered[wiring.device(port)].filter(|_| port != from);
    let ports = std::iter::successors(Some(last), before);
    let mut links: Vec<LinkId> = ports.filter_map(|port| wiring.link(port)).collect();
    links.reverse();
    links
}
