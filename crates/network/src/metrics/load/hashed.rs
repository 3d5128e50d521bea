//! Uniform traffic within one segment of multipath switches: each flow follows its hash. All sums
//! are integers, so the order of threads does not matter.
//!
//! Where there are too many flows, each station sends to, and receives from, the same number of
//! others, drawn once for all stations. So the sample leaves station links evenly loaded, and every
//! leaf has its share.

use std::sync::atomic::AtomicBool;

use rayon::prelude::*;

use crate::Network;
use crate::ids::PortId;
use crate::metrics::{MetricError, expect_wanted};
use crate::multipath::Flows;

use super::counts::Counts;

/// Counts a packet to each station from the stations at the given distances behind it, cyclically.
pub(super) fn hashed(
    network: &Network,
    stations: &[PortId],
    behind: &[u32],
    stop: &AtomicBool,
) -> Result<Counts, MetricError> {
    let fabric = &network.fabric;
    let flows = Flows::new(fabric, network.bridging().multipath(fabric), stations);
    let leaves = flows.leaves();
    let frames = leaves
        .into_par_iter()
        .try_fold(
            || flows.none(),
            |mut frames, targets| {
                expect_wanted(stop)?;
                flows.add(targets, behind, &mut frames);
                Ok(frames)
            },
        )
        .try_reduce(
            || flows.none(),
            |mut sum, more| {
                sum.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
                Ok(sum)
            },
        )?;
    let mut counts = Counts::new(fabric);
    flows.enter(&frames, behind.len() as u64, &mut counts.leaving);
    Ok(counts)
}
