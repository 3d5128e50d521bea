//! The traffic that crosses a split of a network with routed switches: one largest flow through the
//! whole network, because routed switches join segments and are neither sources nor sinks.
//!
//! Vertices are devices. A hub and the backplane of a switch limit what passes, in either direction
//! together; so a vertex is an edge from its entrance to its exit. The network is symmetric: the
//! reverse flow mirrors the forward one, and both are counted. The flow is found by Dinic's
//! algorithm (E. A. Dinic, Soviet Math. Doklady 11, 1970).

use std::collections::VecDeque;

use quantity::{Id, IdVec};

use crate::fabric::{DeviceKind, Fabric, collision_domains};
use crate::ids::{DeviceId, NodeId};

/// More than any flow, and small enough that sums fit.
const UNLIMITED: u64 = u64::MAX / 4;

/// An edge, with the capacity that is left; its reverse is the edge with the other lowest bit.
#[derive(Clone, Copy, Debug)]
struct Edge {
    to: usize,
    room: u64,
}

/// The devices and links of a network as a graph with capacities in bit/s of one direction.
#[derive(Clone, Debug)]
pub(super) struct Graph {
    edges: Vec<Edge>,
    /// The edges from each vertex.
    out: Vec<Vec<usize>>,
}

impl Graph {
    /// Returns the graph of a fabric whose first `n_split` nodes are split; other computers relay
    /// nothing.
    pub(super) fn new(fabric: &Fabric, n_split: u32, with_backplanes: bool) -> Graph {
        let n = fabric.n_devices() as usize;
        let mut graph = Graph { edges: Vec::new(), out: vec![Vec::new(); 2 * n + 2] };
        let domains = collision_domains(fabric);
        for device in fabric.devices() {
            if domains[device].0 != device {
                continue; // Hubs that are plugged together are one medium.
            }
            let is_left_out = device.get() >= n_split && fabric.kind(device) == DeviceKind::Node;
            let most = if is_left_out { 0 } else { through(fabric, device, with_backplanes) };
            graph.join(entrance(device), exit(device), most);
        }
        for link in fabric.links() {
            let [a, b] = [link.a, link.b].map(|port| domains[fabric.port(port).device].0);
            graph.join(exit(a), entrance(b), link.rate.bps());
            graph.join(exit(b), entrance(a), link.rate.bps());
        }
        graph
    }

    fn join(&mut self, from: usize, to: usize, room: u64) {
        self.out[from].push(self.edges.len());
        self.edges.push(Edge { to, room });
        self.out[to].push(self.edges.len());
        self.edges.push(Edge { to: from, room: 0 });
    }

    /// Returns the traffic that crosses a split, both directions together, in bit/s.
    pub(super) fn crossing(&self, half: &IdVec<NodeId, bool>) -> u64 {
        let mut graph = self.clone();
        let (source, sink) = (self.out.len() - 2, self.out.len() - 1);
        for (node, &side) in half.with_ids() {
            match side {
                true => graph.join(source, exit(node.into()), UNLIMITED),
                false => graph.join(entrance(node.into()), sink, UNLIMITED),
            }
        }
        2 * graph.largest_flow(source, sink)
    }

    fn largest_flow(&mut self, source: usize, sink: usize) -> u64 {
        let mut flow = 0;
        while let Some(level) = self.levels(source, sink) {
            let mut next = vec![0; self.out.len()];
            loop {
                match self.push((source, sink), UNLIMITED, &level, &mut next) {
                    0 => break,
                    pushed => flow += pushed,
                }
            }
        }
        flow
    }

    /// Returns the distance of each vertex from the source; `None` if the sink is not reached.
    fn levels(&self, source: usize, sink: usize) -> Option<Vec<usize>> {
        let mut level = vec![usize::MAX; self.out.len()];
        level[source] = 0;
        let mut queue = VecDeque::from([source]);
        while let Some(at) = queue.pop_front() {
            for &edge in &self.out[at] {
                let Edge { to, room } = self.edges[edge];
                if room > 0 && level[to] == usize::MAX {
                    level[to] = level[at] + 1;
                    queue.push_back(to);
                }
            }
        }
        (level[sink] < usize::MAX).then_some(level)
    }

    /// Pushes a flow along edges that lead away from the source; returns how much arrives.
    fn push(
        &mut self,
        (at, sink): (usize, usize),
        most: u64,
        level: &[usize],
        next: &mut [usize],
    ) -> u64 {
        if at == sink {
            return most;
        }
        while next[at] < self.out[at].len() {
            let edge = self.out[at][next[at]];
            let Edge { to, room } = self.edges[edge];
            if room > 0 && level[to] == level[at] + 1 {
                let pushed = self.push((to, sink), most.min(room), level, next);
                if pushed > 0 {
                    self.edges[edge].room -= pushed;
                    self.edges[edge ^ 1].room += pushed;
                    return pushed;
                }
            }
            next[at] += 1;
        }
        0
    }
}

fn entrance(device: DeviceId) -> usize {
    2 * device.index()
}

fn exit(device: DeviceId) -> usize {
    2 * device.index() + 1
}

/// Returns the capacity of a device in each direction: half of a medium that both share.
fn through(fabric: &Fabric, device: DeviceId, with_backplanes: bool) -> u64 {
    let kind = fabric.kind(device);
    if let DeviceKind::Hub(_) = kind {
        let links = fabric.ports_of(device).filter_map(|port| fabric.port(port).link);
        let slowest = links.map(|link| fabric.links()[link].rate.bps()).min();
        return slowest.unwrap_or(UNLIMITED) / 2;
    }
    let backplane = kind.switch().and_then(|model| model.backplane);
    match backplane.filter(|_| with_backplanes) {
        Some(backplane) => fabric.backplanes()[backplane].bps() / 2,
        None => UNLIMITED,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fabric::{CableSpec, FabricSpec, HubModel, QueueLimit, SwitchMode, SwitchModel};
    use quantity::{Rate, Time};

    const SWITCH: SwitchModel = SwitchModel {
        mode: SwitchMode::StoreAndForward,
        latency: Time::ZERO,
        backplane: None,
        queue: QueueLimit::Bytes(10_000),
        ageing: Time::ZERO,
        is_multipath: false,
    };
    const HUB: DeviceKind = DeviceKind::Hub(HubModel { domain_delay: Time::ZERO });

    /// Four nodes, then the other devices, with cables of 100 Mb/s between the devices of `joined`.
    fn fabric(others: &[DeviceKind], joined: &[(u32, u32)]) -> Fabric {
        let kinds: Vec<DeviceKind> =
            [DeviceKind::Node; 4].into_iter().chain(others.iter().copied()).collect();
        let mut n_ports = vec![0; kinds.len()];
        let mut port = |device: u32| {
            n_ports[device as usize] += 1;
            (DeviceId::new(device), n_ports[device as usize] - 1)
        };
        let (rate, delay) = (Rate::from_mbps(100), Time::ZERO);
        let cable = |&(a, b): &(u32, u32)| CableSpec { a: port(a), b: port(b), rate, delay };
        let cables = joined.iter().map(cable).collect();
        Fabric::new(FabricSpec { kinds, n_ports, cables, ..FabricSpec::default() }).unwrap()
    }

    fn crossing(fabric: &Fabric) -> u64 {
        Graph::new(fabric, 4, true).crossing(&[true, true, false, false].into_iter().collect())
    }

    #[test]
    fn the_links_between_two_leaves_limit_the_traffic_across() {
        let routed = DeviceKind::RoutedSwitch(SWITCH);
        let nodes = [(0, 4), (1, 4), (2, 5), (3, 5)];
        let spines: &[(u32, u32)] = &[(4, 6), (5, 6), (4, 7), (5, 7)];
        let (one, two) = (&spines[..2], spines);
        assert_eq!(crossing(&fabric(&[routed; 3], &[&nodes, one].concat())), 200_000_000);
        assert_eq!(crossing(&fabric(&[routed; 4], &[&nodes, two].concat())), 400_000_000);
    }

    #[test]
    fn a_medium_is_shared_by_both_directions_however_many_hubs_it_has() {
        let routed = DeviceKind::RoutedSwitch(SWITCH);
        let joined = [(0, 4), (1, 4), (2, 6), (3, 6), (4, 5), (5, 6)];
        assert_eq!(crossing(&fabric(&[routed, HUB, HUB], &joined)), 100_000_000);
    }

    #[test]
    fn a_node_that_is_not_split_relays_nothing() {
        let joined = [(0, 4), (1, 4), (2, 5), (3, 5), (4, 6), (6, 5)];
        let routed = DeviceKind::RoutedSwitch(SWITCH);
        assert_eq!(crossing(&fabric(&[routed, routed, DeviceKind::Node], &joined)), 0);
    }
}
