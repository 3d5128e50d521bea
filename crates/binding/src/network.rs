//! The compiled network for Python: columns in, an immutable handle out, and its routes as columns.
//! Port numbers count per node in Python and over all devices in the crates; they are converted
//! here.

use std::sync::atomic::Ordering;

use network::{
    AddressId, Addressing, BackplaneId, BondSpec, CableSpec, DeviceId, DeviceKind, ExplicitRoute,
    Fabric as Compiled, FabricSpec, HubModel, Ip, NodeId, Owner, PortId, QueueLimit, Route,
    RoutingSpec, Scheme, SwitchMode, SwitchModel, Ties,
};
use numpy::{PyArray1, PyArray2, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use quantity::{Id, Rate, Time};
use rayon::prelude::*;

use crate::columns::{collected, column, expect_at_most, rows, to_array, to_ids, to_table};
use crate::errors::Raise;
use crate::long_call::long_call;

/// Lifetime of an address in a switch: IEEE 802.1D's default of 300 s.
const AGEING: Time = Time::from_ms(300_000);

/// Most devices of a network: more than the package builds, so that an array of a wrong length does
/// not allocate memory.
const MOST_DEVICES: usize = 1 << 22;
/// Most cables of a network, for the same purpose as [`MOST_DEVICES`].
const MOST_CABLES: usize = 1 << 22;
/// Most addresses: two families at both ends of every cable, and on every loopback.
const MOST_ADDRESSES: usize = 4 * MOST_CABLES + 2 * MOST_DEVICES;
/// The longest delay of a device or cable.
const MOST_DELAY_PS: u64 = 1_000_000_000_000_000;
/// The highest rate: 1000 bytes per picosecond.
const MOST_BPS: u64 = 8_000_000_000_000_000;

/// Adds the classes.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Fabric>()?;
    module.add_class::<ExplicitRoutes>()?;
    module.add_class::<Routes>()?;
    module.add_class::<Network>()
}

/// Devices, ports, cables and segments.
#[pyclass(frozen, module = "linkwright._core")]
pub struct Fabric {
    compiled: Compiled,
}

impl Fabric {
    /// Returns the compiled fabric.
    pub fn compiled(&self) -> &Compiled {
        &self.compiled
    }
}

#[pymethods]
impl Fabric {
    #[new]
    fn new(
        py: Python<'_>,
        wiring: WiringTable<'_>,
        constants: ConstantsTable<'_>,
    ) -> PyResult<Fabric> {
        let spec = spec(&wiring, &constants)?;
        let compiled = py.detach(|| Compiled::new(spec)).map_err(|error| error.raise(py))?;
        Ok(Fabric { compiled })
    }

    /// Number of nodes.
    #[getter]
    fn n_nodes(&self) -> u32 {
        self.compiled.n_nodes()
    }

    /// Number of devices: nodes, hubs and switches.
    #[getter]
    fn n_devices(&self) -> u32 {
        self.compiled.n_devices()
    }

    /// Number of broadcast domains, including those of unconnected ports.
    #[getter]
    fn n_segments(&self) -> u32 {
        self.compiled.n_segments()
    }

    /// Id of each device's first port, followed by the number of all ports.
    #[getter]
    fn port_start(&self, py: Python<'_>) -> Py<PyArray1<u32>> {
        let ends = self.compiled.devices().map(|device| self.compiled.ports_of(device).end);
        to_ids(py, std::iter::once(PortId::new(0)).chain(ends))
    }

    /// Broadcast domain of each port.
    #[getter]
    fn port_segment(&self, py: Python<'_>) -> Py<PyArray1<u32>> {
        to_ids(py, self.compiled.ports().iter().map(|port| port.segment))
    }
}

/// Devices and cables in the form of `design.topologies.Wiring`, by its attributes of these names.
#[derive(FromPyObject)]
struct WiringTable<'py> {
    kind: PyReadonlyArray1<'py, u8>,
    /// Number of devices with addresses and routes, which come first; switches among them route.
    n_nodes: usize,
    n_ports: PyReadonlyArray1<'py, u32>,
    shape: Vec<u32>,
    coordinates: PyReadonlyArray2<'py, i32>,
    is_multipath: PyReadonlyArray1<'py, bool>,
    cable_a: PyReadonlyArray2<'py, u32>,
    cable_b: PyReadonlyArray2<'py, u32>,
    bonds: PyReadonlyArray2<'py, u32>,
}

/// Constants of the parts in the form of `design.device_constants.DeviceConstants`.
#[derive(FromPyObject)]
struct ConstantsTable<'py> {
    hub_delay_ps: PyReadonlyArray1<'py, u64>,
    switch_cut_through: PyReadonlyArray1<'py, bool>,
    switch_latency_ps: PyReadonlyArray1<'py, u64>,
    switch_backplane: PyReadonlyArray1<'py, i32>,
    switch_queue_bytes: PyReadonlyArray1<'py, u32>,
    backplane_bps: PyReadonlyArray1<'py, u64>,
    cable_rate_bps: PyReadonlyArray1<'py, u64>,
    cable_delay_ps: PyReadonlyArray1<'py, u64>,
}

/// Returns the fabric that two tables describe, after a check of their lengths.
fn spec(wiring: &WiringTable<'_>, constants: &ConstantsTable<'_>) -> PyResult<FabricSpec> {
    let (n, m) = (wiring.kind.as_array().len(), wiring.cable_a.as_array().nrows());
    let backplanes = constants.backplane_bps.as_array();
    let n_bonds = wiring.bonds.as_array().nrows();
    expect_at_most("kind", n, MOST_DEVICES)?;
    expect_at_most("cable_a", m, MOST_CABLES)?;
    let coordinates = wiring.coordinates.as_array();
    expect_at_most("coordinates", coordinates.len(), n * wiring.shape.len())?;
    expect_at_most("backplane_bps", backplanes.len(), n)?;
    expect_at_most("bonds", n_bonds, n)?;
    Ok(FabricSpec {
        kinds: device_kinds(wiring, constants, n)?,
        n_ports: column("n_ports", &wiring.n_ports, n)?,
        shape: wiring.shape.clone(),
        coordinates: collected("coordinates", coordinates.iter().map(|&at| Ok(at)))?,
        cables: cables(wiring, constants, m)?,
        backplanes: collected("backplane_bps", backplanes.iter().map(|&bps| rate(bps)))?,
        bonds: rows("bonds", &wiring.bonds, n_bonds)?
            .into_iter()
            .map(|[node, first_port, n_ports]| BondSpec {
                node: NodeId::new(node),
                first_port,
                n_ports,
            })
            .collect(),
    })
}

fn device_kinds(
    wiring: &WiringTable<'_>,
    constants: &ConstantsTable<'_>,
    n: usize,
) -> PyResult<Vec<DeviceKind>> {
    let kind = column("kind", &wiring.kind, n)?;
    let hub_delay_ps = column("hub_delay_ps", &constants.hub_delay_ps, n)?;
    let cut_through = column("switch_cut_through", &constants.switch_cut_through, n)?;
    let latency_ps = column("switch_latency_ps", &constants.switch_latency_ps, n)?;
    let backplane = column("switch_backplane", &constants.switch_backplane, n)?;
    let queue_bytes = column("switch_queue_bytes", &constants.switch_queue_bytes, n)?;
    let is_multipath = column("is_multipath", &wiring.is_multipath, n)?;
    let is_routed = |index: usize| index < wiring.n_nodes;
    let switch =
        |index| if is_routed(index) { DeviceKind::RoutedSwitch } else { DeviceKind::Switch };
    let device = |index: usize| match kind[index] {
        0 => Ok(DeviceKind::Node),
        1 => Ok(DeviceKind::Hub(HubModel { domain_delay: delay(hub_delay_ps[index])? })),
        2 => Ok(switch(index)(SwitchModel {
            mode: match cut_through[index] {
                true => SwitchMode::CutThrough,
                false => SwitchMode::StoreAndForward,
            },
            latency: delay(latency_ps[index])?,
            backplane: u32::try_from(backplane[index]).ok().map(BackplaneId::new),
            queue: QueueLimit::Bytes(queue_bytes[index]),
            ageing: AGEING,
            is_multipath: is_multipath[index],
        })),
        code => Err(PyValueError::new_err(format!("no device kind has the code {code}"))),
    };
    collected("kind", (0..n).map(device))
}

fn cables(
    wiring: &WiringTable<'_>,
    constants: &ConstantsTable<'_>,
    m: usize,
) -> PyResult<Vec<CableSpec>> {
    let a: Vec<[u32; 2]> = rows("cable_a", &wiring.cable_a, m)?;
    let b: Vec<[u32; 2]> = rows("cable_b", &wiring.cable_b, m)?;
    let rate_bps = column("cable_rate_bps", &constants.cable_rate_bps, m)?;
    let delay_ps = column("cable_delay_ps", &constants.cable_delay_ps, m)?;
    let end = |[device, port]: [u32; 2]| (DeviceId::new(device), port);
    let cable = |index: usize| {
        Ok(CableSpec {
            a: end(a[index]),
            b: end(b[index]),
            rate: rate(rate_bps[index])?,
            delay: delay(delay_ps[index])?,
        })
    };
    collected("cable_a", (0..m).map(cable))
}

fn rate(bps: u64) -> PyResult<Rate> {
    let wrong = || PyValueError::new_err(format!("a rate cannot be {bps} bit/s"));
    Rate::from_bps(bps).filter(|rate| rate.bps() <= MOST_BPS).ok_or_else(wrong)
}

fn delay(ps: u64) -> PyResult<Time> {
    match ps <= MOST_DELAY_PS {
        true => Ok(Time::from_ps(ps)),
        false => Err(PyValueError::new_err(format!("a delay cannot be {ps} ps"))),
    }
}

/// An address as 16 big-endian bytes.
fn ip(bits: [u8; 16], is_v6: bool) -> Ip {
    Ip { is_v6, bits: u128::from_be_bytes(bits) }
}

/// Routes in the form of `design.route_table.RouteTable`.
#[derive(FromPyObject)]
struct RouteTable<'py> {
    node: PyReadonlyArray1<'py, u32>,
    destination: PyReadonlyArray2<'py, u8>,
    is_v6: PyReadonlyArray1<'py, bool>,
    prefix_length: PyReadonlyArray1<'py, u8>,
    via: PyReadonlyArray1<'py, i32>,
    port: PyReadonlyArray1<'py, u32>,
    metric: PyReadonlyArray1<'py, u32>,
}

/// Tables of routes from the caller.
#[pyclass(frozen, module = "linkwright._core")]
pub struct ExplicitRoutes {
    /// The routes; ports are numbers on their node until the fabric is known.
    routes: Vec<ExplicitRoute>,
}

#[pymethods]
impl ExplicitRoutes {
    #[new]
    fn new(table: RouteTable<'_>) -> PyResult<ExplicitRoutes> {
        let n = table.node.as_array().len();
        let node = column("node", &table.node, n)?;
        let destination = rows("destination", &table.destination, n)?;
        let is_v6 = column("is_v6", &table.is_v6, n)?;
        let prefix_length = column("prefix_length", &table.prefix_length, n)?;
        let via = column("via", &table.via, n)?;
        let port = column("port", &table.port, n)?;
        let metric = column("metric", &table.metric, n)?;
        let route = |index: usize| {
            Ok(ExplicitRoute {
                node: NodeId::new(node[index]),
                destination: ip(destination[index], is_v6[index]),
                prefix_length: prefix_length[index],
                via: u32::try_from(via[index]).ok().map(AddressId::new),
                port: PortId::new(port[index]),
                metric: metric[index],
            })
        };
        Ok(ExplicitRoutes { routes: collected("node", (0..n).map(route))? })
    }
}

impl ExplicitRoutes {
    /// Returns the routes as given.
    pub fn given(&self) -> &[ExplicitRoute] {
        &self.routes
    }

    fn on(&self, fabric: &Compiled) -> PyResult<Vec<ExplicitRoute>> {
        let place = |route: &ExplicitRoute| {
            let port = port_id(fabric, route.node, route.port.get())?;
            Ok(ExplicitRoute { port, ..*route })
        };
        collected("node", self.routes.iter().map(place))
    }
}

fn port_id(fabric: &Compiled, node: NodeId, port: u32) -> PyResult<PortId> {
    let missing = || PyValueError::new_err(format!("node {node} has no port {port}"));
    if !fabric.is_node(node) {
        return Err(PyValueError::new_err(format!("there is no node {node}")));
    }
    fabric.ports_of(node).nth(port as usize).ok_or_else(missing)
}

/// Routes as columns.
#[pyclass(frozen, get_all, module = "linkwright._core")]
pub struct Routes {
    /// The node whose table contains the route.
    node: Py<PyArray1<u32>>,
    /// First address of the destination prefix, 16 bytes per route.
    destination: Py<PyArray2<u8>>,
    /// True for an IPv6 route.
    is_v6: Py<PyArray1<bool>>,
    /// Length of the destination prefix.
    prefix_length: Py<PyArray1<u8>>,
    /// Id of the gateway's address, -1 for none.
    via: Py<PyArray1<i32>>,
    /// The number of the port on its node.
    port: Py<PyArray1<u32>>,
    /// The metric; a lower one wins.
    metric: Py<PyArray1<u32>>,
    /// The number of the port whose incoming packets use the route; -1 for the main table.
    table: Py<PyArray1<i32>>,
}

impl Routes {
    fn new(py: Python<'_>, fabric: &Compiled, routes: &[(NodeId, Route)]) -> PyResult<Routes> {
        let bytes = |route: &Route| route.destination.bits.to_be_bytes();
        let number = |node: NodeId, port: PortId| port.offset_from(fabric.ports_of(node).start);
        let via = |route: &Route| route.via.map_or(-1, |via| via.get() as i32);
        let table = |node, port: Option<PortId>| port.map_or(-1, |port| number(node, port) as i32);
        Ok(Routes {
            node: to_ids(py, routes.iter().map(|&(node, _)| node)),
            destination: to_table(py, routes.iter().flat_map(|(_, r)| bytes(r)).collect(), 16)?,
            is_v6: to_array(py, routes.iter().map(|(_, r)| r.destination.is_v6).collect()),
            prefix_length: to_array(py, routes.iter().map(|(_, r)| r.prefix_length).collect()),
            via: to_array(py, routes.iter().map(|(_, r)| via(r)).collect()),
            port: to_array(py, routes.iter().map(|&(n, r)| number(n, r.port)).collect()),
            metric: to_array(py, routes.iter().map(|(_, r)| r.metric).collect()),
            table: to_array(py, routes.iter().map(|&(n, r)| table(n, r.table)).collect()),
        })
    }
}

/// Addresses in the form of `design.addressing.Addresses`.
#[derive(FromPyObject)]
struct AddressTable<'py> {
    bits: PyReadonlyArray2<'py, u8>,
    is_v6: PyReadonlyArray1<'py, bool>,
    prefix_length: PyReadonlyArray1<'py, u8>,
    node: PyReadonlyArray1<'py, u32>,
    port: PyReadonlyArray1<'py, i32>,
}

impl AddressTable<'_> {
    /// Returns each address with its prefix length and its interface on a fabric.
    fn owned(&self, fabric: &Compiled) -> PyResult<Vec<(Ip, u8, Owner)>> {
        let n = self.prefix_length.as_array().len();
        expect_at_most("prefix_length", n, MOST_ADDRESSES)?;
        let bits = rows("bits", &self.bits, n)?;
        let is_v6 = column("is_v6", &self.is_v6, n)?;
        let length = column("prefix_length", &self.prefix_length, n)?;
        let node = column("node", &self.node, n)?;
        let port = column("port", &self.port, n)?;
        let owner = |index: usize| match u32::try_from(port[index]) {
            Ok(port) => port_id(fabric, NodeId::new(node[index]), port).map(Owner::Port),
            Err(_) => Ok(Owner::Loopback(NodeId::new(node[index]))),
        };
        let address =
            |index: usize| Ok((ip(bits[index], is_v6[index]), length[index], owner(index)?));
        collected("bits", (0..n).map(address))
    }
}

/// A fabric with addresses and routes.
#[pyclass(frozen, module = "linkwright._core")]
pub struct Network {
    fabric: Py<Fabric>,
    compiled: network::Network,
    routing: RoutingSpec,
    /// The tables of the explicit scheme, as requested by the caller.
    explicit: Option<Py<ExplicitRoutes>>,
}

impl Network {
    /// Returns the compiled network.
    pub fn compiled(&self) -> &network::Network {
        &self.compiled
    }

    /// Returns the routing scheme as requested.
    pub fn routing(&self) -> &RoutingSpec {
        &self.routing
    }

    /// Returns the tables of the explicit scheme.
    pub fn explicit(&self) -> Option<&Py<ExplicitRoutes>> {
        self.explicit.as_ref()
    }
}

#[pymethods]
impl Network {
    #[new]
    #[pyo3(signature = (
        fabric, addresses, *, routing, with_fallback = false, by_interface = 0, explicit = None,
        ties = "spread"
    ))]
    #[allow(clippy::too_many_arguments)] // keywords, all of them named by the caller
    fn new(
        py: Python<'_>,
        fabric: Py<Fabric>,
        addresses: AddressTable<'_>,
        routing: &str,
        with_fallback: bool,
        by_interface: u32,
        explicit: Option<Py<ExplicitRoutes>>,
        ties: &str,
    ) -> PyResult<Network> {
        let ties = match ties {
            "spread" => Ties::Spread,
            "paper" => Ties::OneWay,
            other => return Err(PyValueError::new_err(format!("there are no ties '{other}'"))),
        };
        let built = &fabric.get().compiled;
        let given = addresses.owned(built)?;
        let addressing = py.detach(|| Addressing::new(built, &given));
        let addressing = addressing.map_err(|error| error.raise(py))?;
        let scheme = match (routing, &explicit) {
            ("dimension-order", None) => Scheme::DimensionOrder,
            ("shortest-path", None) => Scheme::ShortestPath,
            ("stack", None) => Scheme::Stack,
            ("explicit", Some(tables)) if by_interface == 0 => {
                Scheme::Explicit(tables.get().on(built)?)
            }
            (scheme, tables) => {
                let with = if tables.is_some() { "with" } else { "without" };
                let message = format!("there is no routing '{scheme}' {with} explicit tables");
                return Err(PyValueError::new_err(message));
            }
        };
        let routing = RoutingSpec { scheme, with_fallback, by_interface, ties };
        let compiled = py.detach(|| routing.network(built.clone(), addressing));
        let compiled = compiled.map_err(|error| error.raise(py))?;
        Ok(Network { fabric, compiled, routing, explicit })
    }

    /// The fabric of the network.
    #[getter]
    pub fn fabric(&self, py: Python<'_>) -> Py<Fabric> {
        self.fabric.clone_ref(py)
    }

    /// Routes of all nodes in order of node and destination.
    #[pyo3(signature = (*, with_fallback=false))]
    fn routes(&self, py: Python<'_>, with_fallback: bool) -> PyResult<Routes> {
        let network = &self.compiled;
        let routes = long_call(py, |stop| {
            let of_node = |node: NodeId| {
                let is_wanted = !stop.load(Ordering::Relaxed);
                let routes = is_wanted.then(|| network.routes_of(node, with_fallback));
                routes.into_iter().flatten().map(move |route| (node, route))
            };
            let nodes = (0..network.fabric.n_nodes()).into_par_iter().map(NodeId::new);
            nodes.flat_map_iter(of_node).collect::<Vec<(NodeId, Route)>>()
        })?;
        Routes::new(py, &network.fabric, &routes)
    }

    /// Whether each node relays packets of others.
    #[pyo3(signature = (*, with_fallback=false))]
    fn relays(&self, py: Python<'_>, with_fallback: bool) -> PyResult<Py<PyArray1<bool>>> {
        let relays = long_call(py, |stop| self.compiled.relays(with_fallback, stop))?;
        Ok(PyArray1::from_iter(py, relays).unbind())
    }

    /// Routes of one node in order of destination.
    #[pyo3(signature = (node, *, with_fallback=false))]
    fn routes_of(&self, py: Python<'_>, node: u32, with_fallback: bool) -> PyResult<Routes> {
        let node = NodeId::new(node);
        if !self.compiled.fabric.is_node(node) {
            return Err(PyValueError::new_err(format!("there is no node {node}")));
        }
        let routes = py.detach(|| self.compiled.routes_of(node, with_fallback));
        let routes: Vec<_> = routes.into_iter().map(|route| (node, route)).collect();
        Routes::new(py, &self.compiled.fabric, &routes)
    }
}
