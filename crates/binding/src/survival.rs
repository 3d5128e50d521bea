//! What failures cost and the ways they are held against, for Python. Ports are ids over all
//! devices here: number 0 of a device is `Fabric.port_start` of it.

use network::metrics::{self, Step, WayTable};
use network::{AddressId, PortId};
use numpy::{PyArray1, PyArray2, PyReadonlyArray1};
use pyo3::prelude::*;

use crate::columns::{to_array, to_table};
use crate::errors::Raise;
use crate::network::Network;

/// Stands for a port where there is none.
const NONE: i32 = -1;
/// Stands for a port where the packet has arrived.
const OWN: i32 = -2;

/// Adds the classes.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Ways>()
}

/// The best and the standby routes of all nodes to some identities.
#[pyclass(frozen, get_all, module = "linkwright._core")]
pub struct Ways {
    /// Port each node sends a packet for each identity out of, shape (identities, nodes); -1 where
    /// it has no way, -2 where the identity is its own.
    port: Py<PyArray2<i32>>,
    /// Port it is handed to, likewise.
    via: Py<PyArray2<i32>>,
    /// Where the standby routes of entry (i, n) begin: at place `i * n_nodes + n`.
    standby_start: Py<PyArray1<u32>>,
    /// Port of each standby route.
    standby_port: Py<PyArray1<i32>>,
    /// Port it is handed to, -1 where the packet would go where the identity is not.
    standby_via: Py<PyArray1<i32>>,
}

#[pymethods]
impl Network {
    /// Lists the routes of all nodes to some identities, the standby ones behind the best.
    #[pyo3(signature = (identities, *, with_fallback))]
    fn ways(
        &self,
        py: Python<'_>,
        identities: PyReadonlyArray1<'_, AddressId>,
        with_fallback: bool,
    ) -> PyResult<Ways> {
        let identities = identities.as_array().to_vec();
        let network = self.compiled();
        let found = py.detach(|| metrics::ways(network, &identities, with_fallback));
        let WayTable { best, standby_start, standby } = found.map_err(|error| error.raise(py))?;
        let n_nodes = network.fabric.n_nodes() as usize;
        let id = |port: Option<PortId>| port.map_or(NONE, |port| port as i32);
        Ok(Ways {
            port: to_table(py, best.iter().map(|step| ids(step).0).collect(), n_nodes)?,
            via: to_table(py, best.iter().map(|step| ids(step).1).collect(), n_nodes)?,
            standby_start: to_array(py, standby_start),
            standby_port: to_array(py, standby.iter().map(|&(port, _)| port as i32).collect()),
            standby_via: to_array(py, standby.iter().map(|&(_, via)| id(via)).collect()),
        })
    }
}

fn ids(step: &Step) -> (i32, i32) {
    match *step {
        Step::Own => (OWN, OWN),
        Step::None => (NONE, NONE),
        Step::To(port, via) => (port as i32, via as i32),
    }
}
