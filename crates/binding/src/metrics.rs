//! Properties of a network for Python: one method per property, each a single call. They are
//! counted in crate `network`; the package explains the findings.

use network::metrics::{
    self, Bisection as Split, Finding, LoadMethod, Lost, Reachability as Followed, SplitMethod,
};
use network::{AddressId, Crossing, NodeId, PortId};
use numpy::{PyArray1, PyArray2, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use quantity::Id;

use crate::columns::{collected, expect_length, ids, to_array, to_ids, to_table};
use crate::errors::Raise;
use crate::long_call::long_call;
use crate::network::Network;

/// Adds the classes.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Reachability>()?;
    module.add_class::<Load>()?;
    module.add_class::<Forwarding>()?;
    module.add_class::<Paths>()?;
    module.add_class::<Bisection>()
}

/// Reachability of addresses, and the forwards on the routes to them.
#[pyclass(frozen, get_all, module = "linkwright._core")]
pub struct Reachability {
    /// Number of (node, address) pairs that are lost.
    n_unreachable: u64,
    /// The first lost pairs, with the reason of each.
    unreachable: Vec<(u32, u32, &'static str)>,
    /// Number of counted pairs by hops.
    hops_histogram: Py<PyArray1<u64>>,
    /// Mean number of forwards over the counted pairs.
    forwards_mean: f64,
    /// Most forwards of any counted pair.
    forwards_worst: u32,
    /// Destinations of the followed packets.
    addresses: Py<PyArray1<u32>>,
    /// Most forwards to each destination.
    forwards_worst_of_address: Py<PyArray1<u32>>,
}

/// Packets relayed by nodes and carried by cables under uniform traffic.
#[pyclass(frozen, get_all, module = "linkwright._core")]
pub struct Load {
    /// Packets that each node relays.
    forwarded: Py<PyArray1<u64>>,
    /// Packets on each cable from end a to b and back.
    links: Py<PyArray2<f64>>,
    /// Number of addresses that packets were sent to.
    n_destinations: usize,
    /// True if every destination was counted; otherwise loads are extrapolated from a sample.
    exact: bool,
}

/// Packets relayed by nodes under uniform traffic.
#[pyclass(frozen, get_all, module = "linkwright._core")]
pub struct Forwarding {
    /// Packets that each node relays.
    forwarded: Py<PyArray1<u64>>,
    /// Number of addresses that packets were sent to.
    n_destinations: usize,
    /// True if every destination was counted; otherwise counts are extrapolated from a sample.
    exact: bool,
}

/// The devices on many paths.
#[pyclass(frozen, get_all, module = "linkwright._core")]
pub struct Paths {
    /// Start of each path in the list of devices, and the end of the last.
    start: Py<PyArray1<i64>>,
    /// The devices of all paths in turn, including both ends.
    device: Py<PyArray1<u32>>,
}

/// The worst equal split of the nodes.
#[pyclass(frozen, get_all, module = "linkwright._core")]
pub struct Bisection {
    /// Traffic across the split in both directions, in bit/s.
    bps: u64,
    /// Traffic across the worst straight cut, in bit/s.
    straight_bps: u64,
    /// True if no equal split is worse.
    exact: bool,
    /// Method of the search.
    method: &'static str,
    /// Per node: whether it is in the half of node 0.
    side: Py<PyArray1<bool>>,
}

#[pymethods]
impl Network {
    /// Follows a packet from every node to every address; hops are counted among the first
    /// `n_counted` nodes (default: all).
    #[pyo3(signature = (n_counted = None))]
    fn reachability(&self, py: Python<'_>, n_counted: Option<u32>) -> PyResult<Reachability> {
        let network = self.compiled();
        let n_counted = n_counted.unwrap_or(network.fabric.n_nodes());
        let found = long_call(py, |stop| metrics::reachability(network, n_counted, stop))?;
        let found = found.map_err(|error| error.raise(py))?;
        let (forwards_mean, forwards_worst) = (found.forwards_mean(), found.forwards_worst());
        let Followed { n_unreachable, unreachable, hops_histogram, addresses, worst_hops } = found;
        let listed = unreachable.iter().map(|u| (u.node.get(), u.address.get(), reason(u.reason)));
        let forwards = worst_hops.iter().map(|hops| hops.saturating_sub(1));
        Ok(Reachability {
            n_unreachable,
            unreachable: listed.collect(),
            hops_histogram: to_array(py, hops_histogram),
            forwards_mean,
            forwards_worst,
            addresses: to_ids(py, addresses.into_iter()),
            forwards_worst_of_address: to_array(py, forwards.collect()),
        })
    }

    /// Lists faults of addresses and cables as (kind, id, other id).
    fn soundness(&self, py: Python<'_>) -> Vec<(&'static str, u32, u32)> {
        let findings = py.detach(|| metrics::soundness(self.compiled()));
        findings.into_iter().map(finding).collect()
    }

    /// Returns the forwards between the owners of some addresses, 65535 where a packet is lost.
    fn forwards(
        &self,
        py: Python<'_>,
        identities: PyReadonlyArray1<'_, u32>,
    ) -> PyResult<Py<PyArray2<u16>>> {
        let network = self.compiled();
        let identities = identities_of(network, &identities)?;
        let found = long_call(py, |stop| metrics::forwards(network, &identities, stop))?;
        let found = found.map_err(|error| error.raise(py))?;
        to_table(py, found, identities.len())
    }

    /// Returns the load of nodes and cables when each owner sends one packet to each of the other
    /// addresses.
    fn load(&self, py: Python<'_>, identities: PyReadonlyArray1<'_, u32>) -> PyResult<Load> {
        let network = self.compiled();
        let identities = identities_of(network, &identities)?;
        let found = long_call(py, |stop| metrics::load(network, &identities, stop))?;
        let found = found.map_err(|error| error.raise(py))?;
        let (n_destinations, exact) = extent(found.method, identities.len());
        Ok(Load {
            forwarded: to_array(py, found.forwarded.into_vec()),
            links: to_table(py, found.channels.into_vec().into_flattened(), 2)?,
            n_destinations,
            exact,
        })
    }

    /// Returns the packets that nodes relay when each owner sends one packet to each of the other
    /// addresses: exact in more networks than `load`, and faster.
    fn forwarding(
        &self,
        py: Python<'_>,
        identities: PyReadonlyArray1<'_, u32>,
    ) -> PyResult<Forwarding> {
        let network = self.compiled();
        let identities = identities_of(network, &identities)?;
        let found = long_call(py, |stop| metrics::forwarding(network, &identities, stop))?;
        let found = found.map_err(|error| error.raise(py))?;
        let (n_destinations, exact) = extent(found.method, identities.len());
        Ok(Forwarding {
            forwarded: to_array(py, found.forwarded.into_vec()),
            n_destinations,
            exact,
        })
    }

    /// Returns the number of the port by which a node sends to an address; -1 where it has no next
    /// hop.
    fn leaves_by(&self, node: u32, address: u32) -> PyResult<i32> {
        let network = self.compiled();
        let (node, address) = (NodeId::new(node), AddressId::new(address));
        let is_known = network.addressing.addresses().get(address).is_some();
        if !network.fabric.is_node(node) || !is_known {
            return Err(PyValueError::new_err(format!("no node {node} or address {address}")));
        }
        let start = network.fabric.ports_of(node).start;
        Ok(network.next_hop(node, address).map_or(-1, |hop| hop.port.offset_from(start) as i32))
    }

    /// Returns the devices on the path from a node to an address, each with the numbers of the
    /// ports by which the path enters and leaves it, -1 at the ends.
    fn path(&self, py: Python<'_>, node: u32, address: u32) -> PyResult<Vec<(u32, i32, i32)>> {
        let network = self.compiled();
        let (node, address) = (NodeId::new(node), AddressId::new(address));
        let path = py.detach(|| metrics::path(network, node, address));
        let crossed = path.map_err(|error| error.raise(py))?;
        let step = |crossing: Crossing| {
            let start = network.fabric.ports_of(crossing.device).start;
            let number =
                |port: Option<PortId>| port.map_or(-1, |port| port.offset_from(start) as i32);
            (crossing.device.get(), number(crossing.inlet), number(crossing.outlet))
        };
        Ok(crossed.into_iter().map(step).collect())
    }

    /// Returns the devices on the paths from some nodes to as many addresses, pair by pair.
    fn paths(
        &self,
        py: Python<'_>,
        nodes: PyReadonlyArray1<'_, u32>,
        addresses: PyReadonlyArray1<'_, u32>,
    ) -> PyResult<Paths> {
        let (nodes, addresses) = (nodes.as_array(), addresses.as_array());
        expect_length("addresses", addresses.len(), nodes.len())?;
        let pairs = nodes.iter().zip(addresses.iter());
        let ends: Vec<(NodeId, AddressId)> = collected(
            "nodes",
            pairs.map(|(&node, &address)| Ok((NodeId::new(node), AddressId::new(address)))),
        )?;
        let found = long_call(py, |stop| metrics::paths(self.compiled(), &ends, stop))?;
        let found = found.map_err(|error| error.raise(py))?;
        let mut start = vec![0];
        start.extend(found.iter().scan(0, |end, path| {
            *end += path.len() as i64;
            Some(*end)
        }));
        let devices = found.iter().flatten().map(|crossing| crossing.device);
        Ok(Paths { start: to_array(py, start), device: to_ids(py, devices) })
    }

    /// Returns the traffic across the worst split of the first `n_split` nodes into equal halves.
    #[pyo3(signature = (n_split, *, with_backplanes = true))]
    fn bisection(
        &self,
        py: Python<'_>,
        n_split: u32,
        with_backplanes: bool,
    ) -> PyResult<Bisection> {
        let network = self.compiled();
        let found =
            long_call(py, |stop| metrics::bisection(network, n_split, with_backplanes, stop))?;
        let Split { bps, straight_bps, is_exact, method, half } =
            found.map_err(|error| error.raise(py))?;
        Ok(Bisection {
            bps,
            straight_bps,
            exact: is_exact,
            method: match method {
                SplitMethod::Enumerated => "every equal split",
                SplitMethod::Searched => "straight cuts, a corner and exchanges",
            },
            side: to_array(py, half.into_vec()),
        })
    }
}

/// Copies the ids of a network's addresses from an array.
pub fn identities_of(
    network: &network::Network,
    identities: &PyReadonlyArray1<'_, u32>,
) -> PyResult<Vec<AddressId>> {
    ids("identities", identities, network.addressing.addresses().n())
}

fn reason(lost: Lost) -> &'static str {
    match lost {
        Lost::NoRoute => "no-route",
        Lost::WrongSegment => "wrong-segment",
        Lost::Loop => "loop",
    }
}

fn finding(finding: Finding) -> (&'static str, u32, u32) {
    match finding {
        Finding::DuplicateAddress(a, b) => ("duplicate-address", a.get(), b.get()),
        Finding::OverlappingSubnets(outer, inner) => {
            ("overlapping-subnets", outer.get(), inner.get())
        }
        Finding::SubnetSpansSegments(a, b) => ("subnet-spans-segments", a.get(), b.get()),
        Finding::UnpluggedInterface(address) => ("unplugged-interface", address.get(), 0),
        Finding::ReservedAddress(address) => ("reserved-address", address.get(), 0),
        Finding::NoAddress(port) => ("no-address", port.get(), 0),
        Finding::BridgeLoop(link) => ("bridge-loop", link.get(), 0),
    }
}

/// Returns the number of counted destinations, and whether the count is exact.
fn extent(method: LoadMethod, n_identities: usize) -> (usize, bool) {
    match method {
        LoadMethod::Sampled { n_destinations } => (n_destinations, false),
        LoadMethod::Derived | LoadMethod::Walked => (n_identities, true),
    }
}
