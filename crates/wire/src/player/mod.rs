//! A rank of a program played over real sockets: the model that answers its executor, in a
//! process of the rank's own, inside its node.
//!
//! Every two ranks that exchange messages share one TCP connection, made before the program begins.
//! A transfer is its head and as many zeros as its header and body have bytes.

mod connections;
mod real_time;
mod stream;

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use host::{Head, Transfer, WhileBlocked};
use nix::errno::Errno;
use program::{Rank, StreamId};
use quantity::Time;
use simulation::{Datagram, NetworkModel, Notice, RunError};

pub use connections::{Connections, Listener};
pub use real_time::RealTime;
use stream::Outgoing;

/// The activity of the rank.
#[derive(Debug)]
enum Activity {
    Listening,
    Writing(Outgoing, WhileBlocked),
    Computing(Time),
    Sleeping(Time),
}

/// A rank with its connections to others.
#[derive(Debug)]
pub struct SocketModel {
    rank: Rank,
    connections: Connections,
    time: RealTime,
    activity: Activity,
    /// Complete transfers that the executor does not know of yet, by sender and head.
    arrived: VecDeque<(Rank, Head)>,
    /// The timers of streams that run.
    timers: BinaryHeap<Reverse<(Time, StreamId)>>,
}

impl SocketModel {
    /// Returns a rank that begins at the time zero of `time`.
    pub fn new(rank: Rank, connections: Connections, time: RealTime) -> SocketModel {
        SocketModel {
            rank,
            connections,
            time,
            activity: Activity::Listening,
            arrived: VecDeque::new(),
            timers: BinaryHeap::new(),
        }
    }

    /// Returns the error of a run whose last connection failed.
    fn lost(&self) -> RunError {
        let peer = self.connections.last_used.unwrap_or(self.rank);
        RunError::ConnectionLost {
            from: self.rank,
            to: peer,
            attempts: 0,
            at: self.time.now(),
            stuck: Vec::new(),
        }
    }

    /// Continues the present activity until there is something to tell.
    fn go_on(&mut self) -> Result<Notice, Errno> {
        loop {
            if let Some((from, head)) = self.arrived.pop_front() {
                return Ok(Notice::Arrived { rank: self.rank, from, head });
            }
            if let Some(to) = self.connections.next_flushed() {
                return Ok(Notice::Flushed { rank: self.rank, to });
            }
            if let Some(stream) = self.due_timer() {
                return Ok(Notice::TimerEnded(self.rank, stream));
            }
            match &mut self.activity {
                Activity::Computing(end) => {
                    let end = *end;
                    if self.is_over(end)? {
                        self.activity = Activity::Listening;
                        return Ok(Notice::Computed(self.rank));
                    }
                }
                Activity::Sleeping(end) => {
                    let end = *end;
                    if self.is_over(end)? {
                        self.activity = Activity::Listening;
                        return Ok(Notice::SleepEnded(self.rank));
                    }
                }
                Activity::Writing(outgoing, while_blocked) => {
                    if self.connections.write(outgoing)? {
                        self.activity = Activity::Listening;
                        return Ok(Notice::Written(self.rank));
                    }
                    let (to, while_blocked) = (outgoing.to, *while_blocked);
                    if while_blocked == WhileBlocked::GoesOn {
                        self.postpone();
                        return Ok(Notice::Postponed(self.rank));
                    }
                    let reads = while_blocked == WhileBlocked::Reads;
                    self.arrived.extend(self.connections.wait(Some(to), reads, None)?);
                }
                Activity::Listening => {
                    let until = self.next_timer().map(|end| self.time.until(end));
                    self.arrived.extend(self.connections.wait(None, true, until)?);
                }
            }
        }
    }

    /// Leaves the rest of a write to the connections.
    fn postpone(&mut self) {
        if let Activity::Writing(outgoing, _) =
            std::mem::replace(&mut self.activity, Activity::Listening)
        {
            self.connections.postpone(outgoing);
        }
    }

    /// Returns the stream whose timer has run down.
    fn due_timer(&mut self) -> Option<StreamId> {
        let end = self.next_timer()?;
        if end > self.time.now() {
            return None;
        }
        self.timers.pop().map(|Reverse((_, stream))| stream)
    }

    fn next_timer(&self) -> Option<Time> {
        self.timers.peek().map(|&Reverse((end, _))| end)
    }

    /// Passes time until `end`, or until the next timer; returns whether `end` is reached. Data
    /// that wait for room leave meanwhile.
    fn is_over(&mut self, end: Time) -> Result<bool, Errno> {
        let next = self.next_timer().map_or(end, |timer| timer.min(end));
        while self.connections.has_postponed() && self.time.now() < next {
            self.connections.wait(None, false, Some(self.time.until(next)))?;
        }
        self.time.sleep_until(next);
        Ok(next == end)
    }
}

impl NetworkModel for SocketModel {
    fn now(&self) -> Time {
        self.time.now()
    }

    fn write(&mut self, _rank: Rank, to: Rank, transfer: Transfer, while_blocked: WhileBlocked) {
        self.activity = Activity::Writing(Outgoing::new(to, transfer), while_blocked);
    }

    fn set_timer(&mut self, _rank: Rank, stream: StreamId, end: Time) {
        self.timers.push(Reverse((end, stream)));
    }

    fn compute(&mut self, _rank: Rank, work: Time) {
        self.activity = Activity::Computing(self.time.now() + work);
    }

    fn sleep(&mut self, _rank: Rank, end: Time) {
        self.activity = Activity::Sleeping(end);
    }

    fn listen(&mut self, _rank: Rank) {
        self.activity = Activity::Listening;
    }

    fn send_datagram(&mut self, _rank: Rank, _datagram: Datagram) {
        unreachable!("no program with datagrams is given to this engine");
    }

    fn advance(&mut self) -> Result<Option<Notice>, RunError> {
        self.go_on().map(Some).map_err(|_| self.lost())
    }
}
