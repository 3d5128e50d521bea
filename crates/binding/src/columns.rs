//! Arrays as columns of a table: copied in, so that the interpreter can be released, and moved out
//! read-only.

use numpy::ndarray::Dimension;
use numpy::{
    Element, PyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use quantity::Id;

use crate::errors::no_room;

/// Copies a column of `n` entries from an array.
pub fn column<T: Element + Copy>(
    name: &str,
    array: &PyReadonlyArray1<'_, T>,
    n: usize,
) -> PyResult<Vec<T>> {
    let view = array.as_array();
    expect_length(name, view.len(), n)?;
    collected(name, view.iter().map(|&value| Ok(value)))
}

/// Copies a column of at most `end` ids, each below `end`, from an array.
pub fn ids<I: Id>(name: &str, array: &PyReadonlyArray1<'_, u32>, end: u32) -> PyResult<Vec<I>> {
    expect_at_most(name, array.as_array().len(), end as usize)?;
    ids_of_any_number(name, array, end)
}

/// Returns ids as [`ids`], of which there may be more than things that they name.
///
/// # Errors
/// When one is not below `end`.
pub fn ids_of_any_number<I: Id>(
    name: &str,
    array: &PyReadonlyArray1<'_, u32>,
    end: u32,
) -> PyResult<Vec<I>> {
    let view = array.as_array();
    let known = |&id: &u32| match id < end {
        true => Ok(I::new(id)),
        false => Err(PyValueError::new_err(format!("{name} names {id}, there are {end}"))),
    };
    collected(name, view.iter().map(known))
}

/// Collects a known number of values; fails if there is no memory for them.
pub fn collected<T>(
    name: &str,
    values: impl ExactSizeIterator<Item = PyResult<T>>,
) -> PyResult<Vec<T>> {
    let mut all = Vec::new();
    all.try_reserve_exact(values.len())
        .map_err(|_| no_room(name, values.len().saturating_mul(size_of::<T>())))?;
    for value in values {
        all.push(value?);
    }
    Ok(all)
}

/// Copies a table of `n` rows and `WIDTH` columns from an array.
pub fn rows<T: Element + Copy + Default, const WIDTH: usize>(
    name: &str,
    array: &PyReadonlyArray2<'_, T>,
    n: usize,
) -> PyResult<Vec<[T; WIDTH]>> {
    let view = array.as_array();
    expect_length(name, view.nrows(), n)?;
    expect_length(&format!("a row of {name}"), view.ncols(), WIDTH)?;
    let row = |index: usize| Ok(std::array::from_fn(|column| view[[index, column]]));
    collected(name, (0..n).map(row))
}

/// Moves a column into a read-only array.
pub fn to_array<T: Element>(py: Python<'_>, values: Vec<T>) -> Py<PyArray1<T>> {
    locked(PyArray::from_vec(py, values))
}

/// Moves a column of ids into a read-only array.
pub fn to_ids<I: Id>(py: Python<'_>, ids: impl Iterator<Item = I>) -> Py<PyArray1<u32>> {
    to_array(py, ids.map(I::get).collect())
}

/// Moves a table into a read-only array, row by row.
pub fn to_table<T: Element>(
    py: Python<'_>,
    values: Vec<T>,
    width: usize,
) -> PyResult<Py<PyArray2<T>>> {
    let n_rows = values.len().checked_div(width).unwrap_or(0);
    Ok(locked(PyArray::from_vec(py, values).reshape([n_rows, width])?))
}

/// Makes an array read-only, because the compiled object that it describes does not change.
fn locked<T: Element, D: Dimension>(array: Bound<'_, PyArray<T, D>>) -> Py<PyArray<T, D>> {
    array.readwrite().make_nonwriteable();
    array.unbind()
}

/// Rejects an array with too many entries.
pub fn expect_at_most(name: &str, given: usize, most: usize) -> PyResult<()> {
    if given <= most {
        return Ok(());
    }
    Err(PyValueError::new_err(format!("{name} has {given} entries, at most {most} are possible")))
}

/// Rejects a column whose length differs from that of its table.
pub fn expect_length(name: &str, given: usize, expected: usize) -> PyResult<()> {
    if given == expected {
        return Ok(());
    }
    Err(PyValueError::new_err(format!("{name} has {given} entries, {expected} are needed")))
}
