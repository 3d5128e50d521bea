//! The process of a rank: it computes, writes, and reads arriving data, one at a time. The choice
//! of the data to read is in `reading`.
//!
//! The kernel has priority: its work for flows, above all relayed ones, slows down a computation or
//! a copy.

use host::{JobEnd, Share, Transfer, WhileBlocked};
use program::Rank;
use quantity::Time;
use simulation::Notice;
use simulation::path::{ConnectionState, Writes};

use crate::connection::{ConnectionId, Pending, back};
use crate::model::{Event, FlowModel};
use crate::rank::{State, Work};
use crate::units::CAPACITY;

/// Binary places of the processor share that the kernel leaves.
const SHARE_SHIFT: u32 = 48;

impl FlowModel<'_> {
    /// Begins a write.
    pub(crate) fn begin_write(
        &mut self,
        rank: Rank,
        to: Rank,
        transfer: Transfer,
        while_blocked: WhileBlocked,
    ) {
        let Some(id) = self.connection(rank, to) else { return };
        let writes = Writes { header: transfer.header, body: transfer.body };
        self.restart_when_idle(id);
        let state = &self.connections[id];
        let acks = self.connections[back(id)].acks;
        let opening =
            ConnectionState::behind(state.congestion_window, self.clock.now, acks, &self.host);
        let profile = self.profiles.find(state.class, writes, opening);
        let fits = self.profiles.fits(profile, state.n_segments, state.bytes);
        let is_alone = state.n_segments == 0;
        self.append(id, Pending::new(transfer.head, profile));
        let own = self.profiles.get(profile);
        if fits {
            let waits = self.waits_to_join(id, profile);
            let written = if waits { self.copying(writes) } else { own.written };
            self.start_job(rank, written, Work::Write);
            return;
        }
        if self.connections[id].pending.is_empty() {
            self.connections[id].waits_for_bursts = true;
            return self.block(rank, id, while_blocked);
        }
        let left = if is_alone { own.left_when_written } else { self.profiles.buffered(profile) };
        let state = &mut self.connections[id];
        state.written_at = state.end.saturating_sub(left);
        if state.written_at <= state.drained {
            state.written_at = crate::connection::NEVER;
            self.start_job(rank, own.written, Work::Write);
            return;
        }
        self.block(rank, id, while_blocked);
    }

    /// Lets a process wait for room in the send buffer of a connection, or do other work.
    fn block(&mut self, rank: Rank, id: ConnectionId, while_blocked: WhileBlocked) {
        if while_blocked == WhileBlocked::GoesOn {
            self.connections[id].is_postponed = true;
            return self.clock.notify(Notice::Postponed(rank));
        }
        let reads = while_blocked == WhileBlocked::Reads;
        self.turn_to(rank, State::Blocked { reads });
        self.read_next(rank);
    }

    /// Resets the congestion window of a connection that has been idle in both directions for the
    /// shortest retransmission time-out.
    fn restart_when_idle(&mut self, id: ConnectionId) {
        let tcp = &self.host.tcp;
        if !tcp.restart_when_idle {
            return;
        }
        let idle_since = |id: ConnectionId| {
            let state = &self.connections[id];
            let is_idle = state.pending.is_empty() && state.is_all_there();
            if is_idle { state.last_active } else { self.clock.now }
        };
        if self.clock.now > idle_since(id).max(idle_since(back(id))) + tcp.shortest_timeout {
            let state = &mut self.connections[id];
            state.congestion_window = tcp.initial_window.min(state.congestion_window);
            state.most_in_flight = tcp.initial_window.min(state.most_in_flight);
        }
    }

    /// Completes a write that was blocked for lack of room.
    pub(crate) fn write_has_room(&mut self, id: ConnectionId) {
        let state = &mut self.connections[id];
        let (rank, to) = (state.from, state.to);
        if std::mem::take(&mut state.is_postponed) {
            return self.clock.notify(Notice::Flushed { rank, to });
        }
        self.turn_to(rank, State::Idle);
        self.clock.notify(Notice::Written(rank));
    }

    pub(crate) fn start_job(&mut self, rank: Rank, left: Time, work: Work) {
        self.turn_to(rank, State::Busy);
        let share = self.share(rank);
        let now = self.clock.now;
        let (backlog, lost) = self.taken_by_kernel(rank);
        let left = if left > Time::ZERO { left + backlog } else { left };
        let process = &mut self.processes[rank];
        process.lost = lost;
        if process.cpu.start(now, left, work, share) {
            return self.job_over(rank, work);
        }
        self.schedule_job(rank);
    }

    /// Returns the processor share that the kernel of a rank's node leaves.
    fn share(&self, rank: Rank) -> Share {
        let processor = self.resources.processor_index(self.processors[rank]);
        let left = CAPACITY.saturating_sub(self.kernel_busy[processor]);
        let [part, whole] = [left, CAPACITY].map(|all| (all >> SHARE_SHIFT) as u64);
        Share { part, whole }
    }

    /// Returns the time until the processor of a process has done what its kernel now has to do for
    /// bursts, and all time that it has spent on them.
    pub(crate) fn taken_by_kernel(&self, rank: Rank) -> (Time, Time) {
        let queue = &self.queues[self.processors[rank]];
        (queue.backlog(self.clock.now), queue.work)
    }

    /// Returns the time that the processor of a process has lost to bursts since the last call.
    pub(crate) fn newly_lost(&mut self, rank: Rank) -> Time {
        let (_, lost) = self.taken_by_kernel(rank);
        let before = std::mem::replace(&mut self.processes[rank].lost, lost);
        lost.saturating_sub(before)
    }

    /// Reschedules a job at its present share of the processor.
    pub(crate) fn renew_job(&mut self, rank: Rank) {
        let share = self.share(rank);
        self.processes[rank].cpu.set_share(self.clock.now, share);
        self.schedule_job(rank);
    }

    fn schedule_job(&mut self, rank: Rank) {
        if let Some(due) = self.processes[rank].cpu.next_end() {
            self.clock.events.push(due, Event::Job { rank });
        }
    }

    /// Handles the event of a job, which may come too early.
    pub(crate) fn job_due(&mut self, rank: Rank) {
        let share = self.share(rank);
        match self.processes[rank].cpu.end_job(self.clock.now, share) {
            JobEnd::Over(work) => {
                let lost = self.newly_lost(rank);
                if self.processes[rank].cpu.start(self.clock.now, lost, work, share) {
                    self.job_over(rank, work);
                } else {
                    self.schedule_job(rank);
                }
            }
            JobEnd::Later(due) => self.clock.events.push(due, Event::Job { rank }),
            JobEnd::Idle => {}
        }
    }

    fn job_over(&mut self, rank: Rank, work: Work) {
        self.processes[rank].state = State::Idle;
        self.clock.notify(match work {
            Work::Compute => Notice::Computed(rank),
            Work::Write => Notice::Written(rank),
        });
    }

    pub(crate) fn begin_sleep(&mut self, rank: Rank, end: Time) {
        self.turn_to(rank, State::Busy);
        self.clock.events.push(end, Event::SleepEnded { rank });
    }

    pub(crate) fn sleep_ended(&mut self, rank: Rank) {
        self.processes[rank].state = State::Idle;
        self.clock.notify(Notice::SleepEnded(rank));
    }

    pub(crate) fn begin_listening(&mut self, rank: Rank) {
        self.turn_to(rank, State::Listening);
        self.read_next(rank);
    }

    /// Changes the state of a process.
    fn turn_to(&mut self, rank: Rank, state: State) {
        let process = &mut self.processes[rank];
        let has_read = process.reads();
        process.state = state;
        if self.takes_turns() {
            return self.note_turned(rank);
        }
        let process = &self.processes[rank];
        if has_read
            && !process.reads()
            && !process.is_finishing
            && let Some(id) = process.order.reading()
        {
            self.look_away(id);
        }
    }
}
