//! The extension module `linkwright._core`: the compiled forms and the engines, for Python.
//!
//! Python is known to this crate only. Each file wraps one crate and registers its functions and
//! classes; algorithms are documented in those crates, behaviour in the package. Calls are few and
//! large: arrays in, arrays out, the interpreter released in between.

mod analytic;
mod columns;
mod errors;
mod faults;
mod flow;
mod goal;
mod host;
mod long_call;
mod metrics;
mod network;
mod nodes;
mod packet;
mod pickling;
mod playing;
mod program;
mod resilience;
mod run;
mod saturation;
mod watch;

use pyo3::prelude::*;

/// Builds the module; the types are in `_core.pyi`.
#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("VERSION", env!("CARGO_PKG_VERSION"))?;
    long_call::register(module)?;
    network::register(module)?;
    metrics::register(module)?;
    resilience::register(module)?;
    program::register(module)?;
    goal::register(module)?;
    analytic::register(module)?;
    flow::register(module)?;
    saturation::register(module)?;
    packet::register(module)?;
    playing::register(module)?;
    nodes::register(module)
}
