//! Compilation of a table of steps to the operations of every rank.
//!
//! Each rank's operations are appended in the order of the table, while a [`RankTrack`] remembers
//! its open repeats and started requests. Each collective of the table has a tag of its own. Passes
//! of a loop share it, which is safe: a collective receives from named sources only, and messages
//! of one pair and tag are received in the order in which they were sent.

use quantity::{Id, IdVec};

use crate::collective::{self, AlgorithmSet, Collective, Manner};
use crate::entry::{Entries, Entry};
use crate::error::ProgramError;
use crate::group::{GroupId, GroupNumber, Groups};
use crate::operation::{
    ANY_TAG, Action, COLLECTIVE_NUMBERS, COLLECTIVE_TAGS, DiskRequest, Operation, Rank, Ranks,
};
use crate::program::Program;
use crate::rank_track::RankTrack;
use crate::step::{RankScope, Step, StepKind};

/// Most ranks of a program.
pub const MAX_RANKS: u32 = 1 << 20;

/// Largest number of a group, so that it fits into the column of ranks.
const MAX_GROUP: u32 = i32::MAX as u32;

/// Most operations of all ranks together, with the actions of the largest collective of each; they
/// take about 3 GB.
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
    groups: Groups,
    entries: Entries,
    tracks: IdVec<Rank, RankTrack>,
    n_operations: usize,
    /// Actions of the largest collective of each rank, and of all ranks together.
    largest: IdVec<Rank, usize>,
    n_entered: usize,
    n_collectives: u32,
}

impl Compiler {
    pub fn new(ranks: Ranks, algorithms: AlgorithmSet) -> Compiler {
        Compiler {
            algorithms,
            ranks,
            groups: Groups::new(ranks.awaited),
            entries: Entries::default(),
            tracks: Rank::first(ranks.total()).map(RankTrack::new).collect(),
            n_operations: 0,
            largest: IdVec::filled(0, ranks.total()),
            n_entered: 0,
            n_collectives: 0,
        }
    }

    pub fn add(&mut self, index: usize, step: Step) -> Result<(), ProgramError> {
        check_step(index, step, self.ranks)?;
        let group = match step.scope {
            RankScope::All => GroupId::new(0),
            RankScope::Group(number) => self.groups.take(index, number)?,
            RankScope::One(rank) => return self.add_of(index, rank, step),
        };
        if let StepKind::Collective(collective, manner) = step.kind {
            return self.add_collective(index, group, (collective, manner));
        }
        for member in self.groups.get(group).members() {
            let rank = self.groups.get(group).rank(member);
            self.add_of(index, rank, step)?;
        }
        Ok(())
    }

    /// Adds a step of one rank.
    fn add_of(&mut self, index: usize, rank: Rank, step: Step) -> Result<(), ProgramError> {
        match step.kind {
            StepKind::Collective(..) => {
                Err(ProgramError::CollectiveOfOneRank { step: index, rank })
            }
            StepKind::Member { group } => self.join(index, rank, group),
            StepKind::Stream { .. } => self.tracks[rank].add(index, step),
            _ => {
                self.count(index, 1)?;
                self.tracks[rank].add(index, step)
            }
        }
    }

    fn join(&mut self, step: usize, rank: Rank, group: GroupNumber) -> Result<(), ProgramError> {
        if group == 0 || group > MAX_GROUP {
            return Err(ProgramError::ReservedGroup { step, group, limit: MAX_GROUP });
        }
        if self.ranks.is_background(rank) {
            let peer = Rank::new(0);
            return Err(ProgramError::MessageAcrossBackground { step, rank, peer });
        }
        self.groups.add(step, rank, group)
    }

    fn add_collective(
        &mut self,
        index: usize,
        group: GroupId,
        (collective, manner): (Collective, Manner),
    ) -> Result<(), ProgramError> {
        let collective = self.in_group(index, group, collective)?;
        let (entry, is_new) = self.entries.id(Entry { collective, manner, group });
        let ranks = self.groups.get(group);
        let least = collective::least_actions(self.algorithms, collective, manner, ranks.n());
        let n_more = |rank: Rank| least.saturating_sub(self.largest[rank]);
        let n_entered: usize = if is_new { ranks.ranks().map(n_more).sum() } else { 0 };
        self.check_room(index, n_entered + ranks.n() as usize)?;
        check_memory(self.n_operations + self.n_entered + n_entered)?;
        if is_new {
            self.check_bytes_of(index, Entry { collective, manner, group })?;
        }
        self.check_repeats(index, group)?;
        // A table of 2^31 collectives would not fit into memory, so the tags suffice.
        let tag = COLLECTIVE_TAGS + self.n_collectives;
        self.n_collectives += 1;
        self.n_entered += n_entered;
        self.n_operations += self.groups.get(group).n() as usize;
        for rank in self.groups.get(group).ranks() {
            self.largest[rank] = self.largest[rank].max(least);
            self.tracks[rank].enter(entry, tag);
        }
        Ok(())
    }

    /// Returns a collective with its root counted in its group.
    fn in_group(
        &self,
        step: usize,
        group: GroupId,
        collective: Collective,
    ) -> Result<Collective, ProgramError> {
        let group = self.groups.get(group);
        let Some(root) = collective.root() else { return Ok(collective) };
        match group.member(root) {
            Some(member) => Ok(collective.with_root(Rank::new(member.get()))),
            None => Err(ProgramError::RootOutsideGroup { step, root, group: group.number }),
        }
    }

    /// Checks that the ranks of a group enter a collective equally often.
    fn check_repeats(&self, step: usize, group: GroupId) -> Result<(), ProgramError> {
        let mut ranks = self.groups.get(group).ranks();
        let open = |rank: Rank| self.tracks[rank].open_repeats();
        let Some(first) = ranks.next() else { return Ok(()) };
        match ranks.find(|&rank| !open(rank).eq(open(first))) {
            // The one that repeats more on its own is at fault.
            Some(rank) if open(rank).count() < open(first).count() => {
                Err(ProgramError::CollectiveInRepeatOfOneRank { step, rank: first })
            }
            Some(rank) => Err(ProgramError::CollectiveInRepeatOfOneRank { step, rank }),
            None => Ok(()),
        }
    }

    /// Checks the messages that a collective assembles; the largest has the data of all its ranks.
    fn check_bytes_of(&self, step: usize, entry: Entry) -> Result<(), ProgramError> {
        let group = self.groups.get(entry.group);
        if entry.collective.bytes().saturating_mul(group.n().into()) <= MAX_BYTES {
            return Ok(());
        }
        let mut actions = Vec::new();
        for rank in group.ranks() {
            entry.write((self.algorithms, group), (rank, COLLECTIVE_TAGS), &mut actions);
            actions.drain(..).try_for_each(|action| check_bytes(step, StepKind::Do(action)))?;
        }
        Ok(())
    }

    fn count(&mut self, step: usize, added: usize) -> Result<(), ProgramError> {
        self.check_room(step, added)?;
        self.n_operations += added;
        Ok(())
    }

    fn check_room(&self, step: usize, added: usize) -> Result<(), ProgramError> {
        if self.n_operations + self.n_entered + added > MAX_OPERATIONS {
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
        Ok(Program {
            operations,
            starts,
            streams,
            ranks: self.ranks,
            algorithms: self.algorithms,
            groups: self.groups.finish(),
            entries: self.entries.finish(),
            n_entered: self.n_entered,
        })
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
        RankScope::All | RankScope::Group(_) => Rank::new(0),
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
