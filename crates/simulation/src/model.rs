//! The seam between the shared rank executor and an engine. What ranks do is the executor's, how
//! long it takes the engine's.

use host::{Transfer, TransferId};
use program::{DatagramProtocol, Rank};
use quantity::Time;

use crate::error::RunError;

/// A datagram that a rank sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Datagram {
    /// Destination.
    pub to: Rank,
    /// User data.
    pub bytes: u32,
    /// User data of what the destination sends back when it has read it; 0 for nothing.
    pub answer: u32,
    /// What carries it.
    pub protocol: DatagramProtocol,
    /// Begins no sooner than this after the rank's last one began.
    pub spacing: Time,
}

/// The end of simulated time, 138 days: no run goes beyond, so that nothing which is scheduled
/// before it, and lasts no longer than half of that, leaves the range of [`Time`].
pub const END: Time = Time::from_ms(12_000_000_000);

/// Returns the time at which something is over that begins at `begin` and lasts for `span`, or the
/// end of time.
#[inline]
pub fn over_at(begin: Time, span: Time) -> Time {
    begin + span.min(END.saturating_sub(begin))
}

/// What an engine says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notice {
    /// The write of this rank has returned, or its datagram is sent: its buffer may be reused.
    Written(Rank),
    /// The process of this rank has read the last byte of a transfer.
    Arrived(Rank, TransferId),
    /// The computation of this rank is done.
    Computed(Rank),
    /// The sleep of this rank has ended.
    SleepEnded(Rank),
}

/// A network of hosts in simulated time. A rank does one thing at a time: it writes, computes, or
/// listens.
pub trait NetworkModel {
    /// Returns the current simulated time.
    fn now(&self) -> Time;

    /// Lets `rank` write `transfer` to `to`; answered by [`Notice::Written`].
    fn write(&mut self, rank: Rank, to: Rank, transfer: Transfer);

    /// Lets `rank` use its processor for `work`; answered by [`Notice::Computed`]. Never called
    /// with zero work.
    fn compute(&mut self, rank: Rank, work: Time);

    /// Lets `rank` do nothing until `end`, which is to come, its processor being free for the
    /// kernel; answered by [`Notice::SleepEnded`].
    fn sleep(&mut self, rank: Rank, end: Time);

    /// Lets `rank` read what comes in until one transfer is complete; answered by
    /// [`Notice::Arrived`].
    fn listen(&mut self, rank: Rank);

    /// Returns whether this engine moves datagrams. One that does not is not given a program with
    /// any.
    fn moves_datagrams(&self) -> bool {
        false
    }

    /// Lets `rank` send a datagram; answered by [`Notice::Written`]. What arrives is the engine's
    /// to count.
    fn send_datagram(&mut self, _rank: Rank, _datagram: Datagram) {
        unreachable!("no program with datagrams is given to this engine");
    }

    /// Goes on to the next notice; `None` when nothing will ever happen again.
    ///
    /// # Errors
    /// When the network gives up, for example on a connection whose every retransmission is lost.
    fn advance(&mut self) -> Result<Option<Notice>, RunError>;
}
