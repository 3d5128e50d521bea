//! The analytic engine for Python. The inputs and results common to all engines are in `run`.

use analytic::AnalyticModel;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use simulation::{NetworkModel, RunError};

use crate::errors::Raise;
use crate::network::Network;
use crate::program::Program;
use crate::run::{Ended, RunArguments, add_recording, to_dict};

/// Runs a program on a network in which ranks contend for their own resources only, and returns the
/// marks and the engine's figures. The seed has no effect.
#[pyfunction]
fn run_analytic<'py>(
    py: Python<'py>,
    network: &Network,
    program: &Program,
    setup: RunArguments<'py>,
) -> PyResult<Bound<'py, PyDict>> {
    let (network, program) = (network.compiled(), program.compiled());
    let run = setup.checked(network, program)?;
    let outcome = setup.call(py, |watch| {
        let model = AnalyticModel::new(run.setup(network, watch.stop));
        let Ended { marks, model, timeline } = run.simulate(model, program, watch.progress)?;
        Ok((marks, model.now(), model.counters(), timeline))
    })?;
    let (marks, simulated, counters, timeline) =
        outcome.map_err(|error: RunError| error.raise(py))?;
    let counts =
        [("events", counters.events), ("transfers", counters.transfers), ("paths", counters.paths)];
    let dict = to_dict(py, &marks, simulated, &counts)?;
    if let Some(timeline) = timeline {
        add_recording(&dict, timeline.named(), timeline.is_whole)?;
    }
    Ok(dict)
}

/// Adds this file's functions to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(run_analytic, module)?)
}
