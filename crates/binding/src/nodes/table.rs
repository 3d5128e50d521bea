//! Nodes as columns, turned into the descriptions that their kernels are configured by. Interfaces
//! and addresses are numbered over all nodes in Python, and per node in the crate.

use network::Ip;
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use wire::kernel::{
    Cable, Cables, Chosen, End, InterfaceSpec, MarkSpec, NeighbourSpec, NodeSpec, RouteSpec,
    TableSpec,
};

use crate::columns::{column, rows};

/// Nodes as `nodes.table.NodeTable` describes them: its attributes of these names.
/// Interfaces are in the order of their nodes.
#[derive(FromPyObject)]
pub(super) struct NodeTable<'py> {
    hostnames: Vec<String>,
    sysctls: Vec<(String, String)>,
    interface_node: PyReadonlyArray1<'py, u32>,
    interface_port: PyReadonlyArray1<'py, i32>,
    interface_name: Vec<String>,
    interface_mac: PyReadonlyArray2<'py, u8>,
    interface_mtu: PyReadonlyArray1<'py, u32>,
    interface_queue: PyReadonlyArray1<'py, u32>,
    address_interface: PyReadonlyArray1<'py, u32>,
    address_bits: PyReadonlyArray2<'py, u8>,
    address_is_v6: PyReadonlyArray1<'py, bool>,
    address_length: PyReadonlyArray1<'py, u8>,
    routes: KernelRoutes<'py>,
    neighbour_interface: PyReadonlyArray1<'py, u32>,
    neighbour_address: PyReadonlyArray1<'py, u32>,
    mark_bits: PyReadonlyArray2<'py, u8>,
    mark_length: PyReadonlyArray1<'py, u8>,
    mark: u32,
}

/// Routes as `nodes.table.KernelRoutes` lists them: its attributes of these names.
#[derive(FromPyObject)]
pub(super) struct KernelRoutes<'py> {
    interface: PyReadonlyArray1<'py, u32>,
    bits: PyReadonlyArray2<'py, u8>,
    is_v6: PyReadonlyArray1<'py, bool>,
    length: PyReadonlyArray1<'py, u8>,
    via: PyReadonlyArray1<'py, i32>,
    metric: PyReadonlyArray1<'py, u32>,
    source: PyReadonlyArray1<'py, i32>,
    table: PyReadonlyArray1<'py, u32>,
    rule_from: PyReadonlyArray1<'py, i32>,
    rule_source: PyReadonlyArray1<'py, i32>,
    rule_priority: PyReadonlyArray1<'py, u32>,
}

/// Cables as `emulation.cables.KernelCables` lists them: its attributes of these names.
#[derive(FromPyObject)]
pub(super) struct KernelCables<'py> {
    end_a: PyReadonlyArray1<'py, i32>,
    end_b: PyReadonlyArray1<'py, i32>,
    rate_bps: PyReadonlyArray1<'py, u64>,
    n_devices: u32,
    mtu: u32,
}

/// The interfaces and addresses of all nodes, by the numbers that the columns use.
#[derive(Debug, Default)]
pub(super) struct Directory {
    /// Node of each interface, and its place among the node's.
    pub place: Vec<(u32, u32)>,
    /// Number of the first interface of each node.
    pub first: Vec<u32>,
    pub addresses: Vec<Ip>,
    /// The first port of each interface, as numbered on its node.
    pub port: Vec<Option<u32>>,
}

impl Directory {
    /// Returns the node of an interface, and the interface's place there.
    pub fn place(&self, interface: u32) -> PyResult<(usize, u32)> {
        let found = self.place.get(interface as usize);
        let unknown = || PyValueError::new_err(format!("there is no interface {interface}"));
        found.map(|&(node, index)| (node as usize, index)).ok_or_else(unknown)
    }

    /// Returns an address.
    pub fn address(&self, number: u32) -> PyResult<Ip> {
        let unknown = || PyValueError::new_err(format!("there is no address {number}"));
        self.addresses.get(number as usize).copied().ok_or_else(unknown)
    }

    /// Returns the first port of each interface of each node, as `id` numbers them.
    pub fn ports<P>(&self, id: impl Fn(u32, u32) -> P) -> Vec<Vec<Option<P>>> {
        let mut ports: Vec<Vec<Option<P>>> = self.first.iter().map(|_| Vec::new()).collect();
        for (&(node, _), port) in self.place.iter().zip(&self.port) {
            ports[node as usize].push(port.map(|port| id(node, port)));
        }
        ports
    }

    fn optional(&self, number: i32) -> PyResult<Option<Ip>> {
        u32::try_from(number).ok().map(|number| self.address(number)).transpose()
    }
}

impl NodeTable<'_> {
    /// Returns the descriptions of all nodes, and the numbers of their parts.
    pub fn read(&self) -> PyResult<(Vec<NodeSpec>, Directory)> {
        let mut directory = Directory::default();
        let mut nodes = self.nodes(&mut directory)?;
        self.give_addresses(&mut nodes, &mut directory)?;
        for (node, routes) in nodes.iter_mut().zip(self.routes.read(&directory)?) {
            node.routes = routes;
        }
        self.introduce_neighbours(&mut nodes, &directory)?;
        Ok((nodes, directory))
    }

    fn nodes(&self, directory: &mut Directory) -> PyResult<Vec<NodeSpec>> {
        let marks = self.marks()?;
        let empty = |hostname: &String| NodeSpec {
            hostname: hostname.clone(),
            sysctls: self.sysctls.clone(),
            marks: marks.clone(),
            ..NodeSpec::default()
        };
        let mut nodes: Vec<NodeSpec> = self.hostnames.iter().map(empty).collect();
        let n = self.interface_name.len();
        let owner = column("interface_node", &self.interface_node, n)?;
        let macs: Vec<[u8; 6]> = rows("interface_mac", &self.interface_mac, n)?;
        let mtu = column("interface_mtu", &self.interface_mtu, n)?;
        let ports = column("interface_port", &self.interface_port, n)?;
        directory.port = ports.into_iter().map(|port| u32::try_from(port).ok()).collect();
        let queue = column("interface_queue", &self.interface_queue, n)?;
        for (interface, name) in self.interface_name.iter().enumerate() {
            let node = owner[interface];
            let unknown = || PyValueError::new_err(format!("there is no node {node}"));
            let interfaces = &mut nodes.get_mut(node as usize).ok_or_else(unknown)?.interfaces;
            directory.place.push((node, interfaces.len() as u32));
            interfaces.push(InterfaceSpec {
                name: name.clone(),
                mac: macs[interface],
                mtu: mtu[interface],
                queue: queue[interface],
                addresses: Vec::new(),
            });
        }
        let mut first = 0;
        for node in &nodes {
            directory.first.push(first);
            first += node.interfaces.len() as u32;
        }
        Ok(nodes)
    }

    /// Returns the marks of packets, which are the same in every node.
    fn marks(&self) -> PyResult<Vec<MarkSpec>> {
        let n = self.mark_length.as_array().len();
        let length = column("mark_length", &self.mark_length, n)?;
        let bits: Vec<[u8; 16]> = rows("mark_bits", &self.mark_bits, n)?;
        let one = |(bits, prefix_length)| {
            let destination = Ip { is_v6: true, bits: u128::from_be_bytes(bits) };
            MarkSpec { destination, prefix_length, mark: self.mark }
        };
        Ok(bits.into_iter().zip(length).map(one).collect())
    }

    fn give_addresses(&self, nodes: &mut [NodeSpec], directory: &mut Directory) -> PyResult<()> {
        let n = self.address_interface.as_array().len();
        let carrier = column("address_interface", &self.address_interface, n)?;
        let ips = ips("address_bits", &self.address_bits, &self.address_is_v6, n)?;
        let lengths = column("address_length", &self.address_length, n)?;
        for ((&interface, &ip), length) in carrier.iter().zip(&ips).zip(lengths) {
            let (node, index) = directory.place(interface)?;
            nodes[node].interfaces[index as usize].addresses.push((ip, length));
        }
        directory.addresses = ips;
        Ok(())
    }

    fn introduce_neighbours(&self, nodes: &mut [NodeSpec], directory: &Directory) -> PyResult<()> {
        let n = self.neighbour_interface.as_array().len();
        let interfaces = column("neighbour_interface", &self.neighbour_interface, n)?;
        let addresses = column("neighbour_address", &self.neighbour_address, n)?;
        let carrier =
            column("address_interface", &self.address_interface, directory.addresses.len())?;
        for (interface, number) in interfaces.into_iter().zip(addresses) {
            let (node, interface) = directory.place(interface)?;
            let address = directory.address(number)?;
            let (owner, index) = directory.place(carrier[number as usize])?;
            let mac = nodes[owner].interfaces[index as usize].mac;
            nodes[node].neighbours.push(NeighbourSpec { address, mac, interface });
        }
        Ok(())
    }
}

impl KernelRoutes<'_> {
    /// Returns the routes of each node.
    pub fn read(&self, directory: &Directory) -> PyResult<Vec<Vec<RouteSpec>>> {
        let n = self.interface.as_array().len();
        let by = column("interface", &self.interface, n)?;
        let to = ips("bits", &self.bits, &self.is_v6, n)?;
        let length = column("length", &self.length, n)?;
        let via = column("via", &self.via, n)?;
        let metric = column("metric", &self.metric, n)?;
        let source = column("source", &self.source, n)?;
        let table = column("table", &self.table, n)?;
        let from = column("rule_from", &self.rule_from, n)?;
        let source_of_rule = column("rule_source", &self.rule_source, n)?;
        let priority = column("rule_priority", &self.rule_priority, n)?;
        let table = |route: usize| -> PyResult<Option<TableSpec>> {
            let of = match (u32::try_from(from[route]), directory.optional(source_of_rule[route])?)
            {
                (Ok(interface), _) => Chosen::Incoming(directory.place(interface)?.1),
                (Err(_), Some(source)) => Chosen::Source(source),
                (Err(_), None) => return Ok(None),
            };
            Ok(Some(TableSpec { number: table[route], of, priority: priority[route] }))
        };
        let mut routes = vec![Vec::new(); directory.first.len()];
        for route in 0..n {
            let (node, interface) = directory.place(by[route])?;
            routes[node].push(RouteSpec {
                destination: to[route],
                prefix_length: length[route],
                via: directory.optional(via[route])?,
                interface,
                metric: metric[route],
                source: directory.optional(source[route])?,
                table: table(route)?,
            });
        }
        Ok(routes)
    }
}

impl KernelCables<'_> {
    /// Returns the cables.
    pub fn read(&self, directory: &Directory) -> PyResult<Cables> {
        let n = self.rate_bps.as_array().len();
        let a = column("end_a", &self.end_a, n)?;
        let b = column("end_b", &self.end_b, n)?;
        let rate = column("rate_bps", &self.rate_bps, n)?;
        let end = |number: i32| match u32::try_from(number) {
            Ok(interface) => {
                let (node, interface) = directory.place(interface)?;
                Ok(End::Interface { node: node as u32, interface })
            }
            Err(_) if number.unsigned_abs() <= self.n_devices => {
                Ok(End::Device(number.unsigned_abs() - 1))
            }
            Err(_) => Err(PyValueError::new_err(format!("there is no device {number}"))),
        };
        let cable = |((a, b), rate_bps)| Ok(Cable { ends: [end(a)?, end(b)?], rate_bps });
        let cables = a.into_iter().zip(b).zip(rate).map(cable).collect::<PyResult<_>>()?;
        Ok(Cables { cables, n_devices: self.n_devices, mtu: self.mtu })
    }
}

fn ips(
    name: &str,
    bits: &PyReadonlyArray2<'_, u8>,
    is_v6: &PyReadonlyArray1<'_, bool>,
    n: usize,
) -> PyResult<Vec<Ip>> {
    let is_v6 = column("is_v6", is_v6, n)?;
    let bits: Vec<[u8; 16]> = rows(name, bits, n)?;
    let ip = |(&bits, is_v6)| Ip { is_v6, bits: u128::from_be_bytes(bits) };
    Ok(bits.iter().zip(is_v6).map(ip).collect())
}
