//! Forwards between all pairs of nodes, for the address that applications use.

use std::sync::atomic::AtomicBool;

use rayon::prelude::*;

use crate::Network;
use crate::ids::AddressId;

use super::towards::Towards;
use super::{MetricError, expect_wanted};

/// The most nodes of a matrix: 32 MB of 16-bit entries.
const MOST_NODES: usize = 4096;

/// Marks a pair that does not communicate.
const NEVER: u16 = u16::MAX;

/// Returns the number of forwards from each node to each address, row by row.
///
/// Row and column i represent the i-th address and the node that owns it. The diagonal is 0; a pair
/// that does not communicate has 65535.
///
/// # Errors
/// When there are more than 4096 addresses, one does not exist, or `stop` is set during the count.
pub fn forwards(
    network: &Network,
    identities: &[AddressId],
    stop: &AtomicBool,
) -> Result<Vec<u16>, MetricError> {
    let n = identities.len();
    if n > MOST_NODES {
        return Err(MetricError::TooManyPairs { given: n, most: MOST_NODES });
    }
    super::load::expect_addresses(network, identities)?;
    let owner = |id: AddressId| network.addressing.address(id).node;
    let columns = identities
        .par_iter()
        .map(|&to| {
            expect_wanted(stop)?;
            let outcomes = Towards::new(network, to).outcomes;
            let forwards = |&from: &AddressId| match outcomes[owner(from)] {
                Ok(hops) => hops.saturating_sub(1).min(u32::from(NEVER) - 1) as u16,
                Err(_) => NEVER,
            };
            Ok(identities.iter().map(forwards).collect())
        })
        .collect::<Result<Vec<Vec<u16>>, MetricError>>()?;
    Ok((0..n).flat_map(|row| columns.iter().map(move |column| column[row])).collect())
}
