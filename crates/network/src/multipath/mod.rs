//! Paths through segments whose switches forward on all shortest paths, as the routed fabrics of
//! data centres do (ECMP) and bridges with TRILL or SPB: each switch spreads flows over its equal
//! ports by a hash.
//!
//! The leaf switch of the destination, which the station is plugged into, steers a frame. For each
//! leaf a switch has a set of ports on a shortest path, found in `mesh`; equal sets are kept once
//! per switch, which makes an entry of the table two bytes. The hash is computed here alone, so
//! that a path query, the loads and the packet engine agree on the path of a flow.

mod flows;
mod mesh;

use std::ops::Range;

use quantity::{Id, IdVec, OptionalId};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use crate::fabric::Fabric;
use crate::ids::{DeviceId, PortId, SegmentId};

pub(crate) use flows::Flows;
use mesh::{LeafId, Mesh, NO_SET, SwitchId};

/// Odd numbers that keep switches and connections apart: the golden ratio of SplitMix64, and the
/// square root of 3, in 64 bits.
const OF_SWITCHES: u64 = 0x9E37_79B9_7F4A_7C15;
const OF_CONNECTIONS: u64 = 0xBB67_AE85_84CA_A73B;

quantity::id! {
    /// Index of a multipath switch over all segments.
    RowId;
}

/// The paths through all multipath segments of a fabric.
#[derive(Clone, Debug, Default)]
pub struct Multipath {
    row_of_device: IdVec<DeviceId, OptionalId<RowId>>,
    switches: IdVec<RowId, Switch>,
    /// The set of ports that each switch has towards each leaf, row by row.
    choices: Vec<u16>,
    /// The ports of set i are `ports[bounds[i]..bounds[i + 1]]`.
    bounds: Vec<u32>,
    ports: Vec<PortId>,
    /// Per port of a node: the attachment of its station.
    stations: IdVec<PortId, Option<Station>>,
}

#[derive(Clone, Copy, Debug)]
struct Switch {
    /// Number of the switch as a leaf, if a station is plugged into it.
    leaf: OptionalId<LeafId>,
    /// Start of its choices, and its sets.
    first_choice: usize,
    first_set: u32,
}

#[derive(Clone, Copy, Debug)]
struct Station {
    /// The port of the leaf switch that the station is plugged into.
    exit: PortId,
    leaf: LeafId,
}

/// Returns the key of the frames from one station to another: `connection` separates frames that
/// need no common order. A query without connections takes 0.
#[inline]
pub fn flow(source: PortId, target: PortId, connection: u32) -> u64 {
    let stations = u64::from(source.get()) << 32 | u64::from(target.get());
    stations ^ u64::from(connection).wrapping_mul(OF_CONNECTIONS)
}

impl Multipath {
    /// Finds the paths through the multipath segments of a fabric.
    pub fn new(fabric: &Fabric) -> Multipath {
        let last_node = fabric.nodes().next_back();
        let n_node_ports = last_node.map_or(0, |node| fabric.ports_of(node).end.get());
        let mut found = Multipath {
            row_of_device: IdVec::filled(OptionalId::none(), fabric.n_devices()),
            stations: IdVec::filled(None, n_node_ports),
            bounds: vec![0],
            ..Multipath::default()
        };
        let mut switches = IdVec::filled(Vec::new(), fabric.n_segments());
        for device in fabric.hubs_and_switches() {
            if let Some(port) = fabric.ports_of(device).next() {
                switches[fabric.port(port).segment].push(device);
            }
        }
        for (segment, switches) in fabric.segments().zip(switches) {
            if fabric.is_multipath(segment) {
                found.add(fabric, segment, &switches);
            }
        }
        found
    }

    /// Adds the paths through one segment.
    fn add(&mut self, fabric: &Fabric, segment: SegmentId, devices: &[DeviceId]) {
        let first = self.switches.len();
        for &device in devices {
            let switch = Switch { leaf: OptionalId::none(), first_choice: 0, first_set: 0 };
            self.row_of_device[device] = OptionalId::from(self.switches.push(switch));
        }
        let leaves = self.enter_stations(fabric, segment);
        let number = |row: RowId| SwitchId::from_index(row.index() - first);
        let mesh = Mesh::new(fabric, devices, |device| number(self.row(device)));
        let leaves = leaves.into_iter().map(number).collect();
        let sets = mesh.sets(&leaves);
        for (switch, sets) in self.switches.iter_mut().skip(first).zip(sets) {
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
    fn enter_stations(&mut self, fabric: &Fabric, segment: SegmentId) -> IdVec<LeafId, RowId> {
        let mut leaves = IdVec::new();
        for &port in fabric.segment_members(segment) {
            let Some(exit) = fabric.peer(port) else { continue };
            let row = self.row(fabric.port(exit).device);
            let known = self.switches[row].leaf.get();
            let leaf = known.unwrap_or_else(|| leaves.push(row));
            self.switches[row].leaf = OptionalId::from(leaf);
            self.stations[port] = Some(Station { exit, leaf });
        }
        leaves
    }

    /// Returns the port by which a switch sends the frames of a flow to a station of its segment.
    ///
    /// # Panics
    /// When the device is no multipath switch or the station is on another segment.
    #[inline]
    pub fn next_port(&self, device: DeviceId, target: PortId, flow: u64) -> PortId {
        let Station { exit, leaf } = self.station(target);
        let row = self.row(device);
        if self.switches[row].leaf.get() == Some(leaf) {
            return exit;
        }
        let ports = &self.ports[self.places(row, leaf)];
        if let &[port] = ports {
            return port;
        }
        ports[pick(flow ^ salt(device), ports.len() as u32)]
    }

    #[inline]
    fn row(&self, device: DeviceId) -> RowId {
        self.row_of_device[device].get().expect("a multipath switch")
    }

    #[inline]
    fn station(&self, port: PortId) -> Station {
        self.stations[port].expect("a station of a multipath segment")
    }

    /// Returns the places in `ports` of those of a switch on the shortest paths to another switch,
    /// a leaf.
    #[inline]
    fn places(&self, row: RowId, leaf: LeafId) -> Range<usize> {
        let switch = self.switches[row];
        let set = self.choices[switch.first_choice + leaf.index()];
        assert!(set != NO_SET, "switch {row} has no path to leaf {leaf}");
        let set = switch.first_set as usize + usize::from(set);
        self.bounds[set] as usize..self.bounds[set + 1] as usize
    }
}

/// Returns the salt that a switch mixes into flows, so that flows on the same port of one switch
/// spread again at the next.
#[inline]
fn salt(device: DeviceId) -> u64 {
    u64::from(device.get()).wrapping_mul(OF_SWITCHES)
}

/// Returns the one of `n_ports` equal ports by which a salted flow leaves.
#[inline]
fn pick(salted: u64, n_ports: u32) -> usize {
    let hash = SplitMix64::seed_from_u64(salted).next_u64();
    (((hash >> 32) * u64::from(n_ports)) >> 32) as usize
}
