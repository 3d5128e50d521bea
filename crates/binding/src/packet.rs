//! The packet engine for Python. The inputs and results common to all engines are in `run`; the
//! further results of this engine are here.

use host::tcp::EndpointId;
use network::Ip;
use network::metrics::Progress;
use numpy::PyArray1;
use packet::datagram::Delivery;
use packet::{
    Counters, Fault, FaultOptions, FaultReport, Medium, NoObserver, Observer, PacketError,
    PacketModel,
};
use program::Rank;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use quantity::{IdVec, Time};
use simulation::{MarkRecord, NetworkModel, Setup};

use crate::errors;
use crate::faults::{FaultTable, costs};
use crate::network::Network;
use crate::program::Program;
use crate::run::{RunArguments, RunSetup, to_dict};
use crate::watch::{Watched, Wishes};

/// The results of a run.
struct Outcome {
    marks: Vec<MarkRecord>,
    counters: Counters,
    simulated: Time,
    /// Number of waits for retransmission time-outs, or for probes after as long, and the time
    /// during which at least one connection waited.
    waits: (u64, Time),
    in_flight: u64,
    connections: Vec<Direction>,
    memory: (usize, usize, usize),
    watched: Watched,
    deliveries: Vec<Delivery>,
    faults: Vec<FaultReport>,
}

/// One direction of a connection: the ranks, the bytes written, and the retransmitted segments.
struct Direction {
    from: Rank,
    to: Rank,
    bytes: u64,
    n_resent: u32,
}

/// The faults of a run, and the reactions of nodes to them.
type Faults = Option<(Vec<Fault>, FaultOptions)>;

/// Runs a program on a network and returns the marks and the engine's figures; with `snap_bytes`
/// also the captured frames, at most this many bytes of each; with `traffic_span_s` also the
/// traffic of every port; with `faults` also the costs of each.
#[pyfunction]
#[pyo3(signature = (network, program, setup, *, snap_bytes=None, traffic_span_s=None, faults=None))]
#[allow(clippy::too_many_arguments)] // the last three are keywords
fn run_packet<'py>(
    py: Python<'py>,
    network: &Network,
    program: &Program,
    setup: RunArguments<'py>,
    snap_bytes: Option<u32>,
    traffic_span_s: Option<f64>,
    faults: Option<FaultTable>,
) -> PyResult<Bound<'py, PyDict>> {
    let (network, program) = (network.compiled(), program.compiled());
    let run = setup.checked(network, program)?;
    let faults = match faults {
        Some(table) => Some((table.faults(&network.fabric)?, table.options()?)),
        None => None,
    };
    let wishes = Wishes { snap_bytes, span_s: traffic_span_s };
    let outcome = setup.call(py, |watch| {
        let simulation = Simulation {
            run: &run,
            program,
            setup: run.setup(network, watch.stop),
            faults: &faults,
        };
        let progress = watch.progress;
        match wishes.observers(network.fabric.ports().n()) {
            None => simulation.run(progress, NoObserver, |_, _| Watched::default()),
            Some(observer) => simulation.run(progress, observer, |observer, addresses| {
                wishes.watched(observer, addresses, network)
            }),
        }
    })?;
    outcome_to_dict(py, &outcome.map_err(errors::packet_error)?)
}

/// The inputs of a run of this engine.
struct Simulation<'a> {
    run: &'a RunSetup,
    program: &'a program::Program,
    setup: Setup<'a>,
    faults: &'a Faults,
}

impl Simulation<'_> {
    /// Runs the program, with or without faults; `watched` receives the observer of the frames, and
    /// the address of each connection end.
    fn run<O: Observer>(
        self,
        progress: &Progress,
        observer: O,
        watched: impl FnOnce(O, &IdVec<EndpointId, Ip>) -> Watched,
    ) -> Result<Outcome, PacketError> {
        match self.faults {
            Some((faults, options)) if !faults.is_empty() => {
                let model = PacketModel::with_faults(self.setup, observer, faults, *options)?;
                let (marks, model) = self.run.simulate(model, self.program, progress)?;
                let faults = model.fault_reports();
                Ok(Outcome { faults, ..outcome(marks, model, watched) })
            }
            _ => {
                let model = PacketModel::new(self.setup, observer)?;
                let (marks, model) = self.run.simulate(model, self.program, progress)?;
                Ok(outcome(marks, model, watched))
            }
        }
    }
}

fn outcome<'a, M: Medium<'a>>(
    marks: Vec<MarkRecord>,
    model: PacketModel<'a, M>,
    watched: impl FnOnce(M::Observer, &IdVec<EndpointId, Ip>) -> Watched,
) -> Outcome {
    let own_addresses = model.own_addresses();
    Outcome {
        marks,
        counters: model.counters(),
        simulated: model.now(),
        waits: model.waits_for_timeouts(),
        in_flight: model.frames_in_flight(),
        connections: directions(&model),
        memory: model.memory_bytes(),
        deliveries: model.deliveries().to_vec(),
        faults: Vec::new(),
        watched: watched(model.into_observer(), &own_addresses),
    }
}

fn directions<'a, M: Medium<'a>>(model: &PacketModel<'a, M>) -> Vec<Direction> {
    let ends = model.connections();
    let directions = ends.map(|(from, to, end)| {
        let (bytes, n_resent) = (end.totals().0, end.sender.n_resent());
        Direction { from, to, bytes, n_resent }
    });
    directions.collect()
}

fn outcome_to_dict<'py>(py: Python<'py>, outcome: &Outcome) -> PyResult<Bound<'py, PyDict>> {
    let dict = to_dict(py, &outcome.marks, outcome.simulated, &counts(outcome))?;
    let (n_waits, waited) = outcome.waits;
    dict.set_item("waits_for_timeouts", (n_waits, waited.seconds()))?;
    outcome.watched.add_to(&dict)?;
    dict.set_item("datagrams", datagrams(py, &outcome.deliveries)?)?;
    dict.set_item("connections", connections(py, &outcome.connections)?)?;
    dict.set_item("faults", costs(py, &outcome.faults)?)?;
    Ok(dict)
}

/// Returns the fate of each datagram, by column; `received_s` is not a number for lost ones.
fn datagrams<'py>(py: Python<'py>, deliveries: &[Delivery]) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    let received = |delivery: &Delivery| delivery.received.map_or(f64::NAN, Time::seconds);
    dict.set_item("source", PyArray1::from_iter(py, deliveries.iter().map(|d| d.from.get())))?;
    dict.set_item("destination", PyArray1::from_iter(py, deliveries.iter().map(|d| d.to.get())))?;
    dict.set_item("size_bytes", PyArray1::from_iter(py, deliveries.iter().map(|d| d.bytes)))?;
    dict.set_item("sent_s", PyArray1::from_iter(py, deliveries.iter().map(|d| d.sent.seconds())))?;
    dict.set_item("received_s", PyArray1::from_iter(py, deliveries.iter().map(received)))?;
    Ok(dict)
}

/// Returns the traffic of each direction of each connection, by column.
fn connections<'py>(py: Python<'py>, directions: &[Direction]) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    let resent = directions.iter().map(|d| d.n_resent);
    dict.set_item("source", PyArray1::from_iter(py, directions.iter().map(|d| d.from.get())))?;
    dict.set_item("destination", PyArray1::from_iter(py, directions.iter().map(|d| d.to.get())))?;
    dict.set_item("size_bytes", PyArray1::from_iter(py, directions.iter().map(|d| d.bytes)))?;
    dict.set_item("retransmissions", PyArray1::from_iter(py, resent))?;
    Ok(dict)
}

/// Returns the counters of the run, by name.
fn counts(outcome: &Outcome) -> Vec<(&'static str, u64)> {
    let counters = outcome.counters;
    let (node_bytes, connection_bytes, frame_bytes) = outcome.memory;
    vec![
        ("events", counters.events),
        ("frame_hops", counters.frame_hops),
        ("frames_created", counters.frames_created),
        ("frames_consumed", counters.frames_consumed),
        ("frames_dropped", counters.frames_dropped()),
        ("frames_in_flight", outcome.in_flight),
        ("dropped_at_queues", counters.dropped_at_queues),
        ("dropped_at_receivers", counters.dropped_at_receivers),
        ("dropped_by_collisions", counters.dropped_by_collisions),
        ("dropped_without_route", counters.dropped_without_route),
        ("dropped_unresolved", counters.dropped_unresolved),
        ("datagrams_overflowed", counters.datagrams_overflowed),
        ("lost_on_wire", counters.lost_on_wire),
        ("no_carrier", counters.no_carrier),
        ("corrupted", counters.corrupted),
        ("at_dead_device", counters.at_dead_device),
        ("pauses", counters.pauses),
        ("collisions", counters.collisions),
        ("forwards", counters.forwards),
        ("timeouts", counters.timeouts),
        ("retransmissions", outcome.connections.iter().map(|d| u64::from(d.n_resent)).sum()),
        ("interrupts", counters.interrupts),
        ("connections", outcome.connections.len() as u64 / 2),
        ("node_bytes", node_bytes as u64),
        ("connection_bytes", connection_bytes as u64),
        ("frame_bytes", frame_bytes as u64),
    ]
}

/// Adds this file's functions to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(run_packet, module)?)
}
