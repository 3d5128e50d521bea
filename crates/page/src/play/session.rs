//! A packed run that is opened once and played many times. Network and hosts are compiled when it
//! is opened, a program when it is played.

use std::sync::atomic::AtomicBool;

use host::HostModel;
use network::metrics::Progress;
use network::{AddressId, Addressing, Fabric, Network, NodeId};
use packet::datagram::Delivery;
use packet::recording::{MOST_ROWS, Recorder, Recording};
use packet::{Fault, FaultOptions, FaultReport, HopLimit, Outcome, PacketError, Watching};
use program::Rank;
use quantity::{IdVec, NamedColumn, Time, columns};
use simulation::{MarkRecord, Setup, Timeline, TimelineColumns};
use thiserror::Error;

use super::packed::{PackError, PackedProgram, PackedRun};

/// An opened run.
#[derive(Debug)]
pub struct Session {
    network: Network,
    host: HostModel,
    identities: IdVec<NodeId, AddressId>,
    programs: Vec<PackedProgram>,
    seed: u64,
    faults: Vec<Fault>,
    options: FaultOptions,
    most_hops: u64,
}

/// Differences from the run as it was packed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Changes {
    /// Another seed.
    pub seed: Option<u64>,
    /// The program, by its place.
    pub program: usize,
    /// Other faults, instead of all of the run.
    pub faults: Option<Vec<Fault>>,
}

/// The reason why a run is not played.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{self:?}")]
pub enum PlayError {
    /// There is no such program, or it has a mistake.
    Program(Option<PackError>),
    /// A fault strikes a part that is not there.
    NoPart,
    /// The run does not finish.
    Run(PacketError),
}

columns! {
    /// The marks that ranks passed, in order of time.
    "marks": Marks of MarkRow {
        /// The number of the mark.
        mark: u32,
        /// The rank that passed it.
        rank: u32,
        /// Its time, in seconds.
        time: f64,
    }
}

columns! {
    /// The cost of each fault.
    "costs": Costs of CostRow {
        /// Frames lost to it, or damaged by it.
        frames_lost: f64,
        /// Directions of connections that lost data to it.
        stalled: f64,
        /// Those whose data had not arrived at the end.
        unrecovered: f64,
        /// The longest time until they arrived, in seconds.
        longest_stall_s: f64,
    }
}

columns! {
    /// The datagrams between ranks of the workload, in the order in which they were sent.
    "datagrams": Datagrams of DatagramRow {
        /// The rank that sent it.
        source: u32,
        /// The time at which the sender began to send, in seconds.
        sent: f64,
        /// The time at which the receiver had read it, not a number if it was lost.
        received: f64,
    }
}

/// A run that was played.
#[derive(Clone, Debug)]
pub struct Played {
    /// The results.
    pub outcome: Outcome,
    recording: Recording,
    timeline: TimelineColumns,
    marks: Marks,
    costs: Costs,
    datagrams: Datagrams,
}

impl Session {
    /// Opens the run in some bytes.
    ///
    /// # Errors
    /// When they are no run, or it cannot be compiled.
    pub fn open(bytes: &[u8]) -> Result<Session, PackError> {
        let PackedRun { network, host, identities, programs, seed, faults, options, most_hops } =
            PackedRun::from_bytes(bytes)?;
        let fabric = Fabric::new(network.fabric).map_err(PackError::Fabric)?;
        let addressing =
            Addressing::new(&fabric, &network.addresses).map_err(PackError::Address)?;
        let network = network.routing.network(fabric, addressing).map_err(PackError::Routing)?;
        let host = HostModel::read(&&host).map_err(|_| PackError::Constants)?;
        let identities = IdVec::from(identities);
        Ok(Session { network, host, identities, programs, seed, faults, options, most_hops })
    }

    /// Plays the run with some changes.
    ///
    /// # Errors
    /// When the changes do not fit, or the run cannot finish.
    pub fn play(&self, changes: &Changes) -> Result<Played, PlayError> {
        let packed = self.programs.get(changes.program).ok_or(PlayError::Program(None))?;
        let program = packed.compiled().map_err(|error| PlayError::Program(Some(error)))?;
        let faults = changes.faults.as_ref().unwrap_or(&self.faults);
        if !faults.iter().flat_map(|fault| &fault.parts).all(|&p| self.network.fabric.has_part(p)) {
            return Err(PlayError::NoPart);
        }
        let node_of_rank: IdVec<Rank, NodeId> = IdVec::from(packed.node_of_rank.clone());
        let stop = &AtomicBool::new(false);
        let setup = Setup {
            network: &self.network,
            host: &self.host,
            identities: &self.identities,
            node_of_rank: &node_of_rank,
            seed: changes.seed.unwrap_or(self.seed),
            stop,
        };
        let watching = Watching {
            progress: &Progress::default(),
            observer: (Recorder::new(MOST_ROWS), HopLimit::new(self.most_hops, stop)),
            tracer: Timeline::new(program.n_ranks(), MOST_ROWS),
        };
        let faults = (&faults[..], self.options);
        let (outcome, (recorder, _), timeline) = packet::run(setup, &program, faults, watching)
            .map_err(|error| PlayError::Run(HopLimit::explained(error, self.most_hops)))?;
        Ok(Played::new((outcome, recorder, timeline), program.n_awaited()))
    }
}

impl Played {
    /// Makes tables of all that was seen of a run, in which the first ranks are of the workload.
    pub fn new(
        (outcome, recorder, timeline): (Outcome, Recorder, Timeline),
        n_awaited: u32,
    ) -> Played {
        let is_own = |one: &&Delivery| one.from.get() < n_awaited && one.to.get() < n_awaited;
        Played {
            recording: recorder.finish(outcome.simulated, &outcome.connections),
            timeline: timeline.finish(outcome.simulated),
            marks: outcome.marks.iter().map(MarkRow::from).collect(),
            costs: outcome.faults.iter().map(CostRow::from).collect(),
            datagrams: outcome.deliveries.iter().filter(is_own).map(DatagramRow::from).collect(),
            outcome,
        }
    }

    /// Returns whether everything that happened was kept.
    pub fn is_whole(&self) -> bool {
        self.recording.is_whole && self.timeline.is_whole
    }

    /// Returns all columns.
    pub fn columns(&self) -> Vec<NamedColumn<'_>> {
        let of_rows = [self.marks.named(), self.costs.named(), self.datagrams.named()].concat();
        [self.recording.named(), self.timeline.named(), of_rows].concat()
    }
}

impl From<&MarkRecord> for MarkRow {
    fn from(record: &MarkRecord) -> MarkRow {
        MarkRow { mark: record.mark, rank: record.rank.get(), time: record.time.seconds() }
    }
}

impl From<&Delivery> for DatagramRow {
    fn from(delivery: &Delivery) -> DatagramRow {
        DatagramRow {
            source: delivery.from.get(),
            sent: delivery.sent.seconds(),
            received: delivery.received.map_or(f64::NAN, Time::seconds),
        }
    }
}

impl From<&FaultReport> for CostRow {
    fn from(report: &FaultReport) -> CostRow {
        CostRow {
            frames_lost: report.frames_lost as f64,
            stalled: report.n_stalled as f64,
            unrecovered: report.n_unrecovered as f64,
            longest_stall_s: report.longest_stall.seconds(),
        }
    }
}
