//! A run: an executor for each rank, and the engine that answers them. Ranks meet in the engine
//! alone: what one says to another is in the head of a transfer.
//!
//! A process of its own may hold one rank, while others hold the rest; the engine joins them.

use host::HostModel;
use network::NodeId;
use network::metrics::Progress;
use program::{Program, Rank};
use quantity::{Id, IdVec, Ids, Time};

use crate::conditions::Conditions;
use crate::effect::Effect;
use crate::error::{RunError, StuckRank};
use crate::executor::Executor;
use crate::model::{Datagram, END, NetworkModel, Notice};
use crate::shared_nodes::{SharedNodes, SliceEnd};
use crate::silence::Silence;

/// Actions between two reports of progress.
const ACTIONS_PER_REPORT: u64 = 64;

/// A mark passed by a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MarkRecord {
    /// The number of the mark.
    pub mark: u32,
    /// The rank that passed it.
    pub rank: Rank,
    /// Time of the pass.
    pub time: Time,
}

/// A run of a program on a network.
#[derive(Debug)]
pub struct Run<'a, M> {
    model: M,
    conditions: Conditions<'a>,
    /// The executors of the ranks from `first` on.
    executors: Vec<Executor>,
    first: Rank,
    /// The processors of nodes that ranks share.
    shared: Option<Box<SharedNodes>>,
    marks: Vec<MarkRecord>,
    /// Number of awaited ranks that have not finished.
    n_running: u32,
    /// Time until which all awaited ranks may be silent, as far as is known.
    quiet_until: Time,
    /// Receives the number of actions of awaited ranks, if the caller wants it.
    progress: Option<&'a Progress>,
    /// Actions that awaited ranks have begun since the last report.
    n_unreported: u64,
}

impl<'a, M: NetworkModel> Run<'a, M> {
    /// Prepares every rank of `program` to start at time zero.
    pub fn new(model: M, program: &'a Program, host: &HostModel) -> Run<'a, M> {
        let (ranks, n_awaited) = (Rank::first(program.n_ranks()), program.n_awaited());
        Run::of(model, program, host, ranks, n_awaited)
    }

    /// Prepares one rank of `program`, for which the run waits; `model` joins it with the others.
    pub fn of_rank(model: M, program: &'a Program, host: &HostModel, rank: Rank) -> Run<'a, M> {
        Run::of(model, program, host, Ids::from(rank, 1), rank.following().get())
    }

    fn of(
        model: M,
        program: &'a Program,
        host: &HostModel,
        ranks: Ids<Rank>,
        n_awaited: u32,
    ) -> Run<'a, M> {
        let first = ranks.clone().next().unwrap_or(Rank::new(0));
        let node_of: Option<IdVec<Rank, NodeId>> =
            Rank::first(program.n_ranks()).map(|rank| model.node_of(rank)).collect();
        let slice = host.local.map_or(Time::ZERO, |local| local.slice);
        let shared = node_of
            .as_ref()
            .and_then(|node_of| SharedNodes::new(node_of, host.processors.n_cpus, slice));
        let conditions = Conditions::new(program, host, node_of.filter(|_| shared.is_some()));
        let executor = |rank: Rank| Executor::new(&conditions, rank, rank.get() < n_awaited);
        let executors: Vec<Executor> = ranks.map(executor).collect();
        Run {
            model,
            n_running: executors.iter().map(|executor| u32::from(executor.is_awaited)).sum(),
            quiet_until: Silence::end(std::iter::empty()),
            conditions,
            executors,
            first,
            shared,
            marks: Vec::new(),
            progress: None,
            n_unreported: 0,
        }
    }

    /// Returns the run with a place for its progress: the actions that awaited ranks have begun, of
    /// all that they carry out.
    pub fn reporting(mut self, progress: &'a Progress) -> Run<'a, M> {
        progress.expect(self.conditions.program.n_awaited_actions());
        self.progress = Some(progress);
        self
    }

    /// Runs the program until its last awaited rank has finished and returns the marks in order of
    /// time, with the network as it is then: late acknowledgements and transfers of background
    /// ranks may still be in flight, but no datagrams of awaited ranks.
    ///
    /// # Errors
    /// When ranks are deadlocked, or the network gives up.
    pub fn run(mut self) -> Result<(Vec<MarkRecord>, M), RunError> {
        self.conditions.check(self.model.moves_datagrams())?;
        for place in 0..self.executors.len() {
            self.drive(self.executors[place].rank);
        }
        while self.n_running > 0 || self.must_flush() {
            match self.model.advance().map_err(|error| self.with_stuck_ranks(error))? {
                Some(notice) => self.handle(notice)?,
                None => return Err(RunError::Deadlock { stuck: self.stuck_ranks() }),
            }
        }
        // No rank waits for datagrams, so the last ones are still in flight. Notices to background
        // ranks are ignored from here on, which stops them.
        let has_datagrams = self.conditions.program.has_awaited_datagrams();
        while has_datagrams && self.model.advance()?.is_some() {}
        Ok((self.marks, self.model))
    }

    /// Returns whether the only rank here has data left to write, for ranks of other processes.
    fn must_flush(&self) -> bool {
        matches!(&self.executors[..], [only] if only.postponed.is_waiting())
    }

    fn handle(&mut self, notice: Notice) -> Result<(), RunError> {
        let rank = notice.rank();
        self.hear(rank)?;
        let goes_on = match notice {
            Notice::Computed(_) if self.shared.is_some() => self.slice_ended(rank),
            Notice::Computed(_) | Notice::SleepEnded(_) => true,
            Notice::Written(_) => {
                self.executor(rank).written();
                true
            }
            Notice::Postponed(_) => {
                self.executor(rank).write_postponed();
                true
            }
            Notice::Flushed { to, .. } => self.executor(rank).flushed(to),
            Notice::Arrived { from, head, .. } => self.executor(rank).arrived(from, head),
            Notice::TimerEnded(_, stream) => self.executor(rank).timer_ended(stream),
        };
        if goes_on {
            self.drive(rank);
        }
        Ok(())
    }

    #[inline]
    fn executor(&mut self, rank: Rank) -> &mut Executor {
        &mut self.executors[rank.index() - self.first.index()]
    }

    /// Records a sign of life of a rank.
    ///
    /// # Errors
    /// When it is a background rank and the awaited ones have been silent for too long.
    #[inline]
    fn hear(&mut self, rank: Rank) -> Result<(), RunError> {
        let now = self.model.now();
        let executor = self.executor(rank);
        if executor.is_awaited {
            executor.silence.allow(now, Time::ZERO);
            return Ok(());
        }
        if now > self.quiet_until {
            self.quiet_until = Silence::end(self.awaited().map(|executor| &executor.silence));
        }
        if now > self.quiet_until {
            return Err(RunError::Deadlock { stuck: self.stuck_ranks() });
        }
        Ok(())
    }

    fn awaited(&self) -> impl Iterator<Item = &Executor> + Clone {
        self.executors.iter().filter(|executor| executor.is_awaited)
    }

    fn with_stuck_ranks(&self, error: RunError) -> RunError {
        match error {
            RunError::ConnectionLost { from, to, attempts, at, .. } => {
                let stuck = self.stuck_ranks();
                RunError::ConnectionLost { from, to, attempts, at, stuck }
            }
            RunError::TooLong { .. } => {
                let overlong = self.stuck_of(|executor| executor.is_overlong);
                let is_known = !overlong.is_empty();
                RunError::TooLong { stuck: if is_known { overlong } else { self.stuck_ranks() } }
            }
            other => other,
        }
    }

    fn stuck_ranks(&self) -> Vec<StuckRank> {
        self.stuck_of(|_| true)
    }

    /// Returns the awaited ranks of a kind that have not finished.
    fn stuck_of(&self, is_meant: impl Fn(&Executor) -> bool) -> Vec<StuckRank> {
        let unfinished = self.awaited().filter(|executor| !executor.has_finished());
        let meant = unfinished.filter(|executor| is_meant(executor));
        let program = self.conditions.program;
        meant.map(|stuck| StuckRank::at(stuck.waits_at(), program, stuck.rank)).collect()
    }

    /// Runs a rank until it waits for an answer of the engine.
    fn drive(&mut self, rank: Rank) {
        let mut goes_on = true;
        while goes_on {
            let (now, place) = (self.model.now(), rank.index() - self.first.index());
            let Some(effect) = self.executors[place].next(now, &self.conditions) else { break };
            goes_on = self.carry_out(rank, effect);
        }
        if self.progress.is_some() {
            self.count(rank);
        }
    }

    /// Carries out an effect of a rank; returns whether the rank goes on meanwhile.
    fn carry_out(&mut self, rank: Rank, effect: Effect) -> bool {
        match effect {
            Effect::Compute(work) => self.compute(rank, work),
            Effect::Listen => self.model.listen(rank),
            Effect::Write { to, transfer, while_blocked } => {
                self.model.write(rank, to, transfer, while_blocked);
            }
            Effect::Sleep(end) => {
                if end >= END {
                    self.executor(rank).is_overlong = true;
                }
                self.model.sleep(rank, end);
            }
            Effect::Send(datagram) => {
                let spacing = self.within_time(rank, datagram.spacing);
                self.model.send_datagram(rank, Datagram { spacing, ..datagram });
            }
            Effect::Finish => {
                self.n_running -= u32::from(self.executor(rank).is_awaited);
                return true;
            }
            Effect::HandOver { to, transfer, latency } => {
                self.model.hand_over(rank, to, transfer, self.model.now() + latency);
                return true;
            }
            Effect::SetTimer { stream, span } => {
                let end = self.model.now() + self.within_time(rank, span);
                self.model.set_timer(rank, stream, end);
                return true;
            }
            Effect::Mark(mark) => {
                self.marks.push(MarkRecord { mark, rank, time: self.model.now() });
                return true;
            }
        }
        false
    }

    fn compute(&mut self, rank: Rank, work: Time) {
        let work = self.within_time(rank, work);
        let slice = match &mut self.shared {
            None => Some(work),
            Some(shared) => shared.begin(self.conditions.node_of(rank), rank, work),
        };
        if let Some(slice) = slice {
            self.model.compute(rank, slice);
        }
    }

    /// Ends a slice of the work of a rank on a node that it shares; returns whether the work is
    /// over.
    fn slice_ended(&mut self, rank: Rank) -> bool {
        let Some(shared) = &mut self.shared else { return true };
        let SliceEnd { is_over, next } = shared.slice_ended(self.conditions.node_of(rank), rank);
        if let Some((next, slice)) = next {
            let now = self.model.now();
            self.executor(next).silence.allow(now, slice);
            self.model.compute(next, slice);
        }
        is_over
    }

    /// Returns the part of a span that lies before the end of time, and records a rank that goes
    /// beyond.
    fn within_time(&mut self, rank: Rank, span: Time) -> Time {
        let left = END.saturating_sub(self.model.now());
        if span >= left {
            self.executor(rank).is_overlong = true;
        }
        span.min(left)
    }

    /// Counts the actions that a rank has begun for the progress of the run.
    fn count(&mut self, rank: Rank) {
        let executor = self.executor(rank);
        let n_begun = std::mem::take(&mut executor.n_begun);
        self.n_unreported += if executor.is_awaited { n_begun } else { 0 };
        if let Some(progress) = self.progress
            && self.n_unreported >= ACTIONS_PER_REPORT
        {
            progress.add(std::mem::take(&mut self.n_unreported));
        }
    }
}
