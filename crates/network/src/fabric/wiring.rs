//! The fabric as the proofs of failures see it.

use resilience::{Part, Wiring};

use super::Fabric;

impl Fabric {
    /// Returns ports, links and bonds alone; links that were [unplugged](Fabric::unplugged) are in.
    pub fn wiring(&self) -> Wiring {
        let ends = self.links().iter().map(|link| [link.a, link.b]).collect();
        let bonds =
            self.ports().ids().filter(|&port| self.has_bonds() && self.interface(port) == port);
        let bonds = bonds.map(|port| self.interface_ports(port));
        Wiring::new(self.n_nodes(), self.cabling.port_start.to_vec(), ends, bonds)
    }

    /// Returns whether the fabric has a part that could fail.
    pub fn has_part(&self, part: Part) -> bool {
        part.exists(self.links().n(), self.ports().n(), self.n_devices())
    }
}
