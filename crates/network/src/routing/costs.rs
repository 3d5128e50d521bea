//! The cost of crossing each segment: one, or more on segments with slower links.
//!
//! In a network whose nodes have links of one rate, a path costs its hops. Where rates differ, a
//! hop costs four times the ratio of the fastest rate to that of the segment, and one more, so that
//! the shorter of two equally fast paths wins: two hops at 10 Gb/s cost less than one at 2.5 Gb/s.
//! A segment is as fast as the slowest link of its stations. This is the cost of OSPF, by ratio.

use quantity::{IdVec, Rate};

use crate::fabric::Fabric;
use crate::ids::{PortId, SegmentId};

/// Most hops of the fastest links that are preferred to one of the slowest.
const MOST_RATIO: f64 = 16.0;
/// Parts of a hop that are told apart.
const STEPS: f64 = 4.0;
/// Most nodes of a network whose rates are regarded: costs of longer paths exceed their type.
const MOST_NODES: u32 = 1000;

/// The cost of each segment.
#[derive(Debug)]
pub(super) struct Costs {
    /// Empty where all cost one.
    of_segment: IdVec<SegmentId, u16>,
}

impl Costs {
    pub(super) fn of(fabric: &Fabric) -> Costs {
        let rates: IdVec<SegmentId, Option<Rate>> =
            fabric.segments().map(|segment| rate(fabric, segment)).collect();
        let known = || rates.iter().flatten();
        let fastest = known().max().copied();
        let is_one_rate = known().min().copied() == fastest;
        let of_segment = match fastest {
            Some(fastest) if !is_one_rate && fabric.n_nodes() <= MOST_NODES => {
                rates.iter().map(|&rate| cost(fastest, rate.unwrap_or(fastest))).collect()
            }
            _ => IdVec::from(Vec::new()),
        };
        Costs { of_segment }
    }

    /// Returns whether all segments cost one.
    pub(super) fn are_hops(&self) -> bool {
        self.of_segment.is_empty()
    }

    /// Returns the cost of crossing a segment, at least one.
    pub(super) fn at(&self, segment: SegmentId) -> u16 {
        if self.are_hops() { 1 } else { self.of_segment[segment] }
    }

    /// Returns the highest cost.
    pub(super) fn most(&self) -> u16 {
        self.of_segment.iter().copied().max().unwrap_or(1)
    }
}

/// Returns the rate of the slowest link of the stations of a segment; none without a cable.
fn rate(fabric: &Fabric, segment: SegmentId) -> Option<Rate> {
    let link_of = |&port: &PortId| fabric.port(port).link;
    let links = fabric.segment_members(segment).iter().filter_map(link_of);
    links.map(|link| fabric.links()[link].rate).min()
}

fn cost(fastest: Rate, rate: Rate) -> u16 {
    let ratio = fastest.bps() as f64 / rate.bps() as f64;
    1 + (STEPS * ratio.min(MOST_RATIO)).round() as u16
}
