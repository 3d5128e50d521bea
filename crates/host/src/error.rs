//! Errors in the constants of hosts.

use serde::Serialize;
use thiserror::Error;

/// A constant with a value that no host has, named after the broken rule.
#[derive(Clone, Debug, PartialEq, Eq, Error, Serialize)]
#[error("{self:?}")]
pub enum HostError {
    /// A cost that is not a number, negative, or above its bounds.
    BadCost {
        /// The constant.
        name: String,
        /// The largest fixed part, in microseconds.
        most_us: u64,
        /// The largest part per byte, in microseconds.
        most_us_per_byte: u64,
    },
    /// A time that is not a number, negative, or above its bound.
    BadTime {
        /// The constant.
        name: String,
        /// The largest time, in microseconds.
        most_us: u64,
    },
    /// A count that is not a whole number within its bounds.
    BadCount {
        /// The constant.
        name: String,
        /// The lower bound.
        least: u64,
        /// The upper bound.
        most: u64,
    },
    /// A flag that is neither yes nor no.
    BadFlag {
        /// The constant.
        name: String,
    },
    /// A choice that is none of the possible ones.
    BadChoice {
        /// The constant.
        name: String,
        /// The possible choices.
        choices: Vec<String>,
    },
    /// A receive buffer whose window is below a segment or above the largest window.
    BadWindow {
        /// The constant.
        name: String,
        /// The largest window.
        most_bytes: u32,
    },
}
