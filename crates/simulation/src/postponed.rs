//! Writes that wait for room while their rank goes on, as in libraries with non-blocking writes:
//! the rank answers requests and sends to others meanwhile. Later transfers to the same rank wait
//! behind them, as in the list of fragments of an endpoint (Open MPI 4.1,
//! `mca_btl_tcp_endpoint_send`).
//!
//! The call that sends the data returns when they are written; requests to send and clear-to-sends
//! are the library's own and keep no call waiting.

use std::collections::VecDeque;

use host::{MessageKind, Transfer, WhileBlocked};
use program::{Rank, StreamId};

use crate::effect::{Effect, Flow, Then};
use crate::executor::Executor;
use crate::message::Call;
use crate::stream::Wait;
use crate::unwritten::Line;

impl Executor {
    /// Writes a transfer, or lets it wait behind an earlier one to the same rank.
    pub(crate) fn begin_write(
        &mut self,
        to: Rank,
        transfer: Transfer,
        while_blocked: WhileBlocked,
    ) -> Flow {
        if self.postponed.lines.contains_key(&to) {
            let then = self.put_off();
            if let Some(line) = self.postponed.lines.get_mut(&to) {
                line.behind.push_back((transfer, then));
            }
            return Flow::Ready;
        }
        self.postponed.to = Some(to);
        Flow::Do(Effect::Write { to, transfer, while_blocked })
    }

    /// Writes the next transfer that waits behind one to the same rank.
    pub(crate) fn write_behind(&mut self, to: Rank) -> Flow {
        let line = self.postponed.lines.get_mut(&to);
        let Some((transfer, then)) = line.and_then(|line| line.behind.pop_front()) else {
            return self.go_on(Then::CheckWait);
        };
        self.then = then;
        self.postponed.to = Some(to);
        Flow::Do(Effect::Write { to, transfer, while_blocked: WhileBlocked::GoesOn })
    }

    /// Notes that a write is over; transfers behind it follow.
    #[inline]
    pub(crate) fn written(&mut self) {
        if let Some(to) = self.postponed.to.take()
            && self.postponed.is_waiting()
        {
            self.follow(to);
        }
    }

    /// Lets the rank go on while the rest of its write waits for room.
    pub(crate) fn write_postponed(&mut self) {
        let then = self.put_off();
        let to = self.postponed.to.take().expect("what is postponed has been begun");
        let line = Line { then, behind: VecDeque::new() };
        self.postponed.lines.entry(to).or_insert(line).then = then;
    }

    /// Ends a postponed write; returns whether the rank goes on at once.
    pub(crate) fn flushed(&mut self, to: Rank) -> bool {
        if let Some(line) = self.postponed.lines.get(&to) {
            self.postponed.ready.push_back(line.then);
            self.follow(to);
        }
        let is_listening = matches!(self.then, Then::Listening);
        if is_listening {
            self.then = Then::CheckWait;
        }
        is_listening
    }

    /// Lets the transfers to a rank follow, of which the first is written.
    fn follow(&mut self, to: Rank) {
        match self.postponed.lines.get(&to) {
            Some(line) if line.behind.is_empty() => {
                self.postponed.lines.remove(&to);
            }
            Some(_) => self.postponed.ready.push_back(Then::WriteBehind(to)),
            None => {}
        }
    }

    /// Chooses the present step of a rank whose write waits for room; returns the step that follows
    /// the write.
    fn put_off(&mut self) -> Then {
        match self.then {
            Then::Write(..) | Then::Requested(_) => Then::CheckWait,
            Then::Sent => self.stay_in_call(),
            Then::DataWritten(message)
                if self.messages.get(message).kind != MessageKind::Rendezvous =>
            {
                self.messages.remove(message);
                self.stay_in_call()
            }
            then => {
                self.then = Then::CheckWait;
                then
            }
        }
    }

    /// Keeps the served stream in its call until the data are written; one that has processors of
    /// its own has handed them over.
    fn stay_in_call(&mut self) -> Then {
        self.then = Then::CheckWait;
        if self.posts() {
            self.give_way();
            return Then::CheckWait;
        }
        self.stream.wait = Wait::Written;
        Then::CallWritten(self.stream.id)
    }

    /// Ends the call of a stream whose data are written.
    pub(crate) fn call_written(&mut self, stream: StreamId) -> Flow {
        self.stream_of(Call { stream, request: None }).wait = Wait::Nothing;
        self.others.iter_mut().for_each(|others| others.make_ready(stream));
        self.go_on(Then::CheckWait)
    }

    /// Returns whether the rank hands data over to the kernel, as some stream has a processor of
    /// its own.
    pub(crate) fn posts(&self) -> bool {
        self.others.as_ref().is_some_and(|others| others.posts())
    }
}
