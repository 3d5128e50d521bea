//! A run packed into bytes, for a page that plays it and for the players of its ranks. The bytes
//! hold the same inputs that a run here has; crate `page` reads them again.

use network::{AddressId, NodeId};
use numpy::PyReadonlyArray1;
use packet::FaultOptions;
use page::play::{PackedProgram, PackedRun};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::columns::{ids, ids_of_any_number};
use crate::faults::FaultTable;
use crate::host::HostConstants;
use crate::network::Network;
use crate::program::{Program, StepTable};

/// The inputs of some runs that differ in their programs, as the items of a dictionary.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct PackArguments<'py> {
    identities: PyReadonlyArray1<'py, u32>,
    host: HostConstants<'py>,
    seed: u64,
    faults: Option<FaultTable>,
    most_hops: u64,
    programs: Vec<ProgramArguments<'py>>,
}

/// A program and the nodes of its ranks.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct ProgramArguments<'py> {
    n_ranks: u32,
    n_background: u32,
    algorithms: String,
    steps: StepTable<'py>,
    node_of_rank: PyReadonlyArray1<'py, u32>,
}

/// Returns everything that a page needs to play a run.
#[pyfunction]
fn packed_run<'py>(
    py: Python<'py>,
    network: &Network,
    run: PackArguments<'py>,
) -> PyResult<Bound<'py, PyBytes>> {
    let compiled = network.compiled();
    let n_nodes = compiled.fabric.n_nodes();
    let (faults, options) = match &run.faults {
        Some(table) => (table.faults(&compiled.fabric)?, table.options()?),
        None => (Vec::new(), FaultOptions::default()),
    };
    let n_addresses = compiled.addressing.addresses().n();
    let identities: Vec<AddressId> = ids("identities", &run.identities, n_addresses)?;
    let program = |given: &ProgramArguments<'_>| {
        let node_of_rank: Vec<NodeId> =
            ids_of_any_number("node_of_rank", &given.node_of_rank, n_nodes)?;
        Ok(PackedProgram {
            n_ranks: given.n_ranks,
            n_background: given.n_background,
            algorithms: given.algorithms.clone(),
            node_of_rank,
            steps: (&given.steps.columns()?).into(),
        })
    };
    let packed = PackedRun {
        network: compiled.spec(network.routing().clone()),
        host: run.host.constants()?,
        identities,
        programs: run.programs.iter().map(program).collect::<PyResult<_>>()?,
        seed: run.seed,
        faults,
        options,
        most_hops: run.most_hops,
    };
    Ok(PyBytes::new(py, &packed.to_bytes()))
}

/// Returns the first program of a packed run.
#[pyfunction]
fn unpacked_program(py: Python<'_>, packed: &[u8]) -> PyResult<Program> {
    let compiled = py.detach(|| {
        PackedRun::from_bytes(packed)?.programs.first().map(PackedProgram::compiled).transpose()
    });
    let compiled = compiled.map_err(|error| PyValueError::new_err(error.to_string()))?;
    compiled.map(Program::from).ok_or_else(|| PyValueError::new_err("there is no program"))
}

/// Adds this file's functions to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(packed_run, module)?)?;
    module.add_function(wrap_pyfunction!(unpacked_program, module)?)
}
