//! The compiled program for Python: a table of steps in, an opaque handle out. Operations do not
//! cross back; engines read them here.

use numpy::PyReadonlyArray1;
use program::{AlgorithmSet, Columns, MAX_RANKS, Ranks, STEP_KINDS};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::errors::Raise;

/// Adds the class, and the limit and the names that Python relies on.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Program>()?;
    module.add("MAX_RANKS", MAX_RANKS)?;
    module.add("STEP_KINDS", STEP_KINDS.to_vec())?;
    module.add("ALGORITHM_SETS", AlgorithmSet::ALL.map(AlgorithmSet::name).to_vec())
}

/// What every rank does.
#[pyclass(frozen, module = "linkwright._core")]
pub struct Program {
    compiled: program::Program,
}

impl Program {
    /// Returns the program itself.
    pub fn compiled(&self) -> &program::Program {
        &self.compiled
    }
}

#[pymethods]
impl Program {
    #[new]
    #[pyo3(signature = (
        n_ranks, algorithms, *, kind, rank, peer, size_bytes, tag, compute_s, number, n_background=0
    ))]
    #[allow(clippy::too_many_arguments)] // one keyword per column, all of them named by the caller
    fn new(
        py: Python<'_>,
        n_ranks: u32,
        algorithms: &str,
        kind: PyReadonlyArray1<'_, u8>,
        rank: PyReadonlyArray1<'_, i32>,
        peer: PyReadonlyArray1<'_, i32>,
        size_bytes: PyReadonlyArray1<'_, u64>,
        tag: PyReadonlyArray1<'_, u32>,
        compute_s: PyReadonlyArray1<'_, f64>,
        number: PyReadonlyArray1<'_, u32>,
        n_background: u32,
    ) -> PyResult<Program> {
        let algorithms = AlgorithmSet::from_name(algorithms)
            .ok_or_else(|| PyValueError::new_err(format!("no algorithm set '{algorithms}'")))?;
        let columns = Columns {
            kind: kind.as_slice()?,
            rank: rank.as_slice()?,
            peer: peer.as_slice()?,
            size_bytes: size_bytes.as_slice()?,
            tag: tag.as_slice()?,
            compute_s: compute_s.as_slice()?,
            number: number.as_slice()?,
        };
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

    /// How many of them a run waits for: the first ones.
    #[getter]
    fn n_awaited(&self) -> u32 {
        self.compiled.n_awaited()
    }

    /// Number of operations of all ranks, each counted once however often it is repeated.
    #[getter]
    fn n_operations(&self) -> usize {
        self.compiled.n_operations()
    }
}
