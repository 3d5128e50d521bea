//! The time line of a run: what each rank did and when, and the messages between ranks. A tracer
//! collects it, of any engine.

use std::collections::{BTreeMap, VecDeque};

use host::{Head, Transfer};
use program::Rank;
use quantity::{IdVec, NamedColumn, Time, columns};

use crate::head::Part;
use crate::message::MessageId;
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
    /// The rows of messages whose data are not written yet, by sender, and number if they are
    /// rendezvous.
    begun: BTreeMap<(Rank, Option<MessageId>), usize>,
    /// The data on their way between two ranks: their heads, and the rows of their messages.
    under_way: BTreeMap<(Rank, Rank), VecDeque<(Head, usize)>>,
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
    pub fn new(n_ranks: u32, most: usize) -> Timeline {
        Timeline {
            activities: Vec::new(),
            messages: Vec::new(),
            present: IdVec::filled(None, n_ranks),
            begun: BTreeMap::new(),
            under_way: BTreeMap::new(),
            most,
            is_whole: true,
        }
    }

    /// Returns the time line until the `end` of the run, at which everything in progress ends.
    pub fn finish(mut self, end: Time) -> TimelineColumns {
        for rank in self.present.ids() {
            self.close(end, rank);
        }
        for message in self.messages.iter_mut().filter(|message| message.end.is_nan()) {
            message.end = end.seconds();
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

    /// Adds the row of a message, whose end is not known yet; returns its place.
    fn open_message(&mut self, time: Time, from: Rank, to: Rank) -> Option<usize> {
        if self.messages.len() == self.most {
            self.is_whole = false;
            return None;
        }
        let (from, to, start) = (from.get(), to.get(), time.seconds());
        self.messages.push(MessageRow { from, to, start, end: f64::NAN, bytes: 0.0 });
        Some(self.messages.len() - 1)
    }

    /// Adds the row of a message whose data follow in another transfer.
    fn begin_message(&mut self, time: Time, from: Rank, to: Rank, number: Option<MessageId>) {
        if let Some(row) = self.open_message(time, from, to) {
            self.begun.insert((from, number), row);
        }
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
        let Some(part) = Part::of(transfer.head) else { return };
        let (row, bytes) = match part {
            Part::Envelope => return self.begin_message(time, from, to, None),
            Part::Request { sent, .. } => return self.begin_message(time, from, to, Some(sent)),
            Part::Clear { .. } => return,
            Part::Short { bytes, .. } => (self.open_message(time, from, to), bytes),
            Part::Long { bytes, .. } => (self.begun.remove(&(from, None)), bytes),
            Part::Data { sent, .. } => (self.begun.remove(&(from, Some(sent))), transfer.body),
        };
        let Some(row) = row else { return };
        self.messages[row].bytes = bytes as f64;
        self.under_way.entry((from, to)).or_default().push_back((transfer.head, row));
    }

    fn has_read(&mut self, time: Time, rank: Rank, from: Rank, head: Head) {
        // A rank that writes may read meanwhile.
        if matches!(self.present[rank], Some((Activity::Wait, _))) {
            self.close(time, rank);
        }
        let Some(under_way) = self.under_way.get_mut(&(from, rank)) else { return };
        let place = under_way.iter().position(|&(written, _)| written == head);
        if let Some((_, row)) = place.and_then(|place| under_way.remove(place)) {
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
