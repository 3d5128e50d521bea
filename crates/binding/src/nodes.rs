//! Nodes as namespaces of this machine: columns in, a handle out that holds them up.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::os::fd::AsRawFd;

use numpy::{PyArray2, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rayon::prelude::*;
use wire::kernel::{
    InterfaceSpec, Lookup, NeighbourSpec, Node, NodeSpec, RouteSpec, bring_up, on_own_threads,
};

use crate::columns::{column, rows, to_table};
use crate::errors::Raise;
use crate::long_call::long_call;

/// Nodes as `engines.emulation.nodes.NodeTable` describes them: its attributes of these names.
/// Interfaces are in the order of their nodes.
#[derive(FromPyObject)]
struct NodeTable<'py> {
    hostnames: Vec<String>,
    sysctls: Vec<Vec<(String, String)>>,
    interface_node: PyReadonlyArray1<'py, u32>,
    interface_name: Vec<String>,
    interface_mac: PyReadonlyArray2<'py, u8>,
    interface_mtu: PyReadonlyArray1<'py, u32>,
    address_interface: PyReadonlyArray1<'py, u32>,
    address_bits: PyReadonlyArray2<'py, u8>,
    address_is_v6: PyReadonlyArray1<'py, bool>,
    address_length: PyReadonlyArray1<'py, u8>,
    route_interface: PyReadonlyArray1<'py, u32>,
    route_bits: PyReadonlyArray2<'py, u8>,
    route_is_v6: PyReadonlyArray1<'py, bool>,
    route_length: PyReadonlyArray1<'py, u8>,
    route_via: PyReadonlyArray1<'py, i32>,
    route_metric: PyReadonlyArray1<'py, u32>,
    route_source: PyReadonlyArray1<'py, i32>,
    neighbour_interface: PyReadonlyArray1<'py, u32>,
    neighbour_address: PyReadonlyArray1<'py, u32>,
}

/// Nodes that are up; they end with this handle and the processes in them.
#[pyclass(frozen, module = "linkwright._core")]
pub struct Nodes {
    nodes: Vec<Node>,
    /// Node of each interface, and its place among the node's.
    place: Vec<(usize, u32)>,
    addresses: Vec<IpAddr>,
}

#[pymethods]
impl Nodes {
    #[new]
    fn new(py: Python<'_>, table: NodeTable<'_>) -> PyResult<Nodes> {
        let (specs, place, addresses) = specs(&table)?;
        let up = long_call(py, move |_| bring_up(&specs))?;
        let nodes = up.map_err(|error| error.raise(py))?;
        Ok(Nodes { nodes, place, addresses })
    }

    /// Returns the descriptors of each node's network and UTS namespace.
    fn descriptors(&self) -> Vec<(i32, i32)> {
        let of = |node: &Node| (node.namespace.net().as_raw_fd(), node.namespace.uts().as_raw_fd());
        self.nodes.iter().map(of).collect()
    }

    /// Gives interfaces carrier, or takes it away.
    fn plug(
        &self,
        py: Python<'_>,
        interfaces: PyReadonlyArray1<'_, u32>,
        has_carrier: bool,
    ) -> PyResult<()> {
        for &interface in interfaces.as_array() {
            let (node, index) = *self
                .place
                .get(interface as usize)
                .ok_or_else(|| PyValueError::new_err(format!("no interface {interface}")))?;
            self.nodes[node].plug(index, has_carrier).map_err(|error| error.raise(py))?;
        }
        Ok(())
    }

    /// Returns the decision of every node for every one of the addresses: the interface (-1 for
    /// the node itself, -2 for none) and the gateway as an index of the addresses (-1 for none).
    fn look_up(&self, py: Python<'_>, addresses: PyReadonlyArray1<'_, u32>) -> PyResult<Lookups> {
        let n = self.addresses.len();
        let known = |&address: &u32| match self.addresses.get(address as usize) {
            Some(&ip) => Ok(ip),
            None => Err(PyValueError::new_err(format!("no address {address}, there are {n}"))),
        };
        let wanted: Vec<IpAddr> =
            addresses.as_array().iter().map(known).collect::<PyResult<_>>()?;
        let found = long_call(py, |_| {
            on_own_threads(|| {
                let nodes = self.nodes.par_iter().enumerate();
                let rows = nodes.map(|(node, up)| up.look_up(node as u32, &wanted));
                rows.collect::<Result<Vec<Vec<Lookup>>, _>>()
            })
        })?;
        let found = found.map_err(|error| error.raise(py))?;
        let mut index: Vec<(IpAddr, i32)> = self.addresses.iter().copied().zip(0..).collect();
        index.sort_unstable();
        let of = |ip: Option<IpAddr>| {
            let place = ip.and_then(|ip| index.binary_search_by_key(&ip, |&(known, _)| known).ok());
            place.map_or(-1, |place| index[place].1)
        };
        let first: Vec<i32> = self.first_interfaces();
        let mut lookups = (Vec::new(), Vec::new(), Vec::new());
        for (node, row) in found.iter().enumerate() {
            for lookup in row {
                let (interface, gateway, source) = match *lookup {
                    Lookup::Local => (-1, -1, -1),
                    Lookup::Refused { .. } => (-2, -1, -1),
                    Lookup::Via { interface, gateway, source } => {
                        (first[node] + interface as i32, of(gateway), of(source))
                    }
                };
                lookups.0.push(interface);
                lookups.1.push(gateway);
                lookups.2.push(source);
            }
        }
        let width = wanted.len();
        Ok(Lookups {
            interface: to_table(py, lookups.0, width)?,
            gateway: to_table(py, lookups.1, width)?,
            source: to_table(py, lookups.2, width)?,
        })
    }
}

impl Nodes {
    fn first_interfaces(&self) -> Vec<i32> {
        let mut first = vec![0; self.nodes.len()];
        for (interface, &(node, index)) in (0..).zip(&self.place) {
            if index == 0 {
                first[node] = interface;
            }
        }
        first
    }
}

/// Decisions of all nodes, a row for each.
#[pyclass(frozen, module = "linkwright._core")]
pub struct Lookups {
    /// Interface, -1 where the address is the node's own, -2 where there is no route.
    #[pyo3(get)]
    interface: Py<PyArray2<i32>>,
    /// Gateway, -1 where there is none.
    #[pyo3(get)]
    gateway: Py<PyArray2<i32>>,
    /// Source address of the packet.
    #[pyo3(get)]
    source: Py<PyArray2<i32>>,
}

type Specs = (Vec<NodeSpec>, Vec<(usize, u32)>, Vec<IpAddr>);

fn specs(table: &NodeTable<'_>) -> PyResult<Specs> {
    let n = table.hostnames.len();
    let mut nodes: Vec<NodeSpec> = table
        .hostnames
        .iter()
        .zip(&table.sysctls)
        .map(|(hostname, sysctls)| NodeSpec {
            hostname: hostname.clone(),
            sysctls: sysctls.clone(),
            ..NodeSpec::default()
        })
        .collect();
    let k = table.interface_name.len();
    let owner = column("interface_node", &table.interface_node, k)?;
    let macs: Vec<[u8; 6]> = rows("interface_mac", &table.interface_mac, k)?;
    let mtu = column("interface_mtu", &table.interface_mtu, k)?;
    let mut place = Vec::with_capacity(k);
    for interface in 0..k {
        let node = owner[interface] as usize;
        let spec = nodes.get_mut(node).ok_or_else(|| out_of("interface_node", n))?;
        place.push((node, spec.interfaces.len() as u32));
        spec.interfaces.push(InterfaceSpec {
            name: table.interface_name[interface].clone(),
            mac: macs[interface],
            mtu: mtu[interface],
            addresses: Vec::new(),
        });
    }
    let at = |interface: u32| {
        place.get(interface as usize).copied().ok_or_else(|| out_of("an interface", k))
    };
    let a = table.address_interface.as_array().len();
    let carrier = column("address_interface", &table.address_interface, a)?;
    let ips = ips("address_bits", &table.address_bits, &table.address_is_v6, a)?;
    let lengths = column("address_length", &table.address_length, a)?;
    for address in 0..a {
        let (node, index) = at(carrier[address])?;
        let interface = &mut nodes[node].interfaces[index as usize];
        interface.addresses.push((ips[address], lengths[address]));
    }
    let optional = |id: i32| usize::try_from(id).ok().and_then(|id| ips.get(id)).copied();
    let r = table.route_interface.as_array().len();
    let by = column("route_interface", &table.route_interface, r)?;
    let to = self::ips("route_bits", &table.route_bits, &table.route_is_v6, r)?;
    let prefix = column("route_length", &table.route_length, r)?;
    let via = column("route_via", &table.route_via, r)?;
    let metric = column("route_metric", &table.route_metric, r)?;
    let source = column("route_source", &table.route_source, r)?;
    for route in 0..r {
        let (node, interface) = at(by[route])?;
        nodes[node].routes.push(RouteSpec {
            destination: to[route],
            prefix_length: prefix[route],
            via: optional(via[route]),
            interface,
            metric: metric[route],
            source: optional(source[route]),
        });
    }
    let b = table.neighbour_interface.as_array().len();
    let on = column("neighbour_interface", &table.neighbour_interface, b)?;
    let whose = column("neighbour_address", &table.neighbour_address, b)?;
    for neighbour in 0..b {
        let (node, interface) = at(on[neighbour])?;
        let address = whose[neighbour] as usize;
        let ip = *ips.get(address).ok_or_else(|| out_of("neighbour_address", a))?;
        let mac = macs[carrier[address] as usize];
        nodes[node].neighbours.push(NeighbourSpec { address: ip, mac, interface });
    }
    Ok((nodes, place, ips))
}

fn ips(
    name: &str,
    bits: &PyReadonlyArray2<'_, u8>,
    is_v6: &PyReadonlyArray1<'_, bool>,
    n: usize,
) -> PyResult<Vec<IpAddr>> {
    let is_v6 = column("is_v6", is_v6, n)?;
    let bits: Vec<[u8; 16]> = rows(name, bits, n)?;
    let ip = |(&bits, is_v6): (&[u8; 16], bool)| match is_v6 {
        true => IpAddr::V6(Ipv6Addr::from(bits)),
        false => IpAddr::V4(Ipv4Addr::new(bits[12], bits[13], bits[14], bits[15])),
    };
    Ok(bits.iter().zip(is_v6).map(ip).collect())
}

fn out_of(name: &str, n: usize) -> PyErr {
    PyValueError::new_err(format!("{name} is out of range, there are {n}"))
}

/// Adds the classes.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Nodes>()?;
    module.add_class::<Lookups>()
}
