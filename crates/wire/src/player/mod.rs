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

use host::{Head, ProgressRule, Transfer};
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
    Writing(Outgoing),
    Computing(Time),
    Sleeping(Time),
    /// All has been handed over to the kernel.
    Posted,
}

/// A rank with its connections to others.
#[derive(Debug)]
pub struct SocketModel {
    rank: Rank,
    connections: Connections,
    time: RealTime,
    progress: ProgressRule,
    activity: Activity,
    /// Complete transfers that the executor does not know of yet, by sender and head.
    arrived: VecDeque<(Rank, Head)>,
    /// The timers of streams that run.
    timers: BinaryHeap<Reverse<(Time, StreamId)>>,
}

impl SocketModel {
    /// Returns a rank that begins at the time zero of `time`.
    pub fn new(
        rank: Rank,
        connections: Connections,
        time: RealTime,
        progress: ProgressRule,
    ) -> SocketModel {
        SocketModel {
            rank,
            connections,
            time,
            progress,
            activity: Activity::Listening,
            arrived: VecDeque::new(),
            timers: BinaryHeap::new(),
        }
    }

    /// Writes all data that were handed over.
    ///
    /// # Errors
    /// When a connection fails.
    pub fn flush(&mut self) -> Result<(), RunError> {
        while self.connections.has_posted() {
            self.connections.wait(None, false, None).map_err(|_| self.lost())?;
        }
        Ok(())
    }

    /// Returns whether the rank reads while its write to another is blocked.
    fn reads_while_writing(&self, to: Rank) -> bool {
        match self.progress {
            ProgressRule::LowerRank => self.rank < to,
            ProgressRule::Both => true,
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
                Activity::Posted => {
                    self.activity = Activity::Listening;
                    return Ok(Notice::Written(self.rank));
                }
                Activity::Writing(outgoing) => {
                    if self.connections.write(outgoing)? {
                        self.activity = Activity::Listening;
                        return Ok(Notice::Written(self.rank));
                    }
                    let to = outgoing.to;
                    let reads = self.reads_while_writing(to);
                    self.arrived.extend(self.connections.wait(Some(to), reads, None)?);
                }
                Activity::Listening => {
                    let until = self.next_timer().map(|end| self.time.until(end));
                    self.arrived.extend(self.connections.wait(None, true, until)?);
                }
            }
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
    /// that were handed over leave meanwhile.
    fn is_over(&mut self, end: Time) -> Result<bool, Errno> {
        let next = self.next_timer().map_or(end, |timer| timer.min(end));
        while self.connections.has_posted() && self.time.now() < next {
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

    fn write(&mut self, _rank: Rank, to: Rank, transfer: Transfer) {
        self.activity = Activity::Writing(Outgoing::new(to, transfer));
    }

    fn post(&mut self, _rank: Rank, to: Rank, transfer: Transfer) {
        self.connections.post(Outgoing::new(to, transfer));
        self.activity = Activity::Posted;
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
