//! The constants of the hosts: the dictionary of a calibration as the host model of the engines.
//! Names and units are those of the calibration files; bounds are in `host::constants`.

use host::{HostError, HostModel, Table, Value};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict};

use crate::errors::Raise;

/// A dictionary of constants by name.
#[derive(FromPyObject)]
#[pyo3(transparent)]
pub struct HostConstants<'py>(Bound<'py, PyDict>);

impl<'py> HostConstants<'py> {
    /// Returns the host model for the engines.
    ///
    /// # Errors
    /// When a constant is missing or has an invalid value.
    pub fn model(&self) -> PyResult<HostModel> {
        HostModel::read(self)
    }

    fn item(&self, name: &str) -> PyResult<Bound<'py, PyAny>> {
        self.0.get_item(name)?.ok_or_else(|| PyKeyError::new_err(name.to_owned()))
    }
}

impl Table for HostConstants<'_> {
    type Error = PyErr;

    fn get(&self, name: &str) -> PyResult<Value> {
        let item = self.item(name)?;
        if item.is_none() {
            return Ok(Value::Off);
        }
        if item.is_instance_of::<PyBool>() {
            return Ok(Value::Flag(item.extract()?));
        }
        if let Ok((us, us_per_byte)) = item.extract() {
            return Ok(Value::Cost(us, us_per_byte));
        }
        match item.extract() {
            Ok(choice) => Ok(Value::Choice(choice)),
            Err(_) => Ok(Value::Number(item.extract()?)),
        }
    }

    fn section(&self, name: &str) -> PyResult<Option<Self>> {
        self.item(name)?.extract()
    }

    fn refusal(&self, error: HostError) -> PyErr {
        error.raise(self.0.py())
    }
}
