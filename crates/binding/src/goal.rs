//! GOAL text for Python: the columns of steps of a text, and the text of a program piece by piece.
//! The format is defined in `program::goal`.

use program::goal::{GoalWriter as Writer, read};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::columns::to_array;
use crate::errors::Raise;
use crate::program::Program;

/// Adds the parser function and the writer class.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(read_goal, module)?)?;
    module.add_class::<GoalWriter>()
}

/// Returns the number of ranks of a GOAL text and the columns of its steps by name.
#[pyfunction]
fn read_goal(py: Python<'_>, text: &[u8]) -> PyResult<(u32, Py<PyDict>)> {
    let parsed = py.detach(|| {
        let graph = read(text)?;
        Ok((graph.n_ranks(), graph.steps()?))
    });
    let (n_ranks, steps) = parsed.map_err(|error: program::goal::GoalError| error.raise(py))?;
    let columns = PyDict::new(py);
    columns.set_item("kind", to_array(py, steps.kind))?;
    columns.set_item("rank", to_array(py, steps.rank))?;
    columns.set_item("peer", to_array(py, steps.peer))?;
    columns.set_item("size_bytes", to_array(py, steps.size_bytes))?;
    columns.set_item("tag", to_array(py, steps.tag))?;
    columns.set_item("compute_s", to_array(py, steps.compute_s))?;
    columns.set_item("number", to_array(py, steps.number))?;
    Ok((n_ranks, columns.unbind()))
}

/// Writes a program as GOAL text; an iterator over pieces of about 1 MB.
#[pyclass(module = "linkwright._core")]
struct GoalWriter {
    program: Py<Program>,
    writer: Writer,
}

#[pymethods]
impl GoalWriter {
    #[new]
    fn new(py: Python<'_>, program: Py<Program>) -> PyResult<GoalWriter> {
        let compiled = program.get().compiled();
        let writer = py.detach(|| Writer::new(compiled)).map_err(|error| error.raise(py))?;
        Ok(GoalWriter { program, writer })
    }

    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    /// Number of ranks that are completely written.
    #[getter]
    fn n_written(&self) -> u32 {
        self.writer.n_written()
    }

    fn __next__(&mut self, py: Python<'_>) -> Option<String> {
        let GoalWriter { program, writer } = self;
        let compiled = program.get().compiled();
        py.detach(|| writer.piece(compiled))
    }
}
