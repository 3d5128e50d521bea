//! Tracers of ranks: a [`Traced`] model passes everything on between executor and engine, and tells
//! a tracer what each rank does. It changes nothing, and works for every engine.

use host::{Head, Transfer, WhileBlocked};
use network::NodeId;
use program::{Rank, StreamId};
use quantity::Time;

use crate::error::RunError;
use crate::model::{Datagram, NetworkModel, Notice};

/// The activity of a rank until its engine answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activity {
    /// It computes, for its program or for the message library.
    Compute,
    /// It writes a transfer, or sends a datagram.
    Send,
    /// It waits for data.
    Wait,
    /// It sleeps.
    Sleep,
}

/// A tracer of what ranks do; by default it ignores it, at no cost.
pub trait Tracer {
    /// Notes that a rank begins an activity.
    #[inline]
    fn begins(&mut self, _time: Time, _rank: Rank, _activity: Activity) {}

    /// Notes that the activity of a rank is over.
    #[inline]
    fn ends(&mut self, _time: Time, _rank: Rank) {}

    /// Notes that a rank begins to write a transfer.
    #[inline]
    fn writes(&mut self, _time: Time, _from: Rank, _to: Rank, _transfer: Transfer) {}

    /// Notes that a rank has read the last byte of a transfer of another.
    #[inline]
    fn has_read(&mut self, _time: Time, _rank: Rank, _from: Rank, _head: Head) {}
}

impl<T: Tracer> Tracer for Option<T> {
    #[inline]
    fn begins(&mut self, time: Time, rank: Rank, activity: Activity) {
        self.iter_mut().for_each(|tracer| tracer.begins(time, rank, activity));
    }

    #[inline]
    fn ends(&mut self, time: Time, rank: Rank) {
        self.iter_mut().for_each(|tracer| tracer.ends(time, rank));
    }

    #[inline]
    fn writes(&mut self, time: Time, from: Rank, to: Rank, transfer: Transfer) {
        self.iter_mut().for_each(|tracer| tracer.writes(time, from, to, transfer));
    }

    #[inline]
    fn has_read(&mut self, time: Time, rank: Rank, from: Rank, head: Head) {
        self.iter_mut().for_each(|tracer| tracer.has_read(time, rank, from, head));
    }
}

/// A tracer that ignores everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoTracer;

impl Tracer for NoTracer {}

/// A model whose ranks are traced.
#[derive(Debug)]
pub struct Traced<M, T> {
    /// The model.
    pub model: M,
    /// The tracer.
    pub tracer: T,
}

impl<M: NetworkModel, T: Tracer> Traced<M, T> {
    fn begins(&mut self, rank: Rank, activity: Activity) {
        self.tracer.begins(self.model.now(), rank, activity);
    }
}

impl<M: NetworkModel, T: Tracer> NetworkModel for Traced<M, T> {
    #[inline]
    fn now(&self) -> Time {
        self.model.now()
    }

    #[inline]
    fn write(&mut self, rank: Rank, to: Rank, transfer: Transfer, while_blocked: WhileBlocked) {
        self.begins(rank, Activity::Send);
        self.tracer.writes(self.model.now(), rank, to, transfer);
        self.model.write(rank, to, transfer, while_blocked);
    }

    #[inline]
    fn compute(&mut self, rank: Rank, work: Time) {
        self.begins(rank, Activity::Compute);
        self.model.compute(rank, work);
    }

    #[inline]
    fn sleep(&mut self, rank: Rank, end: Time) {
        self.begins(rank, Activity::Sleep);
        self.model.sleep(rank, end);
    }

    #[inline]
    fn set_timer(&mut self, rank: Rank, stream: StreamId, end: Time) {
        self.model.set_timer(rank, stream, end);
    }

    #[inline]
    fn node_of(&self, rank: Rank) -> Option<NodeId> {
        self.model.node_of(rank)
    }

    #[inline]
    fn hand_over(&mut self, from: Rank, to: Rank, transfer: Transfer, at: Time) {
        self.tracer.writes(self.model.now(), from, to, transfer);
        self.model.hand_over(from, to, transfer, at);
    }

    #[inline]
    fn listen(&mut self, rank: Rank) {
        self.begins(rank, Activity::Wait);
        self.model.listen(rank);
    }

    #[inline]
    fn moves_datagrams(&self) -> bool {
        self.model.moves_datagrams()
    }

    #[inline]
    fn send_datagram(&mut self, rank: Rank, datagram: Datagram) {
        self.begins(rank, Activity::Send);
        self.model.send_datagram(rank, datagram);
    }

    #[inline]
    fn advance(&mut self) -> Result<Option<Notice>, RunError> {
        let notice = self.model.advance()?;
        let now = self.model.now();
        match notice {
            Some(
                Notice::Written(rank)
                | Notice::Postponed(rank)
                | Notice::Computed(rank)
                | Notice::SleepEnded(rank),
            ) => {
                self.tracer.ends(now, rank);
            }
            Some(Notice::Arrived { rank, from, head }) => {
                self.tracer.has_read(now, rank, from, head);
            }
            Some(Notice::Flushed { .. } | Notice::TimerEnded(..)) | None => {}
        }
        Ok(notice)
    }
}
