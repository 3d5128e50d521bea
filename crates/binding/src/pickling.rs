//! Pickles and copies of compiled networks: each class returns the arguments of its constructor,
//! read from its compiled form, so that no table is kept twice.

use network::{
    DeviceId, DeviceKind, FabricSpec, Owner, QueueLimit, Scheme, SwitchMode, SwitchModel, Ties,
};
use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use quantity::Id;

use crate::columns::{to_array, to_ids, to_table};
use crate::network::{ExplicitRoutes, Fabric, Network};

/// The arguments of a constructor: positional ones and keywords.
type Arguments<'py> = (Bound<'py, PyTuple>, Bound<'py, PyDict>);

#[pymethods]
impl Fabric {
    /// The arguments for an equal fabric.
    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<Arguments<'py>> {
        let tables = [self.wiring(py)?, self.constants(py)?];
        Ok((PyTuple::new(py, tables)?, PyDict::new(py)))
    }
}

impl Fabric {
    fn wiring<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let FabricSpec { kinds, n_ports, shape, coordinates, cables, bonds, .. } =
            self.compiled().spec();
        let columns = PyDict::new(py);
        columns.set_item("kind", to_array(py, kinds.iter().copied().map(code).collect()))?;
        columns.set_item("n_nodes", self.compiled().n_nodes())?;
        columns.set_item("n_ports", to_array(py, n_ports))?;
        let table_shape = [kinds.len(), shape.len()];
        columns.set_item("shape", shape)?;
        let coordinates = coordinates.into_pyarray(py);
        columns.set_item("coordinates", coordinates.call_method1("reshape", (table_shape,))?)?;
        let switches = kinds.iter().copied().map(DeviceKind::switch);
        set_switch(py, &columns, "is_multipath", switches, false, |m| m.is_multipath)?;
        let end = |(device, port): (DeviceId, u32)| [device.get(), port];
        let (a, b) = (cables.iter().map(|cable| end(cable.a)), cables.iter().map(|c| end(c.b)));
        columns.set_item("cable_a", to_table(py, flat(a), 2)?)?;
        columns.set_item("cable_b", to_table(py, flat(b), 2)?)?;
        let bonds = bonds.iter().map(|bond| [bond.node.get(), bond.first_port, bond.n_ports]);
        columns.set_item("bonds", to_table(py, flat(bonds), 3)?)?;
        table(&columns)
    }

    fn constants<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let FabricSpec { kinds, cables, backplanes, .. } = self.compiled().spec();
        let columns = PyDict::new(py);
        let switches = || kinds.iter().copied().map(DeviceKind::switch);
        let hub_delays = kinds.iter().copied().map(hub_delay_ps);
        columns.set_item("hub_delay_ps", to_array(py, hub_delays.collect()))?;
        let is_cut_through = |model: SwitchModel| model.mode == SwitchMode::CutThrough;
        set_switch(py, &columns, "switch_cut_through", switches(), false, is_cut_through)?;
        set_switch(py, &columns, "switch_latency_ps", switches(), 0, |m| m.latency.ps())?;
        let backplane = |m: SwitchModel| m.backplane.map_or(-1, |backplane| backplane.get() as i32);
        set_switch(py, &columns, "switch_backplane", switches(), -1, backplane)?;
        set_switch(py, &columns, "switch_queue_bytes", switches(), 0, queue_bytes)?;
        let backplanes = backplanes.iter().map(|rate| rate.bps());
        columns.set_item("backplane_bps", to_array(py, backplanes.collect()))?;
        let rates = cables.iter().map(|cable| cable.rate.bps());
        columns.set_item("cable_rate_bps", to_array(py, rates.collect()))?;
        let delays = cables.iter().map(|cable| cable.delay.ps());
        columns.set_item("cable_delay_ps", to_array(py, delays.collect()))?;
        table(&columns)
    }
}

/// Makes a record of columns, which the constructors read by attribute.
fn table<'py>(columns: &Bound<'py, PyDict>) -> PyResult<Bound<'py, PyAny>> {
    columns.py().import("types")?.getattr("SimpleNamespace")?.call((), Some(columns))
}

fn flat<const WIDTH: usize>(rows: impl Iterator<Item = [u32; WIDTH]>) -> Vec<u32> {
    rows.flatten().collect()
}

fn code(kind: DeviceKind) -> u8 {
    match kind {
        DeviceKind::Node => 0,
        DeviceKind::Hub(_) => 1,
        DeviceKind::Switch(_) | DeviceKind::RoutedSwitch(_) => 2,
    }
}

fn hub_delay_ps(kind: DeviceKind) -> u64 {
    match kind {
        DeviceKind::Hub(model) => model.domain_delay.ps(),
        _ => 0,
    }
}

fn queue_bytes(model: SwitchModel) -> u32 {
    match model.queue {
        QueueLimit::Bytes(bytes) | QueueLimit::Frames(bytes) => bytes,
    }
}

/// Sets one constant of the switches; other devices have `none`.
fn set_switch<T: numpy::Element + Copy>(
    py: Python<'_>,
    columns: &Bound<'_, PyDict>,
    name: &str,
    switches: impl Iterator<Item = Option<SwitchModel>>,
    none: T,
    constant: impl Fn(SwitchModel) -> T,
) -> PyResult<()> {
    let values = switches.map(|switch| switch.map_or(none, &constant)).collect();
    columns.set_item(name, to_array(py, values))
}

#[pymethods]
impl ExplicitRoutes {
    /// The arguments for equal routes.
    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<Arguments<'py>> {
        let routes = self.given();
        let columns = PyDict::new(py);
        let bytes = routes.iter().flat_map(|route| route.destination.bits.to_be_bytes());
        let via = routes.iter().map(|route| route.via.map_or(-1, |via| via.get() as i32));
        let is_v6 = routes.iter().map(|route| route.destination.is_v6);
        columns.set_item("node", to_ids(py, routes.iter().map(|r| r.node)))?;
        columns.set_item("destination", to_table(py, bytes.collect(), 16)?)?;
        columns.set_item("is_v6", to_array(py, is_v6.collect()))?;
        let lengths = routes.iter().map(|route| route.prefix_length);
        columns.set_item("prefix_length", to_array(py, lengths.collect()))?;
        columns.set_item("via", to_array(py, via.collect()))?;
        columns.set_item("port", to_ids(py, routes.iter().map(|r| r.port)))?;
        columns.set_item("metric", to_array(py, routes.iter().map(|r| r.metric).collect()))?;
        Ok((PyTuple::new(py, [table(&columns)?])?, PyDict::new(py)))
    }
}

#[pymethods]
impl Network {
    /// The arguments for an equal network: the fabric, the addresses and the keywords.
    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<Arguments<'py>> {
        let network = self.compiled();
        let addresses = network.addressing.addresses();
        let columns = PyDict::new(py);
        let bytes = addresses.iter().flat_map(|address| address.ip.bits.to_be_bytes());
        let port = addresses.iter().map(|address| match address.owner {
            Owner::Port(port) => {
                port.offset_from(network.fabric.ports_of(address.node).start) as i32
            }
            Owner::Loopback(_) => -1,
        });
        columns.set_item("bits", to_table(py, bytes.collect(), 16)?)?;
        let is_v6 = addresses.iter().map(|address| address.ip.is_v6);
        columns.set_item("is_v6", to_array(py, is_v6.collect()))?;
        let lengths = addresses.iter().map(|address| address.prefix_length);
        columns.set_item("prefix_length", to_array(py, lengths.collect()))?;
        columns.set_item("node", to_ids(py, addresses.iter().map(|a| a.node)))?;
        columns.set_item("port", to_array(py, port.collect()))?;
        let (routing, keywords) = (self.routing(), PyDict::new(py));
        let name = match routing.scheme {
            Scheme::DimensionOrder => "dimension-order",
            Scheme::ShortestPath => "shortest-path",
            Scheme::Stack => "stack",
            Scheme::Explicit(_) => "explicit",
        };
        keywords.set_item("routing", name)?;
        keywords.set_item("with_fallback", routing.with_fallback)?;
        keywords.set_item("by_interface", routing.by_interface)?;
        keywords.set_item("explicit", self.explicit().map(|tables| tables.bind(py)))?;
        let ties = match routing.ties {
            Ties::Spread => "spread",
            Ties::OneWay => "paper",
        };
        keywords.set_item("ties", ties)?;
        Ok(((self.fabric(py), table(&columns)?).into_pyobject(py)?, keywords))
    }
}
