//! Arrays as columns of a table: copied in, so that the interpreter can be released, and moved out,
//! for reading only.

use numpy::ndarray::Dimension;
use numpy::{
    Element, PyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Copies a column of `n` entries in.
pub fn column<T: Element + Copy>(
    name: &str,
    array: &PyReadonlyArray1<'_, T>,
    n: usize,
) -> PyResult<Vec<T>> {
    let values: Vec<T> = array.as_array().iter().copied().collect();
    expect_length(name, values.len(), n)?;
    Ok(values)
}

/// Copies a table of `n` rows and `WIDTH` columns in.
pub fn rows<T: Element + Copy + Default, const WIDTH: usize>(
    name: &str,
    array: &PyReadonlyArray2<'_, T>,
    n: usize,
) -> PyResult<Vec<[T; WIDTH]>> {
    let view = array.as_array();
    expect_length(name, view.nrows(), n)?;
    expect_length(&format!("a row of {name}"), view.ncols(), WIDTH)?;
    let row = |index: usize| std::array::from_fn(|column| view[[index, column]]);
    Ok((0..n).map(row).collect())
}

/// Moves a column out, for reading only.
pub fn to_array<T: Element>(py: Python<'_>, values: Vec<T>) -> Py<PyArray1<T>> {
    locked(PyArray::from_vec(py, values))
}

/// Moves a table out, its rows one after the other, for reading only.
pub fn to_table<T: Element>(
    py: Python<'_>,
    values: Vec<T>,
    width: usize,
) -> PyResult<Py<PyArray2<T>>> {
    let n_rows = values.len().checked_div(width).unwrap_or(0);
    Ok(locked(PyArray::from_vec(py, values).reshape([n_rows, width])?))
}

/// Makes an array read-only: what it tells of is compiled and does not change.
fn locked<T: Element, D: Dimension>(array: Bound<'_, PyArray<T, D>>) -> Py<PyArray<T, D>> {
    array.readwrite().make_nonwriteable();
    array.unbind()
}

/// Refuses a column that is longer or shorter than its neighbour.
pub fn expect_length(name: &str, given: usize, expected: usize) -> PyResult<()> {
    if given == expected {
        return Ok(());
    }
    Err(PyValueError::new_err(format!("{name} has {given} entries, {expected} are needed")))
}
