//! Steps as columns of numbers, the form in which other languages pass a table.
//!
//! Column `kind` contains indices of [`STEP_KINDS`]; `rank` -1 is every rank, -1 - n those of group
//! n; `peer` is the other end of a message or the root of a collective, -1 the any-source of a
//! receive, and for a stream its processor, -1 that of the rank's process; `compute_s` is the
//! length of a computation, or the spacing of datagrams or sleeps, in seconds; `number` is the
//! count of a repeat, the bytes of the reply to a datagram, the number of a mark, of a request, of
//! a stream, of an event or of a group, or the code of a collective's algorithm; `tag` is that of a
//! message, or the bytes of a collective's segment; 0 leaves both to the library.
//! Columns that a kind does not use are ignored.
//!
//! [`STEP_KINDS`]: crate::STEP_KINDS

use quantity::Time;

use crate::code;
use crate::collective::{Algorithm, Collective, Manner};
use crate::error::ProgramError;
use crate::operation::{Action, DatagramProtocol, DiskRequest, Rank, StreamId};
use crate::step::{RankScope, Step, StepKind};

/// Longest computation, far beyond any run and within the range of [`Time`].
const MAX_COMPUTE_S: u32 = 10_000_000;

/// A table of steps by column; all columns have one entry per step.
#[derive(Clone, Copy, Debug)]
pub struct Columns<'a> {
    /// Index of the kind in `STEP_KINDS`.
    pub kind: &'a [u8],
    /// The rank, -1 for all, -1 - n for those of group n.
    pub rank: &'a [i32],
    /// Other end of the message, root of the collective, or processor of the stream; -1 for any
    /// source and for the processor of the process.
    pub peer: &'a [i32],
    /// Bytes of user data.
    pub size_bytes: &'a [u64],
    /// Tag of a message, `ANY_TAG` for a receive that takes any; bytes of a collective's segment.
    pub tag: &'a [u32],
    /// Seconds of a computation, or between the starts of datagrams or the ends of sleeps.
    pub compute_s: &'a [f64],
    /// Count of a repeat, bytes of the reply to a datagram, number of a mark, a request, a stream,
    /// an event or a group.
    pub number: &'a [u32],
}

impl Columns<'_> {
    /// Returns the steps of a program of `n_ranks` ranks.
    ///
    /// # Errors
    /// When a column is short, or an entry is invalid.
    pub fn steps(&self, n_ranks: u32) -> Result<Vec<Step>, ProgramError> {
        self.check_lengths()?;
        let n_operations = self.kind.len();
        let mut steps = Vec::new();
        steps.try_reserve_exact(n_operations).map_err(|_| ProgramError::NoRoom { n_operations })?;
        for step in 0..n_operations {
            steps.push(Step { scope: self.scope(step), kind: self.step_kind(step, n_ranks)? });
        }
        Ok(steps)
    }

    fn check_lengths(&self) -> Result<(), ProgramError> {
        let lengths = [
            ("rank", self.rank.len()),
            ("peer", self.peer.len()),
            ("size_bytes", self.size_bytes.len()),
            ("tag", self.tag.len()),
            ("compute_s", self.compute_s.len()),
            ("number", self.number.len()),
        ];
        let kind = self.kind.len();
        match lengths.into_iter().find(|&(_, length)| length != kind) {
            Some((column, length)) => Err(ProgramError::ColumnLength { column, length, kind }),
            None => Ok(()),
        }
    }

    fn scope(&self, step: usize) -> RankScope {
        let rank = self.rank[step];
        match u32::try_from(rank) {
            Ok(rank) => RankScope::One(Rank::new(rank)),
            Err(_) if rank == -1 => RankScope::All,
            Err(_) => RankScope::Group(rank.abs_diff(-1)),
        }
    }

    fn step_kind(&self, step: usize, n_ranks: u32) -> Result<StepKind, ProgramError> {
        let (bytes, tag, number) = (self.size_bytes[step], self.tag[step], self.number[step]);
        let peer = || {
            let peer = self.peer[step];
            u32::try_from(peer).map(Rank::new).map_err(|_| ProgramError::PeerOutOfRange {
                step,
                peer: peer.into(),
                n_ranks,
            })
        };
        let source = || if self.peer[step] == -1 { Ok(None) } else { peer().map(Some) };
        Ok(match self.kind[step] {
            code::SEND => Action::Send { to: peer()?, bytes, tag }.into(),
            code::RECEIVE => Action::Receive { from: source()?, tag }.into(),
            code::START_SEND => Action::StartSend { to: peer()?, bytes, tag, number }.into(),
            code::START_RECEIVE => Action::StartReceive { from: source()?, tag, number }.into(),
            code::WAIT_ALL => Action::WaitAll.into(),
            code::COMPUTE => Action::Compute { work: self.work(step)? }.into(),
            code::MARK => Action::Mark { mark: number }.into(),
            code::REPEAT => StepKind::Repeat { count: number },
            code::END_REPEAT => StepKind::EndRepeat,
            code::BROADCAST => {
                self.collective(step, Collective::Broadcast { root: peer()?, bytes })?
            }
            code::REDUCE => self.collective(step, Collective::Reduce { root: peer()?, bytes })?,
            code::ALL_REDUCE => self.collective(step, Collective::AllReduce { bytes })?,
            code::BARRIER => self.collective(step, Collective::Barrier)?,
            code::ALL_GATHER => self.collective(step, Collective::AllGather { bytes })?,
            code::ALL_TO_ALL => self.collective(step, Collective::AllToAll { bytes })?,
            code::GATHER => self.collective(step, Collective::Gather { root: peer()?, bytes })?,
            code::SCATTER => self.collective(step, Collective::Scatter { root: peer()?, bytes })?,
            code::REDUCE_SCATTER => self.collective(step, Collective::ReduceScatter { bytes })?,
            code::DATAGRAM => self.datagram(step, peer()?, DatagramProtocol::Udp)?,
            code::RAW_DATAGRAM => self.datagram(step, peer()?, DatagramProtocol::Raw)?,
            code::DISK_READ => Action::Disk(DiskRequest::Read { bytes }).into(),
            code::DISK_WRITE => Action::Disk(DiskRequest::Write { bytes }).into(),
            code::DISK_FLUSH => Action::Disk(DiskRequest::Flush).into(),
            code::WAIT => Action::Wait { number }.into(),
            code::REST => Action::Sleep { spacing: self.work(step)? }.into(),
            code::STREAM => StepKind::Stream {
                stream: StreamId::new(number),
                cpu: u32::try_from(self.peer[step]).ok(),
            },
            code::SYNC_SEND => Action::SyncSend { to: peer()?, bytes, tag }.into(),
            code::START_SYNC_SEND => {
                Action::StartSyncSend { to: peer()?, bytes, tag, number }.into()
            }
            code::MEMBER => StepKind::Member { group: number },
            code::SIGNAL => Action::Signal { event: number }.into(),
            code::WAIT_FOR => Action::Await { event: number }.into(),
            code => return Err(ProgramError::UnknownKind { step, code }),
        })
    }

    /// Returns a collective whose `number` is the code of an algorithm and whose `tag` are the
    /// bytes of a segment, 0 for what its library chooses.
    fn collective(&self, step: usize, collective: Collective) -> Result<StepKind, ProgramError> {
        let (code, segment_bytes) = (self.number[step], self.tag[step]);
        let algorithm = Algorithm::from_code(code);
        if code > 0 && algorithm.is_none() {
            return Err(ProgramError::UnknownAlgorithm { step, code });
        }
        if let Some(given) = algorithm
            && !collective.algorithms().contains(&given)
        {
            return Err(ProgramError::AlgorithmOfOther { step, algorithm: given.name() });
        }
        if let Some(given) = algorithm
            && segment_bytes > 0
            && !given.has_segments(collective)
        {
            return Err(ProgramError::NoSegments { step, algorithm: given.name() });
        }
        Ok(StepKind::Collective(collective, Manner { algorithm, segment_bytes }))
    }

    fn datagram(
        &self,
        step: usize,
        to: Rank,
        protocol: DatagramProtocol,
    ) -> Result<StepKind, ProgramError> {
        let (bytes, answer) = (self.size_bytes[step], self.number[step]);
        let (longest, limit) = (bytes.max(u64::from(answer)), protocol.most_bytes());
        if longest > u64::from(limit) {
            return Err(ProgramError::DatagramTooLong { step, bytes: longest, limit });
        }
        let (bytes, spacing) = (bytes as u32, self.work(step)?);
        Ok(Action::Datagram { to, bytes, answer, protocol, spacing }.into())
    }

    fn work(&self, step: usize) -> Result<Time, ProgramError> {
        let seconds = self.compute_s[step];
        if (0.0..f64::from(MAX_COMPUTE_S)).contains(&seconds) {
            Ok(Time::from_seconds(seconds))
        } else {
            Err(ProgramError::ComputeTime { step, limit_s: MAX_COMPUTE_S })
        }
    }
}
