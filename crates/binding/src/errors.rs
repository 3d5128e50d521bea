//! Errors of the crates as exceptions of `linkwright.errors`.
//!
//! A message of the form "rule; remedy" becomes the exception's message and hint. Ids are turned
//! into names by the wrappers, which know them.

use network::metrics::MetricError;
use network::{AddressError, FabricError, RoutingError};
use packet::PacketError;
use program::goal::GoalError;
use program::{Action, ProgramError, Rank};
use pyo3::prelude::*;
use simulation::{RunError, StuckRank};

/// How many stuck ranks a message lists.
const MOST_LISTED: usize = 8;

/// An error of a crate that has a class in Python.
pub trait Raise {
    /// Returns the exception.
    fn raise(self, py: Python<'_>) -> PyErr;
}

impl Raise for FabricError {
    fn raise(self, py: Python<'_>) -> PyErr {
        exception(py, "DesignError", &self.to_string())
    }
}

impl Raise for AddressError {
    fn raise(self, py: Python<'_>) -> PyErr {
        exception(py, "DesignError", &self.to_string())
    }
}

impl Raise for RoutingError {
    fn raise(self, py: Python<'_>) -> PyErr {
        exception(py, "DesignError", &self.to_string())
    }
}

impl Raise for MetricError {
    fn raise(self, py: Python<'_>) -> PyErr {
        exception(py, "PlanError", &self.to_string())
    }
}

impl Raise for GoalError {
    fn raise(self, py: Python<'_>) -> PyErr {
        exception(py, "UsageError", &self.to_string())
    }
}

impl Raise for ProgramError {
    fn raise(self, py: Python<'_>) -> PyErr {
        exception(py, "UsageError", &self.to_string())
    }
}

/// Returns the exception for a run that could not begin or did not finish.
pub fn packet_error(error: PacketError) -> PyErr {
    Python::attach(|py| match error {
        PacketError::Device(error) => exception(py, "DesignError", &error.to_string()),
        PacketError::Run(error) => run_error(py, &error),
    })
}

/// Returns the exception for a run that did not finish.
pub fn run_error(py: Python<'_>, error: &RunError) -> PyErr {
    exception(py, "RunError", &describe(error))
}

fn describe(error: &RunError) -> String {
    match error {
        RunError::Deadlock(stuck) => {
            format!("{error}: {}; check that every receive has its send", listed(stuck))
        }
        RunError::TooLong(stuck) => {
            format!("{error}: {}; shorten the operations of these ranks", listed(stuck))
        }
        RunError::NoRoute { .. } => format!("{error}; `linkwright check` says where it is lost"),
        RunError::RouteTooLong { forwards, .. } if *forwards >= u32::from(u8::MAX) => {
            format!("{error}; no TTL is for more than 254: choose a shape with shorter paths")
        }
        RunError::RouteTooLong { .. } => {
            format!("{error}; set --host links.ttl=255, or choose a shape with shorter paths")
        }
        RunError::ConnectionLost { stuck, .. } => {
            format!("{error}: {}; look for drops, a queue may be too short", listed(stuck))
        }
        RunError::NodeDied { .. } => {
            format!("{error}; an MPI program does not outlive its ranks: let it finish first")
        }
        RunError::PauseDeadlock { .. } => {
            format!("{error}; leave out links.flow_control=pause, or the loop of switches")
        }
        RunError::FaultsWithPauses => {
            format!("{error}; leave out the faults or links.flow_control=pause")
        }
        RunError::NoDatagrams => format!("{error}; choose --engine packet"),
        RunError::NoDisk => format!("{error}; add the section [disk] to the calibration"),
        RunError::Stopped => error.to_string(),
    }
}

fn listed(stuck: &[StuckRank]) -> String {
    let listed: Vec<String> = stuck.iter().take(MOST_LISTED).map(place).collect();
    let more = if stuck.len() > MOST_LISTED { ", ..." } else { "" };
    listed.join(", ") + more
}

fn place(stuck: &StuckRank) -> String {
    format!("rank {} in operation {} ({})", stuck.rank, stuck.index, in_words(stuck.action))
}

fn in_words(action: Action) -> String {
    match action {
        Action::Send { to, bytes, .. } => format!("a send of {bytes} bytes to rank {to}"),
        Action::StartSend { to, bytes, .. } => {
            format!("the start of a send to rank {to}, {bytes} bytes")
        }
        Action::Receive { from, .. } => format!("a receive from {}", sender(from)),
        Action::StartReceive { from, .. } => {
            format!("the start of a receive from {}", sender(from))
        }
        Action::WaitAll => "a wait for all sends and receives".into(),
        Action::Wait { number } => format!("a wait for the sends and receives of number {number}"),
        Action::Compute { work } => format!("a computation of {work}"),
        Action::Datagram { to, bytes, .. } => format!("a datagram of {bytes} bytes to rank {to}"),
        Action::Disk(_) => "an access to the disk".into(),
        Action::Rest { spacing } => format!("a rest of {spacing}"),
        Action::Mark { mark } => format!("mark {mark}"),
    }
}

fn sender(from: Option<Rank>) -> String {
    from.map_or("any rank".into(), |rank| format!("rank {rank}"))
}

/// Returns the exception for memory that is not there.
pub fn no_room(name: &str, bytes: usize) -> PyErr {
    let text =
        format!("there is no room for {name}, {bytes} bytes; take fewer, or another machine");
    Python::attach(|py| exception(py, "CapabilityError", &text))
}

/// Returns the exception for a constant of the hosts that cannot be.
pub fn bad_constant(name: &str, rule: &str) -> PyErr {
    let text = format!("the constant '{name}' of the hosts cannot have this value; {rule}");
    Python::attach(|py| exception(py, "UsageError", &text))
}

/// Builds an exception of a class of `linkwright.errors`, which is imported only now.
fn exception(py: Python<'_>, class: &str, text: &str) -> PyErr {
    let (message, hint) = text.rsplit_once("; ").unwrap_or((text, ""));
    let built = py
        .import("linkwright.errors")
        .and_then(|module| module.getattr(class))
        .and_then(|class| class.call1((message, hint)));
    match built {
        Ok(exception) => PyErr::from_value(exception),
        Err(error) => error,
    }
}
