//! Cables of the kernel: pairs of interfaces (veth), a bridge for each hub or switch, and a token
//! bucket (tbf) at each end that sends at the rate of the cable. No process moves frames, and there
//! are no collisions, no delay of store and forward, and no faults.

use nix::errno::Errno;
use nix::net::if_::if_nametoindex;

use super::batch::{Batch, Failure};
use super::namespace::Namespace;
use super::requests::{self, CREATE, NewEnd};
use super::spec::NodeSpec;
use super::{shaper, sysctl};
use crate::error::WireError;

/// Settings of the namespace of the bridges, where the kernel has them: frames pass without filters
/// of IP, and bridges have no addresses.
const SYSCTLS: [(&str, &str); 3] = [
    ("bridge/bridge-nf-call-iptables", "0"),
    ("bridge/bridge-nf-call-ip6tables", "0"),
    ("ipv6/conf/default/disable_ipv6", "1"),
];

/// An end of a cable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// An interface of a node.
    Interface {
        /// Index of the node.
        node: u32,
        /// Index of the interface among those of the node.
        interface: u32,
    },
    /// A hub or switch, by its number among them.
    Device(u32),
}

/// A cable between two places.
#[derive(Clone, Copy, Debug)]
pub struct Cable {
    /// Its ends.
    pub ends: [End; 2],
    /// Bits per second in each direction.
    pub rate_bps: u64,
}

/// All cables of a cluster, which join hubs and switches without loops.
#[derive(Clone, Debug, Default)]
pub struct Cables {
    /// The cables.
    pub cables: Vec<Cable>,
    /// Number of hubs and switches.
    pub n_devices: u32,
    /// Longest IP packet, in bytes.
    pub mtu: u32,
}

impl Cables {
    /// Returns the rate of the cable at each interface of each node; `None` without a cable.
    pub(super) fn rates(&self, nodes: &[NodeSpec]) -> Vec<Vec<Option<u64>>> {
        let mut rates: Vec<Vec<Option<u64>>> =
            nodes.iter().map(|node| vec![None; node.interfaces.len()]).collect();
        for cable in &self.cables {
            for end in cable.ends {
                if let End::Interface { node, interface } = end {
                    rates[node as usize][interface as usize] = Some(cable.rate_bps);
                }
            }
        }
        rates
    }

    /// Lays the cables between namespaces of nodes; returns the namespace of the hubs and switches,
    /// in which the calling thread stays. The interfaces of nodes are not yet switched on.
    ///
    /// # Errors
    /// When the kernel refuses a cable, for example without the modules `veth` and `sch_tbf`.
    pub(super) fn lay(
        &self,
        nodes: &[NodeSpec],
        namespaces: &[Namespace],
    ) -> Result<Namespace, WireError> {
        let devices = Namespace::create("switches").map_err(|errno| refused(0, errno))?;
        for (path, value) in SYSCTLS {
            // A kernel without the setting needs none.
            let _ = sysctl::set(path, value);
        }
        let mut batch = Batch::open()?;
        for device in 0..self.n_devices {
            batch.order(0, CREATE, requests::add_bridge(&bridge(device)))?;
        }
        for number in 0..self.cables.len() as u32 {
            let [a, b] = [0, 1].map(|side| self.new_end(number, side, nodes, namespaces, &devices));
            batch.order(number, CREATE, requests::add_pair(&a, &b))?;
        }
        batch.send()?;
        self.plug_in(&mut batch)?;
        batch.send()?;
        Ok(devices)
    }

    /// Orders that the bridges and the ends of cables at them are switched on.
    fn plug_in(&self, batch: &mut Batch<u32>) -> Result<(), WireError> {
        let index =
            |number: u32, name: &str| if_nametoindex(name).map_err(|errno| refused(number, errno));
        for device in 0..self.n_devices {
            let link = index(0, &bridge(device))?;
            batch.order(0, 0, requests::set_up(link, None))?;
        }
        for (number, cable) in (0..).zip(&self.cables) {
            for (side, end) in cable.ends.into_iter().enumerate() {
                let End::Device(device) = end else { continue };
                let link = index(number, &plug(number, side))?;
                let master = index(number, &bridge(device))?;
                let shaped = shaper::limit_rate(link, cable.rate_bps, self.mtu);
                batch.order(number, CREATE, shaped)?;
                batch.order(number, 0, requests::set_up_at(link, master))?;
            }
        }
        Ok(())
    }

    fn new_end<'a>(
        &self,
        number: u32,
        side: usize,
        nodes: &[NodeSpec],
        namespaces: &'a [Namespace],
        devices: &'a Namespace,
    ) -> NewEnd<'a> {
        match self.cables[number as usize].ends[side] {
            End::Interface { node, interface } => NewEnd {
                name: nodes[node as usize].interfaces[interface as usize].name.clone(),
                net: namespaces[node as usize].net(),
                mtu: self.mtu,
            },
            End::Device(_) => {
                NewEnd { name: plug(number, side), net: devices.net(), mtu: self.mtu }
            }
        }
    }
}

impl From<Failure<u32>> for WireError {
    fn from(Failure { of, errno }: Failure<u32>) -> WireError {
        WireError::Cable { cable: of.unwrap_or(0), errno }
    }
}

/// Returns the name of the bridge of a hub or switch.
fn bridge(device: u32) -> String {
    format!("device{device}")
}

/// Returns the name of the end of a cable at a hub or switch.
fn plug(cable: u32, side: usize) -> String {
    format!("cable{cable}.{side}")
}

fn refused(cable: u32, errno: Errno) -> WireError {
    WireError::Cable { cable, errno: errno as i32 }
}
