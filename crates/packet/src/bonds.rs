//! Bonds: interfaces of several ports, which send by each in turn. Where a frame leaves is decided
//! when it leaves: only then it is known which ports have room.

use device::Bond;
use network::{Fabric, PortId};

use crate::arena::FrameId;
use crate::clock::Clock;
use crate::medium::Medium;

/// How an interface sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Interface {
    /// Where there are no bonds at all.
    Port,
    /// By its only port, to a node that may have a bond.
    PortToBond,
    /// By the port of a bond that has room then.
    Bond,
}

/// All bonds.
#[derive(Debug, Default)]
pub(crate) struct Bonds {
    /// Per port: the bond it belongs to; empty where there are none.
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

    /// Returns how the interface of a port sends.
    #[inline]
    pub fn interface(&self, port: PortId) -> Interface {
        match self.of_port.get(port as usize) {
            None => Interface::Port,
            Some(None) => Interface::PortToBond,
            Some(Some(_)) => Interface::Bond,
        }
    }

    /// Hands a frame to the port of a bond whose turn it is, or to the next that has room; drops it
    /// where none has.
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
