//! What failures cost and the ways they are held against, for Python. Ports are ids over all
//! devices here: number 0 of a device is `Fabric.port_start` of it.

use std::sync::atomic::AtomicBool;

use network::metrics::{
    self, Casualty, Cause, MOST_NODES, Need, Part, Progress, Step, SurvivalOptions, Toll, Watch,
    WayTable,
};
use network::{AddressId, NodeId, PortId};
use numpy::{PyArray1, PyArray2, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::columns::{collected, column, expect_length, to_array, to_table};
use crate::errors::Raise;
use crate::long_call::{long_call, reported_call};
use crate::metrics::identities_of;
use crate::network::Network;

/// Stands for a port where there is none.
const NONE: i32 = -1;
/// Stands for a port where the packet has arrived.
const OWN: i32 = -2;

/// Adds the classes.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("MOST_PROVED_NODES", MOST_NODES)?;
    module.add_class::<Tolls>()?;
    module.add_class::<Ways>()
}

/// What each failure costs: one entry per failure; fields as in `network::metrics::Toll`.
#[pyclass(frozen, get_all, module = "linkwright._core")]
pub struct Tolls {
    untouched: Py<PyArray1<u64>>,
    rerouted: Py<PyArray1<u64>>,
    replanned: Py<PyArray1<u64>>,
    daemon: Py<PyArray1<u64>>,
    cut_off: Py<PyArray1<u64>>,
    looping: Py<PyArray1<u64>>,
    unanswered: Py<PyArray1<u64>>,
    out_of_reach: Py<PyArray1<u64>>,
    extra_hops: Py<PyArray1<u64>>,
    worst_extra_hops: Py<PyArray1<u64>>,
    most_forwarded: Py<PyArray1<u64>>,
    strict: Py<PyArray1<u64>>,
    loose: Py<PyArray1<u64>>,
    /// Where the examples of each failure begin, and how many there are in all.
    example_start: Py<PyArray1<u64>>,
    /// The identity that sends, and the one it sends to.
    example_from: Py<PyArray1<u32>>,
    example_to: Py<PyArray1<u32>>,
    /// Why, and what it takes, as short words.
    example_cause: Vec<&'static str>,
    example_need: Vec<&'static str>,
}

impl Tolls {
    fn new(py: Python<'_>, tolls: &[Toll]) -> Tolls {
        let counts = |count: fn(&Toll) -> u64| to_array(py, tolls.iter().map(count).collect());
        let examples = || tolls.iter().flat_map(|toll| &toll.examples);
        let ids = |id: fn(&Casualty) -> AddressId| to_array(py, examples().map(id).collect());
        let mut start = vec![0];
        start.extend(tolls.iter().scan(0, |sum, toll| {
            *sum += toll.examples.len() as u64;
            Some(*sum)
        }));
        Tolls {
            untouched: counts(|toll| toll.n_untouched),
            rerouted: counts(|toll| toll.n_rerouted),
            replanned: counts(|toll| toll.n_replanned),
            daemon: counts(|toll| toll.n_daemon),
            cut_off: counts(|toll| toll.n_cut_off),
            looping: counts(|toll| toll.n_looping),
            unanswered: counts(|toll| toll.n_unanswered),
            out_of_reach: counts(|toll| toll.n_out_of_reach),
            extra_hops: counts(|toll| toll.extra_hops),
            worst_extra_hops: counts(|toll| u64::from(toll.worst_extra_hops)),
            most_forwarded: counts(|toll| toll.most_forwarded),
            strict: counts(|toll| toll.n_strict),
            loose: counts(|toll| toll.n_loose),
            example_start: to_array(py, start),
            example_from: ids(|pair| pair.from),
            example_to: ids(|pair| pair.to),
            example_cause: examples().map(|pair| cause(pair.cause)).collect(),
            example_need: examples().map(|pair| need(pair.need)).collect(),
        }
    }
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
        Need::NewTables => "new-tables",
    }
}

/// Returns failures from their columns: the parts of failure i are those from `start[i]` on.
pub fn failures(start: &[u32], kinds: &[u8], ids: &[u32]) -> PyResult<Vec<Vec<Part>>> {
    let part = |(&kind, &id): (&u8, &u32)| match kind {
        0 => Ok(Part::Cable(id)),
        1 => Ok(Part::Port(id)),
        2 => Ok(Part::Device(id)),
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

/// The best and the standby routes of all nodes to some identities.
#[pyclass(frozen, get_all, module = "linkwright._core")]
pub struct Ways {
    /// Port each node sends a packet for each identity out of, shape (identities, nodes); -1 where
    /// it has no way, -2 where the identity is its own.
    port: Py<PyArray2<i32>>,
    /// Port it is handed to, likewise.
    via: Py<PyArray2<i32>>,
    /// Where the standby routes of entry (i, n) begin: at place `i * n_nodes + n`.
    standby_start: Py<PyArray1<u32>>,
    /// Port of each standby route.
    standby_port: Py<PyArray1<i32>>,
    /// Port it is handed to, -1 where the packet would go where the identity is not.
    standby_via: Py<PyArray1<i32>>,
}

#[pymethods]
impl Network {
    /// Proves what each failure costs the pairs among some identities. `report` is told now and
    /// then how many distinct failures are done, of how many.
    #[pyo3(signature = (
        identities, *, failure_start, part_kind, part_id, with_fallback, with_return_paths, planner,
        most_examples, report = None
    ))]
    #[allow(clippy::too_many_arguments)] // keywords, all of them named by the caller
    fn survival(
        &self,
        py: Python<'_>,
        identities: PyReadonlyArray1<'_, AddressId>,
        failure_start: PyReadonlyArray1<'_, u32>,
        part_kind: PyReadonlyArray1<'_, u8>,
        part_id: PyReadonlyArray1<'_, u32>,
        with_fallback: bool,
        with_return_paths: bool,
        planner: NodeId,
        most_examples: usize,
        report: Option<Py<PyAny>>,
    ) -> PyResult<Tolls> {
        let identities = identities_of(self.compiled(), &identities)?;
        if !self.compiled().fabric.is_node(planner) {
            return Err(PyValueError::new_err(format!("there is no node {planner}")));
        }
        let start = column("failure_start", &failure_start, failure_start.as_array().len())?;
        let kinds = column("part_kind", &part_kind, part_kind.as_array().len())?;
        let ids = column("part_id", &part_id, kinds.len())?;
        let failures = failures(&start, &kinds, &ids)?;
        let options = SurvivalOptions { with_fallback, with_return_paths, planner, most_examples };
        let (network, progress) = (self.compiled(), &Progress::default());
        let tell = |py: Python<'_>| match &report {
            Some(report) => report.call1(py, progress.get()).map(|_| ()),
            None => Ok(()),
        };
        let work = |stop: &AtomicBool| {
            let watch = Watch { stop, progress };
            metrics::survival(network, &identities, &failures, options, watch)
        };
        let tolls = reported_call(py, tell, work)?;
        Ok(Tolls::new(py, &tolls.map_err(|error| error.raise(py))?))
    }

    /// Lists the routes of all nodes to some identities, the standby ones behind the best.
    #[pyo3(signature = (identities, *, with_fallback))]
    fn ways(
        &self,
        py: Python<'_>,
        identities: PyReadonlyArray1<'_, AddressId>,
        with_fallback: bool,
    ) -> PyResult<Ways> {
        let network = self.compiled();
        let identities = identities_of(network, &identities)?;
        let work = |stop: &AtomicBool| metrics::ways(network, &identities, with_fallback, stop);
        let found = long_call(py, work)?;
        let WayTable { best, standby_start, standby } = found.map_err(|error| error.raise(py))?;
        let n_nodes = network.fabric.n_nodes() as usize;
        let id = |port: Option<PortId>| port.map_or(NONE, |port| port as i32);
        Ok(Ways {
            port: to_table(py, best.iter().map(|step| ids(step).0).collect(), n_nodes)?,
            via: to_table(py, best.iter().map(|step| ids(step).1).collect(), n_nodes)?,
            standby_start: to_array(py, standby_start),
            standby_port: to_array(py, standby.iter().map(|&(port, _)| port as i32).collect()),
            standby_via: to_array(py, standby.iter().map(|&(_, via)| id(via)).collect()),
        })
    }
}

fn ids(step: &Step) -> (i32, i32) {
    match *step {
        Step::Own => (OWN, OWN),
        Step::None => (NONE, NONE),
        Step::To(port, via) => (port as i32, via as i32),
    }
}
