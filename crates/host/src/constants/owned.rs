//! The constants of a calibration as a value: a table that a packed run carries from one program to
//! another. Names and units are those of the calibration files.

use serde::{Deserialize, Serialize};

use super::{Table, Value};
use crate::error::HostError;

/// Constants by name.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Constants(Vec<(String, Constant)>);

/// A constant, or a table of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Constant {
    /// A value.
    Value(Value),
    /// A nested table.
    Section(Constants),
}

/// A broken rule of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConstantsError {
    /// The table lacks a constant of this name, or has one of another kind.
    Missing(String),
    /// A constant has a value that no host has.
    Refused(HostError),
}

impl FromIterator<(String, Constant)> for Constants {
    fn from_iter<I: IntoIterator<Item = (String, Constant)>>(constants: I) -> Constants {
        Constants(constants.into_iter().collect())
    }
}

impl Constants {
    fn find(&self, name: &str) -> Result<&Constant, ConstantsError> {
        let found = self.0.iter().find(|(known, _)| known == name);
        found.map(|(_, constant)| constant).ok_or_else(|| missing(name))
    }
}

impl Table for &Constants {
    type Error = ConstantsError;

    fn get(&self, name: &str) -> Result<Value, ConstantsError> {
        match self.find(name)? {
            Constant::Value(value) => Ok(value.clone()),
            Constant::Section(_) => Err(missing(name)),
        }
    }

    fn section(&self, name: &str) -> Result<Option<Self>, ConstantsError> {
        match self.find(name)? {
            Constant::Section(section) => Ok(Some(section)),
            Constant::Value(Value::Off) => Ok(None),
            Constant::Value(_) => Err(missing(name)),
        }
    }

    fn refusal(&self, error: HostError) -> ConstantsError {
        ConstantsError::Refused(error)
    }
}

fn missing(name: &str) -> ConstantsError {
    ConstantsError::Missing(name.to_owned())
}
