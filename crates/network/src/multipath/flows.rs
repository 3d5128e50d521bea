//! The load of the switches of a multipath segment when every station sends to every other, or each
//! to the same number of others.
//!
//! The path of a flow depends on its hash only while there is a choice. From the point where every
//! further set has one port, as at the top of a fat tree, frames are counted together for all
//! stations of a leaf: each flow takes two hashes there, and no path.

use std::ops::Range;

use quantity::IdVec;

use crate::fabric::Fabric;
use crate::ids::PortId;

use super::mesh::LeafId;
use super::{Multipath, RowId, flow, pick, salt};

/// Senders per batch: they are processed for all stations of a leaf before the next batch, so that
/// their data stay in the cache.
const AT_A_TIME: usize = 256;

/// The flows between the stations of one segment.
pub(crate) struct Flows<'a> {
    paths: &'a Multipath,
    /// The rows of the switches of the segment, each with the salt of its switch.
    rows: Vec<(RowId, u64)>,
    /// The row that each of `paths.ports` leads to.
    next: Vec<RowId>,
    /// Each station with the row of its leaf, leaf by leaf.
    stations: Vec<(PortId, RowId)>,
}

/// The decision of a switch for frames to a leaf.
#[derive(Clone, Copy, Default)]
struct Step {
    salt: u64,
    /// The place of its first port, and the number of ports; 0 where no choice is left.
    first: u32,
    n_ports: u32,
}

impl<'a> Flows<'a> {
    /// Returns the flows between these stations, which are those of one multipath segment.
    pub(crate) fn new(fabric: &Fabric, paths: &'a Multipath, stations: &[PortId]) -> Flows<'a> {
        let row = |port: PortId| paths.row(fabric.port(port).device);
        let placed = |&port: &PortId| (port, row(paths.station(port).exit));
        let mut stations: Vec<(PortId, RowId)> = stations.iter().map(placed).collect();
        stations.sort_by_key(|&(_, row)| row);
        let segment = stations.first().map(|&(station, _)| fabric.port(station).segment);
        let switches = fabric.hubs_and_switches().filter(|&device| {
            let port = fabric.ports_of(device).next();
            port.map(|port| fabric.port(port).segment) == segment
        });
        let rows = switches.map(|device| (paths.row(device), salt(device)));
        let next = |&port: &PortId| row(fabric.peer(port).expect("a port on a path is plugged in"));
        let next = paths.ports.iter().map(next).collect();
        Flows { paths, rows: rows.collect(), next, stations }
    }

    /// Returns the places of each leaf's stations in the list of all stations.
    pub(crate) fn leaves(&self) -> Vec<Range<usize>> {
        let leaves = self.stations.chunk_by(|a, b| a.1 == b.1);
        let place = |end: &mut usize, n: usize| {
            *end += n;
            Some(*end - n..*end)
        };
        leaves.map(<[_]>::len).scan(0, place).collect()
    }

    /// Returns zero frames for each port of each set.
    pub(crate) fn none(&self) -> Vec<u64> {
        vec![0; self.next.len()]
    }

    /// Adds to the frames by each port of each set: those to the stations of one leaf, each of
    /// which receives a frame from the stations at the given distances behind it in the list of
    /// all, cyclically.
    pub(crate) fn add(&self, targets: Range<usize>, behind: &[u32], frames: &mut [u64]) {
        let leaf = self.paths.station(self.stations[targets.start].0).leaf;
        let steps = self.steps(leaf);
        let mut settled = IdVec::filled(0u64, steps.n());
        for behind in behind.chunks(AT_A_TIME) {
            for target in targets.clone() {
                self.count(target, behind, &steps, (frames, &mut settled));
            }
        }
        for (row, n_frames) in settled.with_ids().filter(|&(_, &n_frames)| n_frames > 0) {
            self.follow(row, leaf, |place| frames[place] += n_frames);
        }
    }

    /// Counts the frames to one station by each port, up to the switch from which its path is
    /// fixed.
    fn count(
        &self,
        target: usize,
        behind: &[u32],
        steps: &IdVec<RowId, Step>,
        (frames, settled): (&mut [u64], &mut IdVec<RowId, u64>),
    ) {
        let (to, n) = (self.stations[target].0, self.stations.len());
        for &distance in behind {
            let source = target + distance as usize;
            let (from, mut row) = self.stations[if source < n { source } else { source - n }];
            let flow = flow(from, to, 0);
            let mut step = steps[row];
            while step.n_ports > 0 {
                let place = step.first as usize + pick(flow ^ step.salt, step.n_ports);
                frames[place] += 1;
                row = self.next[place];
                step = steps[row];
            }
            settled[row] += 1;
        }
    }

    /// Adds to the frames that leave by each port: those by the ports of each set, and `n_each`
    /// sent and received by each station.
    pub(crate) fn enter(&self, frames: &[u64], n_each: u64, leaving: &mut IdVec<PortId, u64>) {
        for (&port, n_frames) in self.paths.ports.iter().zip(frames) {
            leaving[port] += n_frames;
        }
        for &(station, _) in &self.stations {
            leaving[station] += n_each;
            leaving[self.paths.station(station).exit] += n_each;
        }
    }

    /// Returns the decision of the switch of each row for frames to a leaf.
    fn steps(&self, leaf: LeafId) -> IdVec<RowId, Step> {
        let mut steps = IdVec::filled(Step::default(), self.paths.switches.n());
        for &(row, salt) in &self.rows {
            if !self.follow(row, leaf, |_| ()) {
                let places = self.paths.places(row, leaf);
                let (first, n_ports) = (places.start as u32, places.len() as u32);
                steps[row] = Step { salt, first, n_ports };
            }
        }
        steps
    }

    /// Reports the places of the ports on the path from a switch to a leaf, up to the first choice;
    /// returns whether there is none.
    fn follow(&self, mut row: RowId, leaf: LeafId, mut leaves: impl FnMut(usize)) -> bool {
        while self.paths.switches[row].leaf.get() != Some(leaf) {
            let places = self.paths.places(row, leaf);
            if places.len() > 1 {
                return false;
            }
            leaves(places.start);
            row = self.next[places.start];
        }
        true
    }
}
