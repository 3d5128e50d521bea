//! The process of a rank: it computes, writes, and reads what comes in, one at a time.
//!
//! The kernel goes ahead: what it does for flows, relayed ones above all, slows a computation or a
//! copy down. A process that neither listens nor drains is deaf; after a window, nothing more comes
//! to it.

use std::collections::VecDeque;

use program::Rank;
use quantity::Time;
use simulation::path::Writes;
use simulation::{Notice, Transfer, TransferId};

use crate::connection::{ConnectionId, Pending, back};
use crate::model::{Event, FlowModel};
use crate::units::CAPACITY;

/// Precision of the share of a processor that the kernel leaves.
const SHARE_SHIFT: u32 = 48;

/// A transfer that has arrived and waits to be read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ready {
    pub id: TransferId,
    pub tail: Time,
}

/// What keeps the processor busy.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Work {
    Compute,
    /// The copy of what is written.
    Write,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Job {
    work: Work,
    left: Time,
    since: Time,
    /// The share of the processor that it has, of `CAPACITY >> SHARE_SHIFT`.
    share: u64,
}

/// What a process is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Idle,
    /// It computes, or copies what it writes.
    Busy,
    /// Its write waits for room; whether it reads meanwhile.
    Blocked {
        drains: bool,
    },
    Listening,
}

/// The process of a rank.
#[derive(Debug)]
pub(crate) struct Process {
    pub state: State,
    pub job: Option<Job>,
    /// When the event of the job is due, if one is under way; `Time::MAX` for none.
    pub job_due: Time,
    /// The transfer that is being read.
    pub reading: Option<TransferId>,
    pub ready: VecDeque<Ready>,
    /// Since when it has not read; `Time::MAX` while it does.
    pub deaf_since: Time,
    /// Whether streams to it are held, and which.
    pub is_deaf: bool,
    pub held: Vec<ConnectionId>,
    is_watched: bool,
    /// All connections to it.
    pub incoming: Vec<ConnectionId>,
    /// The connections from it, by the rank at the other end.
    pub outgoing: Vec<(Rank, ConnectionId)>,
}

impl Process {
    pub fn new() -> Process {
        Process {
            state: State::Idle,
            job: None,
            job_due: Time::MAX,
            reading: None,
            ready: VecDeque::new(),
            deaf_since: Time::ZERO,
            is_deaf: false,
            held: Vec::new(),
            is_watched: false,
            incoming: Vec::new(),
            outgoing: Vec::new(),
        }
    }

    /// Returns whether it reads what comes in.
    pub fn reads(&self) -> bool {
        matches!(self.state, State::Listening | State::Blocked { drains: true })
    }
}

impl FlowModel<'_> {
    pub(crate) fn begin_write(&mut self, rank: Rank, to: Rank, transfer: Transfer) {
        let Some(id) = self.connection(rank, to) else { return };
        let writes = Writes { header: transfer.header, body: transfer.body };
        self.restart_when_idle(id);
        let state = &self.connections[id as usize];
        let profile = self.profiles.find(state.class, writes, state.congestion_window);
        let fits = self.profiles.fits(profile, state.n_segments, state.bytes);
        let is_alone = state.pending.is_empty();
        self.append(id, Pending { id: transfer.id, end: 0, profile, turn: self.now });
        let own = self.profiles.get(profile);
        if fits {
            self.start_job(rank, own.written, Work::Write);
            return;
        }
        let left = if is_alone { own.left_when_written } else { self.profiles.buffered(profile) };
        let state = &mut self.connections[id as usize];
        state.written_at = state.end.saturating_sub(left);
        if state.written_at <= state.drained {
            state.written_at = crate::connection::NEVER;
            self.start_job(rank, own.written, Work::Write);
            return;
        }
        let drains = self.host.protocol.drain.drains(rank, to);
        self.turn_to(rank, State::Blocked { drains });
        self.read_next(rank);
        self.watch(rank, Time::MAX);
    }

    /// Closes the congestion window of a connection on which nothing has moved, either way, for the
    /// shortest time-out.
    fn restart_when_idle(&mut self, id: ConnectionId) {
        let tcp = &self.host.tcp;
        if !tcp.restart_when_idle {
            return;
        }
        let idle_since = |id: ConnectionId| {
            let state = &self.connections[id as usize];
            let is_idle = state.pending.is_empty() && state.arriving.is_empty();
            if is_idle { state.last_active } else { self.now }
        };
        if self.now > idle_since(id).max(idle_since(back(id))) + tcp.shortest_timeout {
            let window = &mut self.connections[id as usize].congestion_window;
            *window = tcp.initial_window.min(*window);
        }
    }

    /// Lets a write return that has waited for room.
    pub(crate) fn write_has_room(&mut self, rank: Rank) {
        self.turn_to(rank, State::Idle);
        self.notices.push_back(Notice::Written(rank));
    }

    pub(crate) fn start_job(&mut self, rank: Rank, left: Time, work: Work) {
        self.turn_to(rank, State::Busy);
        let share = self.share(rank);
        self.processes[rank as usize].job = Some(Job { work, left, since: self.now, share });
        if left == Time::ZERO {
            self.end_job(rank);
            return;
        }
        self.schedule_job(rank);
        self.watch(rank, self.now + left);
    }

    /// Returns what the kernel of a rank's node leaves of the processor.
    fn share(&self, rank: Rank) -> u64 {
        let node = self.node_of_rank[rank as usize];
        (CAPACITY.saturating_sub(self.kernel_busy[node as usize]) >> SHARE_SHIFT) as u64
    }

    /// Goes on with a job at the share that it has now.
    pub(crate) fn renew_job(&mut self, rank: Rank) {
        let share = self.share(rank);
        let now = self.now;
        if let Some(job) = &mut self.processes[rank as usize].job {
            job.left = job.left.saturating_sub(job.done(now));
            (job.since, job.share) = (now, share);
            self.schedule_job(rank);
        }
    }

    fn schedule_job(&mut self, rank: Rank) {
        let process = &mut self.processes[rank as usize];
        if let Some(due) = process.job.and_then(|job| job.due())
            && due < process.job_due
        {
            process.job_due = due;
            self.events.push(due, Event::Job { rank });
        }
    }

    /// Answers the event of a job, which may come too early.
    pub(crate) fn job_due(&mut self, rank: Rank) {
        let process = &mut self.processes[rank as usize];
        if process.job_due != self.now {
            return;
        }
        process.job_due = Time::MAX;
        let Some(job) = process.job else { return };
        if job.done(self.now) >= job.left {
            self.end_job(rank);
        } else {
            self.renew_job(rank);
        }
    }

    fn end_job(&mut self, rank: Rank) {
        let Some(job) = self.processes[rank as usize].job.take() else { return };
        self.processes[rank as usize].state = State::Idle;
        self.notices.push_back(match job.work {
            Work::Compute => Notice::Computed(rank),
            Work::Write => Notice::Written(rank),
        });
    }

    pub(crate) fn begin_listening(&mut self, rank: Rank) {
        self.turn_to(rank, State::Listening);
        self.read_next(rank);
    }

    /// Lets a process that reads take the next transfer that has arrived.
    pub(crate) fn read_next(&mut self, rank: Rank) {
        loop {
            let process = &mut self.processes[rank as usize];
            if process.reading.is_some() || !process.reads() {
                return;
            }
            let Some(Ready { id, tail }) = process.ready.pop_front() else { return };
            if tail > Time::ZERO {
                process.reading = Some(id);
                self.events.push(self.now + tail, Event::Read { rank });
                return;
            }
            self.has_read(rank, id);
        }
    }

    /// Answers the end of reading.
    pub(crate) fn read_due(&mut self, rank: Rank) {
        let Some(id) = self.processes[rank as usize].reading.take() else { return };
        self.has_read(rank, id);
        self.read_next(rank);
    }

    fn has_read(&mut self, rank: Rank, id: TransferId) {
        if self.processes[rank as usize].state == State::Listening {
            self.turn_to(rank, State::Idle);
        }
        self.notices.push_back(Notice::Arrived(rank, id));
    }

    /// Changes what a process does, and lets streams to it go on if it reads now.
    fn turn_to(&mut self, rank: Rank, state: State) {
        let process = &mut self.processes[rank as usize];
        process.state = state;
        if !process.reads() {
            process.deaf_since = process.deaf_since.min(self.now);
            return;
        }
        process.deaf_since = Time::MAX;
        process.is_deaf = false;
        let mut held = std::mem::take(&mut process.held);
        for &id in &held {
            self.let_go(id);
        }
        held.clear();
        self.processes[rank as usize].held = held;
    }

    /// Sees to it that streams to a process that reads nothing until `end` are held in time.
    pub(crate) fn watch(&mut self, rank: Rank, end: Time) {
        let process = &mut self.processes[rank as usize];
        if process.reads() || process.is_deaf || process.is_watched {
            return;
        }
        let due = process.deaf_since + self.window_time;
        if end > due {
            process.is_watched = true;
            self.events.push(due.max(self.now), Event::Deaf { rank });
        }
    }

    /// Holds the streams to a process that has not read for a while.
    pub(crate) fn deaf_due(&mut self, rank: Rank) {
        let process = &mut self.processes[rank as usize];
        process.is_watched = false;
        if process.reads() {
            return;
        }
        if self.now < process.deaf_since + self.window_time {
            self.watch(rank, Time::MAX);
            return;
        }
        process.is_deaf = true;
        for place in 0..self.processes[rank as usize].incoming.len() {
            self.hold(self.processes[rank as usize].incoming[place]);
        }
    }
}

impl Job {
    /// Returns how much of it has been done since it was last looked at.
    fn done(&self, now: Time) -> Time {
        let whole = (CAPACITY >> SHARE_SHIFT) as u64;
        let span = now.saturating_sub(self.since);
        let done = u128::from(span.ps()) * u128::from(self.share) / u128::from(whole);
        Time::from_ps(done as u64)
    }

    /// Returns when it ends at its present share; `None` for never.
    fn due(&self) -> Option<Time> {
        let whole = CAPACITY >> SHARE_SHIFT;
        let wait = u128::from(self.left.ps()) * whole;
        let wait =
            wait.checked_div(u128::from(self.share))? + u128::from(self.share < whole as u64);
        u64::try_from(wait).ok()?.checked_add(self.since.ps()).map(Time::from_ps)
    }
}
