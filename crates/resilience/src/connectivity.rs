//! Connectivity after failures: the pairs of nodes that some path of forwarding nodes, hubs and
//! switches still joins.
//!
//! All failures are answered together by divide and conquer: while one half of them is processed,
//! the links that only the other half loses are united, and the unions are rolled back afterwards
//! (offline dynamic connectivity, disjoint sets with rollback). A link is united at most once per
//! level and failure, so that the time is nearly linear in the links lost, for any sets of parts; a
//! search for bridges would answer for single cables only.

use quantity::{Id, IdVec, OptionalId};

use crate::{DeviceId, DistinctLosses, LinkId, Loss, NodeId, Part, Wiring};

/// Returns for each device the lowest device of its component, over the links that are alive.
pub fn components(wiring: &Wiring, is_alive: impl Fn(LinkId) -> bool) -> IdVec<DeviceId, DeviceId> {
    let mut component = IdVec::filled(OptionalId::none(), wiring.n_devices());
    let mut stack = Vec::new();
    for first in DeviceId::first(wiring.n_devices()) {
        stack.push(first);
        while let Some(device) = stack.pop() {
            if component[device].is_some() {
                continue;
            }
            component[device] = OptionalId::from(first);
            let ports = wiring.ports_of(device);
            let alive = ports.filter(|&port| wiring.link(port).is_some_and(&is_alive));
            stack
                .extend(alive.filter_map(|port| wiring.peer(port)).map(|port| wiring.device(port)));
        }
    }
    component.into_iter().flat_map(OptionalId::get).collect()
}

/// Returns for each failure the number of ordered pairs of counted, living nodes that no path
/// joins.
pub fn disconnected_pairs(
    wiring: &Wiring,
    is_counted: &IdVec<NodeId, bool>,
    failures: &[Vec<Part>],
) -> Vec<u64> {
    let distinct = DistinctLosses::of(wiring, failures);
    let losses = distinct.losses();
    let mut search = Search::new(wiring, is_counted, losses);
    if !losses.is_empty() {
        search.halve(losses, 0);
    }
    distinct.per_failure(&search.n_disconnected)
}

/// The search over all failures.
struct Search<'a> {
    wiring: &'a Wiring,
    sets: Sets,
    is_counted: &'a IdVec<NodeId, bool>,
    n_counted: u64,
    /// For each link, the number of failures in the present half that lose it.
    n_losing: IdVec<LinkId, u32>,
    n_disconnected: Vec<u64>,
}

impl<'a> Search<'a> {
    fn new(wiring: &'a Wiring, is_counted: &'a IdVec<NodeId, bool>, losses: &[Loss]) -> Search<'a> {
        let mut n_losing = IdVec::filled(0, wiring.n_links());
        let lost = losses.iter().flat_map(|loss| &loss.links);
        lost.for_each(|&link| n_losing[link] += 1);
        let mut search = Search {
            wiring,
            sets: Sets::new(wiring.n_devices(), is_counted),
            is_counted,
            n_counted: is_counted.iter().filter(|&&is_counted| is_counted).count() as u64,
            n_losing,
            n_disconnected: vec![0; losses.len()],
        };
        for link in LinkId::first(wiring.n_links()) {
            if search.n_losing[link] == 0 {
                search.unite(link);
            }
        }
        search
    }

    /// Answers for a range of failures, given the number of the first.
    fn halve(&mut self, losses: &[Loss], first: usize) {
        if let [loss] = losses {
            let is_counted = |&&node: &&NodeId| self.is_counted[node];
            let n_alive = self.n_counted - loss.nodes.iter().filter(is_counted).count() as u64;
            self.n_disconnected[first] = n_alive * n_alive.saturating_sub(1) - self.sets.n_joined;
            return;
        }
        let (left, right) = losses.split_at(losses.len() / 2);
        self.without(right, |search| search.halve(left, first));
        self.without(left, |search| search.halve(right, first + left.len()));
    }

    /// Runs `work` with the links united that only `losses`, the other half of the failures, lose.
    fn without(&mut self, losses: &[Loss], work: impl FnOnce(&mut Self)) {
        let mark = self.sets.mark();
        for &link in losses.iter().flat_map(|loss| &loss.links) {
            self.n_losing[link] -= 1;
            if self.n_losing[link] == 0 {
                self.unite(link);
            }
        }
        work(self);
        self.sets.roll_back(mark);
        let lost = losses.iter().flat_map(|loss| &loss.links);
        lost.for_each(|&link| self.n_losing[link] += 1);
    }

    fn unite(&mut self, link: LinkId) {
        let [a, b] = self.wiring.ends(link).map(|port| self.wiring.device(port));
        self.sets.unite(a, b);
    }
}

/// Disjoint sets of devices whose unions can be taken back, and the pairs of nodes they join.
struct Sets {
    parent: IdVec<DeviceId, DeviceId>,
    /// For each root, the number of devices and of counted nodes in its set.
    n_devices: IdVec<DeviceId, u32>,
    n_counted: IdVec<DeviceId, u32>,
    /// The ordered pairs of counted nodes that lie in one set.
    n_joined: u64,
    /// The roots that were attached to others, in order.
    united: Vec<DeviceId>,
}

impl Sets {
    fn new(n_devices: u32, is_counted: &IdVec<NodeId, bool>) -> Sets {
        let mut n_counted: Vec<u32> = is_counted.iter().map(|&one| u32::from(one)).collect();
        n_counted.resize(n_devices as usize, 0);
        Sets {
            parent: DeviceId::first(n_devices).collect(),
            n_devices: IdVec::filled(1, n_devices),
            n_counted: IdVec::from(n_counted),
            n_joined: 0,
            united: Vec::new(),
        }
    }

    fn root(&self, device: DeviceId) -> DeviceId {
        let mut root = device;
        while self.parent[root] != root {
            root = self.parent[root];
        }
        root
    }

    /// Attaches the smaller set to the larger one. That keeps the trees low without path
    /// compression, which could not be rolled back.
    fn unite(&mut self, a: DeviceId, b: DeviceId) {
        let (a, b) = (self.root(a), self.root(b));
        if a == b {
            return;
        }
        let is_larger = self.n_devices[a] > self.n_devices[b];
        let (above, below) = if is_larger { (a, b) } else { (b, a) };
        self.n_joined += n_pairs(&self.n_counted, above, below);
        self.parent[below] = above;
        self.n_devices[above] += self.n_devices[below];
        self.n_counted[above] += self.n_counted[below];
        self.united.push(below);
    }

    fn mark(&self) -> usize {
        self.united.len()
    }

    /// Rolls back all unions since a mark.
    fn roll_back(&mut self, mark: usize) {
        for below in self.united.drain(mark..).rev() {
            let above = std::mem::replace(&mut self.parent[below], below);
            self.n_devices[above] -= self.n_devices[below];
            self.n_counted[above] -= self.n_counted[below];
            self.n_joined -= n_pairs(&self.n_counted, above, below);
        }
    }
}

/// Returns the number of ordered pairs with one node in each of two sets.
fn n_pairs(n_counted: &IdVec<DeviceId, u32>, a: DeviceId, b: DeviceId) -> u64 {
    2 * u64::from(n_counted[a]) * u64::from(n_counted[b])
}
