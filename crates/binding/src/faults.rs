//! Faults of a run, from the columns that Python gives, and the costs of each fault, in return.
//! Parts are those of `resilience`; names and their text form are Python's.

use network::Fabric;
use numpy::PyArray1;
use packet::{Fault, FaultKind, FaultOptions, FaultReport};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use quantity::Time;

use crate::resilience::failures;

/// Faults, one entry each, and the reactions of nodes to them, as the items of a dictionary.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct FaultTable {
    /// Kind of the fault: 0 down, 1 loss, 2 corruption.
    kind: Vec<u8>,
    /// Probability per frame or per bit; 0 for kind down.
    probability: Vec<f64>,
    from_s: Vec<f64>,
    /// End of the fault; infinite for never.
    until_s: Vec<f64>,
    /// The parts of fault i are those from `part_start[i]` to `part_start[i + 1]`.
    part_start: Vec<u32>,
    part_kind: Vec<u8>,
    part_id: Vec<u32>,
    with_fallback: bool,
    bond_poll_s: f64,
}

impl FaultTable {
    /// Returns the faults for the engine.
    ///
    /// # Errors
    /// When columns do not fit together, or a part, a probability or a time is invalid.
    pub fn faults(&self, fabric: &Fabric) -> PyResult<Vec<Fault>> {
        let parts = failures(&self.part_start, &self.part_kind, &self.part_id)?;
        let columns = [self.probability.len(), self.from_s.len(), self.until_s.len(), parts.len()];
        if columns.iter().any(|&length| length != self.kind.len()) {
            return Err(PyValueError::new_err("the columns of faults differ in length"));
        }
        if let Some(part) = parts.iter().flatten().find(|part| !fabric.has_part(**part)) {
            return Err(PyValueError::new_err(format!("there is no {part} that could fail")));
        }
        if !self.probability.iter().all(|part| (0.0..=1.0).contains(part)) {
            return Err(PyValueError::new_err("a probability is not between 0 and 1"));
        }
        let fault = |(index, parts)| {
            let kind = match self.kind[index] {
                0 => FaultKind::Down,
                1 => FaultKind::Loss(self.probability[index]),
                2 => FaultKind::Corrupt(self.probability[index]),
                code => {
                    return Err(PyValueError::new_err(format!("no fault has the code {code}")));
                }
            };
            let (from, until) = (time(self.from_s[index])?, time(self.until_s[index])?);
            Ok(Fault { parts, kind, from, until })
        };
        parts.into_iter().enumerate().map(fault).collect()
    }

    /// Returns the reactions of nodes to faults.
    pub fn options(&self) -> PyResult<FaultOptions> {
        let bond_poll = time(self.bond_poll_s)?;
        Ok(FaultOptions { with_fallback: self.with_fallback, bond_poll })
    }
}

/// Returns a time from the start of a run; infinity means never.
fn time(seconds: f64) -> PyResult<Time> {
    if seconds >= 0.0 {
        return Ok(Time::from_seconds(seconds));
    }
    Err(PyValueError::new_err(format!("a time cannot be {seconds} s")))
}

/// Returns the costs of each fault, in columns.
pub fn costs<'py>(py: Python<'py>, reports: &[FaultReport]) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    let column =
        |count: fn(&FaultReport) -> u64| PyArray1::from_iter(py, reports.iter().map(count));
    dict.set_item("frames_lost", column(|report| report.frames_lost))?;
    dict.set_item("stalled", column(|report| report.n_stalled))?;
    dict.set_item("unrecovered", column(|report| report.n_unrecovered))?;
    let longest = reports.iter().map(|report| report.longest_stall.seconds());
    dict.set_item("longest_stall_s", PyArray1::from_iter(py, longest))?;
    Ok(dict)
}
