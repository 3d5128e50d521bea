//! The flow engine for Python. The inputs and results common to all engines are in `run`.

use flow::{Deferral, FlowModel};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use simulation::{NetworkModel, RunError};

use crate::errors::Raise;
use crate::network::Network;
use crate::program::Program;
use crate::run::{Ended, RunArguments, add_recording, to_dict};

/// Runs a program on a network and returns the marks and the engine's figures. The engine is
/// deterministic: the seed, which every engine accepts, has no effect. `precision` is the longest
/// deferral of a rate update, as a fraction of a transfer's duration, while more than `most_exact`
/// flows drain.
#[pyfunction]
#[pyo3(signature = (network, program, setup, *, precision=0.0, most_exact=0))]
fn run_flow<'py>(
    py: Python<'py>,
    network: &Network,
    program: &Program,
    setup: RunArguments<'py>,
    precision: f64,
    most_exact: u32,
) -> PyResult<Bound<'py, PyDict>> {
    if !(0.0..=1.0).contains(&precision) {
        return Err(PyValueError::new_err(format!("precision cannot be {precision}")));
    }
    let deferral = Deferral { millionths: (precision * 1e6).round() as u32, most_exact };
    let (network, program) = (network.compiled(), program.compiled());
    let run = setup.checked(network, program)?;
    let outcome = setup.call(py, |watch| {
        let model = FlowModel::new(run.setup(network, watch.stop), deferral);
        let Ended { marks, model, timeline } = run.simulate(model, program, watch.progress)?;
        Ok((marks, model.now(), model.counters(), timeline))
    })?;
    let (marks, simulated, counters, timeline) =
        outcome.map_err(|error: RunError| error.raise(py))?;
    let counts = [
        ("events", counters.events),
        ("settlings", counters.settlings),
        ("deferrals", counters.deferrals),
        ("connections", counters.connections),
    ];
    let dict = to_dict(py, &marks, simulated, &counts)?;
    if let Some(timeline) = timeline {
        add_recording(&dict, timeline.named(), timeline.is_whole)?;
    }
    Ok(dict)
}

/// Adds this file's functions to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(run_flow, module)?)
}
