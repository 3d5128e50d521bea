//! Tie-breaks on a ring between two directions of equal length.

use serde::{Deserialize, Serialize};

/// The tie-break between equal directions, for schemes that know rings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ties {
    /// By the parity of the coordinates of the node that decides.
    ///
    /// Neighbours on a ring differ in parity, so under uniform traffic each node relays the same
    /// number of packets (and each channel carries the same number if half the side is even; in a
    /// ring of six, three hops from every other node are nine over six channels).
    #[default]
    Spread,
    /// All in the same direction, which the scheme defines; as in the papers.
    OneWay,
}

impl Ties {
    /// Returns whether a tie at these coordinates goes forward; ties that are not spread go
    /// `one_way`.
    pub(super) fn is_forward(self, coordinates: &[i32], one_way: bool) -> bool {
        match self {
            Ties::Spread => coordinates.iter().sum::<i32>() % 2 == 0,
            Ties::OneWay => one_way,
        }
    }
}
