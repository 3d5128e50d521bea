//! The constants of the hosts: the dictionary of a calibration as the host model of the engines.
//! Names and units are those of the calibration files; bounds are in `host::constants`.

use host::{Constant, Constants, ConstantsError, HostModel, Value};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict};

use crate::errors::Raise;

/// A dictionary of constants by name.
#[derive(FromPyObject)]
#[pyo3(transparent)]
pub struct HostConstants<'py>(Bound<'py, PyDict>);

impl HostConstants<'_> {
    /// Returns the host model for the engines.
    ///
    /// # Errors
    /// When a constant is missing or has an invalid value.
    pub fn model(&self) -> PyResult<HostModel> {
        let constants = self.constants()?;
        HostModel::read(&&constants).map_err(|error| match error {
            ConstantsError::Missing(name) => PyKeyError::new_err(name),
            ConstantsError::Refused(error) => error.raise(self.0.py()),
        })
    }

    /// Returns the constants as a value.
    ///
    /// # Errors
    /// When one has a type that no constant has.
    pub fn constants(&self) -> PyResult<Constants> {
        table(&self.0)
    }
}

fn table(dict: &Bound<'_, PyDict>) -> PyResult<Constants> {
    dict.iter().map(|(name, item)| Ok((name.extract()?, constant(&item)?))).collect()
}

fn constant(item: &Bound<'_, PyAny>) -> PyResult<Constant> {
    if let Ok(section) = item.cast::<PyDict>() {
        return table(section).map(Constant::Section);
    }
    value(item).map(Constant::Value)
}

fn value(item: &Bound<'_, PyAny>) -> PyResult<Value> {
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
