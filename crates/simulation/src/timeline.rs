//! The time line of a run: what each rank did and when, and the messages between ranks. A tracer
//! collects it, of any engine.

use host::{HostModel, Transfer, TransferId};
use program::Rank;
use quantity::{IdVec, NamedColumn, Time, columns};

use crate::message::{MessageId, Role, read_transfer_id};
use crate::tracer::{Activity, Tracer};

columns! {
    /// Activities of ranks, in the order in which they ended.
    "ranks": Activities of ActivityRow {
        /// The rank.
        rank: u32,
        /// Its begin, in seconds.
        start: f64,
        /// Its end.
        end: f64,
        /// 0 compute, 1 send, 2 wait for data, 3 sleep.
        state: u8,
    }
}

columns! {
    /// Messages between ranks, in the order in which their writes began.
    "messages": Messages of MessageRow {
        /// Sending rank.
        from: u32,
        /// Receiving rank.
        to: u32,
        /// When the write began, in seconds.
        start: f64,
        /// When the last byte was read.
        end: f64,
        /// Bytes of user data.
        bytes: f64,
    }
}

/// A [`Tracer`] that collects the time line of a run.
#[derive(Debug)]
pub struct Timeline {
    activities: Vec<ActivityRow>,
    messages: Vec<MessageRow>,
    /// The activity of each rank, and its begin.
    present: IdVec<Rank, Option<(Activity, Time)>>,
    /// The row of each message in progress.
    open: IdVec<MessageId, Option<usize>>,
    /// Bytes of the envelope in front of a short message.
    envelope: u64,
    /// Rows that each table may have.
    most: usize,
    is_whole: bool,
}

/// A collected time line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TimelineColumns {
    /// The activities of ranks.
    pub activities: Activities,
    /// The messages.
    pub messages: Messages,
    /// False if more happened than was kept.
    pub is_whole: bool,
}

impl Timeline {
    /// Returns the empty time line of `n_ranks` ranks, with at most `most` rows per table.
    pub fn new(n_ranks: u32, host: &HostModel, most: usize) -> Timeline {
        Timeline {
            activities: Vec::new(),
            messages: Vec::new(),
            present: IdVec::filled(None, n_ranks),
            open: IdVec::new(),
            envelope: u64::from(host.protocol.envelope),
            most,
            is_whole: true,
        }
    }

    /// Returns the time line until the `end` of the run, at which everything in progress ends.
    pub fn finish(mut self, end: Time) -> TimelineColumns {
        for rank in self.present.ids() {
            self.close(end, rank);
        }
        for row in self.open.iter().flatten() {
            self.messages[*row].end = end.seconds();
        }
        TimelineColumns {
            activities: self.activities.into_iter().collect(),
            messages: self.messages.into_iter().collect(),
            is_whole: self.is_whole,
        }
    }

    fn close(&mut self, time: Time, rank: Rank) {
        let Some((activity, begin)) = self.present[rank].take() else { return };
        if begin == time {
            return;
        }
        if self.activities.len() == self.most {
            self.is_whole = false;
            return;
        }
        let (start, end) = (begin.seconds(), time.seconds());
        self.activities.push(ActivityRow { rank: rank.get(), start, end, state: activity as u8 });
    }

    fn open_message(&mut self, time: Time, from: Rank, to: Rank, id: MessageId) {
        if self.messages.len() == self.most {
            self.is_whole = false;
            return;
        }
        *self.open.reach(id, None) = Some(self.messages.len());
        let start = time.seconds();
        let (from, to) = (from.get(), to.get());
        self.messages.push(MessageRow { from, to, start, end: start, bytes: 0.0 });
    }
}

impl Tracer for Timeline {
    fn begins(&mut self, time: Time, rank: Rank, activity: Activity) {
        self.close(time, rank);
        self.present[rank] = Some((activity, time));
    }

    fn ends(&mut self, time: Time, rank: Rank) {
        self.close(time, rank);
    }

    fn writes(&mut self, time: Time, from: Rank, to: Rank, transfer: Transfer) {
        let (id, role) = read_transfer_id(transfer.id);
        if matches!(role, Role::Short | Role::Envelope | Role::Request) {
            self.open_message(time, from, to, id);
        }
        let bytes = match role {
            Role::Short => transfer.body - self.envelope,
            Role::Data => transfer.body,
            Role::Envelope | Role::Request | Role::Clear => return,
        };
        if let Some(Some(row)) = self.open.get(id) {
            self.messages[*row].bytes = bytes as f64;
        }
    }

    fn has_read(&mut self, time: Time, rank: Rank, transfer: TransferId) {
        // A rank that writes may read meanwhile.
        if matches!(self.present[rank], Some((Activity::Wait, _))) {
            self.close(time, rank);
        }
        let (id, role) = read_transfer_id(transfer);
        let is_end = matches!(role, Role::Short | Role::Data);
        let row = self.open.get_mut(id).filter(|_| is_end).and_then(Option::take);
        if let Some(row) = row {
            self.messages[row].end = time.seconds();
        }
    }
}

impl TimelineColumns {
    /// Returns all columns.
    pub fn named(&self) -> Vec<NamedColumn<'_>> {
        [self.activities.named(), self.messages.named()].concat()
    }
}
