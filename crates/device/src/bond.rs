//! A bond: the transmitters of several ports used in turn, as channel bonding does.
//!
//! Frames alternate over the ports; a port whose transmit queue is full is passed over, and a frame
//! is lost only when all are full [BEOWULF-1996]. The other end does not restore the order: TCP
//! does. A bond only picks the next port; queues and transmitters belong to the driver.

/// The round-robin choice among the ports of a bond.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bond {
    n_ports: u32,
    next: u32,
}

impl Bond {
    /// Returns a bond that begins with its first port.
    pub fn new(n_ports: u32) -> Bond {
        Bond { n_ports, next: 0 }
    }

    /// Offers a frame to one port after the other, beginning behind the last one used, until
    /// `accepts` returns true; `None` when every port is full and the frame is lost.
    #[inline]
    pub fn offer(&mut self, mut accepts: impl FnMut(u32) -> bool) -> Option<u32> {
        let ports = (0..self.n_ports).map(|step| (self.next + step) % self.n_ports);
        let port = ports.into_iter().find(|&port| accepts(port))?;
        self.next = (port + 1) % self.n_ports;
        Some(port)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_alternate() {
        let mut bond = Bond::new(3);
        let taken: Vec<_> = (0..7).map(|_| bond.offer(|_| true).unwrap()).collect();
        assert_eq!(taken, [0, 1, 2, 0, 1, 2, 0]);
    }

    #[test]
    fn a_full_port_is_passed_over_and_the_next_turn_is_behind_the_one_that_took_the_frame() {
        let mut bond = Bond::new(3);
        assert_eq!(bond.offer(|port| port != 0), Some(1));
        assert_eq!(bond.offer(|_| true), Some(2));
        assert_eq!(bond.offer(|_| true), Some(0));
    }

    #[test]
    fn a_frame_is_lost_when_every_port_is_full_and_the_turn_stays() {
        let mut bond = Bond::new(2);
        bond.offer(|_| true);
        let mut asked = Vec::new();
        assert_eq!(
            bond.offer(|port| {
                asked.push(port);
                false
            }),
            None
        );
        assert_eq!(asked, [1, 0]);
        assert_eq!(bond.offer(|_| true), Some(1));
    }
}
