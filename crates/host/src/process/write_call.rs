//! The write of a transfer. Its header and its body are a system call each, which copies pieces to
//! the send buffer while it has room; `Postponed` has the writes that wait for room in it.
//!
//! Both steps of a piece are `inline(always)`, because each engine calls them from the one loop
//! that every piece passes.

use quantity::Time;

use crate::constants::{HostModel, TcpOptions, WhileBlocked};
use crate::tcp::Endpoint;
use crate::transfer::Transfer;

use super::Piece;

/// A transfer that a process is writing.
#[derive(Clone, Copy, Debug)]
pub struct WriteCall<C> {
    /// The connection that is written to.
    pub connection: C,
    /// The work of the process while the call is blocked.
    pub while_blocked: WhileBlocked,
    /// Bytes left of the present system call, and true once its entry has been charged.
    left: u64,
    is_entered: bool,
    /// Bytes of the body, while the header is written.
    body: u64,
}

impl<C> WriteCall<C> {
    /// Returns the write of a transfer, before the first piece.
    pub fn new(connection: C, transfer: Transfer, while_blocked: WhileBlocked) -> WriteCall<C> {
        let (left, body) = match transfer.header {
            0 => (transfer.body, 0),
            header => (u64::from(header), transfer.body),
        };
        WriteCall { connection, while_blocked, left, is_entered: false, body }
    }

    /// Returns whether anything is left to write; continues with the body once the header is
    /// written.
    #[inline]
    pub fn has_more(&mut self) -> bool {
        if self.left == 0 {
            self.left = std::mem::take(&mut self.body);
            self.is_entered = false;
        }
        self.left > 0
    }

    /// Returns the bytes left of the present system call.
    pub fn left(&self) -> u64 {
        self.left
    }

    /// Returns the next piece; `None` while the send buffer is full. A piece that joins a held tail
    /// needs no room.
    #[inline(always)]
    pub fn next_piece(&self, end: &Endpoint, host: &HostModel) -> Option<Piece> {
        let (sender, tcp) = (&end.sender, &host.tcp);
        let segment = end.receiver.segment_bytes();
        if let Some(room) = sender.room_in_tail() {
            let payload = self.left.min(u64::from(room)) as u32;
            return Some(Piece { payload, leaves: sender.would_leave(payload, tcp) });
        }
        let most = match host.queues.send_bytes / segment {
            0 | 1 => segment,
            most => sender.room(segment).clamp(1, most) * segment,
        };
        let payload = self.left.min(u64::from(most)) as u32;
        let leaves = || sender.would_leave(payload.min(segment), tcp);
        sender.has_room(payload).then(|| Piece { payload, leaves: leaves() })
    }

    /// Returns the processor time of copying a piece, and of sending it if it leaves.
    #[inline]
    pub fn work(&self, piece: Piece, end: &Endpoint, host: &HostModel) -> Time {
        let costs = &host.costs;
        let mut work = costs.send_copy.of(u64::from(piece.payload));
        if !self.is_entered {
            work += costs.write_call;
        }
        if piece.leaves {
            work += costs.send_fixed;
            if costs.send_frame > Time::ZERO {
                let n_segments = piece.payload.div_ceil(end.receiver.segment_bytes());
                work += costs.send_frame * u64::from(n_segments - 1);
            }
        }
        work
    }

    /// Puts a piece into the send buffer. Returns the number of segments that the process has paid
    /// to send; `None` if the kernel sends as far as the windows allow. A piece that only a later
    /// acknowledgement has allowed to leave is sent by the kernel too.
    #[inline(always)]
    pub fn copied(
        &mut self,
        piece: Piece,
        end: &mut Endpoint,
        now: Time,
        options: &TcpOptions,
    ) -> Option<u32> {
        let Piece { payload, leaves } = piece;
        self.is_entered = true;
        self.left -= u64::from(payload);
        let push = self.left == 0;
        let most = end.receiver.segment_bytes();
        let is_paid = leaves && end.sender.would_leave(payload.min(most), options);
        let n_segments = payload.div_ceil(most);
        let last = payload - (n_segments - 1) * most;
        (1..n_segments).for_each(|_| end.write(most, false, now, options));
        end.write(last, push, now, options);
        is_paid.then_some(n_segments)
    }

    /// Skips bytes of the present system call, for a jump over whole periods.
    pub fn skip(&mut self, bytes: u64) {
        self.left -= bytes;
    }

    /// Appends to `state` everything that future times depend on, except the bytes left.
    pub fn describe(&self, state: &mut Vec<u64>) {
        state.push(u64::from(self.is_entered));
    }
}
