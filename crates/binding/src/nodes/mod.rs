//! Nodes as namespaces of this machine: columns in, a handle out that keeps them up and lets their
//! carrier, routes and settings change.

mod carry;
mod ping;
mod player;
mod table;

use std::collections::BTreeMap;
use std::os::fd::AsRawFd;
use std::sync::Mutex;
use std::time::Duration;

use network::Ip;
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rayon::prelude::*;
use wire::kernel::{Backend, Lookup, Namespace, Node, Packet, RouteSpec, bring_up, on_own_threads};
use wire::{Refusal, WireError};

use crate::columns::{column, to_array};
use crate::errors::Raise;
use crate::long_call::long_call;
use table::{Directory, KernelCables, KernelRoutes, NodeTable};

/// Nodes that are up; they end with this handle and the processes in them.
#[pyclass(frozen, module = "linkwright._core")]
pub struct Nodes {
    nodes: Vec<Node>,
    /// Hubs and switches of the kernel, where its cables are.
    #[expect(dead_code, reason = "they end with this handle")]
    devices: Option<Namespace>,
    directory: Directory,
    routes: Mutex<Vec<Vec<RouteSpec>>>,
}

#[pymethods]
impl Nodes {
    /// Brings nodes up, without wires, or with cables of the kernel.
    #[new]
    #[pyo3(signature = (table, cables=None))]
    fn new(
        py: Python<'_>,
        table: NodeTable<'_>,
        cables: Option<KernelCables<'_>>,
    ) -> PyResult<Nodes> {
        let (specs, directory) = table.read()?;
        let backend = match cables {
            None => Backend::Taps,
            Some(cables) => Backend::Cables(cables.read(&directory)?),
        };
        let up = long_call(py, |_| bring_up(&specs, &backend))?;
        let (nodes, devices) = up.map_err(|error| error.raise(py))?;
        let routes = specs.into_iter().map(|spec| spec.routes).collect();
        Ok(Nodes { nodes, devices, directory, routes: Mutex::new(routes) })
    }

    /// Returns the descriptors of each node's network and UTS namespace.
    fn descriptors(&self) -> Vec<(i32, i32)> {
        let of = |node: &Node| (node.namespace.net().as_raw_fd(), node.namespace.uts().as_raw_fd());
        self.nodes.iter().map(of).collect()
    }

    /// Gives interfaces carrier, or takes it away; returns when the kernels have noticed.
    fn plug(
        &self,
        py: Python<'_>,
        interfaces: PyReadonlyArray1<'_, u32>,
        has_carrier: bool,
    ) -> PyResult<()> {
        let mut of_node = vec![Vec::new(); self.nodes.len()];
        for &interface in interfaces.as_array() {
            let (node, index) = self.directory.place(interface)?;
            of_node[node].push(index);
        }
        let done = long_call(py, |_| {
            self.at_each_node(|node, up| match &of_node[node][..] {
                [] => Ok(()),
                interfaces => up.plug(interfaces, has_carrier),
            })
        })?;
        done.map(drop).map_err(|error| error.raise(py))
    }

    /// Replaces the routes of all nodes.
    fn reroute(&self, py: Python<'_>, table: KernelRoutes<'_>) -> PyResult<()> {
        let new = table.read(&self.directory)?;
        let mut old = self.routes.lock().expect("no call fails while it holds the routes");
        let changed =
            long_call(py, |_| self.at_each_node(|node, up| up.reroute(&old[node], &new[node])))?;
        changed.map_err(|error| error.raise(py))?;
        *old = new;
        Ok(())
    }

    /// Sets a sysctl of all nodes, named by its path below /proc/sys/net.
    fn set(&self, py: Python<'_>, path: &str, value: &str) -> PyResult<()> {
        let done = long_call(py, |_| self.at_each_node(|_, up| up.set(path, value)))?;
        done.map(drop).map_err(|error| error.raise(py))
    }

    /// Sends full frames of datagrams from a node to an address for a while.
    fn flood(&self, py: Python<'_>, node: u32, address: u32, seconds: f64) -> PyResult<()> {
        let to = self.directory.address(address)?;
        let unknown = || PyValueError::new_err(format!("there is no node {node}"));
        let up = self.nodes.get(node as usize).ok_or_else(unknown)?;
        let span = Duration::from_secs_f64(seconds);
        let done = long_call(py, |_| on_own_threads(|| up.flood(to, span)))?;
        done.map_err(|refusal| refusal.at(node).raise(py))
    }

    /// Returns the decision of a node's kernel for each packet: packets of the node itself, or
    /// those that arrived at an `interface` from a `source` where these are not -1.
    fn look_up(
        &self,
        py: Python<'_>,
        node: PyReadonlyArray1<'_, u32>,
        destination: PyReadonlyArray1<'_, u32>,
        interface: PyReadonlyArray1<'_, i32>,
        source: PyReadonlyArray1<'_, i32>,
    ) -> PyResult<Lookups> {
        let n = node.as_array().len();
        let node = column("node", &node, n)?;
        let destination = column("destination", &destination, n)?;
        let interface = column("interface", &interface, n)?;
        let source = column("source", &source, n)?;
        let mut asked = vec![(Vec::new(), Vec::new()); self.nodes.len()];
        for question in 0..n {
            let arrived =
                match (u32::try_from(interface[question]), u32::try_from(source[question])) {
                    (Ok(interface), Ok(source)) => {
                        Some((self.directory.place(interface)?.1, self.directory.address(source)?))
                    }
                    _ => None,
                };
            let destination = self.directory.address(destination[question])?;
            let (questions, packets) = &mut asked[node[question] as usize];
            questions.push(question);
            packets.push(Packet { destination, arrived });
        }
        let found = long_call(py, |_| self.at_each_node(|node, up| up.look_up(&asked[node].1)))?;
        let found = found.map_err(|error| error.raise(py))?;
        let mut lookups = vec![[NO_ROUTE, NONE, NONE]; n];
        let numbers = self.numbers();
        for (node, decisions) in found.into_iter().enumerate() {
            for (&question, decision) in asked[node].0.iter().zip(decisions) {
                lookups[question] = self.numbered(&numbers, node, decision);
            }
        }
        let entry = |index: usize| lookups.iter().map(|row| row[index]).collect();
        Ok(Lookups {
            interface: to_array(py, entry(0)),
            gateway: to_array(py, entry(1)),
            source: to_array(py, entry(2)),
        })
    }
}

const NONE: i32 = -1;
const LOCAL: i32 = -1;
const NO_ROUTE: i32 = -2;

impl Nodes {
    fn at_each_node<R: Send>(
        &self,
        work: impl Fn(usize, &Node) -> Result<R, Refusal> + Sync,
    ) -> Result<Vec<R>, WireError> {
        let one =
            |(node, up): (usize, &Node)| work(node, up).map_err(|refusal| refusal.at(node as u32));
        on_own_threads(|| self.nodes.par_iter().enumerate().map(one).collect())
    }

    fn numbers(&self) -> BTreeMap<Ip, i32> {
        self.directory.addresses.iter().copied().zip(0..).collect()
    }

    fn numbered(&self, numbers: &BTreeMap<Ip, i32>, node: usize, decision: Lookup) -> [i32; 3] {
        let of = |ip: Option<Ip>| ip.and_then(|ip| numbers.get(&ip)).copied().unwrap_or(NONE);
        match decision {
            Lookup::Local => [LOCAL, NONE, NONE],
            Lookup::Refused { .. } => [NO_ROUTE, NONE, NONE],
            Lookup::Via { interface, gateway, source } => {
                [(self.directory.first[node] + interface) as i32, of(gateway), of(source)]
            }
        }
    }
}

/// Decisions of kernels, one for each packet.
#[pyclass(frozen, module = "linkwright._core")]
pub struct Lookups {
    /// Interface, -1 where the address is the node's own, -2 where there is no route.
    #[pyo3(get)]
    interface: Py<PyArray1<i32>>,
    /// Gateway, -1 where there is none.
    #[pyo3(get)]
    gateway: Py<PyArray1<i32>>,
    /// Source address of the packet.
    #[pyo3(get)]
    source: Py<PyArray1<i32>>,
}

/// Adds the classes.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Nodes>()?;
    module.add_class::<Lookups>()?;
    module.add_class::<player::Player>()?;
    module.add_function(wrap_pyfunction!(player::machine_time_s, module)?)
}
