//! Errors of the crates as exceptions of `linkwright.errors`.
//!
//! An error is passed as data: the family of rules, the broken rule, and its ids and numbers as
//! JSON. The words are in `linkwright.core_errors` alone.

use device::DeviceError;
use host::HostError;
use network::metrics::MetricError;
use network::{AddressError, FabricError, RoutingError};
use packet::PacketError;
use program::ProgramError;
use program::goal::GoalError;
use pyo3::prelude::*;
use serde::Serialize;
use simulation::RunError;
use wire::WireError;

/// An error of a crate, with the name of its rules in `linkwright.core_errors`.
pub trait Rules: Serialize {
    /// The family of rules.
    const FAMILY: &'static str;
}

/// Assigns each enum of errors to its family.
macro_rules! families {
    ($($error:ty: $family:literal),+ $(,)?) => {
        $(impl Rules for $error {
            const FAMILY: &'static str = $family;
        })+
    };
}

families! {
    FabricError: "fabric",
    AddressError: "address",
    RoutingError: "routing",
    MetricError: "metric",
    GoalError: "goal",
    ProgramError: "program",
    DeviceError: "device",
    RunError: "run",
    WireError: "wire",
    HostError: "host",
    MachineError<'_>: "machine",
}

/// A limit of the machine.
#[derive(Clone, Copy, Debug, Serialize)]
pub enum MachineError<'a> {
    /// The memory for a column of numbers cannot be allocated.
    NoRoom { name: &'a str, n_bytes: usize },
}

/// An error that can become a Python exception.
pub trait Raise {
    /// Returns the exception.
    fn raise(self, py: Python<'_>) -> PyErr;
}

impl<E: Rules> Raise for E {
    fn raise(self, py: Python<'_>) -> PyErr {
        let data = serde_json::to_string(&self).unwrap_or_default();
        let built = py
            .import("linkwright.core_errors")
            .and_then(|module| module.getattr("worded"))
            .and_then(|worded| worded.call1((E::FAMILY, data)));
        match built {
            Ok(exception) => PyErr::from_value(exception),
            Err(error) => error,
        }
    }
}

/// Returns the exception for a run that could not begin or did not finish.
pub fn packet_error(error: PacketError) -> PyErr {
    Python::attach(|py| match error {
        PacketError::Device(error) => error.raise(py),
        PacketError::Run(error) => error.raise(py),
    })
}

/// Returns the exception for a failed allocation.
pub fn no_room(name: &str, n_bytes: usize) -> PyErr {
    Python::attach(|py| MachineError::NoRoom { name, n_bytes }.raise(py))
}
