//! The write of a transfer: its header and its body are a system call each, which copies piece by
//! piece what the send buffer takes, and blocks while it takes nothing.
//!
//! Both steps of a piece are inlined by force: each engine has one loop that asks for every piece.

use quantity::Time;

use crate::constants::{HostModel, TcpOptions};
use crate::tcp::Endpoint;
use crate::transfer::Transfer;

use super::Piece;

/// A transfer that a process is writing.
#[derive(Clone, Copy, Debug)]
pub struct WriteCall<C> {
    /// The connection that it goes to.
    pub connection: C,
    /// Whether the process takes in what arrives while the call is blocked.
    pub reads_while_blocked: bool,
    /// What is left of the present write, and whether its system call has been charged.
    left: u64,
    is_entered: bool,
    /// The write that follows.
    body: u64,
}

impl<C> WriteCall<C> {
    /// Returns the write of a transfer, of which nothing is copied.
    pub fn new(connection: C, transfer: Transfer, reads_while_blocked: bool) -> WriteCall<C> {
        let (left, body) = match transfer.header {
            0 => (transfer.body, 0),
            header => (u64::from(header), transfer.body),
        };
        WriteCall { connection, reads_while_blocked, left, is_entered: false, body }
    }

    /// Returns whether anything is left to write; moves on to the body where the header is written.
    #[inline]
    pub fn has_more(&mut self) -> bool {
        if self.left == 0 {
            self.left = std::mem::take(&mut self.body);
            self.is_entered = false;
        }
        self.left > 0
    }

    /// Returns what is left of the present write.
    pub fn left(&self) -> u64 {
        self.left
    }

    /// Returns what is copied next; `None` while the send buffer is full.
    #[inline(always)]
    pub fn next_piece(&self, end: &Endpoint, host: &HostModel) -> Option<Piece> {
        let (sender, tcp) = (&end.sender, &host.tcp);
        let segment = end.receiver.segment_bytes();
        let most = match host.queues.send_bytes / segment {
            0 | 1 => segment,
            most => sender.room(segment, tcp).clamp(1, most) * segment,
        };
        let payload = self.left.min(u64::from(most)) as u32;
        let leaves = || sender.would_leave(payload.min(segment), tcp);
        sender.has_room(payload, tcp).then(|| Piece { payload, leaves: leaves() })
    }

    /// Returns the processor time of a piece.
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

    /// Puts a piece into the send buffer. Returns how many segments its process has paid to send;
    /// `None` where the kernel sends what may leave, which it also does with a piece that may leave
    /// only now, since an acknowledgement has come meanwhile.
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

    /// Takes so many bytes of the present write for written, for a jump over whole periods.
    pub fn skip(&mut self, bytes: u64) {
        self.left -= bytes;
    }

    /// Appends to `state` what the times to come depend on, but for how much is left.
    pub fn describe(&self, state: &mut Vec<u64>) {
        state.push(u64::from(self.is_entered));
    }
}
