//! The packet engine for Python: tables of constants in, arrays of marks and figures out. How a
//! run is interrupted is in `long_call`.

use numpy::{PyArray1, PyReadonlyArray1};
use packet::capture::Recorder;
use packet::transport::{AckRule, SendBuffer, TcpOptions, WindowRule};
use packet::{
    Counters, HostCosts, HostModel, InterfaceQueues, NoObserver, Observer, PacketError,
    PacketModel, Setup,
};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use quantity::{Cost, Time};
use simulation::{Executor, MarkRecord, MessageCosts, MessageProtocol, NetworkModel};

use crate::errors;
use crate::long_call::long_call;
use crate::network::Network;
use crate::program::Program;

/// A cost as Python gives it: (microseconds, microseconds per byte).
type CostPair = (f64, f64);

/// The constants of a calibration, as the items of a dictionary.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct HostTable {
    write_call: CostPair,
    send: CostPair,
    receive: CostPair,
    read: CostPair,
    make_ack: CostPair,
    take_ack: CostPair,
    forward: CostPair,
    transmit_frames: u32,
    receive_frames: u32,
    segment_bytes: u32,
    receive_buffer_bytes: u32,
    window_in_half_segments: bool,
    acks_on_read: bool,
    ack_delay_us: f64,
    ack_longest_us: f64,
    send_buffer_segments: Option<u32>,
    send_buffer_bytes: u32,
    initial_window: u32,
    fast_retransmit: bool,
    restart_when_idle: bool,
    tick_us: f64,
    first_timeout_us: f64,
    shortest_timeout_us: f64,
    longest_timeout_us: f64,
    most_retransmissions: u32,
    header_bytes: u32,
    envelope_bytes: u32,
    control_bytes: u32,
    long_from: u64,
    rendezvous_from: u64,
    send_call: CostPair,
    take: CostPair,
    short_copy: CostPair,
    long_copy: CostPair,
}

impl HostTable {
    fn model(&self) -> HostModel {
        HostModel {
            costs: HostCosts {
                write_call: fixed(self.write_call),
                send_fixed: fixed(self.send),
                send_copy: cost((0.0, self.send.1)),
                receive: cost(self.receive),
                read: cost(self.read),
                make_ack: fixed(self.make_ack),
                take_ack: fixed(self.take_ack),
                forward: cost(self.forward),
            },
            queues: InterfaceQueues {
                transmit: self.transmit_frames,
                receive: self.receive_frames,
            },
            tcp: self.tcp(),
            protocol: MessageProtocol {
                header: self.header_bytes,
                envelope: self.envelope_bytes,
                control: self.control_bytes,
                long_from: self.long_from,
                rendezvous_from: self.rendezvous_from,
            },
            message_costs: MessageCosts {
                send: fixed(self.send_call),
                take: fixed(self.take),
                short_copy: cost(self.short_copy),
                long_copy: cost(self.long_copy),
            },
        }
    }

    fn tcp(&self) -> TcpOptions {
        let window_rule = match self.window_in_half_segments {
            true => WindowRule::HalfInSegments,
            false => WindowRule::Free,
        };
        let delay = microseconds(self.ack_delay_us);
        let ack_rule = match self.acks_on_read {
            true => AckRule::OnRead { pushed: delay, longest: microseconds(self.ack_longest_us) },
            false => AckRule::EverySecond { delay },
        };
        let send_buffer = match self.send_buffer_segments {
            Some(segments) => SendBuffer::Segments(segments),
            None => SendBuffer::Bytes(self.send_buffer_bytes),
        };
        TcpOptions {
            segment_bytes: self.segment_bytes,
            receive_buffer: self.receive_buffer_bytes,
            window_rule,
            ack_rule,
            send_buffer,
            initial_window: self.initial_window,
            fast_retransmit: self.fast_retransmit,
            restart_when_idle: self.restart_when_idle,
            tick: microseconds(self.tick_us),
            first_timeout: microseconds(self.first_timeout_us),
            shortest_timeout: microseconds(self.shortest_timeout_us),
            longest_timeout: microseconds(self.longest_timeout_us),
            most_retransmissions: self.most_retransmissions,
        }
    }
}

fn microseconds(us: f64) -> Time {
    Time::from_seconds(us * 1e-6)
}

fn cost((us, us_per_byte): CostPair) -> Cost {
    Cost::from_seconds(us * 1e-6, us_per_byte * 1e-6)
}

fn fixed((us, _): CostPair) -> Time {
    microseconds(us)
}

/// What a run gives back.
struct Outcome {
    marks: Vec<MarkRecord>,
    counters: Counters,
    simulated: Time,
    in_flight: u64,
    n_endpoints: usize,
    memory: (usize, usize, usize),
    /// Enhanced Packet Blocks of a capture, empty without one.
    captured: Vec<u8>,
}

/// Plays a program on a network and returns the marks and the engine's figures; with `snap_bytes`
/// also the captured frames, at most that much of each.
#[pyfunction]
#[pyo3(signature = (network, program, *, identities, node_of_rank, host, seed, snap_bytes=None))]
#[allow(clippy::too_many_arguments)] // keywords, all of them named by the caller
fn run_packet<'py>(
    py: Python<'py>,
    network: &Network,
    program: &Program,
    identities: PyReadonlyArray1<'py, u32>,
    node_of_rank: PyReadonlyArray1<'py, u32>,
    host: HostTable,
    seed: u64,
    snap_bytes: Option<u32>,
) -> PyResult<Bound<'py, PyDict>> {
    let host = host.model();
    let identities = identities.as_slice()?.to_vec();
    let node_of_rank = node_of_rank.as_slice()?.to_vec();
    let (network, program) = (network.compiled(), program.compiled());
    let outcome = long_call(py, |stop| {
        let setup = Setup {
            network,
            host: &host,
            identities: &identities,
            node_of_rank: &node_of_rank,
            seed,
            stop,
        };
        match snap_bytes {
            None => play(setup, program, NoObserver, |_| Vec::new()),
            Some(snap_bytes) => play(setup, program, Recorder::default(), |model| {
                let own_addresses = model.own_addresses();
                model.into_observer().blocks(&own_addresses, &network.fabric, snap_bytes)
            }),
        }
    })?;
    to_dict(py, outcome.map_err(errors::packet_error)?)
}

fn play<'a, O: Observer>(
    setup: Setup<'a>,
    program: &program::Program,
    observer: O,
    captured: impl FnOnce(PacketModel<'a, O>) -> Vec<u8>,
) -> Result<Outcome, PacketError> {
    let host = *setup.host;
    let model = PacketModel::new(setup, observer)?;
    let executor = Executor::new(model, program, host.protocol, host.message_costs);
    let (marks, model) = executor.run()?;
    Ok(Outcome {
        marks,
        counters: model.counters(),
        simulated: model.now(),
        in_flight: model.frames_in_flight(),
        n_endpoints: model.endpoints().len(),
        memory: model.memory_bytes(),
        captured: captured(model),
    })
}

fn to_dict(py: Python<'_>, outcome: Outcome) -> PyResult<Bound<'_, PyDict>> {
    let dict = PyDict::new(py);
    let marks = &outcome.marks;
    dict.set_item("mark", PyArray1::from_iter(py, marks.iter().map(|m| m.mark)))?;
    dict.set_item("rank", PyArray1::from_iter(py, marks.iter().map(|m| m.rank)))?;
    dict.set_item("time_s", PyArray1::from_iter(py, marks.iter().map(|m| m.time.seconds())))?;
    dict.set_item("captured", PyBytes::new(py, &outcome.captured))?;
    let figures = PyDict::new(py);
    figures.set_item("simulated_s", outcome.simulated.seconds())?;
    for (name, value) in counts(&outcome) {
        figures.set_item(name, value)?;
    }
    dict.set_item("figures", figures)?;
    Ok(dict)
}

/// Returns what was counted, by name.
fn counts(outcome: &Outcome) -> [(&'static str, u64); 17] {
    let counters = outcome.counters;
    let (node_bytes, connection_bytes, frame_bytes) = outcome.memory;
    [
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
        ("collisions", counters.collisions),
        ("forwards", counters.forwards),
        ("timeouts", counters.timeouts),
        ("connections", outcome.n_endpoints as u64 / 2),
        ("node_bytes", node_bytes as u64),
        ("connection_bytes", connection_bytes as u64),
        ("frame_bytes", frame_bytes as u64),
    ]
}

/// Adds this file's functions to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(run_packet, module)?)
}
