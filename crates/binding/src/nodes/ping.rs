//! Pings between nodes that are up: columns in, round-trip times out.

use std::time::Duration;

use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use wire::WireError;
use wire::kernel::ping;

use super::Nodes;
use crate::columns::{column, to_array};
use crate::errors::Raise;
use crate::long_call::long_call;

#[pymethods]
impl Nodes {
    /// Returns the round-trip time of an echo request from each node to each address in seconds,
    /// NaN where nothing answers. Frames move only between wires.
    fn ping<'py>(
        &self,
        py: Python<'py>,
        node: PyReadonlyArray1<'_, u32>,
        destination: PyReadonlyArray1<'_, u32>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let n = node.as_array().len();
        let node = column("node", &node, n)?;
        let destination = column("destination", &destination, n)?;
        let mut asked = vec![(Vec::new(), Vec::new()); self.nodes.len()];
        for pair in 0..n {
            let (pairs, addresses) = &mut asked[node[pair] as usize];
            pairs.push(pair);
            addresses.push(self.directory.address(destination[pair])?);
        }
        let found = long_call(py, |stop| {
            let pings = self.at_each_node(|node, up| up.pings(asked[node].1.clone()))?;
            ping(pings, stop).map_err(WireError::from)
        })?;
        let found = found.map_err(|error| error.raise(py))?;
        let mut times = vec![f64::NAN; n];
        for ((pairs, _), of_node) in asked.iter().zip(found) {
            for (&pair, time) in pairs.iter().zip(of_node) {
                times[pair] = time.as_ref().map_or(f64::NAN, Duration::as_secs_f64);
            }
        }
        Ok(to_array(py, times).into_bound(py))
    }
}
