//! The analytic engine for Python: arrays of marks and figures out, as of the packet engine. How
//! the constants come in is in `host`, how a run is interrupted in `long_call`.

use analytic::{AnalyticModel, Counters};
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use quantity::Time;
use simulation::{Executor, MarkRecord, NetworkModel, RunError, Setup};

use crate::errors;
use crate::host::HostTable;
use crate::long_call::long_call;
use crate::network::Network;
use crate::packet::marks_to_dict;
use crate::program::Program;

type Outcome = (Vec<MarkRecord>, Counters, Time);

/// Plays a program on a network whose ranks share nothing but what is their own, and returns the
/// marks and the engine's figures. The seed changes nothing.
#[pyfunction]
#[pyo3(signature = (network, program, *, identities, node_of_rank, host, seed))]
#[allow(clippy::too_many_arguments)] // keywords, the same for every engine
fn run_analytic<'py>(
    py: Python<'py>,
    network: &Network,
    program: &Program,
    identities: PyReadonlyArray1<'py, u32>,
    node_of_rank: PyReadonlyArray1<'py, u32>,
    host: HostTable,
    seed: u64,
) -> PyResult<Bound<'py, PyDict>> {
    let host = host.model();
    let identities = identities.as_slice()?.to_vec();
    let node_of_rank = node_of_rank.as_slice()?.to_vec();
    let (network, program) = (network.compiled(), program.compiled());
    let outcome = long_call(py, |stop| {
        let setup = Setup {
            network,
            host: &host,
            identities: &identities,
            node_of_rank: &node_of_rank,
            seed,
            stop,
        };
        play(setup, program)
    })?;
    to_dict(py, &outcome.map_err(|error| errors::run_error(py, &error))?)
}

fn play(setup: Setup<'_>, program: &program::Program) -> Result<Outcome, RunError> {
    let host = *setup.host;
    let model = AnalyticModel::new(setup);
    let executor = Executor::new(model, program, host.protocol, host.message_costs);
    let (marks, model) = executor.run()?;
    Ok((marks, model.counters(), model.now()))
}

fn to_dict<'py>(py: Python<'py>, outcome: &Outcome) -> PyResult<Bound<'py, PyDict>> {
    let (marks, counters, simulated) = outcome;
    let dict = marks_to_dict(py, marks)?;
    let figures = PyDict::new(py);
    figures.set_item("simulated_s", simulated.seconds())?;
    figures.set_item("events", counters.events)?;
    figures.set_item("transfers", counters.transfers)?;
    figures.set_item("paths", counters.paths)?;
    dict.set_item("figures", figures)?;
    Ok(dict)
}

/// Adds this file's functions to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(run_analytic, module)?)
}
