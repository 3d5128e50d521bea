//! The state of a connection at the start of a transfer: its congestion window, and
//! acknowledgements sent ahead in the same direction.

use host::HostModel;
use quantity::Time;

/// Resolution of the times of earlier acknowledgements, as a divisor of the interrupt delay.
const PARTS_OF_A_WAIT: u64 = 256;

/// Departure times of the last acknowledgements, the latest first; zero for none.
pub type LastAcks = [Time; 4];

/// The state of a connection at the start of a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ConnectionState {
    /// Congestion window in segments; [`SATURATED_WINDOW`] does not limit.
    pub congestion_window: u32,
    /// Ages of the acknowledgements sent ahead, for data of the other end: a node that delays its
    /// interrupts receives them together with the frames that follow.
    pub ahead: LastAcks,
}

impl ConnectionState {
    /// Returns the state of an idle connection.
    pub fn silent(congestion_window: u32) -> ConnectionState {
        ConnectionState { congestion_window, ahead: LastAcks::default() }
    }

    /// Returns the state for a transfer at `now`, behind acknowledgements that left at `acks`.
    /// Times are rounded to a fraction of the interrupt delay, so that many transfers share a
    /// state.
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
