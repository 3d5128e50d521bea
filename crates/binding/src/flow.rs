//! The flow engine for Python: arrays of marks and figures out, as from the packet engine.

use flow::FlowModel;
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use simulation::{Executor, NetworkModel, Setup};

use crate::errors;
use crate::host::HostTable;
use crate::long_call::long_call;
use crate::network::Network;
use crate::packet::marks_to_dict;
use crate::program::Program;

/// Plays a program on a network and returns the marks and the engine's figures. Nothing in it is
/// random: the seed is taken as of every engine, and changes nothing. `precision` is by what part
/// of a transfer's time a change of shares may be late.
#[pyfunction]
#[pyo3(signature = (network, program, *, identities, node_of_rank, host, seed, precision=0.0))]
#[allow(clippy::too_many_arguments)] // keywords, all of them named by the caller
fn run_flow<'py>(
    py: Python<'py>,
    network: &Network,
    program: &Program,
    identities: PyReadonlyArray1<'py, u32>,
    node_of_rank: PyReadonlyArray1<'py, u32>,
    host: HostTable,
    seed: u64,
    precision: f64,
) -> PyResult<Bound<'py, PyDict>> {
    let precision = (precision * 1e6).round() as u32;
    let host = host.model();
    let identities = identities.as_slice()?.to_vec();
    let node_of_rank = node_of_rank.as_slice()?.to_vec();
    let (network, program) = (network.compiled(), program.compiled());
    let played = long_call(py, |stop| {
        let (identities, node_of_rank) = (&identities[..], &node_of_rank[..]);
        let setup = Setup { network, host: &host, identities, node_of_rank, seed, stop };
        let model = FlowModel::new(setup, precision);
        let executor = Executor::new(model, program, host.protocol, host.message_costs);
        executor.run().map(|(marks, model)| (marks, model.now(), model.counters()))
    })?;
    let (marks, simulated, counters) = played.map_err(|error| errors::run_error(py, &error))?;
    let dict = marks_to_dict(py, &marks)?;
    let figures = PyDict::new(py);
    figures.set_item("simulated_s", simulated.seconds())?;
    figures.set_item("events", counters.events)?;
    figures.set_item("settlings", counters.settlings)?;
    figures.set_item("connections", counters.connections)?;
    dict.set_item("figures", figures)?;
    Ok(dict)
}

/// Adds this file's functions to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(run_flow, module)?)
}
