//! What a transfer finds when it begins: the congestion window of its connection, and what went
//! ahead of it the same way.

use host::HostModel;
use quantity::Time;

/// To what part of their wait interrupts are told apart.
const PARTS_OF_A_WAIT: u64 = 256;

/// Times of the acknowledgements that went last, the latest first; zero for none.
pub type LastAcks = [Time; 4];

/// What a transfer begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ConnectionState {
    /// In segments; [`SATURATED_WINDOW`] does not limit.
    pub congestion_window: u32,
    /// How long before the beginning acknowledgements went ahead, of what the other end wrote: a
    /// node that waits before it takes them takes with them what comes meanwhile.
    pub ahead: LastAcks,
}

impl ConnectionState {
    /// Returns the beginning of a transfer on a connection that is silent.
    pub fn silent(congestion_window: u32) -> ConnectionState {
        ConnectionState { congestion_window, ahead: LastAcks::default() }
    }

    /// Returns what a transfer at `now` begins with, behind acknowledgements that left at `acks`.
    /// So that few transfers are the only ones of their kind, times are rounded to a part of what
    /// interrupts wait.
    pub fn behind(
        congestion_window: u32,
        now: Time,
        acks: LastAcks,
        host: &HostModel,
    ) -> ConnectionState {
        let hold = host.queues.interrupt_hold;
        let part = (hold.ps() / PARTS_OF_A_WAIT).max(1);
        let ahead = acks.map(|ack| match now.saturating_sub(ack) {
            span if ack == Time::ZERO || span > hold * 2 => Time::ZERO,
            span => Time::from_ps((span.ps() + part / 2) / part * part),
        });
        ConnectionState { congestion_window, ahead }
    }
}
