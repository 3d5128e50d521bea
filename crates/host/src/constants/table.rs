//! The reading of constants from the table of a calibration: by name, in the units of its files,
//! and within bounds. Inside the bounds no run divides by zero, continues forever, or leaves the
//! range of time; they are wider than any machine needs.

use std::ops::RangeInclusive;

use quantity::{Cost, Time};
use serde::{Deserialize, Serialize};

use crate::error::HostError;

/// Upper bound of fixed costs and of the times that a host waits, in microseconds.
const MOST_US: u64 = 1 << 32;
/// Upper bound of costs per byte, in microseconds.
const MOST_US_PER_BYTE: u64 = 1000;

/// A value of a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Value {
    /// A cost: microseconds, and microseconds per byte.
    Cost(f64, f64),
    /// A count, or a number of microseconds.
    Number(f64),
    /// A flag.
    Flag(bool),
    /// A choice by name.
    Choice(String),
    /// An option that the calibration leaves out: zero, no, or the first choice.
    Off,
}

/// A table of constants by name.
pub trait Table: Sized {
    /// An error in a table.
    type Error;

    /// Returns a value.
    ///
    /// # Errors
    /// If the table does not have the name, or has a value of another kind.
    fn get(&self, name: &str) -> Result<Value, Self::Error>;

    /// Returns a nested table; `None` where it is off.
    ///
    /// # Errors
    /// If the table does not have the name, or has a value of another kind.
    fn section(&self, name: &str) -> Result<Option<Self>, Self::Error>;

    /// Returns the table's error for a constant that cannot have its value.
    fn refusal(&self, error: HostError) -> Self::Error;

    /// Returns a cost.
    ///
    /// # Errors
    /// If the value is of another kind, or out of bounds.
    fn cost(&self, name: &str) -> Result<Cost, Self::Error> {
        let (us, us_per_byte) = cost_pair(self, name)?;
        Ok(Cost::from_seconds(us * 1e-6, us_per_byte * 1e-6))
    }

    /// Returns the fixed part of a cost.
    ///
    /// # Errors
    /// If the value is no cost, or out of bounds.
    fn fixed_cost(&self, name: &str) -> Result<Time, Self::Error> {
        Ok(Time::from_seconds(cost_pair(self, name)?.0 * 1e-6))
    }

    /// Returns the part per byte of a cost.
    ///
    /// # Errors
    /// If the value is no cost, or out of bounds.
    fn cost_per_byte(&self, name: &str) -> Result<Cost, Self::Error> {
        Ok(Cost::from_seconds(0.0, cost_pair(self, name)?.1 * 1e-6))
    }

    /// Returns a time, which a table gives in microseconds.
    ///
    /// # Errors
    /// If the value is of another kind, or out of bounds.
    fn time(&self, name: &str) -> Result<Time, Self::Error> {
        match self.get(name)? {
            Value::Number(us) if is_between_0_and(MOST_US, us) => Ok(Time::from_seconds(us * 1e-6)),
            Value::Off => Ok(Time::ZERO),
            _ => Err(self.refusal(HostError::BadTime { name: name.to_owned(), most_us: MOST_US })),
        }
    }

    /// Returns a whole number within bounds; the lower bound where it is off.
    ///
    /// # Errors
    /// If the value is of another kind, or out of bounds.
    fn count<N: TryFrom<u64>>(
        &self,
        name: &str,
        bounds: RangeInclusive<u64>,
    ) -> Result<N, Self::Error> {
        let number = match self.get(name)? {
            Value::Number(number) if number >= 0.0 && number.fract() == 0.0 => Some(number as u64),
            Value::Off => Some(*bounds.start()),
            _ => None,
        };
        let number = number.filter(|number| bounds.contains(number));
        number.and_then(|number| N::try_from(number).ok()).ok_or_else(|| {
            let (least, most) = bounds.into_inner();
            self.refusal(HostError::BadCount { name: name.to_owned(), least, most })
        })
    }

    /// Returns a flag.
    ///
    /// # Errors
    /// If the value is no flag.
    fn flag(&self, name: &str) -> Result<bool, Self::Error> {
        match self.get(name)? {
            Value::Flag(flag) => Ok(flag),
            Value::Off => Ok(false),
            _ => Err(self.refusal(HostError::BadFlag { name: name.to_owned() })),
        }
    }

    /// Returns one of several choices, the first where it is off.
    ///
    /// # Errors
    /// If the value is none of the choices.
    fn choice<C: Copy>(&self, name: &str, choices: &[(&str, C)]) -> Result<C, Self::Error> {
        let found = match &self.get(name)? {
            Value::Choice(text) => choices.iter().find(|(choice, _)| choice == text),
            Value::Off => choices.first(),
            _ => None,
        };
        found.map(|&(_, choice)| choice).ok_or_else(|| {
            let choices = choices.iter().map(|&(choice, _)| choice.to_owned()).collect();
            self.refusal(HostError::BadChoice { name: name.to_owned(), choices })
        })
    }
}

fn cost_pair<T: Table>(table: &T, name: &str) -> Result<(f64, f64), T::Error> {
    match table.get(name)? {
        Value::Cost(us, us_per_byte)
            if is_between_0_and(MOST_US, us) && is_between_0_and(MOST_US_PER_BYTE, us_per_byte) =>
        {
            Ok((us, us_per_byte))
        }
        Value::Off => Ok((0.0, 0.0)),
        _ => Err(table.refusal(HostError::BadCost {
            name: name.to_owned(),
            most_us: MOST_US,
            most_us_per_byte: MOST_US_PER_BYTE,
        })),
    }
}

fn is_between_0_and(most: u64, value: f64) -> bool {
    (0.0..=most as f64).contains(&value)
}

/// Defines constants, each with its meaning, its type and its reading from a table.
macro_rules! constants {
    (
        $(#[$about:meta])*
        pub struct $name:ident from $table:ident {
            $($(#[$meaning:meta])* pub $field:ident: $type:ty = $read:expr,)*
        }
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name {
            $($(#[$meaning])* pub $field: $type,)*
        }

        impl $name {
            /// Reads the constants from a table.
            ///
            /// # Errors
            /// If the table lacks a constant, or a value is not allowed.
            pub fn read<T: $crate::constants::Table>($table: &T) -> Result<$name, T::Error> {
                Ok($name { $($field: $read?,)* })
            }
        }
    };
}

pub(super) use constants;
