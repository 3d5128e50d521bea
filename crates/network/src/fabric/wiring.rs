//! The fabric as the proofs of failures see it.

use resilience::{Part, Wiring};

use super::Fabric;

impl Fabric {
    /// Returns ports, links and bonds alone; links that were [unplugged](Fabric::unplugged) are in.
    pub fn wiring(&self) -> Wiring {
        let ends = self.links().iter().map(|link| [link.a, link.b]).collect();
        let is_first = |port: &u32| self.has_bonds() && self.interface(*port) == *port;
        let bonds = (0..self.ports().len() as u32).filter(is_first);
        let bonds = bonds.map(|port| self.interface_ports(port));
        Wiring::new(self.n_nodes(), self.cabling.port_start.clone(), ends, bonds)
    }

    /// Returns whether the fabric has a part that could fail.
    pub fn has_part(&self, part: Part) -> bool {
        part.exists(self.links().len() as u32, self.ports().len() as u32, self.n_devices())
    }
}
