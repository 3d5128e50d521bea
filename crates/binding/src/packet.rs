//! The packet engine for Python. The inputs and results common to all engines are in `run`; the
//! further results of this engine are here.

use numpy::PyArray1;
use packet::datagram::Delivery;
use packet::recording::{MOST_ROWS, Recorder, Recording};
use packet::{
    Direction, Fault, FaultOptions, HopLimit, NoObserver, Outcome, PacketError, Watching,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use quantity::Time;
use simulation::{NoTracer, TimelineColumns};

use crate::errors;
use crate::faults::{FaultTable, costs};
use crate::network::Network;
use crate::program::Program;
use crate::run::{RunArguments, add_recording, to_dict};
use crate::watch::{Watched, Wishes};

/// The faults of a run, and the reactions of nodes to them.
type Faults = (Vec<Fault>, FaultOptions);

/// The results of a run, and of those who watched it.
type Seen = (Outcome, Watched, Option<(Recording, TimelineColumns)>);

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
    let faults: Faults = match faults {
        Some(table) => (table.faults(&network.fabric)?, table.options()?),
        None => Faults::default(),
    };
    let wishes = Wishes { snap_bytes, span_s: traffic_span_s };
    let outcome = setup.call(py, |watch| -> Result<Seen, PacketError> {
        let setup = run.setup(network, watch.stop);
        let faults = (&faults.0[..], faults.1);
        let (progress, stop) = (watch.progress, watch.stop);
        let watch = wishes.observers(network.fabric.ports().n());
        if watch.is_none() && !run.records && run.most_hops.is_none() {
            let watching = Watching { progress, observer: NoObserver, tracer: NoTracer };
            let (outcome, _, _) = packet::run(setup, program, faults, watching)?;
            return Ok((outcome, Watched::default(), None));
        }
        let recorder = run.records.then(|| Recorder::new(MOST_ROWS));
        let limit = run.most_hops.map(|most| HopLimit::new(most, stop));
        let tracer = run.records.then(|| run.timeline(program));
        let observer = (watch, (recorder, limit));
        let watching = Watching { progress, observer, tracer };
        let (outcome, (watch, (recorder, _)), timeline) =
            packet::run(setup, program, faults, watching)?;
        let seen = |watch| wishes.watched(watch, &outcome.own_addresses, network);
        let watched = watch.map(seen).unwrap_or_default();
        let recording = recorder.zip(timeline).map(|(recorder, timeline)| {
            let end = outcome.simulated;
            (recorder.finish(end, &outcome.connections), timeline.finish(end))
        });
        Ok((outcome, watched, recording))
    })?;
    let explained = |error| match run.most_hops {
        Some(most) => HopLimit::explained(error, most),
        None => error,
    };
    let (outcome, watched, recording) =
        outcome.map_err(|error| errors::packet_error(explained(error)))?;
    let dict = outcome_to_dict(py, &outcome, &watched)?;
    if let Some((recording, timeline)) = recording {
        let is_whole = recording.is_whole && timeline.is_whole;
        add_recording(&dict, [recording.named(), timeline.named()].concat(), is_whole)?;
    }
    Ok(dict)
}

fn outcome_to_dict<'py>(
    py: Python<'py>,
    outcome: &Outcome,
    watched: &Watched,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = to_dict(py, &outcome.marks, outcome.simulated, &outcome.figures())?;
    let (n_waits, waited) = outcome.waits;
    dict.set_item("waits_for_timeouts", (n_waits, waited.seconds()))?;
    watched.add_to(&dict)?;
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

/// Adds this file's functions to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(run_packet, module)?)
}
