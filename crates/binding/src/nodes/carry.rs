//! The wires between nodes: the call that moves their frames until it is asked to end, and the
//! report on them.

use std::sync::atomic::AtomicBool;

use network::{NodeId, PortId};
use packet::{
    Counters, Fault, FaultOptions, FaultReport, FaultyWires, LinkLayer, Observer, PacketError,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use quantity::{Id, IdVec};
use simulation::Setup;
use wire::WireError;
use wire::carrier::{Carrier, CarrierReport, LatenessReport};
use wire::kernel::Node;

use super::Nodes;
use crate::errors::{self, Raise};
use crate::faults::{FaultTable, costs};
use crate::host::HostConstants;
use crate::long_call::{Stop, long_call};
use crate::network::Network;
use crate::watch::{Watched, Wishes};

/// The inputs of wires besides the network, as the items of a dictionary.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(super) struct WireArguments<'py> {
    host: HostConstants<'py>,
    seed: u64,
    /// Real seconds for one of the network.
    dilation: f64,
    faults: FaultTable,
    /// Bytes kept of each captured frame; `None` for no capture.
    snap_bytes: Option<u32>,
    /// The shortest span in which the traffic of ports is counted.
    traffic_span_s: f64,
}

/// The state of wires that have been asked to end.
struct Carried {
    counters: Counters,
    report: CarrierReport,
    faults: Vec<FaultReport>,
    watched: Watched,
}

/// The reason why wires could not begin, or did not go on.
enum Failure {
    Link(PacketError),
    Machine(WireError),
}

/// Nodes with the first port of each of their interfaces, and the wires between them.
struct Trial<'a> {
    nodes: &'a [Node],
    ports: Vec<Vec<Option<PortId>>>,
    setup: Setup<'a>,
    faults: (Vec<Fault>, FaultOptions),
    dilation: f64,
}

impl<'a> Trial<'a> {
    fn run(&self, wishes: Wishes) -> Result<Carried, Failure> {
        let (network, (faults, options)) = (self.setup.network, &self.faults);
        let watch = wishes.observers(network.fabric.ports().n()).unwrap_or_default();
        let link = LinkLayer::with_faults(&self.setup, watch, true, faults, *options);
        let (link, report) = self.carry(link.map_err(Failure::Link)?)?;
        Ok(Carried {
            counters: link.counters(),
            report,
            faults: link.fault_reports(),
            watched: wishes.watched(link.into_observer(), &IdVec::new(), network),
        })
    }

    fn carry<O: Observer>(
        &self,
        link: LinkLayer<'a, FaultyWires<'a, O>>,
    ) -> Result<(LinkLayer<'a, FaultyWires<'a, O>>, CarrierReport), Failure> {
        let carrier = Carrier::new(link, self.nodes, &self.ports, self.dilation);
        carrier.and_then(|carrier| carrier.run(self.setup.stop)).map_err(Failure::Machine)
    }
}

#[pymethods]
impl Nodes {
    /// Moves frames between the nodes until `ending` is requested; returns counters, lateness in
    /// real seconds, the costs of faults, and a capture.
    fn carry<'py>(
        &self,
        py: Python<'py>,
        network: &Network,
        arguments: WireArguments<'py>,
        ending: PyRef<'_, Stop>,
    ) -> PyResult<Bound<'py, PyDict>> {
        // Kernels route here, whatever the device is.
        let network = &network.compiled().with_computers();
        let host = arguments.host.model()?;
        let faults = (arguments.faults.faults(&network.fabric)?, arguments.faults.options()?);
        let (identities, node_of_rank) = (IdVec::new(), IdVec::new());
        let ending = ending.flag();
        let trial = Trial {
            nodes: &self.nodes,
            ports: self
                .directory
                .ports(|node, port| network.fabric.ports_of(NodeId::new(node)).start.offset(port)),
            setup: Setup {
                network,
                host: &host,
                identities: &identities,
                node_of_rank: &node_of_rank,
                seed: arguments.seed,
                stop: &ending,
            },
            faults,
            dilation: arguments.dilation,
        };
        let wishes =
            Wishes { snap_bytes: arguments.snap_bytes, span_s: Some(arguments.traffic_span_s) };
        let carried = long_call(py, |_: &AtomicBool| trial.run(wishes))?;
        let carried = carried.map_err(|failure| match failure {
            Failure::Link(error) => errors::packet_error(error),
            Failure::Machine(error) => error.raise(py),
        })?;
        to_dict(py, &carried)
    }
}

fn to_dict<'py>(py: Python<'py>, carried: &Carried) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    let CarrierReport { lateness, processor, ended } = carried.report;
    let LatenessReport { median, p99, worst, n_events, behind, busy } = lateness;
    for (name, value) in [
        ("late_median_s", median),
        ("late_p99_s", p99),
        ("late_worst_s", worst),
        ("processor_s", processor),
    ] {
        dict.set_item(name, value.as_secs_f64())?;
    }
    for (name, value) in [("behind_s", behind), ("busy_s", busy), ("ended_s", ended)] {
        dict.set_item(name, value.seconds())?;
    }
    dict.set_item("n_events", n_events)?;
    let counters = &carried.counters;
    for (name, value) in [
        ("frames", counters.frames_created),
        ("frame_hops", counters.frame_hops),
        ("collisions", counters.collisions),
        ("dropped_at_queues", counters.dropped_at_queues),
        ("dropped_by_collisions", counters.dropped_by_collisions),
        ("lost_on_wire", counters.lost_on_wire),
        ("no_carrier", counters.no_carrier),
        ("corrupted", counters.corrupted),
        ("at_dead_device", counters.at_dead_device),
    ] {
        dict.set_item(name, value)?;
    }
    dict.set_item("faults", costs(py, &carried.faults)?)?;
    carried.watched.add_to(&dict)?;
    Ok(dict)
}
