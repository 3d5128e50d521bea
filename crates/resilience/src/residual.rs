//! The residual fabric after a failure: the ports that still have carrier, and the ports a frame
//! still reaches from each.
//!
//! Hubs and switches join everything that a living link joins: where links close a loop, the
//! spanning tree that such a network needs is assumed to open one of its blocked links.

use quantity::{Id, IdVec};

use crate::wiring::enter;
use crate::{LinkId, PortId, WireId, Wiring};

/// Mark of a port without carrier.
const DEAD: u32 = u32::MAX;
/// Mark of a port whose wire lost no link.
const WHOLE: u32 = u32::MAX - 1;

/// The pieces into which wires fall when links die; reused from failure to failure.
#[derive(Clone, Debug)]
pub struct ResidualFabric<'a> {
    wiring: &'a Wiring,
    /// The piece of each port: `WHOLE` on the wires that the failure does not touch.
    piece: IdVec<PortId, u32>,
    /// The wires of the dead links, in order.
    wires: Vec<WireId>,
    /// The ports whose mark differs from that in the whole network.
    touched: Vec<PortId>,
}

impl<'a> ResidualFabric<'a> {
    /// Returns the whole fabric.
    pub fn new(wiring: &'a Wiring) -> ResidualFabric<'a> {
        let mark = |port| wiring.link(port).map_or(DEAD, |_| WHOLE);
        let piece = PortId::first(wiring.n_ports()).map(mark).collect();
        ResidualFabric { wiring, piece, wires: Vec::new(), touched: Vec::new() }
    }

    /// Replaces the failure by the loss of other links.
    pub fn fail(&mut self, dead: &[LinkId]) {
        for port in self.touched.drain(..) {
            self.piece[port] = WHOLE;
        }
        self.wires.clear();
        for port in dead.iter().flat_map(|&link| self.wiring.ends(link)) {
            self.wires.extend(self.wiring.wire(port));
            self.piece[port] = DEAD;
            self.touched.push(port);
        }
        self.wires.sort_unstable();
        self.wires.dedup();
        let ResidualFabric { wiring, piece, wires, touched } = self;
        let stations = wires.iter().flat_map(|&wire| wiring.stations(wire));
        let mut stack = Vec::new();
        for (number, &first) in (0..).zip(stations) {
            wiring.spread(first, &mut stack, |port| {
                let is_new = enter(piece, port, WHOLE, number);
                touched.extend(is_new.then_some(port));
                is_new
            });
        }
    }

    /// Returns the wires that lost a link, in order.
    pub fn wires(&self) -> &[WireId] {
        &self.wires
    }

    /// Returns whether a link works.
    pub fn is_alive(&self, link: LinkId) -> bool {
        self.piece[self.wiring.ends(link)[0]] != DEAD
    }

    /// Returns whether some port of an interface has carrier.
    pub fn has_carrier(&self, port: PortId) -> bool {
        self.live_ports(port).next().is_some()
    }

    /// Returns whether every frame reaches one interface from another without passing a node. A
    /// bond sends by every port that has carrier, even one that no longer leads to the other
    /// interface.
    pub fn joins(&self, from: PortId, to: PortId) -> bool {
        let leads = |from: PortId| {
            let other = self.wiring.on_wire(from, to);
            other.is_some_and(|to| self.piece[to] == self.piece[from])
        };
        self.has_carrier(from) && self.live_ports(from).all(leads)
    }

    /// Returns the ports of an interface that have carrier.
    pub fn live_ports(&self, port: PortId) -> impl Iterator<Item = PortId> {
        self.wiring.interface(port).filter(|&port| self.piece[port] != DEAD)
    }

    /// Returns the node ports that a frame from a port still reaches without passing a node,
    /// including the port itself.
    pub fn stations_with(&self, port: PortId) -> impl Iterator<Item = PortId> {
        let wire = self.wiring.wire(port).filter(|_| self.piece[port] != DEAD);
        let stations = wire.map_or(&[][..], |wire| self.wiring.stations(wire));
        stations.iter().copied().filter(move |&to| self.piece[to] == self.piece[port])
    }
}
