//! The cost of a failure, computed separately for each failure and each connection: tables without
//! the routes of dead ports, frames flooded over the residual fabric, packets followed one by one
//! in both directions.

use network::metrics::{Cause, FailureImpact, LostPair, Need, Part, ReroutingOptions};
use network::{AddressId, Ip, LinkId, Network, NodeId, Owner, PortId, Route, Routing};
use quantity::Id;

/// A network in which parts have failed.
struct Broken<'a> {
    network: &'a Network,
    is_dead: Vec<bool>,
    tables: Vec<Vec<Route>>,
    /// The routes by incoming port of each node, over living ports and dead ones.
    by_port: Vec<Vec<Route>>,
}

/// The outcome of a packet: its hops, each as (outgoing port, receiving port), and the reason why
/// they end early.
type Way = (Vec<(PortId, PortId)>, Option<Cause>);

/// Returns the cost of one failure.
pub fn impact(
    network: &Network,
    identities: &[AddressId],
    options: ReroutingOptions,
    failure: &[Part],
) -> FailureImpact {
    let whole = Broken::new(network, options.with_fallback, &[]);
    let broken = Broken::new(network, options.with_fallback, failure);
    let owner = |id: AddressId| network.addressing.address(id).node;
    let is_gone = |id: AddressId| failure.contains(&Part::Device(owner(id).into()));
    let planner = broken.planner(identities, options.planner, failure);
    let mut impact = FailureImpact::default();
    let mut relayed = vec![0; network.fabric.n_nodes() as usize];
    for &to in identities {
        for &from in identities {
            if owner(from) == owner(to) || is_gone(from) || is_gone(to) {
                continue;
            }
            let ways = [(from, to), (to, from)]
                .map(|(from, to)| (whole.follow(owner(from), to), broken.follow(owner(from), to)));
            let [(_, (there, cause)), (_, (_, cause_back))] = &ways;
            let is_joined = broken.joined_nodes(owner(from)).contains(&owner(to));
            let need = need(network, is_joined);
            match *cause {
                Some(cause) => {
                    let pair = LostPair { from: from.get(), to: to.get(), cause, need };
                    impact.examples.push(pair);
                }
                None => {
                    for (_, inlet) in &there[..there.len() - 1] {
                        relayed[network.fabric.port(*inlet).device.index()] += 1;
                    }
                }
            }
            if cause.is_some() || cause_back.is_some() {
                impact.n_disconnected += u64::from(need == Need::NewParts);
                impact.n_daemon += u64::from(need == Need::Daemon);
                impact.n_recomputed += u64::from(need == Need::RecomputedTables);
                impact.n_looping += u64::from([*cause, *cause_back].contains(&Some(Cause::Loop)));
                impact.n_unanswered += u64::from(cause.is_none());
                let is_first = identities.iter().find(|&&id| owner(id) == owner(from));
                let is_out_of_reach = Some(to) == planner && is_joined && is_first == Some(&from);
                impact.n_out_of_reach += u64::from(is_out_of_reach);
                continue;
            }
            if options.with_return_paths {
                let drops = [(0, from), (1, to)]
                    .map(|(at, sender)| broken.is_dropped(&ways[at].1.0, sender));
                impact.n_strict += u64::from(drops.iter().any(|drop| drop.0));
                impact.n_loose += u64::from(drops.iter().any(|drop| drop.1));
            }
            if ways.iter().all(|(before, after)| before == after) {
                impact.n_untouched += 1;
                continue;
            }
            impact.n_rerouted += 1;
            let extra_hops = ways.each_ref().map(|((before, lost_before), (after, _))| {
                let before = if lost_before.is_some() { after.len() } else { before.len() };
                after.len().saturating_sub(before) as u32
            });
            impact.extra_hops += u64::from(extra_hops[0]);
            impact.worst_extra_hops = impact.worst_extra_hops.max(extra_hops[0]);
        }
    }
    impact.most_forwarded = relayed.into_iter().max().unwrap_or(0);
    impact.examples.sort_by_key(|example| example.need != Need::NewParts);
    impact.examples.truncate(options.most_examples);
    impact
}

/// Returns the remedy for a connection.
fn need(network: &Network, is_joined: bool) -> Need {
    match network.routing {
        _ if !is_joined => Need::NewParts,
        Routing::Explicit(_) => Need::Daemon,
        _ => Need::RecomputedTables,
    }
}

impl<'a> Broken<'a> {
    fn new(network: &'a Network, with_fallback: bool, failure: &[Part]) -> Broken<'a> {
        let fabric = &network.fabric;
        let is_dead_end = |port: PortId| {
            failure.contains(&Part::Port(port))
                || failure.contains(&Part::Device(fabric.port(port).device))
        };
        let is_dead = (0u32..)
            .zip(fabric.links())
            .map(|(id, link)| {
                failure.contains(&Part::Cable(LinkId::new(id)))
                    || is_dead_end(link.a)
                    || is_dead_end(link.b)
            })
            .collect();
        let mut broken = Broken { network, is_dead, tables: Vec::new(), by_port: Vec::new() };
        for node in fabric.nodes() {
            let listed = network.routes_of(node, with_fallback);
            let by_port = listed.iter().filter(|route| route.table.is_some());
            broken.by_port.push(by_port.copied().collect());
            broken.tables.push(broken.table(node, listed));
        }
        broken
    }

    /// Returns the identity to which packets must arrive for recomputed tables to come back.
    fn planner(
        &self,
        identities: &[AddressId],
        wanted: NodeId,
        failure: &[Part],
    ) -> Option<AddressId> {
        let of_living = |node: NodeId| {
            let own = |&&id: &&AddressId| self.network.addressing.address(id).node == node;
            let first = identities.iter().find(own).copied();
            first.filter(|_| !failure.contains(&Part::Device(node.into())))
        };
        of_living(wanted).or_else(|| self.network.fabric.nodes().find_map(of_living))
    }

    /// Returns whether strict and loose reverse-path filters drop a packet on its path. They look
    /// its source up as if it had come in by the port that it leaves by; at its own sender the
    /// source is local, which only strict filters mind.
    fn is_dropped(&self, way: &[(PortId, PortId)], from: AddressId) -> (bool, bool) {
        let address = self.network.addressing.address(from);
        let leaves = way.iter().skip(1).map(|&(out, _)| Some(out)).chain([None]);
        let passes = way.iter().map(|&(_, inlet)| inlet).zip(leaves).map(|(inlet, out)| {
            let node = self.network.fabric.node_of(inlet);
            match self.look_up(node, out, address.ip) {
                _ if node == address.node => (false, true),
                Some(back) => (back.port == inlet, true),
                None => (false, false),
            }
        });
        let passes: Vec<(bool, bool)> = passes.collect();
        (!passes.iter().all(|pass| pass.0), !passes.iter().all(|pass| pass.1))
    }

    fn has_carrier(&self, port: PortId) -> bool {
        self.network.fabric.port(port).link.is_some_and(|link| !self.is_dead[link.index()])
    }

    /// Returns the routes and connected subnets of a node over living ports, the best first.
    fn table(&self, node: NodeId, listed: Vec<Route>) -> Vec<Route> {
        let addressing = &self.network.addressing;
        let own = addressing.of_node(node).iter().map(|&id| addressing.address(id));
        let connected = own.filter_map(|own| match own.owner {
            Owner::Port(port) => Some(Route {
                destination: own.ip.network(own.prefix_length),
                prefix_length: own.prefix_length,
                via: None,
                port,
                metric: 0,
                table: None,
            }),
            Owner::Loopback(_) => None,
        });
        let mut table: Vec<Route> = connected.chain(listed).collect();
        table.retain(|route| self.has_carrier(route.port));
        table.sort_by_key(|route| (std::cmp::Reverse(route.prefix_length), route.metric));
        table
    }

    /// Returns the incoming port whose table has a route to an address, living or not.
    fn table_for(&self, node: NodeId, came_by: Option<PortId>, ip: Ip) -> Option<PortId> {
        let serves = |route: &Route| {
            route.table == came_by && holds(route.destination, route.prefix_length, ip)
        };
        came_by.filter(|_| self.by_port[node.index()].iter().any(serves))
    }

    /// Returns a node's route for a packet that came in by a port: of that port's table, else of
    /// the main one.
    fn look_up(&self, node: NodeId, came_by: Option<PortId>, ip: Ip) -> Option<&Route> {
        let find = |table: Option<PortId>| {
            self.tables[node.index()].iter().find(|route| {
                route.table == table && holds(route.destination, route.prefix_length, ip)
            })
        };
        came_by.and_then(|port| find(Some(port))).or_else(|| find(None))
    }

    fn follow(&self, from: NodeId, to: AddressId) -> Way {
        let Network { fabric, addressing, .. } = self.network;
        let address = addressing.address(to);
        let (mut node, mut way, mut seen) = (from, Vec::new(), vec![(from, None)]);
        while node != address.node {
            let came_by = way.last().map(|&(_, inlet)| inlet);
            let Some(route) = self.look_up(node, came_by, address.ip) else {
                return (way, Some(Cause::NoRoute));
            };
            let Owner::Port(next) = addressing.address(route.via.unwrap_or(to)).owner else {
                return (way, Some(Cause::Unseen));
            };
            if !self.flood(route.port).contains(&next) {
                return (way, Some(Cause::Unseen));
            }
            way.push((route.port, next));
            node = fabric.node_of(next);
            let place = (node, self.table_for(node, Some(next), address.ip));
            if seen.contains(&place) {
                return (way, Some(Cause::Loop));
            }
            seen.push(place);
        }
        (way, None)
    }

    /// Returns the ports that a frame sent out of a port reaches.
    fn flood(&self, from: PortId) -> Vec<PortId> {
        let fabric = &self.network.fabric;
        let mut seen = Vec::new();
        let mut senders = vec![from];
        while let Some(port) = senders.pop() {
            let peer = fabric.peer(port).filter(|_| self.has_carrier(port));
            let Some(peer) = peer.filter(|peer| !seen.contains(peer)) else { continue };
            seen.push(peer);
            let device = fabric.port(peer).device;
            if !fabric.is_node(device) {
                senders.extend(fabric.ports_of(device));
            }
        }
        seen
    }

    fn joined_nodes(&self, from: NodeId) -> Vec<NodeId> {
        let fabric = &self.network.fabric;
        let mut found = vec![from];
        let mut done = 0;
        while let Some(&node) = found.get(done) {
            done += 1;
            for port in fabric.ports_of(node).flat_map(|port| self.flood(port)) {
                let other = fabric.port(port).device;
                if let Some(other) = fabric.as_node(other).filter(|other| !found.contains(other)) {
                    found.push(other);
                }
            }
        }
        found
    }
}

fn holds(first: Ip, length: u8, ip: Ip) -> bool {
    first.is_v6 == ip.is_v6 && ip.network(length) == first
}
