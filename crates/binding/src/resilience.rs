//! The cost of failures for Python, and the packed network for pages that prove it. Ports are ids
//! over all devices here: number 0 of a device is its entry in `Fabric.port_start`.

use std::sync::atomic::AtomicBool;

use network::metrics::{
    self, Cause, FailureImpact, LostPair, MOST_NODES, MetricError, Need, Part, Progress,
    ReroutingOptions, Watch,
};
use network::{DeviceId, LinkId, NodeId, PortId, Routing};
use numpy::{PyArray1, PyReadonlyArray1};
use page::failures::PackedNetwork;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use quantity::IdVec;

use crate::columns::{collected, column, expect_length, to_array, to_ids};
use crate::errors::Raise;
use crate::long_call::{long_call, reported_call};
use crate::metrics::identities_of;
use crate::network::Network;

/// Adds the classes.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("MOST_PROVED_NODES", MOST_NODES)?;
    module.add_class::<FailureImpacts>()
}

/// The cost of each failure, and examples of the pairs that it costs.
#[pyclass(frozen, get_all, module = "linkwright._core")]
pub struct FailureImpacts {
    /// Counts by the names of `FailureImpact::counts`, each an array with one entry per failure.
    counts: Py<PyDict>,
    /// Start of each failure's examples, and the number of all examples.
    example_start: Py<PyArray1<u64>>,
    /// Sending identity of each example.
    example_from: Py<PyArray1<u32>>,
    /// Destination identity of each example.
    example_to: Py<PyArray1<u32>>,
    /// Cause of each example's disruption, as a short word.
    example_cause: Vec<&'static str>,
    /// Requirement for each example's pair to communicate again, as a short word.
    example_need: Vec<&'static str>,
}

impl FailureImpacts {
    fn new(py: Python<'_>, impacts: &[FailureImpact]) -> PyResult<FailureImpacts> {
        let examples = || impacts.iter().flat_map(|impact| &impact.examples);
        let ids = |id: fn(&LostPair) -> u32| to_array(py, examples().map(id).collect());
        let mut start = vec![0];
        start.extend(impacts.iter().scan(0, |sum, impact| {
            *sum += impact.examples.len() as u64;
            Some(*sum)
        }));
        Ok(FailureImpacts {
            counts: counts(py, impacts)?,
            example_start: to_array(py, start),
            example_from: ids(|pair| pair.from),
            example_to: ids(|pair| pair.to),
            example_cause: examples().map(|pair| cause(pair.cause)).collect(),
            example_need: examples().map(|pair| need(pair.need)).collect(),
        })
    }
}

fn counts(py: Python<'_>, impacts: &[FailureImpact]) -> PyResult<Py<PyDict>> {
    let found = PyDict::new(py);
    for (place, (name, _)) in FailureImpact::default().counts().into_iter().enumerate() {
        let column = impacts.iter().map(|impact| impact.counts()[place].1).collect();
        found.set_item(name, to_array(py, column))?;
    }
    Ok(found.unbind())
}

fn cause(cause: Cause) -> &'static str {
    match cause {
        Cause::NoRoute => "no-route",
        Cause::Unseen => "unseen",
        Cause::Loop => "loop",
    }
}

fn need(need: Need) -> &'static str {
    match need {
        Need::NewParts => "new-parts",
        Need::Daemon => "daemon",
        Need::RecomputedTables => "recomputed-tables",
    }
}

/// Returns failures from their columns: the parts of failure i start at `start[i]`.
pub fn failures(start: &[u32], kinds: &[u8], ids: &[u32]) -> PyResult<Vec<Vec<Part>>> {
    let part = |(&kind, &id): (&u8, &u32)| match kind {
        0 => Ok(Part::Cable(LinkId::new(id))),
        1 => Ok(Part::Port(PortId::new(id))),
        2 => Ok(Part::Device(DeviceId::new(id))),
        code => Err(PyValueError::new_err(format!("no kind of part has the code {code}"))),
    };
    expect_length("part_id", ids.len(), kinds.len())?;
    let parts: Vec<Part> = collected("part_id", kinds.iter().zip(ids).map(part))?;
    let of_failure = |ends: &[u32]| {
        let parts = parts.get(ends[0] as usize..ends[1] as usize);
        let missing = || PyValueError::new_err("the starts of failures do not match their parts");
        parts.map(<[Part]>::to_vec).ok_or_else(missing)
    };
    collected("failure_start", start.windows(2).map(of_failure))
}

#[pymethods]
impl Network {
    /// Proves the cost of each failure to the pairs among some identities. `report` is called now
    /// and then with the number of distinct failures done and their total.
    #[pyo3(signature = (
        identities, *, failure_start, part_kind, part_id, with_fallback, with_return_paths, planner,
        most_examples, report = None
    ))]
    #[allow(clippy::too_many_arguments)] // keywords, all of them named by the caller
    fn rerouting(
        &self,
        py: Python<'_>,
        identities: PyReadonlyArray1<'_, u32>,
        failure_start: PyReadonlyArray1<'_, u32>,
        part_kind: PyReadonlyArray1<'_, u8>,
        part_id: PyReadonlyArray1<'_, u32>,
        with_fallback: bool,
        with_return_paths: bool,
        planner: u32,
        most_examples: usize,
        report: Option<Py<PyAny>>,
    ) -> PyResult<FailureImpacts> {
        let identities = identities_of(self.compiled(), &identities)?;
        let planner = NodeId::new(planner);
        if !self.compiled().fabric.is_node(planner) {
            return Err(PyValueError::new_err(format!("there is no node {planner}")));
        }
        let failures = failures_of(&failure_start, &part_kind, &part_id)?;
        let options = ReroutingOptions { with_fallback, with_return_paths, planner, most_examples };
        let (network, progress) = (self.compiled(), &Progress::default());
        let tell = |py: Python<'_>| match &report {
            Some(report) => report.call1(py, progress.get()).map(|_| ()),
            None => Ok(()),
        };
        let work = |stop: &AtomicBool| {
            let watch = Watch { stop, progress };
            metrics::rerouting(network, &identities, &failures, options, watch)
        };
        let impacts = reported_call(py, tell, work)?;
        FailureImpacts::new(py, &impacts.map_err(|error| error.raise(py))?)
    }

    /// Returns per failure the number of ordered pairs, of the nodes in `is_counted`, that no path
    /// of forwarding nodes joins any more.
    fn connectivity(
        &self,
        py: Python<'_>,
        is_counted: PyReadonlyArray1<'_, bool>,
        failure_start: PyReadonlyArray1<'_, u32>,
        part_kind: PyReadonlyArray1<'_, u8>,
        part_id: PyReadonlyArray1<'_, u32>,
    ) -> PyResult<Py<PyArray1<u64>>> {
        let fabric = &self.compiled().fabric;
        let is_counted = column("is_counted", &is_counted, fabric.n_nodes() as usize)?;
        let is_counted = IdVec::from(is_counted);
        let failures = failures_of(&failure_start, &part_kind, &part_id)?;
        let work = |_: &AtomicBool| metrics::connectivity(fabric, &is_counted, &failures);
        let found = long_call(py, work)?;
        Ok(to_array(py, found.map_err(|error| error.raise(py))?))
    }

    /// Returns for each device the lowest device that the cables of `is_alive` join it to.
    fn components(
        &self,
        py: Python<'_>,
        is_alive: PyReadonlyArray1<'_, bool>,
    ) -> PyResult<Py<PyArray1<u32>>> {
        let fabric = &self.compiled().fabric;
        let is_alive = column("is_alive", &is_alive, fabric.links().len())?;
        let is_alive = IdVec::<LinkId, bool>::from(is_alive);
        Ok(to_ids(py, fabric.components(|link| is_alive[link]).into_iter()))
    }

    /// Packs the network with the routes of all nodes to some identities, for a page that fails its
    /// parts (crate `page`).
    #[pyo3(signature = (identities, *, with_fallback))]
    fn packed_failures<'py>(
        &self,
        py: Python<'py>,
        identities: PyReadonlyArray1<'_, u32>,
        with_fallback: bool,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let network = self.compiled();
        let identities = identities_of(network, &identities)?;
        let work = |stop: &AtomicBool| {
            let routes = metrics::routes_to(network, &identities, with_fallback, stop)?;
            let has_own_tables = matches!(network.routing, Routing::Explicit(_));
            Ok(PackedNetwork::new(&network.fabric.wiring(), &routes, has_own_tables).to_bytes())
        };
        let packed = long_call(py, work)?.map_err(|error: MetricError| error.raise(py))?;
        Ok(PyBytes::new(py, &packed))
    }
}

/// Returns failures from the columns that Python gives.
fn failures_of(
    start: &PyReadonlyArray1<'_, u32>,
    kinds: &PyReadonlyArray1<'_, u8>,
    ids: &PyReadonlyArray1<'_, u32>,
) -> PyResult<Vec<Vec<Part>>> {
    let start = column("failure_start", start, start.as_array().len())?;
    let kinds = column("part_kind", kinds, kinds.as_array().len())?;
    let ids = column("part_id", ids, kinds.len())?;
    failures(&start, &kinds, &ids)
}
