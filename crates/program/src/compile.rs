//! Compilation of a table of steps to the operations of every rank.
//!
//! Each rank's operations are appended in the order of the table, while a [`RankTrack`] remembers
//! its open repeats and started requests. Each collective of the table has a tag of its own. Passes
//! of a loop share it, which is safe: a collective receives from named sources only, and messages
//! of one pair and tag are received in the order in which they were sent.

use std::collections::BTreeMap;

use quantity::{Id, IdVec, Ids};

use crate::collective::{AlgorithmSet, Collective, Script};
use crate::error::ProgramError;
use crate::operation::{
    ANY_TAG, Action, COLLECTIVE_NUMBER, COLLECTIVE_TAGS, DiskRequest, Operation, Rank, Ranks,
    RequestNumber,
};
use crate::step::{RankScope, Step, StepKind};

/// Most ranks of a program.
pub const MAX_RANKS: u32 = 1 << 20;

/// Most operations of all ranks together; they take about 3 GB.
pub const MAX_OPERATIONS: usize = 1 << 27;

/// Most bytes of a file or of a message, including those that a collective assembles: 4 TiB, which
/// every link moves within simulated time.
pub const MAX_BYTES: u64 = 1 << 42;

/// The operations of every rank. Immutable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    operations: Vec<Operation>,
    /// Start of each rank's operations in `operations`, and the end of the last.
    starts: IdVec<Rank, usize>,
    ranks: Ranks,
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
        match ranks.total() {
            _ if ranks.awaited == 0 => return Err(ProgramError::NoRanks),
            0..=MAX_RANKS => {}
            n_ranks => return Err(ProgramError::TooManyRanks { n_ranks, limit: MAX_RANKS }),
        }
        let mut compiler = Compiler::new(ranks, algorithms);
        for (index, step) in steps.iter().enumerate() {
            compiler.add(index, *step)?;
        }
        compiler.finish()
    }

    /// Returns the number of ranks.
    pub fn n_ranks(&self) -> u32 {
        self.starts.n() - 1
    }

    /// Returns the number of awaited ranks, which come first.
    pub fn n_awaited(&self) -> u32 {
        self.ranks.awaited
    }

    /// Returns the number of operations of all ranks, each counted once even if repeated.
    pub fn n_operations(&self) -> usize {
        self.operations.len()
    }

    /// Returns the number of actions that the awaited ranks carry out, those in loops as often as
    /// the loops repeat them.
    pub fn n_awaited_actions(&self) -> u64 {
        let (mut n_actions, mut repeats) = (0_u64, vec![1_u64]);
        for operation in &self.operations[..self.starts[Rank::new(self.ranks.awaited)]] {
            let times = repeats[repeats.len() - 1];
            match *operation {
                Operation::Do(_) => n_actions = n_actions.saturating_add(times),
                Operation::Repeat { count } => repeats.push(times.saturating_mul(count.into())),
                Operation::EndRepeat { .. } => {
                    repeats.pop();
                }
            }
        }
        n_actions
    }

    /// Returns whether any rank sends datagrams.
    pub fn has_datagrams(&self) -> bool {
        self.operations.iter().any(is_datagram)
    }

    /// Returns whether any awaited rank sends datagrams.
    pub fn has_awaited_datagrams(&self) -> bool {
        let end = self.starts[Rank::new(self.ranks.awaited)];
        self.operations[..end].iter().any(is_datagram)
    }

    /// Returns whether any rank uses its disk.
    pub fn has_disks(&self) -> bool {
        let is_one = |operation: &Operation| matches!(operation, Operation::Do(Action::Disk(_)));
        self.operations.iter().any(is_one)
    }

    /// Returns the operations of `rank`.
    ///
    /// # Panics
    /// When the program has no rank of this number.
    pub fn operations(&self, rank: Rank) -> &[Operation] {
        &self.operations[self.starts[rank]..self.starts[rank.following()]]
    }
}

fn is_datagram(operation: &Operation) -> bool {
    matches!(operation, Operation::Do(Action::Datagram { .. }))
}

struct Compiler {
    algorithms: AlgorithmSet,
    ranks: Ranks,
    tracks: IdVec<Rank, RankTrack>,
    n_operations: usize,
    n_collectives: u32,
}

impl Compiler {
    fn new(ranks: Ranks, algorithms: AlgorithmSet) -> Compiler {
        let tracks = Rank::first(ranks.total()).map(RankTrack::new).collect();
        Compiler { algorithms, ranks, tracks, n_operations: 0, n_collectives: 0 }
    }

    fn add(&mut self, index: usize, step: Step) -> Result<(), ProgramError> {
        check_step(index, step, self.ranks)?;
        if let StepKind::Collective(collective) = step.kind {
            return self.add_collective(index, step.scope, collective);
        }
        let ranks = match step.scope {
            RankScope::All => Rank::first(self.ranks.awaited),
            RankScope::One(rank) => Ids::from(rank, 1),
        };
        self.count(index, ranks.len())?;
        self.tracks[ranks].iter_mut().try_for_each(|track| track.add(index, step))
    }

    fn add_collective(
        &mut self,
        index: usize,
        scope: RankScope,
        collective: Collective,
    ) -> Result<(), ProgramError> {
        if let RankScope::One(rank) = scope {
            return Err(ProgramError::CollectiveOfOneRank { step: index, rank });
        }
        let (n_ranks, tag) = (self.ranks.awaited, COLLECTIVE_TAGS + self.n_collectives);
        // A table of 2^31 collectives would not fit into memory, so the tags suffice.
        self.n_collectives += 1;
        let least = self.algorithms.least_operations(collective, n_ranks);
        self.check_room(index, least)?;
        check_memory(self.n_operations + least)?;
        for rank in Rank::first(n_ranks) {
            let track = &mut self.tracks[rank];
            track.enter_collective(index)?;
            let before = track.operations.len();
            let mut script = Script { rank, n_ranks, tag, operations: &mut track.operations };
            self.algorithms.expand(collective, &mut script);
            let added = &self.tracks[rank].operations[before..];
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

    fn finish(self) -> Result<Program, ProgramError> {
        let mut starts = IdVec::new();
        let n_operations = self.n_operations;
        let mut operations = Vec::new();
        operations
            .try_reserve_exact(n_operations)
            .map_err(|_| ProgramError::NoRoom { n_operations })?;
        for track in self.tracks {
            track.check_end()?;
            starts.push(operations.len());
            operations.extend(track.operations);
        }
        starts.push(operations.len());
        Ok(Program { operations, starts, ranks: self.ranks })
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
        StepKind::Do(Action::Send { bytes, .. } | Action::StartSend { bytes, .. }) => bytes,
        StepKind::Do(Action::Disk(DiskRequest::Read { bytes } | DiskRequest::Write { bytes })) => {
            bytes
        }
        StepKind::Collective(collective) => collective.bytes(),
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
        StepKind::Do(Action::Send { to, tag, .. } | Action::StartSend { to, tag, .. }) => {
            (Some(to), tag)
        }
        StepKind::Do(Action::Receive { from, tag } | Action::StartReceive { from, tag, .. }) => {
            (from, if tag == ANY_TAG { 0 } else { tag })
        }
        StepKind::Collective(collective) => (collective.root(), 0),
        StepKind::Do(Action::Datagram { to, .. }) => (Some(to), 0),
        StepKind::Repeat { count: 0 } => return Err(ProgramError::RepeatOfZero { step }),
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
        StepKind::Do(
            Action::StartSend { number, .. }
            | Action::StartReceive { number, .. }
            | Action::Wait { number },
        ) => number == COLLECTIVE_NUMBER,
        _ => false,
    }
}

/// A repeat without its end yet.
struct OpenRepeat {
    step: usize,
    scope: RankScope,
    /// Index of the repeat's operation.
    start: u32,
}

/// One rank while its program is being compiled.
struct RankTrack {
    rank: Rank,
    operations: Vec<Operation>,
    repeats: Vec<OpenRepeat>,
    /// By number: the step of the first request that has not been waited for.
    started: BTreeMap<RequestNumber, usize>,
}

impl RankTrack {
    fn new(rank: Rank) -> RankTrack {
        RankTrack { rank, operations: Vec::new(), repeats: Vec::new(), started: BTreeMap::new() }
    }

    fn add(&mut self, index: usize, step: Step) -> Result<(), ProgramError> {
        if let StepKind::Do(Action::Datagram { to, .. }) = step.kind
            && to == self.rank
        {
            return Err(ProgramError::DatagramToSelf { step: index, rank: to });
        }
        let operation = match step.kind {
            StepKind::Do(action) => {
                self.note(index, action);
                Operation::Do(action)
            }
            StepKind::Repeat { count } => {
                self.begin_repeat(index, step.scope);
                Operation::Repeat { count }
            }
            StepKind::EndRepeat => {
                Operation::EndRepeat { start: self.end_repeat(index, step.scope)? }
            }
            StepKind::Collective(_) => unreachable!("collectives are expanded"),
        };
        self.operations.push(operation);
        Ok(())
    }

    /// Records started requests and waits.
    fn note(&mut self, step: usize, action: Action) {
        match action {
            Action::StartSend { number, .. } | Action::StartReceive { number, .. } => {
                self.started.entry(number).or_insert(step);
            }
            Action::WaitAll => self.started.clear(),
            Action::Wait { number } => {
                self.started.remove(&number);
            }
            Action::Send { .. }
            | Action::Receive { .. }
            | Action::Compute { .. }
            | Action::Datagram { .. }
            | Action::Disk(_)
            | Action::Sleep { .. }
            | Action::Mark { .. } => {}
        }
    }

    fn begin_repeat(&mut self, step: usize, scope: RankScope) {
        let start = self.operations.len() as u32;
        self.repeats.push(OpenRepeat { step, scope, start });
    }

    fn end_repeat(&mut self, step: usize, scope: RankScope) -> Result<u32, ProgramError> {
        let rank = self.rank;
        let repeat = self.repeats.pop().ok_or(ProgramError::EndWithoutRepeat { step, rank })?;
        if repeat.scope != scope {
            return Err(ProgramError::RepeatOfOtherRanks { step, begin: repeat.step });
        }
        Ok(repeat.start)
    }

    /// Checks that this rank enters a collective outside of repeats of its own.
    fn enter_collective(&self, step: usize) -> Result<(), ProgramError> {
        let rank = self.rank;
        if self.repeats.iter().any(|repeat| repeat.scope != RankScope::All) {
            return Err(ProgramError::CollectiveInRepeatOfOneRank { step, rank });
        }
        Ok(())
    }

    fn check_end(&self) -> Result<(), ProgramError> {
        let rank = self.rank;
        if let Some(repeat) = self.repeats.last() {
            return Err(ProgramError::RepeatWithoutEnd { step: repeat.step, rank });
        }
        match self.started.values().min() {
            Some(&step) => Err(ProgramError::NeverWaited { step, rank }),
            None => Ok(()),
        }
    }
}
