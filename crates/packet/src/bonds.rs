//! Bonds: interfaces of several ports, which send through each in turn. The port is chosen when a
//! frame leaves, because only then it is known which ports have room.

use device::Bond;
use network::{Fabric, PortId};
use quantity::{Id, IdVec, OptionalId};

use crate::arena::FrameId;
use crate::clock::Clock;
use crate::medium::Medium;

/// The ports an interface sends through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Interface {
    /// The only port, in a network without bonds.
    Port,
    /// The only port, in a network where the receiver may have a bond.
    PortToBond,
    /// The port of a bond that has room when the frame leaves.
    Bond,
}

quantity::id! {
    /// Index of a bond.
    BondId;
}

/// All bonds of a network.
#[derive(Debug, Default)]
pub(crate) struct Bonds {
    /// The bond of each port; empty in a network without bonds.
    of_port: IdVec<PortId, OptionalId<BondId>>,
    bonds: IdVec<BondId, Bond>,
}

impl Bonds {
    pub fn new(fabric: &Fabric) -> Bonds {
        let mut bonds = Bonds::default();
        if !fabric.has_bonds() {
            return bonds;
        }
        bonds.of_port = IdVec::filled(OptionalId::none(), fabric.ports().n());
        for port in fabric.ports().ids() {
            let members = fabric.interface_ports(port);
            if members.start == port && members.len() > 1 {
                let bond = bonds.bonds.push(Bond::new(members.len() as u32));
                members.for_each(|member| bonds.of_port[member] = OptionalId::from(bond));
            }
        }
        bonds
    }

    /// Returns the ports that the interface of a port sends through.
    #[inline]
    pub fn interface(&self, port: PortId) -> Interface {
        match self.of_port.get(port).map(|bond| bond.get()) {
            None => Interface::Port,
            Some(None) => Interface::PortToBond,
            Some(Some(_)) => Interface::Bond,
        }
    }

    /// Hands a frame to the next port of a bond that has room; drops it where none has.
    pub fn send<'a, M: Medium<'a>>(
        &mut self,
        wires: &mut M,
        clock: &mut Clock<'_>,
        port: PortId,
        frame: FrameId,
    ) {
        let Some(bond) = self.of_port[port].get() else { return };
        let taken = self.bonds[bond].offer(|member| {
            if wires.passes_over(port.offset(member)) {
                return false;
            }
            wires.plain_mut().address_on_wire(port.offset(member), frame);
            let now = clock.now;
            wires.offer(clock, port.offset(member), frame, now)
        });
        if taken.is_none() {
            wires.plain_mut().drop_at_queue(clock, frame);
        }
    }
}
