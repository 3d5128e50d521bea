//! A reference interpreter of compiled programs, without time, for tests.
//!
//! Ranks run in turn until none can continue. Messages either wait in unbounded buffers or block
//! their sender until they are received, the two extremes between which every real library lies.
//! Each rank knows a set of ranks, at first itself; a message carries its sender's set at the time
//! of the send. The sets at the end show the data that a collective has delivered.

use std::collections::{BTreeSet, VecDeque};

use program::{ANY_TAG, Action, COLLECTIVE_TAGS, Operation, Program, Rank, RequestNumber, Tag};
use quantity::{Id, IdVec};

/// The completion of a send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sending {
    /// At once: messages wait in buffers.
    Buffered,
    /// When a receive has taken the message.
    Synchronous,
}

/// The outcome of a program.
pub struct Outcome {
    /// Ranks that never finish.
    pub stuck: Vec<Rank>,
    /// Messages that were never received.
    pub n_unreceived: usize,
    /// Messages sent.
    pub n_messages: u64,
    /// User data sent, in bytes.
    pub bytes: u64,
    /// The ranks that each rank knows.
    pub knowledge: IdVec<Rank, BTreeSet<Rank>>,
    /// Marks passed, in order, per rank.
    pub marks: IdVec<Rank, Vec<u32>>,
}

struct Message {
    from: Rank,
    tag: Tag,
    knowledge: BTreeSet<Rank>,
    /// Number of the request that sent it, `None` for a blocking send.
    number: Option<RequestNumber>,
}

#[derive(Default)]
struct State {
    index: usize,
    repeats: Vec<u32>,
    inbox: VecDeque<Message>,
    /// Posted receives by source, tag and number; a blocking receive has no number.
    posted: Vec<(Option<Rank>, Tag, Option<RequestNumber>)>,
    /// Numbers of own synchronous messages that have not been received.
    untaken: Vec<RequestNumber>,
    /// Whether the operation at `index` has begun and not ended.
    has_begun: bool,
    /// Whether the message of the blocking send at `index` has not been received.
    is_held: bool,
}

/// Runs `program` to its end.
pub fn play(program: &Program, sending: Sending) -> Outcome {
    let ranks = Rank::first(program.n_ranks());
    let mut player = Player {
        program,
        sending,
        states: ranks.clone().map(|_| State::default()).collect(),
        outcome: Outcome {
            stuck: Vec::new(),
            n_unreceived: 0,
            n_messages: 0,
            bytes: 0,
            knowledge: ranks.clone().map(|rank| BTreeSet::from([rank])).collect(),
            marks: IdVec::filled(Vec::new(), program.n_ranks()),
        },
    };
    loop {
        let n_moved = ranks.clone().filter(|&rank| player.advance(rank)).count();
        if n_moved == 0 {
            return player.finish();
        }
    }
}

struct Player<'a> {
    program: &'a Program,
    sending: Sending,
    states: IdVec<Rank, State>,
    outcome: Outcome,
}

impl Player<'_> {
    fn finish(mut self) -> Outcome {
        for (rank, state) in self.states.with_ids() {
            if state.index < self.program.operations(rank).len() {
                self.outcome.stuck.push(rank);
            }
            self.outcome.n_unreceived += state.inbox.len();
        }
        self.outcome
    }

    /// Runs one rank as far as possible; returns whether it did anything.
    fn advance(&mut self, rank: Rank) -> bool {
        let mut moved = false;
        while let Some(&operation) = self.program.operations(rank).get(self.states[rank].index) {
            if !self.perform(rank, operation) {
                break;
            }
            self.states[rank].index += 1;
            self.states[rank].has_begun = false;
            moved = true;
        }
        moved
    }

    /// Performs an operation; returns whether it has ended.
    fn perform(&mut self, rank: Rank, operation: Operation) -> bool {
        match operation {
            Operation::Do(action) => self.act(rank, action),
            Operation::Repeat { count } => {
                self.states[rank].repeats.push(count);
                true
            }
            Operation::EndRepeat { start } => {
                self.end_repeat(rank, start);
                true
            }
        }
    }

    fn act(&mut self, rank: Rank, action: Action) -> bool {
        let has_begun = std::mem::replace(&mut self.states[rank].has_begun, true);
        match action {
            Action::Send { to, bytes, tag } => {
                if !has_begun {
                    self.states[rank].is_held = self.sending == Sending::Synchronous;
                    self.deliver(to, bytes, self.message(rank, tag, None));
                }
                !self.states[rank].is_held
            }
            Action::StartSend { to, bytes, tag, number } => {
                if self.sending == Sending::Synchronous {
                    self.states[rank].untaken.push(number);
                }
                self.deliver(to, bytes, self.message(rank, tag, Some(number)));
                true
            }
            Action::Receive { from, tag } => {
                if !has_begun {
                    self.states[rank].posted.push((from, tag, None));
                    self.match_messages(rank);
                }
                !self.states[rank].posted.iter().any(|&(_, _, number)| number.is_none())
            }
            Action::StartReceive { from, tag, number } => {
                self.states[rank].posted.push((from, tag, Some(number)));
                self.match_messages(rank);
                true
            }
            Action::WaitAll => self.is_complete(rank, |_| true),
            Action::Wait { number } => self.is_complete(rank, |used| used == number),
            Action::Compute { .. } => true,
            Action::Datagram { .. } | Action::Disk(_) | Action::Sleep { .. } => {
                unreachable!("no part of collectives")
            }
            Action::Mark { mark } => {
                self.outcome.marks[rank].push(mark);
                true
            }
        }
    }

    fn is_complete(&self, rank: Rank, is_meant: impl Fn(RequestNumber) -> bool) -> bool {
        let State { posted, untaken, .. } = &self.states[rank];
        let mut open = posted.iter().filter_map(|&(_, _, number)| number).chain(untaken.clone());
        !open.any(is_meant)
    }

    fn end_repeat(&mut self, rank: Rank, start: u32) {
        let state = &mut self.states[rank];
        let remaining = state.repeats.last_mut().expect("open repeat");
        *remaining -= 1;
        if *remaining > 0 {
            state.index = start as usize;
        } else {
            state.repeats.pop();
        }
    }

    fn message(&self, from: Rank, tag: Tag, number: Option<RequestNumber>) -> Message {
        let knowledge = self.outcome.knowledge[from].clone();
        Message { from, tag, knowledge, number }
    }

    fn deliver(&mut self, to: Rank, bytes: u64, message: Message) {
        self.outcome.n_messages += 1;
        self.outcome.bytes += bytes;
        self.states[to].inbox.push_back(message);
        self.match_messages(to);
    }

    /// Gives waiting messages to the receives in the order of posting.
    fn match_messages(&mut self, rank: Rank) {
        let mut posted = 0;
        while posted < self.states[rank].posted.len() {
            let (from, tag, _) = self.states[rank].posted[posted];
            let fits = |message: &Message| {
                (message.tag == tag || tag == ANY_TAG && message.tag < COLLECTIVE_TAGS)
                    && from.is_none_or(|from| from == message.from)
            };
            match self.states[rank].inbox.iter().position(fits) {
                Some(place) => {
                    self.states[rank].posted.remove(posted);
                    let message = self.states[rank].inbox.remove(place).expect("found");
                    self.take(rank, message);
                }
                None => posted += 1,
            }
        }
    }

    fn take(&mut self, rank: Rank, message: Message) {
        self.outcome.knowledge[rank].extend(message.knowledge);
        let sender = &mut self.states[message.from];
        match message.number {
            None => sender.is_held = false,
            Some(number) => {
                if let Some(place) = sender.untaken.iter().position(|&used| used == number) {
                    sender.untaken.remove(place);
                }
            }
        }
    }
}
