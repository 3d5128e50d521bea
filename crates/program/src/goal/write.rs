//! A writer of programs as GOAL text, piece by piece, so that no loop is unrolled in memory.
//!
//! Each operation becomes a task that requires the one before it, or only its start if the rank
//! continues at once (`irequires`); the task behind a wait requires the tasks waited for. The tasks
//! of a rank's streams follow each other, then the requirements between streams. Marks are left
//! out, computations rounded to whole nanoseconds without an error in the sum. Tags of
//! collectives follow the largest tag of the messages. A receive of GOAL has a size: that of the
//! message it will take, or 0 at ranks that receive from any source, where it is not known. A
//! synchronous send becomes a plain one, as GOAL has no other.

use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write;

use quantity::{Id, IdVec};

use super::GoalError;
use crate::entry::Entry;
use crate::operation::{
    ANY_TAG, Action, COLLECTIVE_TAGS, Cpu, EventNumber, Operation, Rank, RequestNumber, Tag,
};
use crate::program::{Program, Stream};
use crate::walk::Walk;

/// Size in bytes at which a piece ends.
const PIECE_BYTES: usize = 1 << 20;

const PS_PER_NS: i64 = 1000;

/// Writes one program.
#[derive(Debug)]
pub struct GoalWriter {
    sizes: Sizes,
    /// Tag of the messages of the first collective.
    collective_tags: Tag,
    rank: Rank,
    /// The stream of the rank, by its place.
    stream: usize,
    /// Its walks, and whether anything is written.
    walks: Vec<Walk>,
    has_begun: bool,
    track: Track,
    between: Between,
}

impl GoalWriter {
    /// Prepares to write `program`, with one pass over all operations.
    ///
    /// # Errors
    /// When the program has an operation without an equivalent in GOAL.
    pub fn new(program: &Program) -> Result<GoalWriter, GoalError> {
        if program.n_awaited() < program.n_ranks() {
            return Err(GoalError::Background { rank: Rank::new(program.n_awaited()) });
        }
        // This check comes before the sizes, which need every pass of every loop.
        let collective_tags = collective_tags(program)?;
        Ok(GoalWriter {
            sizes: Sizes::of(program),
            collective_tags,
            rank: Rank::new(0),
            stream: 0,
            walks: program.walks(Rank::new(0)),
            has_begun: false,
            track: Track::default(),
            between: Between::default(),
        })
    }

    /// Returns the number of ranks that are completely written.
    pub fn n_written(&self) -> u32 {
        self.rank.get()
    }

    /// Returns the next piece of the text of `program`, which must be the one given to `new`;
    /// `None` at the end.
    pub fn piece(&mut self, program: &Program) -> Option<String> {
        let mut text = String::new();
        if !std::mem::replace(&mut self.has_begun, true) {
            line(&mut text, format_args!("num_ranks {}\n\nrank 0 {{", program.n_ranks()));
        }
        while self.rank.get() < program.n_ranks() && text.len() < PIECE_BYTES {
            let streams = program.streams(self.rank);
            match self.walks[self.stream].next(program, self.rank) {
                Some(action) => self.add(action, streams, &mut text),
                None if self.stream + 1 < streams.len() => self.next_stream(),
                None => self.end_rank(program, &mut text),
            }
        }
        (!text.is_empty()).then_some(text)
    }

    fn next_stream(&mut self) {
        self.stream += 1;
        self.track = Track { label: self.track.label, ..Track::default() };
    }

    fn end_rank(&mut self, program: &Program, text: &mut String) {
        std::mem::take(&mut self.between).write(text);
        line(text, format_args!("}}"));
        self.rank = self.rank.following();
        self.stream = 0;
        self.track = Track::default();
        if self.rank.get() < program.n_ranks() {
            self.walks = program.walks(self.rank);
            line(text, format_args!("\nrank {} {{", self.rank));
        }
    }

    fn add(&mut self, action: Action, streams: &[Stream], text: &mut String) {
        self.track.cpu = streams.get(self.stream).and_then(|stream| stream.cpu).unwrap_or(0);
        match action {
            Action::Send { to, bytes, tag } | Action::SyncSend { to, bytes, tag } => {
                let tag = self.tag(tag);
                self.task(text, format_args!("send {bytes}b to {to} tag {tag}"), None);
            }
            Action::StartSend { to, bytes, tag, number }
            | Action::StartSyncSend { to, bytes, tag, number } => {
                let tag = self.tag(tag);
                self.task(text, format_args!("send {bytes}b to {to} tag {tag}"), Some(number));
            }
            Action::Receive { from, tag } => self.receive(text, from, tag, None),
            Action::StartReceive { from, tag, number } => {
                self.receive(text, from, tag, Some(number));
            }
            Action::WaitAll => self.track.wait_all(),
            Action::Wait { number } => self.track.wait(number),
            Action::Compute { work } => {
                let nanoseconds = self.track.nanoseconds(work.ps() as i64);
                if nanoseconds > 0 || !streams.is_empty() {
                    self.task(text, format_args!("calc {nanoseconds}"), None);
                }
            }
            Action::Signal { event } => self.signal(event, text),
            Action::Await { event } => self.track.awaited.push(event),
            Action::Mark { .. } => {}
            Action::Datagram { .. } | Action::Disk(_) | Action::Sleep { .. } => {
                unreachable!("refused before anything is written")
            }
        }
    }

    fn receive(
        &mut self,
        text: &mut String,
        from: Option<Rank>,
        tag: Tag,
        number: Option<RequestNumber>,
    ) {
        match from {
            _ if self.sizes.has_wild[self.rank] => {
                let from = from.map_or(-1, |from| i64::from(from.get()));
                let tag = if tag == ANY_TAG { -1 } else { i64::from(self.tag(tag)) };
                self.task(text, format_args!("recv 0b from {from} tag {tag}"), number);
            }
            Some(from) => {
                let bytes = self.sizes.next((from, self.rank, tag));
                let tag = self.tag(tag);
                self.task(text, format_args!("recv {bytes}b from {from} tag {tag}"), number);
            }
            None => unreachable!("a rank that receives from anybody is a wild one"),
        }
    }

    fn tag(&self, tag: Tag) -> Tag {
        if tag < COLLECTIVE_TAGS { tag } else { tag - COLLECTIVE_TAGS + self.collective_tags }
    }

    /// Notes a signal of the task before it; a task of no length stands for several of them.
    fn signal(&mut self, event: EventNumber, text: &mut String) {
        let Track { awaited, waited, previous, .. } = &self.track;
        let last = previous.map(|(label, _)| label);
        if !awaited.is_empty() || waited.iter().any(|&label| Some(label) != last) {
            self.task(text, format_args!("calc 0"), None);
        }
        let Track { previous, waited, .. } = &self.track;
        let signal = previous.map(|(label, is_over)| (label, is_over || waited.contains(&label)));
        self.between.signals.entry(event).or_default().push_back(signal);
    }

    /// Writes a task and its requirements; a task without a number has ended when the next begins.
    fn task(
        &mut self,
        text: &mut String,
        what: std::fmt::Arguments<'_>,
        number: Option<RequestNumber>,
    ) {
        let Track { label, waited, awaited, previous, open, cpu, .. } = &mut self.track;
        *label += 1;
        match *cpu {
            0 => line(text, format_args!("l{label}: {what}")),
            cpu => line(text, format_args!("l{label}: {what} cpu {cpu}")),
        }
        self.between.awaited.extend(awaited.drain(..).map(|event| (*label, event)));
        if let Some((before, is_over)) = *previous
            && !waited.contains(&before)
        {
            if is_over {
                waited.push(before);
            } else {
                line(text, format_args!("l{label} irequires l{before}"));
            }
        }
        waited.sort_unstable();
        for before in waited.drain(..) {
            line(text, format_args!("l{label} requires l{before}"));
        }
        *previous = Some((*label, number.is_none()));
        if let Some(number) = number {
            open.entry(number).or_default().push(*label);
        }
    }
}

fn line(text: &mut String, what: std::fmt::Arguments<'_>) {
    writeln!(text, "{what}").expect("a string takes everything");
}

/// The state of one rank's text.
#[derive(Debug, Default)]
struct Track {
    label: u64,
    /// The label of the last task, and whether it ends before the next may begin.
    previous: Option<(u64, bool)>,
    /// The processor of the stream.
    cpu: Cpu,
    /// Tasks waited for since the last one.
    waited: Vec<u64>,
    /// Events waited for since the last task.
    awaited: Vec<EventNumber>,
    /// By number: the tasks not waited for.
    open: BTreeMap<RequestNumber, Vec<u64>>,
    /// Computation not yet written because of rounding, in ps.
    rest_ps: i64,
}

impl Track {
    fn wait(&mut self, number: RequestNumber) {
        self.waited.extend(self.open.remove(&number).into_iter().flatten());
    }

    fn wait_all(&mut self) {
        let open = std::mem::take(&mut self.open);
        self.waited.extend(open.into_values().flatten());
    }

    fn nanoseconds(&mut self, work_ps: i64) -> i64 {
        let sum_ps = self.rest_ps + work_ps;
        let nanoseconds = (sum_ps + PS_PER_NS / 2).div_euclid(PS_PER_NS);
        self.rest_ps = sum_ps - nanoseconds * PS_PER_NS;
        nanoseconds
    }
}

/// The requirements between the streams of one rank.
#[derive(Debug, Default)]
struct Between {
    /// By event, in order: the task before each signal, and whether it has ended then.
    signals: BTreeMap<EventNumber, VecDeque<Option<(u64, bool)>>>,
    /// Each task behind a wait for an event, with the event.
    awaited: Vec<(u64, EventNumber)>,
}

impl Between {
    fn write(mut self, text: &mut String) {
        for (label, event) in self.awaited {
            let signal = self.signals.get_mut(&event).and_then(VecDeque::pop_front).flatten();
            if let Some((before, is_over)) = signal {
                let word = if is_over { "requires" } else { "irequires" };
                line(text, format_args!("l{label} {word} l{before}"));
            }
        }
    }
}

/// Message sizes per pair of ranks and tag, in order, with equal ones merged.
#[derive(Debug)]
struct Sizes {
    by_pair: BTreeMap<(Rank, Rank, Tag), VecDeque<(u64, u64)>>,
    /// Per rank: whether it receives from any source or with any tag.
    has_wild: IdVec<Rank, bool>,
}

impl Sizes {
    fn of(program: &Program) -> Sizes {
        let is_wild = |operation: &Operation| {
            receive_of(operation).is_some_and(|(from, tag)| from.is_none() || tag == ANY_TAG)
        };
        let ranks = Rank::first(program.n_ranks());
        let has_wild = ranks.clone().map(|rank| program.operations(rank).iter().any(is_wild));
        let mut sizes = Sizes { by_pair: BTreeMap::new(), has_wild: has_wild.collect() };
        for rank in ranks {
            let mut walk = Walk::new(0..program.operations(rank).len());
            while let Some(action) = walk.next(program, rank) {
                if let Some((to, bytes, tag)) = action.sent()
                    && !sizes.has_wild[to]
                {
                    sizes.add((rank, to, tag), bytes);
                }
            }
        }
        sizes
    }

    fn add(&mut self, pair: (Rank, Rank, Tag), bytes: u64) {
        let sizes = self.by_pair.entry(pair).or_default();
        match sizes.back_mut() {
            Some((last, times)) if *last == bytes => *times += 1,
            _ => sizes.push_back((bytes, 1)),
        }
    }

    /// Returns the size of the next message; 0 if it is never sent.
    fn next(&mut self, pair: (Rank, Rank, Tag)) -> u64 {
        let Some(sizes) = self.by_pair.get_mut(&pair) else {
            return 0;
        };
        let Some((bytes, times)) = sizes.front_mut() else {
            return 0;
        };
        let bytes = *bytes;
        *times -= 1;
        if *times == 0 {
            sizes.pop_front();
        }
        bytes
    }
}

/// Returns the tag of the first collective.
fn collective_tags(program: &Program) -> Result<Tag, GoalError> {
    let (mut largest, mut last_collective, mut any_tag) = (0, None, false);
    for rank in Rank::first(program.n_ranks()) {
        for operation in program.operations(rank) {
            match operation {
                Operation::Do(Action::Datagram { .. }) => {
                    return Err(GoalError::Datagrams { rank });
                }
                Operation::Do(Action::Disk(_)) => return Err(GoalError::Disks { rank }),
                Operation::Do(Action::Sleep { .. }) => return Err(GoalError::Sleeps { rank }),
                _ => {}
            }
            let is_silent = |(entry, _): (Entry, _)| program.algorithms.skips(entry.collective);
            if program.entered(*operation).is_some_and(is_silent) {
                continue;
            }
            match tag_of(operation) {
                Some(ANY_TAG) => any_tag = true,
                Some(tag) if tag >= COLLECTIVE_TAGS => {
                    last_collective = last_collective.max(Some(tag - COLLECTIVE_TAGS));
                }
                Some(tag) => largest = largest.max(tag),
                None => {}
            }
        }
    }
    match last_collective {
        Some(_) if any_tag => Err(GoalError::AnyTagBesideCollectives),
        Some(last) if last >= COLLECTIVE_TAGS - 1 - largest => {
            Err(GoalError::NoTagsLeft { largest })
        }
        _ => Ok(largest + 1),
    }
}

fn tag_of(operation: &Operation) -> Option<Tag> {
    match *operation {
        Operation::Do(action) if action.sent().is_some() => action.sent().map(|sent| sent.2),
        Operation::Enter { tag, .. } => Some(tag),
        _ => receive_of(operation).map(|(_, tag)| tag),
    }
}

fn receive_of(operation: &Operation) -> Option<(Option<Rank>, Tag)> {
    match *operation {
        Operation::Do(Action::Receive { from, tag } | Action::StartReceive { from, tag, .. }) => {
            Some((from, tag))
        }
        _ => None,
    }
}
