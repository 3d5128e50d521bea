//! Ways through segments whose switches forward on all shortest paths, as the routed fabrics of
//! data centres do (ECMP) and bridges with TRILL or SPB: each switch spreads flows over its equal
//! ports by a hash.
//!
//! A frame is steered by the leaf switch of its destination, the switch where that station is
//! plugged in. For each of them a switch has a set of ports on a shortest path, found in `mesh`;
//! equal sets are kept once per switch, which makes an entry of the table two bytes. The hash is
//! decided here alone, so that a path query, the loads and the packet engine agree on the way of a
//! flow.

mod flows;
mod mesh;

use std::ops::Range;

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use crate::fabric::Fabric;
use crate::ids::{DeviceId, PortId, SegmentId};

pub(crate) use flows::Flows;
use mesh::{Mesh, NO_SET};

/// Odd numbers that keep switches and connections apart: the golden ratio of SplitMix64, and the
/// square root of 3, in 64 bits.
const OF_SWITCHES: u64 = 0x9E37_79B9_7F4A_7C15;
const OF_CONNECTIONS: u64 = 0xBB67_AE85_84CA_A73B;

/// Mark of a device that is not a multipath switch, and of one that no station is plugged into.
const NONE: u32 = u32::MAX;

/// The ways through all multipath segments of a fabric.
#[derive(Clone, Debug, Default)]
pub struct Multipath {
    /// The row of each device in `switches`, `NONE` for others.
    row_of_device: Vec<u32>,
    switches: Vec<Switch>,
    /// The set of ports that each switch has towards each leaf, row by row.
    choices: Vec<u16>,
    /// The ports of set i are `ports[bounds[i]..bounds[i + 1]]`.
    bounds: Vec<u32>,
    ports: Vec<PortId>,
    /// Per port of a node.
    stations: Vec<Station>,
}

#[derive(Clone, Copy, Debug)]
struct Switch {
    /// Its number among the leaves of its segment, or `NONE`.
    leaf: u32,
    /// Where its choices begin, and its sets.
    first_choice: usize,
    first_set: u32,
}

#[derive(Clone, Copy, Debug)]
struct Station {
    /// The port of its leaf switch that it is plugged into.
    exit: PortId,
    leaf: u32,
}

/// Returns what stands for the frames from one station to another: `connection` tells apart those
/// that must keep their order among themselves only. A query without connections takes 0.
#[inline]
pub fn flow(source: PortId, target: PortId, connection: u32) -> u64 {
    let stations = u64::from(source) << 32 | u64::from(target);
    stations ^ u64::from(connection).wrapping_mul(OF_CONNECTIONS)
}

impl Multipath {
    /// Finds the ways through the multipath segments of a fabric.
    pub fn new(fabric: &Fabric) -> Multipath {
        let n_node_ports = match fabric.n_nodes() {
            0 => 0,
            n => fabric.ports_of(n - 1).end as usize,
        };
        let mut found = Multipath {
            row_of_device: vec![NONE; fabric.n_devices() as usize],
            stations: vec![Station { exit: 0, leaf: NONE }; n_node_ports],
            bounds: vec![0],
            ..Multipath::default()
        };
        let mut switches = vec![Vec::new(); fabric.n_segments() as usize];
        for device in fabric.n_nodes()..fabric.n_devices() {
            if let Some(port) = fabric.ports_of(device).next() {
                switches[fabric.port(port).segment as usize].push(device);
            }
        }
        for (segment, switches) in (0..).zip(switches) {
            if fabric.is_multipath(segment) {
                found.add(fabric, segment, &switches);
            }
        }
        found
    }

    /// Adds the ways through one segment.
    fn add(&mut self, fabric: &Fabric, segment: SegmentId, devices: &[DeviceId]) {
        let first = self.switches.len();
        for (row, &device) in (first as u32..).zip(devices) {
            self.row_of_device[device as usize] = row;
            self.switches.push(Switch { leaf: NONE, first_choice: 0, first_set: 0 });
        }
        let leaves = self.enter_stations(fabric, segment);
        let mesh = Mesh::new(fabric, devices, |device| {
            self.row_of_device[device as usize] as usize - first
        });
        let leaves: Vec<u32> = leaves.iter().map(|&row| row - first as u32).collect();
        let sets = mesh.sets(&leaves);
        for (switch, sets) in self.switches[first..].iter_mut().zip(sets) {
            switch.first_choice = self.choices.len();
            switch.first_set = self.bounds.len() as u32 - 1;
            self.choices.extend(sets.choices);
            for ports in sets.known {
                self.ports.extend(ports);
                self.bounds.push(self.ports.len() as u32);
            }
        }
    }

    /// Numbers the leaves of a segment in order of their first station; returns their rows.
    fn enter_stations(&mut self, fabric: &Fabric, segment: SegmentId) -> Vec<u32> {
        let mut leaves = Vec::new();
        for &port in fabric.segment_members(segment) {
            let Some(exit) = fabric.peer(port) else { continue };
            let row = self.row_of_device[fabric.port(exit).device as usize];
            let leaf = &mut self.switches[row as usize].leaf;
            if *leaf == NONE {
                *leaf = leaves.len() as u32;
                leaves.push(row);
            }
            self.stations[port as usize] = Station { exit, leaf: *leaf };
        }
        leaves
    }

    /// Returns the port by which a switch sends the frames of a flow to a station of its segment.
    ///
    /// # Panics
    /// When the device is no multipath switch or the station is on another segment.
    #[inline]
    pub fn next_port(&self, device: DeviceId, target: PortId, flow: u64) -> PortId {
        let Station { exit, leaf } = self.stations[target as usize];
        let row = self.row_of_device[device as usize];
        if self.switches[row as usize].leaf == leaf {
            return exit;
        }
        let ports = &self.ports[self.places(row, leaf)];
        if let &[port] = ports {
            return port;
        }
        ports[pick(flow ^ salt(device), ports.len() as u32)]
    }

    /// Returns the places in `ports` of those of a switch on the shortest paths to a leaf that is
    /// not itself.
    #[inline]
    fn places(&self, row: u32, leaf: u32) -> Range<usize> {
        let switch = self.switches[row as usize];
        let set = self.choices[switch.first_choice + leaf as usize];
        assert!(set != NO_SET, "switch {row} has no way to leaf {leaf}");
        let set = switch.first_set as usize + usize::from(set);
        self.bounds[set] as usize..self.bounds[set + 1] as usize
    }
}

/// Returns what a switch mixes with flows, so that what one sends one way the next spreads anew.
#[inline]
fn salt(device: DeviceId) -> u64 {
    u64::from(device).wrapping_mul(OF_SWITCHES)
}

/// Returns which of `n_ports` equal ports a salted flow leaves by.
#[inline]
fn pick(salted: u64, n_ports: u32) -> usize {
    let hash = SplitMix64::seed_from_u64(salted).next_u64();
    (((hash >> 32) * u64::from(n_ports)) >> 32) as usize
}
