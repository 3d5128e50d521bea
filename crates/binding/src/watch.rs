//! Observers of a run that Python asks for: a capture of its frames, and the traffic of its ports
//! over time.

use host::transport::EndpointId;
use network::{Ip, Network};
use packet::capture::Recorder;
use packet::{PortTraffic, Traffic};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use quantity::{IdVec, Time};

use crate::columns::to_table;

/// Entries of the traffic of all ports together: 64 MiB.
const MOST_ENTRIES: u32 = 1 << 21;
/// Bounds of the number of spans, both even.
const FEWEST_SPANS: u32 = 16;
const MOST_SPANS: u32 = 2048;

/// The observers of a run, each of them if it is asked for.
pub type Watch = (Option<Recorder>, Option<Traffic>);

/// The wishes of a caller.
#[derive(Clone, Copy, Debug)]
pub struct Wishes {
    /// Bytes kept of each captured frame; `None` for no capture.
    pub snap_bytes: Option<u32>,
    /// The shortest span in which traffic is counted; `None` for no count.
    pub span_s: Option<f64>,
}

/// The results of the observers.
#[derive(Debug, Default)]
pub struct Watched {
    /// Enhanced Packet Blocks of a capture; empty without one.
    pub captured: Vec<u8>,
    /// Traffic of all ports.
    pub traffic: Option<Traffic>,
}

impl Wishes {
    /// Returns the observers, or `None` if none is asked for.
    pub fn observers(self, n_ports: u32) -> Option<Watch> {
        let Wishes { snap_bytes, span_s } = self;
        let most = (MOST_ENTRIES / n_ports.max(1)).clamp(FEWEST_SPANS, MOST_SPANS) & !1;
        let span = |seconds| Time::from_seconds(seconds).max(Time::from_ps(1));
        let traffic = span_s.map(|seconds| Traffic::new(n_ports, span(seconds), most as usize));
        (snap_bytes.is_some() || traffic.is_some())
            .then(|| (snap_bytes.map(|_| Recorder::default()), traffic))
    }

    /// Returns the results of observers; `addresses` gives that of each connection end.
    pub fn watched(
        self,
        (recorder, traffic): Watch,
        addresses: &IdVec<EndpointId, Ip>,
        network: &Network,
    ) -> Watched {
        let snap = self.snap_bytes.unwrap_or_default();
        let captured = recorder.map(|one| one.blocks(addresses, network, snap)).unwrap_or_default();
        Watched { captured, traffic }
    }
}

impl Watched {
    /// Adds the results to a dictionary: `captured` and, if it was counted, `traffic`, with arrays
    /// of spans by ports.
    pub fn add_to(&self, dict: &Bound<'_, PyDict>) -> PyResult<()> {
        let py = dict.py();
        dict.set_item("captured", PyBytes::new(py, &self.captured))?;
        let Some(traffic) = &self.traffic else { return Ok(()) };
        let columns = PyDict::new(py);
        columns.set_item("span_s", traffic.span().seconds())?;
        for (name, of) in COUNTS {
            let spans = traffic.spans().iter();
            let values: Vec<u64> = spans.flat_map(|ports| ports.iter().map(of)).collect();
            columns.set_item(name, to_table(py, values, traffic.n_ports() as usize)?)?;
        }
        dict.set_item("traffic", columns)
    }
}

/// A count by name.
type Count = (&'static str, fn(&PortTraffic) -> u64);

const COUNTS: [Count; 4] = [
    ("frames_sent", |port| port.frames_sent),
    ("bytes_sent", |port| port.bytes_sent),
    ("frames_received", |port| port.frames_received),
    ("bytes_received", |port| port.bytes_received),
];
