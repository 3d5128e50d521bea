//! The cost of a failure, computed separately for each failure and each pair: tables without the
//! routes of dead ports, frames flooded over the residual fabric, packets followed one by one.

use network::metrics::{Cause, FailureImpact, LostPair, Need, Part, ReroutingOptions};
use network::{AddressId, Ip, LinkId, Network, NodeId, Owner, PortId, Route, Routing};
use quantity::Id;

/// A network in which parts have failed.
struct Broken<'a> {
    network: &'a Network,
    is_dead: Vec<bool>,
    tables: Vec<Vec<Route>>,
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
    let mut out_of_reach = Vec::new();
    for &to in identities {
        for &from in identities {
            if owner(from) == owner(to) || is_gone(from) || is_gone(to) {
                continue;
            }
            let (before, lost_before) = whole.follow(owner(from), to);
            let (after, cause) = broken.follow(owner(from), to);
            if let Some(cause) = cause {
                let is_joined = broken.joined_nodes(owner(from)).contains(&owner(to));
                let need = match network.routing {
                    _ if !is_joined => Need::NewParts,
                    Routing::Explicit(_) => Need::Daemon,
                    _ => Need::RecomputedTables,
                };
                impact.n_disconnected += u64::from(need == Need::NewParts);
                impact.n_daemon += u64::from(need == Need::Daemon);
                impact.n_recomputed += u64::from(need == Need::RecomputedTables);
                impact.n_looping += u64::from(cause == Cause::Loop);
                if Some(to) == planner && is_joined && !out_of_reach.contains(&owner(from)) {
                    out_of_reach.push(owner(from));
                }
                impact.examples.push(LostPair { from: from.get(), to: to.get(), cause, need });
                continue;
            }
            impact.n_unanswered += u64::from(broken.follow(owner(to), from).1.is_some());
            for (_, inlet) in &after[..after.len() - 1] {
                relayed[network.fabric.port(*inlet).device.index()] += 1;
            }
            if options.with_return_paths {
                let (is_strict, is_loose) = broken.is_dropped(&after, from);
                impact.n_strict += u64::from(is_strict);
                impact.n_loose += u64::from(is_loose);
            }
            if lost_before.is_none() && before == after {
                impact.n_untouched += 1;
            } else {
                impact.n_rerouted += 1;
                if lost_before.is_none() {
                    let extra_hops = after.len().saturating_sub(before.len()) as u32;
                    impact.extra_hops += u64::from(extra_hops);
                    impact.worst_extra_hops = impact.worst_extra_hops.max(extra_hops);
                }
            }
        }
    }
    impact.n_out_of_reach = out_of_reach.len() as u64;
    impact.most_forwarded = relayed.into_iter().max().unwrap_or(0);
    impact.examples.sort_by_key(|example| example.need != Need::NewParts);
    impact.examples.truncate(options.most_examples);
    impact
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
        let mut broken = Broken { network, is_dead, tables: Vec::new() };
        broken.tables = fabric.nodes().map(|node| broken.table(node, with_fallback)).collect();
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

    /// Returns whether strict and loose reverse-path filters drop a packet on its path.
    fn is_dropped(&self, way: &[(PortId, PortId)], from: AddressId) -> (bool, bool) {
        let ip = self.network.addressing.address(from).ip;
        let back = |node: NodeId| {
            let mut table = self.tables[node.index()].iter();
            table.find(|route| holds(route.destination, route.prefix_length, ip))
        };
        let routes: Vec<_> = way
            .iter()
            .map(|&(_, inlet)| (inlet, back(self.network.fabric.node_of(inlet))))
            .collect();
        let is_strict = |(inlet, back): &(PortId, Option<&Route>)| {
            back.is_none_or(|route| route.port != *inlet)
        };
        (routes.iter().any(is_strict), routes.iter().any(|(_, back)| back.is_none()))
    }

    fn has_carrier(&self, port: PortId) -> bool {
        self.network.fabric.port(port).link.is_some_and(|link| !self.is_dead[link.index()])
    }

    /// Returns the routes and connected subnets of a node over living ports, the best first.
    fn table(&self, node: NodeId, with_fallback: bool) -> Vec<Route> {
        let addressing = &self.network.addressing;
        let own = addressing.of_node(node).iter().map(|&id| addressing.address(id));
        let connected = own.filter_map(|own| match own.owner {
            Owner::Port(port) => Some(Route {
                destination: own.ip.network(own.prefix_length),
                prefix_length: own.prefix_length,
                via: None,
                port,
                metric: 0,
            }),
            Owner::Loopback(_) => None,
        });
        let mut table: Vec<Route> =
            connected.chain(self.network.routes_of(node, with_fallback)).collect();
        table.retain(|route| self.has_carrier(route.port));
        table.sort_by_key(|route| (std::cmp::Reverse(route.prefix_length), route.metric));
        table
    }

    fn follow(&self, from: NodeId, to: AddressId) -> Way {
        let Network { fabric, addressing, .. } = self.network;
        let address = addressing.address(to);
        let (mut node, mut way, mut seen) = (from, Vec::new(), vec![from]);
        while node != address.node {
            let mut table = self.tables[node.index()].iter();
            let route =
                table.find(|route| holds(route.destination, route.prefix_length, address.ip));
            let Some(route) = route else { return (way, Some(Cause::NoRoute)) };
            let Owner::Port(next) = addressing.address(route.via.unwrap_or(to)).owner else {
                return (way, Some(Cause::Unseen));
            };
            if !self.flood(route.port).contains(&next) {
                return (way, Some(Cause::Unseen));
            }
            way.push((route.port, next));
            node = fabric.node_of(next);
            if seen.contains(&node) {
                return (way, Some(Cause::Loop));
            }
            seen.push(node);
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
