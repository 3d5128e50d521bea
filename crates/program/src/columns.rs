//! Steps as columns of numbers, the form in which other languages pass a table.
//!
//! Column `kind` contains indices of [`STEP_KINDS`]; `rank` -1 is every rank; `peer` is the other
//! end of a message or the root of a collective, -1 the any-source of a receive; `compute_s` is the
//! length of a computation, or the spacing of datagrams or sleeps, in seconds; `number` is the
//! count of a repeat, the bytes of the reply to a datagram, the number of a mark or of a request.
//! Columns that a kind does not use are ignored.

use quantity::Time;

use crate::collective::Collective;
use crate::error::ProgramError;
use crate::operation::{Action, DatagramProtocol, DiskRequest, Rank};
use crate::step::{RankScope, Step, StepKind};

/// Names of the kinds of steps; a kind's code is its index.
pub const STEP_KINDS: [&str; 24] = [
    "send",
    "receive",
    "start_send",
    "start_receive",
    "wait_all",
    "compute",
    "mark",
    "repeat",
    "end_repeat",
    "broadcast",
    "reduce",
    "all_reduce",
    "barrier",
    "all_gather",
    "all_to_all",
    "gather",
    "scatter",
    "datagram",
    "raw_datagram",
    "disk_read",
    "disk_write",
    "disk_flush",
    "wait",
    "rest",
];

/// Longest computation, far beyond any run and within the range of [`Time`].
const MAX_COMPUTE_S: u32 = 10_000_000;

/// A table of steps by column; all columns have one entry per step.
#[derive(Clone, Copy, Debug)]
pub struct Columns<'a> {
    /// Index of the kind in [`STEP_KINDS`].
    pub kind: &'a [u8],
    /// The rank, -1 for all.
    pub rank: &'a [i32],
    /// Other end of the message or root of the collective, -1 for any source.
    pub peer: &'a [i32],
    /// Bytes of user data.
    pub size_bytes: &'a [u64],
    /// Tag of a message, `ANY_TAG` for a receive that takes any.
    pub tag: &'a [u32],
    /// Seconds of a computation, or between the starts of datagrams or the ends of sleeps.
    pub compute_s: &'a [f64],
    /// Count of a repeat, bytes of the reply to a datagram, or number of a mark or of a request.
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
            let kind = self.step_kind(step, n_ranks)?;
            steps.push(Step { scope: self.scope(step, n_ranks)?, kind });
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

    fn scope(&self, step: usize, n_ranks: u32) -> Result<RankScope, ProgramError> {
        match self.rank[step] {
            -1 => Ok(RankScope::All),
            rank => u32::try_from(rank)
                .map(|rank| RankScope::One(Rank::new(rank)))
                .map_err(|_| ProgramError::RankOutOfRange { step, rank: rank.into(), n_ranks }),
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
            0 => Action::Send { to: peer()?, bytes, tag }.into(),
            1 => Action::Receive { from: source()?, tag }.into(),
            2 => Action::StartSend { to: peer()?, bytes, tag, number }.into(),
            3 => Action::StartReceive { from: source()?, tag, number }.into(),
            4 => Action::WaitAll.into(),
            5 => Action::Compute { work: self.work(step)? }.into(),
            6 => Action::Mark { mark: number }.into(),
            7 => StepKind::Repeat { count: number },
            8 => StepKind::EndRepeat,
            9 => Collective::Broadcast { root: peer()?, bytes }.into(),
            10 => Collective::Reduce { root: peer()?, bytes }.into(),
            11 => Collective::AllReduce { bytes }.into(),
            12 => Collective::Barrier.into(),
            13 => Collective::AllGather { bytes }.into(),
            14 => Collective::AllToAll { bytes }.into(),
            15 => Collective::Gather { root: peer()?, bytes }.into(),
            16 => Collective::Scatter { root: peer()?, bytes }.into(),
            17 => self.datagram(step, peer()?, DatagramProtocol::Udp)?,
            18 => self.datagram(step, peer()?, DatagramProtocol::Raw)?,
            19 => Action::Disk(DiskRequest::Read { bytes }).into(),
            20 => Action::Disk(DiskRequest::Write { bytes }).into(),
            21 => Action::Disk(DiskRequest::Flush).into(),
            22 => Action::Wait { number }.into(),
            23 => Action::Sleep { spacing: self.work(step)? }.into(),
            code => return Err(ProgramError::UnknownKind { step, code }),
        })
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
