//! What a failure costs, worked out anew for each failure and each pair: tables without the routes
//! of dead ports, frames flooded over what is left, packets followed one by one.

use network::metrics::{Casualty, Cause, Failure, SurvivalOptions, Toll};
use network::{Ip, LinkId, Network, NodeId, Owner, PortId, Route};

/// A network in which something has failed.
struct Broken<'a> {
    network: &'a Network,
    is_dead: Vec<bool>,
    tables: Vec<Vec<Route>>,
}

/// How a packet fares: the hops it takes, each as (out of, handed to), and why they end early.
type Way = (Vec<(PortId, PortId)>, Option<Cause>);

/// Returns all failures in order.
pub fn failures(network: &Network) -> Vec<Failure> {
    let fabric = &network.fabric;
    let mut failures: Vec<Failure> = (0..fabric.links().len() as u32).map(Failure::Cable).collect();
    for port in 0..fabric.ports().len() as u32 {
        if fabric.is_node(fabric.port(port).device) && fabric.port(port).link.is_some() {
            failures.push(Failure::Nic(port));
        }
    }
    for device in 0..fabric.n_devices() {
        failures.push(match fabric.kind(device) {
            network::DeviceKind::Node => Failure::Node(device),
            network::DeviceKind::Hub(_) => Failure::Hub(device),
            network::DeviceKind::Switch(_) => Failure::Switch(device),
        });
    }
    failures.sort();
    failures
}

/// Returns what one failure costs.
pub fn toll(
    network: &Network,
    identities: &[u32],
    options: SurvivalOptions,
    failure: Failure,
) -> Toll {
    let whole = Broken::new(network, options.with_fallback, |_| false, |_| false);
    let broken = match failure {
        Failure::Cable(dead) => {
            Broken::new(network, options.with_fallback, |link| link == dead, |_| false)
        }
        Failure::Nic(dead) => {
            Broken::new(network, options.with_fallback, |_| false, |port| port == dead)
        }
        Failure::Hub(dead) | Failure::Switch(dead) | Failure::Node(dead) => {
            let is_dead = |port| network.fabric.port(port).device == dead;
            Broken::new(network, options.with_fallback, |_| false, is_dead)
        }
    };
    let owner = |id: u32| network.addressing.address(id).node;
    let is_gone = |id: u32| failure == Failure::Node(owner(id));
    let mut toll = Toll {
        failure,
        n_untouched: 0,
        n_rerouted: 0,
        n_replanned: 0,
        n_cut_off: 0,
        n_looping: 0,
        n_unanswered: 0,
        extra_hops: 0,
        worst_extra_hops: 0,
        examples: Vec::new(),
    };
    for &to in identities {
        for &from in identities {
            if owner(from) == owner(to) || is_gone(from) || is_gone(to) {
                continue;
            }
            let (before, lost_before) = whole.follow(owner(from), to);
            let (after, cause) = broken.follow(owner(from), to);
            if let Some(cause) = cause {
                let is_cut_off = !broken.joined_nodes(owner(from)).contains(&owner(to));
                toll.n_cut_off += u64::from(is_cut_off);
                toll.n_replanned += u64::from(!is_cut_off);
                toll.n_looping += u64::from(cause == Cause::Loop);
                if toll.examples.len() < options.most_examples {
                    toll.examples.push(Casualty { from, to, cause, is_cut_off });
                }
                continue;
            }
            toll.n_unanswered += u64::from(broken.follow(owner(to), from).1.is_some());
            if lost_before.is_none() && before == after {
                toll.n_untouched += 1;
            } else {
                toll.n_rerouted += 1;
                if lost_before.is_none() {
                    let extra_hops = after.len().saturating_sub(before.len()) as u32;
                    toll.extra_hops += u64::from(extra_hops);
                    toll.worst_extra_hops = toll.worst_extra_hops.max(extra_hops);
                }
            }
        }
    }
    toll
}

impl<'a> Broken<'a> {
    fn new(
        network: &'a Network,
        with_fallback: bool,
        is_dead_link: impl Fn(LinkId) -> bool,
        is_dead_port: impl Fn(PortId) -> bool,
    ) -> Broken<'a> {
        let is_dead = (0u32..)
            .zip(network.fabric.links())
            .map(|(id, link)| is_dead_link(id) || is_dead_port(link.a) || is_dead_port(link.b))
            .collect();
        let mut broken = Broken { network, is_dead, tables: Vec::new() };
        broken.tables =
            (0..network.fabric.n_nodes()).map(|node| broken.table(node, with_fallback)).collect();
        broken
    }

    fn has_carrier(&self, port: PortId) -> bool {
        self.network.fabric.port(port).link.is_some_and(|link| !self.is_dead[link as usize])
    }

    /// The routes and connected subnets of a node, without those of dead ports, the best first.
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

    fn follow(&self, from: NodeId, to: u32) -> Way {
        let Network { fabric, addressing, .. } = self.network;
        let address = addressing.address(to);
        let holds = |first: Ip, length| {
            first.is_v6 == address.ip.is_v6 && address.ip.network(length) == first
        };
        let (mut node, mut way, mut seen) = (from, Vec::new(), vec![from]);
        while node != address.node {
            let mut table = self.tables[node as usize].iter();
            let route = table.find(|route| holds(route.destination, route.prefix_length));
            let Some(route) = route else { return (way, Some(Cause::NoRoute)) };
            let Owner::Port(next) = addressing.address(route.via.unwrap_or(to)).owner else {
                return (way, Some(Cause::Unseen));
            };
            if !self.flood(route.port).contains(&next) {
                return (way, Some(Cause::Unseen));
            }
            way.push((route.port, next));
            node = fabric.port(next).device;
            if seen.contains(&node) {
                return (way, Some(Cause::Loop));
            }
            seen.push(node);
        }
        (way, None)
    }

    /// Returns the ports that see a frame sent out of a port.
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
                if fabric.is_node(other) && !found.contains(&other) {
                    found.push(other);
                }
            }
        }
        found
    }
}
