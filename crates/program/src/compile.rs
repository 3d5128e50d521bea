//! Compilation of a table of steps to the operations of every rank.
//!
//! Each rank's operations are appended in the order of the table, while a [`RankTrack`] remembers
//! its open repeats and started requests. Each collective of the table has a tag of its own. Passes
//! of a loop share it, which is safe: a collective receives from named sources only, and messages
//! of one pair and tag are received in the order in which they were sent.

use quantity::{Id, IdVec, Ids};

use crate::collective::{self, AlgorithmSet, Collective, Manner, Script};
use crate::error::ProgramError;
use crate::operation::{
    ANY_TAG, Action, COLLECTIVE_NUMBERS, COLLECTIVE_TAGS, DiskRequest, Operation, Rank, Ranks,
};
use crate::program::Program;
use crate::rank_track::RankTrack;
use crate::step::{RankScope, Step, StepKind};

/// Most ranks of a program.
pub const MAX_RANKS: u32 = 1 << 20;

/// Most operations of all ranks together; they take about 3 GB.
pub const MAX_OPERATIONS: usize = 1 << 27;

/// Most bytes of a file or of a message, including those that a collective assembles: 4 TiB, which
/// every link moves within simulated time.
pub const MAX_BYTES: u64 = 1 << 42;

/// Checks the number of ranks.
fn check_ranks(ranks: Ranks) -> Result<(), ProgramError> {
    match ranks.total() {
        _ if ranks.awaited == 0 => Err(ProgramError::NoRanks),
        0..=MAX_RANKS => Ok(()),
        n_ranks => Err(ProgramError::TooManyRanks { n_ranks, limit: MAX_RANKS }),
    }
}

impl Program {
    /// Returns the program that `steps` describe for the given ranks. Steps of every rank apply to
    /// the awaited ranks; background ranks have steps of their own, and exchange messages among
    /// themselves only.
    ///
    /// # Errors
    /// When a step names a rank that does not exist, repeats do not pair up, ranks enter a
    /// collective unequally, or a request is never waited for.
    pub fn compile(
        ranks: impl Into<Ranks>,
        steps: &[Step],
        algorithms: AlgorithmSet,
    ) -> Result<Program, ProgramError> {
        let ranks = ranks.into();
        check_ranks(ranks)?;
        let mut compiler = Compiler::new(ranks, algorithms);
        for (index, step) in steps.iter().enumerate() {
            compiler.add(index, *step)?;
        }
        compiler.finish()
    }
}

pub(crate) struct Compiler {
    algorithms: AlgorithmSet,
    ranks: Ranks,
    tracks: IdVec<Rank, RankTrack>,
    n_operations: usize,
    n_collectives: u32,
}

impl Compiler {
    pub fn new(ranks: Ranks, algorithms: AlgorithmSet) -> Compiler {
        let tracks = Rank::first(ranks.total()).map(RankTrack::new).collect();
        Compiler { algorithms, ranks, tracks, n_operations: 0, n_collectives: 0 }
    }

    pub fn add(&mut self, index: usize, step: Step) -> Result<(), ProgramError> {
        check_step(index, step, self.ranks)?;
        if let StepKind::Collective(collective, manner) = step.kind {
            return self.add_collective(index, step.scope, (collective, manner));
        }
        let ranks = match step.scope {
            RankScope::All => Rank::first(self.ranks.awaited),
            RankScope::One(rank) => Ids::from(rank, 1),
        };
        if !matches!(step.kind, StepKind::Stream { .. }) {
            self.count(index, ranks.len())?;
        }
        self.tracks[ranks].iter_mut().try_for_each(|track| track.add(index, step))
    }

    fn add_collective(
        &mut self,
        index: usize,
        scope: RankScope,
        (collective, manner): (Collective, Manner),
    ) -> Result<(), ProgramError> {
        if let RankScope::One(rank) = scope {
            return Err(ProgramError::CollectiveOfOneRank { step: index, rank });
        }
        let (n_ranks, tag) = (self.ranks.awaited, COLLECTIVE_TAGS + self.n_collectives);
        // A table of 2^31 collectives would not fit into memory, so the tags suffice.
        self.n_collectives += 1;
        let least = collective::least_operations(self.algorithms, collective, manner, n_ranks);
        self.check_room(index, least)?;
        check_memory(self.n_operations + least)?;
        for rank in Rank::first(n_ranks) {
            let track = &mut self.tracks[rank];
            track.enter_collective(index)?;
            let operations = track.operations();
            let before = operations.len();
            let (library, segment_bytes) = (self.algorithms, manner.segment_bytes);
            let mut script = Script { rank, n_ranks, tag, library, segment_bytes, operations };
            collective::write(&mut script, collective, manner);
            let added = &self.tracks[rank].operations()[before..];
            for operation in added {
                if let Operation::Do(action) = *operation {
                    check_bytes(index, StepKind::Do(action))?;
                }
            }
            let added = added.len();
            self.count(index, added)?;
        }
        Ok(())
    }

    fn count(&mut self, step: usize, added: usize) -> Result<(), ProgramError> {
        self.check_room(step, added)?;
        self.n_operations += added;
        Ok(())
    }

    fn check_room(&self, step: usize, added: usize) -> Result<(), ProgramError> {
        if self.n_operations + added > MAX_OPERATIONS {
            return Err(ProgramError::TooManyOperations { step, limit: MAX_OPERATIONS });
        }
        Ok(())
    }

    pub fn finish(self) -> Result<Program, ProgramError> {
        let (mut starts, mut streams) = (IdVec::new(), IdVec::new());
        let n_operations = self.n_operations;
        let mut operations = Vec::new();
        operations
            .try_reserve_exact(n_operations)
            .map_err(|_| ProgramError::NoRoom { n_operations })?;
        for track in self.tracks {
            starts.push(operations.len());
            streams.push(track.finish(&mut operations)?);
        }
        starts.push(operations.len());
        if streams.iter().all(Vec::is_empty) {
            streams = IdVec::new();
        }
        Ok(Program { operations, starts, streams, ranks: self.ranks })
    }
}

/// Checks that there is memory for the operations before it is allocated in many small pieces:
/// those of a rank may take twice their size, and all of them are copied into one table in the end.
fn check_memory(n_operations: usize) -> Result<(), ProgramError> {
    let mut probe: Vec<[Operation; 3]> = Vec::new();
    probe.try_reserve_exact(n_operations).map_err(|_| ProgramError::NoRoom { n_operations })
}

/// Checks that a number of bytes can be moved within simulated time.
fn check_bytes(step: usize, kind: StepKind) -> Result<(), ProgramError> {
    let bytes = match kind {
        StepKind::Do(Action::Disk(DiskRequest::Read { bytes } | DiskRequest::Write { bytes })) => {
            bytes
        }
        StepKind::Collective(collective, _) => collective.bytes(),
        StepKind::Do(action) => action.sent().map_or(0, |(_, bytes, _)| bytes),
        _ => 0,
    };
    match bytes <= MAX_BYTES {
        true => Ok(()),
        false => Err(ProgramError::TooManyBytes { step, bytes, limit: MAX_BYTES }),
    }
}

/// Checks the rules that concern one step alone.
fn check_step(index: usize, Step { scope, kind }: Step, ranks: Ranks) -> Result<(), ProgramError> {
    let (step, n_ranks) = (index, ranks.total());
    check_bytes(step, kind)?;
    let (peer, tag) = match kind {
        StepKind::Do(Action::Receive { from, tag } | Action::StartReceive { from, tag, .. }) => {
            (from, if tag == ANY_TAG { 0 } else { tag })
        }
        StepKind::Collective(collective, _) => (collective.root(), 0),
        StepKind::Do(Action::Datagram { to, .. }) => (Some(to), 0),
        StepKind::Repeat { count: 0 } => return Err(ProgramError::RepeatOfZero { step }),
        StepKind::Do(action) => action.sent().map_or((None, 0), |(to, _, tag)| (Some(to), tag)),
        _ => (None, 0),
    };
    match (scope, peer) {
        (RankScope::One(rank), _) if rank.get() >= n_ranks => {
            Err(ProgramError::RankOutOfRange { step, rank: rank.get().into(), n_ranks })
        }
        (_, Some(peer)) if peer.get() >= n_ranks => {
            Err(ProgramError::PeerOutOfRange { step, peer: peer.get().into(), n_ranks })
        }
        _ if tag >= COLLECTIVE_TAGS => Err(ProgramError::ReservedTag { step, tag }),
        _ if has_reserved_number(kind) => Err(ProgramError::ReservedNumber { step }),
        _ if ranks.background == 0 => Ok(()),
        _ => check_background(step, Step { scope, kind }, peer, ranks),
    }
}

/// Checks that awaited and background ranks do not wait for each other.
fn check_background(
    step: usize,
    Step { scope, kind }: Step,
    peer: Option<Rank>,
    ranks: Ranks,
) -> Result<(), ProgramError> {
    let rank = match scope {
        RankScope::All => Rank::new(0),
        RankScope::One(rank) => rank,
    };
    let is_background = ranks.is_background(rank);
    match (kind, peer) {
        (StepKind::Do(Action::Mark { .. }), _) if is_background => {
            Err(ProgramError::MarkInBackground { step, rank })
        }
        (StepKind::Do(Action::Datagram { .. }), _) => Ok(()),
        (_, Some(peer)) if ranks.is_background(peer) != is_background => {
            Err(ProgramError::MessageAcrossBackground { step, rank, peer })
        }
        _ => Ok(()),
    }
}

fn has_reserved_number(kind: StepKind) -> bool {
    match kind {
        StepKind::Do(Action::Wait { number }) => number >= COLLECTIVE_NUMBERS,
        StepKind::Do(action) => action.started() >= Some(COLLECTIVE_NUMBERS),
        _ => false,
    }
}
