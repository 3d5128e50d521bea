//! A run of any engine: its inputs beside network and program, and the results common to all
//! engines. The further results of an engine are in its own file; the interruption of a run is in
//! `long_call`.

use std::sync::atomic::AtomicBool;

use host::HostModel;
use network::metrics::{Progress, Watch};
use network::{AddressId, NodeId};
use numpy::{PyArray1, PyReadonlyArray1};
use packet::recording::MOST_ROWS;
use program::Rank;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use quantity::{Column, IdVec, NamedColumn, Time};
use simulation::{
    MarkRecord, NetworkModel, Run, RunError, Setup, Timeline, TimelineColumns, Traced,
};

use crate::columns::{column, expect_length, ids_of_any_number};
use crate::host::HostConstants;
use crate::long_call::reported_call;

/// The inputs of a run, as the items of a dictionary.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct RunArguments<'py> {
    identities: PyReadonlyArray1<'py, u32>,
    node_of_rank: PyReadonlyArray1<'py, u32>,
    host: HostConstants<'py>,
    seed: u64,
    /// Called now and then with the actions done and their total.
    #[pyo3(default)]
    report: Option<Py<PyAny>>,
    /// Whether the run is recorded.
    #[pyo3(default)]
    record: bool,
    /// Frames that the run may put on wires; only the packet engine has such a limit.
    #[pyo3(default)]
    most_hops: Option<u64>,
}

/// The inputs of a run in the engines' form, which is independent of the interpreter.
pub struct RunSetup {
    pub host: HostModel,
    identities: IdVec<NodeId, AddressId>,
    node_of_rank: IdVec<Rank, NodeId>,
    pub seed: u64,
    /// Whether the run is recorded.
    pub records: bool,
    /// Frames that the run may put on wires.
    pub most_hops: Option<u64>,
}

/// A run that has ended.
pub struct Ended<M> {
    /// The marks passed.
    pub marks: Vec<MarkRecord>,
    /// The model.
    pub model: M,
    /// The time line of the ranks, if it was asked for.
    pub timeline: Option<TimelineColumns>,
}

impl RunArguments<'_> {
    /// Runs `work` with the interpreter released, with a flag that stops it and a place for its
    /// progress, which is reported if the caller wants it.
    pub fn call<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(Watch<'_>) -> T + Send,
    ) -> PyResult<T> {
        let progress = &Progress::default();
        let report = &self.report;
        let tell = |py: Python<'_>| match report {
            Some(report) => report.call1(py, progress.get()).map(|_| ()),
            None => Ok(()),
        };
        reported_call(py, tell, |stop| work(Watch { stop, progress }))
    }

    /// Returns the inputs in the engines' form.
    ///
    /// # Errors
    /// When a node's identity is not its own address.
    pub fn checked(
        &self,
        network: &network::Network,
        program: &program::Program,
    ) -> PyResult<RunSetup> {
        let n_nodes = network.fabric.n_nodes();
        let identities = column("identities", &self.identities, n_nodes as usize)?;
        let identities: IdVec<NodeId, AddressId> =
            identities.into_iter().map(AddressId::new).collect();
        for (node, &identity) in identities.with_ids() {
            let address = network.addressing.addresses().get(identity);
            if address.is_none_or(|address| address.node != node) {
                let message = format!("identity {identity} is no address of node {node}");
                return Err(PyValueError::new_err(message));
            }
        }
        let n_given = self.node_of_rank.as_array().len();
        expect_length("node_of_rank", n_given, program.n_ranks() as usize)?;
        let nodes = ids_of_any_number("node_of_rank", &self.node_of_rank, n_nodes)?;
        let node_of_rank = IdVec::from(nodes);
        let (host, seed, records) = (self.host.model()?, self.seed, self.record);
        let most_hops = self.most_hops;
        Ok(RunSetup { host, identities, node_of_rank, seed, records, most_hops })
    }
}

impl RunSetup {
    /// Returns the setup of a run on a network; the run ends when `stop` becomes true.
    pub fn setup<'a>(&'a self, network: &'a network::Network, stop: &'a AtomicBool) -> Setup<'a> {
        Setup {
            network,
            host: &self.host,
            identities: &self.identities,
            node_of_rank: &self.node_of_rank,
            seed: self.seed,
            stop,
        }
    }

    /// Runs a program to its end.
    pub fn simulate<M: NetworkModel>(
        &self,
        model: M,
        program: &program::Program,
        progress: &Progress,
    ) -> Result<Ended<M>, RunError> {
        if !self.records {
            let run = Run::new(model, program, &self.host);
            let (marks, model) = run.reporting(progress).run()?;
            return Ok(Ended { marks, model, timeline: None });
        }
        let model = Traced { model, tracer: self.timeline(program) };
        let run = Run::new(model, program, &self.host);
        let (marks, Traced { model, tracer }) = run.reporting(progress).run()?;
        let timeline = Some(tracer.finish(model.now()));
        Ok(Ended { marks, model, timeline })
    }

    /// Returns an empty time line.
    pub fn timeline(&self, program: &program::Program) -> Timeline {
        Timeline::new(program.n_ranks(), MOST_ROWS)
    }
}

/// Adds the columns of a recording to a dictionary, as `recording`.
pub fn add_recording(
    dict: &Bound<'_, PyDict>,
    columns: Vec<NamedColumn<'_>>,
    is_whole: bool,
) -> PyResult<()> {
    let py = dict.py();
    let recording = PyDict::new(py);
    recording.set_item("is_whole", is_whole)?;
    for (name, column) in columns {
        match column {
            Column::Bytes(values) => recording.set_item(name, PyArray1::from_slice(py, values))?,
            Column::Words(values) => recording.set_item(name, PyArray1::from_slice(py, values))?,
            Column::Numbers(values) => {
                recording.set_item(name, PyArray1::from_slice(py, values))?
            }
        }
    }
    dict.set_item("recording", recording)
}

/// Returns the results common to all engines: the marks as columns, and the engine's figures by
/// name.
pub fn to_dict<'py>(
    py: Python<'py>,
    marks: &[MarkRecord],
    simulated: Time,
    counts: &[(&str, u64)],
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("mark", PyArray1::from_iter(py, marks.iter().map(|m| m.mark)))?;
    dict.set_item("rank", PyArray1::from_iter(py, marks.iter().map(|m| m.rank.get())))?;
    dict.set_item("time_s", PyArray1::from_iter(py, marks.iter().map(|m| m.time.seconds())))?;
    let figures = PyDict::new(py);
    figures.set_item("simulated_s", simulated.seconds())?;
    for (name, value) in counts {
        figures.set_item(name, value)?;
    }
    dict.set_item("figures", figures)?;
    Ok(dict)
}
