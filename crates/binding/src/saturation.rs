//! The saturation of networks by traffic patterns, for Python: places of addresses in, the figures
//! and the ids of the busiest resources out. They are computed in crate `analytic`.

use analytic::{Resource, Saturation, Traffic, saturation};
use network::metrics::{self, Load, LoadMethod, MetricError};
use network::{AddressId, NodeId, PortId};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use quantity::{Id, IdVec};

use crate::columns::{collected, expect_length, to_array};
use crate::errors::{self, Raise};
use crate::host::HostConstants;
use crate::long_call::long_call;
use crate::metrics::identities_of;
use crate::network::Network;

/// Pairs of indices in the list of identities.
type Pairs = Vec<(u32, u32)>;

/// The loads of a pattern in both directions, and the packets that each node sends and receives.
struct Counted {
    data: Load,
    back: Load,
    sent: IdVec<NodeId, u64>,
    received: IdVec<NodeId, u64>,
}

/// Returns the saturation point of the pattern in which the owner of identity `source[i]` sends to
/// that of `destination[i]`; without pairs, every node sends to every other.
///
/// The result is `None` if no resource can be full, otherwise a dictionary: `rate_bytes_per_s` of
/// the busiest sender, `bottleneck` as (kind, id, port), `busiest_link` as ((device, port), packets
/// per packet injected), `busiest_forwarder` as (node, packets per packet injected), and `exact`.
#[pyfunction]
#[pyo3(signature = (network, *, identities, host, source=None, destination=None))]
fn pattern_saturation<'py>(
    py: Python<'py>,
    network: &Network,
    identities: PyReadonlyArray1<'py, u32>,
    host: HostConstants<'py>,
    source: Option<PyReadonlyArray1<'py, u32>>,
    destination: Option<PyReadonlyArray1<'py, u32>>,
) -> PyResult<Option<Bound<'py, PyDict>>> {
    let host = host.model()?;
    let network = network.compiled();
    let identities = identities_of(network, &identities)?;
    let pairs: Option<Pairs> = match (source, destination) {
        (Some(source), Some(destination)) => Some(pairs(&source, &destination, identities.len())?),
        (None, None) => None,
        _ => return Err(PyValueError::new_err("source and destination are given together")),
    };
    let counted = long_call(py, |stop| count(network, &identities, pairs.as_deref(), stop))?;
    let counted = counted.map_err(|error| error.raise(py))?;
    let Counted { data, back, sent, received } = &counted;
    let traffic = Traffic { data, back, sent, received };
    let found = py.detach(|| saturation(&network.fabric, &host, &traffic));
    let exact = !matches!(data.method, LoadMethod::Sampled { .. });
    let found = found.map_err(|error| errors::packet_error(error.into()))?;
    found.map(|found| to_dict(py, network, &found, exact)).transpose()
}

/// Copies pairs of indices below `n` from two arrays.
fn pairs(
    source: &PyReadonlyArray1<'_, u32>,
    destination: &PyReadonlyArray1<'_, u32>,
    n: usize,
) -> PyResult<Pairs> {
    let (source, destination) = (source.as_array(), destination.as_array());
    expect_length("destination", destination.len(), source.len())?;
    let pair = |(&from, &to): (&u32, &u32)| match (from.max(to) as usize) < n {
        true => Ok((from, to)),
        false => Err(PyValueError::new_err(format!("a pair names {from} and {to} of {n}"))),
    };
    collected("source", source.iter().zip(destination.iter()).map(pair))
}

fn count(
    network: &network::Network,
    identities: &[AddressId],
    pairs: Option<&[(u32, u32)]>,
    stop: &std::sync::atomic::AtomicBool,
) -> Result<Counted, MetricError> {
    let none = IdVec::filled(0, network.fabric.n_nodes());
    let owner = |id: AddressId| network.addressing.address(id).node;
    let Some(pairs) = pairs else {
        let data = metrics::load(network, identities, stop)?;
        let mut sent = none;
        for &id in identities {
            sent[owner(id)] = identities.len() as u64 - 1;
        }
        return Ok(Counted { back: data.clone(), data, received: sent.clone(), sent });
    };
    let (mut sent, mut received) = (none.clone(), none);
    let mut packets: [Vec<(NodeId, AddressId)>; 2] = Default::default();
    for &(from, to) in pairs {
        let [from, to] = [from, to].map(|place| identities[place as usize]);
        sent[owner(from)] += 1;
        received[owner(to)] += 1;
        packets[0].push((owner(from), to));
        packets[1].push((owner(to), from));
    }
    let [data, back] = packets;
    let data = metrics::pattern_load(network, &data, stop)?;
    let back = match are_mutual(pairs, identities.len()) {
        true => data.clone(),
        false => metrics::pattern_load(network, &back, stop)?,
    };
    Ok(Counted { data, back, sent, received })
}

/// Returns whether each sender has one destination, which sends back to it: then the loads of both
/// directions are equal.
fn are_mutual(pairs: &[(u32, u32)], n: usize) -> bool {
    let mut peer = vec![None; n];
    pairs.iter().all(|&(from, to)| peer[from as usize].replace(to).is_none())
        && pairs.iter().all(|&(from, to)| peer[to as usize] == Some(from))
}

fn to_dict<'py>(
    py: Python<'py>,
    network: &network::Network,
    found: &Saturation,
    exact: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let place = |port: PortId| {
        let device = network.fabric.port(port).device;
        (device.get(), port.offset_from(network.fabric.ports_of(device).start))
    };
    let dict = PyDict::new(py);
    dict.set_item("rate_bytes_per_s", found.rate_bytes_per_s)?;
    let (kind, (id, port)) = match found.bottleneck {
        Resource::Channel(port) => ("link", place(port)),
        Resource::Hub(hub) => ("hub", (hub.get(), 0)),
        Resource::Backplane(backplane) => ("backplane", (backplane.get(), 0)),
        Resource::Processor(node) => ("processor", (node.get(), 0)),
    };
    dict.set_item("bottleneck", (kind, id, port))?;
    let (port, load) = found.busiest_link;
    dict.set_item("busiest_link", (place(port), load))?;
    let (node, load) = found.busiest_forwarder;
    dict.set_item("busiest_forwarder", (node.get(), load))?;
    dict.set_item("exact", exact)?;
    Ok(dict)
}

/// Returns for each identity the index of the identity that its owner sends to in the permutation
/// that loads a link most; `None` if no packet is sent.
#[pyfunction]
fn worst_case<'py>(
    py: Python<'py>,
    network: &Network,
    identities: PyReadonlyArray1<'py, u32>,
) -> PyResult<Option<Py<PyArray1<u32>>>> {
    let network = network.compiled();
    let identities = identities_of(network, &identities)?;
    let found = long_call(py, |stop| metrics::worst_case(network, &identities, stop))?;
    let found = found.map_err(|error| error.raise(py))?;
    Ok(found.map(|worst| to_array(py, worst.destination)))
}

/// Adds this file's functions to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("MOST_EXACT", metrics::MOST_EXACT)?;
    module.add_function(wrap_pyfunction!(pattern_saturation, module)?)?;
    module.add_function(wrap_pyfunction!(worst_case, module)?)
}
