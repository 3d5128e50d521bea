//! Bonds: interfaces of several ports, which send through each in turn. The port is chosen when a
//! frame leaves, because only then it is known which ports have room.

use device::Bond;
use network::{Fabric, PortId};

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

/// All bonds of a network.
#[derive(Debug, Default)]
pub(crate) struct Bonds {
    /// The bond of each port; empty in a network without bonds.
    of_port: Vec<Option<u32>>,
    bonds: Vec<Bond>,
}

impl Bonds {
    pub fn new(fabric: &Fabric) -> Bonds {
        let mut bonds = Bonds::default();
        if !fabric.has_bonds() {
            return bonds;
        }
        bonds.of_port = vec![None; fabric.ports().len()];
        for port in 0..fabric.ports().len() as PortId {
            let members = fabric.interface_ports(port);
            if members.start == port && members.len() > 1 {
                let bond = bonds.bonds.len() as u32;
                bonds.bonds.push(Bond::new(members.len() as u32));
                members.for_each(|member| bonds.of_port[member as usize] = Some(bond));
            }
        }
        bonds
    }

    /// Returns the ports that the interface of a port sends through.
    #[inline]
    pub fn interface(&self, port: PortId) -> Interface {
        match self.of_port.get(port as usize) {
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
        let Some(bond) = self.of_port[port as usize] else { return };
        let taken = self.bonds[bond as usize].offer(|member| {
            if wires.passes_over(port + member) {
                return false;
            }
            wires.plain_mut().address_on_wire(port + member, frame);
            let now = clock.now;
            wires.offer(clock, port + member, frame, now)
        });
        if taken.is_none() {
            wires.plain_mut().drop_at_queue(clock, frame);
        }
    }
}
