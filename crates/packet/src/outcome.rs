//! A run of this engine from its inputs to its figures, as every caller makes it: Python, and the
//! page that plays a run.

use host::transport::EndpointId;
use network::Ip;
use network::metrics::Progress;
use program::{Program, Rank};
use quantity::{IdVec, Time};
use simulation::{MarkRecord, NetworkModel, Run, Setup, Traced, Tracer};

use crate::counters::Counters;
use crate::datagram::Delivery;
use crate::error::PacketError;
use crate::faults::{Fault, FaultOptions, FaultReport};
use crate::medium::Medium;
use crate::model::PacketModel;
use crate::observer::Observer;

/// The results of a run.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The marks passed, in order of time.
    pub marks: Vec<MarkRecord>,
    /// Counts of everything that happened.
    pub counters: Counters,
    /// The end of the run.
    pub simulated: Time,
    /// Number of waits for retransmission time-outs, or for probes after as long, and the time
    /// during which at least one connection waited.
    pub waits: (u64, Time),
    /// Frames in flight or queued at the end.
    pub in_flight: u64,
    /// The directions of connections, by their sending end.
    pub connections: Vec<Direction>,
    /// The address of each end of a connection.
    pub own_addresses: IdVec<EndpointId, Ip>,
    /// Bytes held by nodes, connection ends and frames.
    pub memory: (usize, usize, usize),
    /// The fate of each datagram.
    pub deliveries: Vec<Delivery>,
    /// The cost of each fault.
    pub faults: Vec<FaultReport>,
}

/// One direction of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Direction {
    /// The rank that sends.
    pub from: Rank,
    /// The rank that receives.
    pub to: Rank,
    /// The receiving end.
    pub peer: EndpointId,
    /// Bytes written.
    pub bytes: u64,
    /// Retransmitted segments.
    pub n_resent: u32,
}

/// Those who watch a run.
#[derive(Debug)]
pub struct Watching<'a, O, T> {
    /// Receives the number of actions.
    pub progress: &'a Progress,
    /// Watches frames, hubs and hosts.
    pub observer: O,
    /// Watches ranks.
    pub tracer: T,
}

/// Runs a program, with faults if there are any; returns the results, and the observers with all
/// that they saw.
///
/// # Errors
/// If a device cannot be built, or the run cannot finish.
pub fn run<O: Observer, T: Tracer>(
    setup: Setup<'_>,
    program: &Program,
    faults: (&[Fault], FaultOptions),
    watching: Watching<'_, O, T>,
) -> Result<(Outcome, O, T), PacketError> {
    let Watching { progress, observer, tracer } = watching;
    match faults {
        ([], _) => {
            let model = Traced { model: PacketModel::new(setup, observer)?, tracer };
            let run = Run::new(model, program, setup.host).reporting(progress);
            let (marks, Traced { model, tracer }) = run.run()?;
            let outcome = outcome(marks, &model);
            Ok((outcome, model.into_observer(), tracer))
        }
        (faults, options) => {
            let model = PacketModel::with_faults(setup, observer, faults, options)?;
            let model = Traced { model, tracer };
            let run = Run::new(model, program, setup.host).reporting(progress);
            let (marks, Traced { model, tracer }) = run.run()?;
            let outcome = Outcome { faults: model.fault_reports(), ..outcome(marks, &model) };
            Ok((outcome, model.into_observer(), tracer))
        }
    }
}

fn outcome<'a, M: Medium<'a>>(marks: Vec<MarkRecord>, model: &PacketModel<'a, M>) -> Outcome {
    let directions = model.connections().map(|(from, to, end)| {
        let (bytes, n_resent) = (end.totals().0, end.sender.n_resent());
        Direction { from, to, peer: end.peer, bytes, n_resent }
    });
    Outcome {
        marks,
        counters: model.counters(),
        simulated: model.now(),
        waits: model.waits_for_timeouts(),
        in_flight: model.frames_in_flight(),
        connections: directions.collect(),
        own_addresses: model.own_addresses(),
        memory: model.memory_bytes(),
        deliveries: model.deliveries().to_vec(),
        faults: Vec::new(),
    }
}

impl Outcome {
    /// Returns the retransmitted segments of all connections.
    pub fn n_resent(&self) -> u64 {
        self.connections.iter().map(|direction| u64::from(direction.n_resent)).sum()
    }

    /// Returns the counts of the run, by name.
    pub fn figures(&self) -> Vec<(&'static str, u64)> {
        let counters = self.counters;
        let (node_bytes, connection_bytes, frame_bytes) = self.memory;
        vec![
            ("events", counters.events),
            ("frame_hops", counters.frame_hops),
            ("frames_created", counters.frames_created),
            ("frames_consumed", counters.frames_consumed),
            ("frames_dropped", counters.frames_dropped()),
            ("frames_in_flight", self.in_flight),
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
            ("retransmissions", self.n_resent()),
            ("interrupts", counters.interrupts),
            ("connections", self.connections.len() as u64 / 2),
            ("node_bytes", node_bytes as u64),
            ("connection_bytes", connection_bytes as u64),
            ("frame_bytes", frame_bytes as u64),
        ]
    }
}
