//! A run of any engine: what Python gives for it beside network and program, and what every run
//! gives back. What an engine gives besides is in its own file; how a run is interrupted, in
//! `long_call`.

use std::sync::atomic::AtomicBool;

use host::HostModel;
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use quantity::Time;
use simulation::{Executor, MarkRecord, NetworkModel, RunError, Setup};

use crate::columns::{column, expect_length, ids};
use crate::host::HostTable;

/// What a run is made of, as the items of a dictionary.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct SetupTable<'py> {
    identities: PyReadonlyArray1<'py, u32>,
    node_of_rank: PyReadonlyArray1<'py, u32>,
    host: HostTable<'py>,
    seed: u64,
}

/// The same for the engines, which do not hold the interpreter.
pub struct Given {
    pub host: HostModel,
    identities: Vec<u32>,
    node_of_rank: Vec<u32>,
    pub seed: u64,
}

impl SetupTable<'_> {
    /// Returns what the engines take to play a program on a network.
    ///
    /// # Errors
    /// When a node has not its own address, or a rank not a node of its own.
    pub fn given(&self, network: &network::Network, program: &program::Program) -> PyResult<Given> {
        let n_nodes = network.fabric.n_nodes() as usize;
        let identities = column("identities", &self.identities, n_nodes)?;
        for (node, &identity) in (0..).zip(&identities) {
            let address = network.addressing.addresses().get(identity as usize);
            if address.is_none_or(|address| address.node != node) {
                let message = format!("identity {identity} is no address of node {node}");
                return Err(PyValueError::new_err(message));
            }
        }
        let node_of_rank = ids("node_of_rank", &self.node_of_rank, n_nodes)?;
        expect_length("node_of_rank", node_of_rank.len(), program.n_ranks() as usize)?;
        let mut is_taken = vec![false; n_nodes];
        for &node in &node_of_rank {
            if std::mem::replace(&mut is_taken[node as usize], true) {
                let message = format!("two ranks are on node {node}; one runs on a node");
                return Err(PyValueError::new_err(message));
            }
        }
        Ok(Given { host: self.host.model()?, identities, node_of_rank, seed: self.seed })
    }
}

impl Given {
    /// Returns the run on a network, which ends when `stop` becomes true.
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

    /// Plays a program to its end; returns the marks passed, and the model.
    pub fn play<M: NetworkModel>(
        &self,
        model: M,
        program: &program::Program,
    ) -> Result<(Vec<MarkRecord>, M), RunError> {
        Executor::new(model, program, &self.host).run()
    }
}

/// Returns what every run gives back: the marks as columns, and the figures of the engine by name.
pub fn to_dict<'py>(
    py: Python<'py>,
    marks: &[MarkRecord],
    simulated: Time,
    counts: &[(&str, u64)],
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("mark", PyArray1::from_iter(py, marks.iter().map(|m| m.mark)))?;
    dict.set_item("rank", PyArray1::from_iter(py, marks.iter().map(|m| m.rank)))?;
    dict.set_item("time_s", PyArray1::from_iter(py, marks.iter().map(|m| m.time.seconds())))?;
    let figures = PyDict::new(py);
    figures.set_item("simulated_s", simulated.seconds())?;
    for (name, value) in counts {
        figures.set_item(name, value)?;
    }
    dict.set_item("figures", figures)?;
    Ok(dict)
}
