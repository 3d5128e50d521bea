//! The compiled program for Python: a table of steps in, an opaque handle out. Operations are not
//! returned; engines read them here.

use numpy::PyReadonlyArray1;
use program::{Algorithm, AlgorithmSet, Collective, Columns, MAX_RANKS, Manner, Ranks, STEP_KINDS};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::errors::Raise;

/// Adds the class, and the limit and names that Python uses.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Program>()?;
    module.add("MAX_RANKS", MAX_RANKS)?;
    module.add("STEP_KINDS", STEP_KINDS.to_vec())?;
    module.add("ALGORITHM_SETS", AlgorithmSet::ALL.map(AlgorithmSet::name).to_vec())?;
    module.add("ALGORITHMS", Algorithm::ALL.map(|(_, name)| name).to_vec())?;
    module.add_function(wrap_pyfunction!(algorithms_of, module)?)?;
    module.add_function(wrap_pyfunction!(algorithm_of, module)?)
}

/// Returns the names of the algorithms that can carry out a collective, of a kind of
/// `STEP_KINDS`.
#[pyfunction]
fn algorithms_of(kind: &str) -> PyResult<Vec<&'static str>> {
    Ok(collective(kind, 0)?.algorithms().iter().map(|algorithm| algorithm.name()).collect())
}

/// Returns the name of the algorithm of a collective: the one of a code, or with code 0 the one
/// that a library chooses for these bytes and ranks.
#[pyfunction]
fn algorithm_of(
    library: &str,
    kind: &str,
    size_bytes: u64,
    n_ranks: u32,
    code: u32,
) -> PyResult<&'static str> {
    if n_ranks == 0 {
        return Err(PyValueError::new_err("there are no ranks"));
    }
    let manner = Manner { algorithm: Algorithm::from_code(code), segment_bytes: 0 };
    Ok(set_of(library)?.algorithm(collective(kind, size_bytes)?, manner, n_ranks).name())
}

fn set_of(name: &str) -> PyResult<AlgorithmSet> {
    AlgorithmSet::from_name(name)
        .ok_or_else(|| PyValueError::new_err(format!("no algorithm set '{name}'")))
}

/// Returns a collective by the name of its kind of step, with rank 0 as its root.
fn collective(kind: &str, bytes: u64) -> PyResult<Collective> {
    let root = program::Rank::new(0);
    Ok(match kind {
        "broadcast" => Collective::Broadcast { root, bytes },
        "reduce" => Collective::Reduce { root, bytes },
        "all_reduce" => Collective::AllReduce { bytes },
        "barrier" => Collective::Barrier,
        "all_gather" => Collective::AllGather { bytes },
        "all_to_all" => Collective::AllToAll { bytes },
        "gather" => Collective::Gather { root, bytes },
        "scatter" => Collective::Scatter { root, bytes },
        "reduce_scatter" => Collective::ReduceScatter { bytes },
        _ => return Err(PyValueError::new_err(format!("no collective '{kind}'"))),
    })
}

/// Steps in the form of `workloads.steps.Steps`.
#[derive(FromPyObject)]
pub struct StepTable<'py> {
    kind: PyReadonlyArray1<'py, u8>,
    rank: PyReadonlyArray1<'py, i32>,
    peer: PyReadonlyArray1<'py, i32>,
    size_bytes: PyReadonlyArray1<'py, u64>,
    tag: PyReadonlyArray1<'py, u32>,
    compute_s: PyReadonlyArray1<'py, f64>,
    number: PyReadonlyArray1<'py, u32>,
}

impl StepTable<'_> {
    /// Returns the steps by column.
    pub fn columns(&self) -> PyResult<Columns<'_>> {
        Ok(Columns {
            kind: self.kind.as_slice()?,
            rank: self.rank.as_slice()?,
            peer: self.peer.as_slice()?,
            size_bytes: self.size_bytes.as_slice()?,
            tag: self.tag.as_slice()?,
            compute_s: self.compute_s.as_slice()?,
            number: self.number.as_slice()?,
        })
    }
}

/// The operations of every rank.
#[pyclass(frozen, module = "linkwright._core")]
pub struct Program {
    compiled: program::Program,
}

impl Program {
    /// Returns the compiled program.
    pub fn compiled(&self) -> &program::Program {
        &self.compiled
    }
}

impl From<program::Program> for Program {
    fn from(compiled: program::Program) -> Program {
        Program { compiled }
    }
}

#[pymethods]
impl Program {
    #[new]
    #[pyo3(signature = (n_ranks, algorithms, steps, *, n_background = 0))]
    fn new(
        py: Python<'_>,
        n_ranks: u32,
        algorithms: &str,
        steps: StepTable<'_>,
        n_background: u32,
    ) -> PyResult<Program> {
        let algorithms = set_of(algorithms)?;
        let columns = steps.columns()?;
        let compiled = py.detach(|| {
            let steps = columns.steps(n_ranks)?;
            let awaited = n_ranks.saturating_sub(n_background);
            let ranks = Ranks { awaited, background: n_background };
            program::Program::compile(ranks, &steps, algorithms)
        });
        compiled.map(|compiled| Program { compiled }).map_err(|error| error.raise(py))
    }

    /// Number of ranks.
    #[getter]
    fn n_ranks(&self) -> u32 {
        self.compiled.n_ranks()
    }

    /// Number of awaited ranks, which come first.
    #[getter]
    fn n_awaited(&self) -> u32 {
        self.compiled.n_awaited()
    }

    /// Number of operations of all ranks, each counted once even if repeated.
    #[getter]
    fn n_operations(&self) -> usize {
        self.compiled.n_operations()
    }

    /// Number of operations in memory at once, with those of the largest collective of each rank.
    #[getter]
    fn n_in_memory(&self) -> usize {
        self.compiled.n_in_memory()
    }
}
