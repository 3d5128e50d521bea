//! Which way round a ring a packet goes when both ways are equally long.

/// How exact ties are broken, for schemes that know of rings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ties {
    /// By the parity of the coordinates of the node that decides.
    ///
    /// Neighbours on a ring differ in it, so under uniform traffic each node relays the same number
    /// of packets (and each channel carries the same number where half the side is even; three
    /// steps from every other node of six are nine over six channels).
    #[default]
    Spread,
    /// All the same way, which the scheme names; as in the papers.
    OneWay,
}

impl Ties {
    /// Returns whether a tie at these coordinates goes forward; all go `one_way` unless spread.
    pub(super) fn is_forward(self, coordinates: &[i32], one_way: bool) -> bool {
        match self {
            Ties::Spread => coordinates.iter().sum::<i32>() % 2 == 0,
            Ties::OneWay => one_way,
        }
    }
}
