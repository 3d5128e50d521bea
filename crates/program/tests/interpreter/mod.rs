//! A reference interpreter of compiled programs, without time, for tests.
//!
//! Ranks run in turn until none can continue. Messages either wait in unbounded buffers or block
//! their sender until they are received, the two extremes between which every real library lies.
//! Each rank knows a set of ranks, at first itself; a message carries its sender's set at the time
//! of the send. The sets at the end show the data that a collective has delivered.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use program::{
    ANY_TAG, Action, COLLECTIVE_TAGS, EventNumber, Program, Rank, RequestNumber, Tag, Walk,
};
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
    /// The call that sent it.
    call: Call,
}

/// The stream of a call, and the number of its request, `None` for a blocking call.
type Call = (usize, Option<RequestNumber>);

#[derive(Default)]
struct State {
    streams: Vec<Stream>,
    inbox: VecDeque<Message>,
    /// Posted receives by source, tag and call.
    posted: Vec<(Option<Rank>, Tag, Call)>,
    /// Calls of own synchronous messages that have not been received.
    untaken: Vec<Call>,
    /// Signals by event.
    signals: BTreeMap<EventNumber, u32>,
}

#[derive(Default)]
struct Stream {
    walk: Walk,
    /// Whether its next action has begun and not ended.
    has_begun: bool,
    /// Whether the message of its blocking send has not been received.
    is_held: bool,
}

/// Runs `program` to its end.
pub fn play(program: &Program, sending: Sending) -> Outcome {
    let ranks = Rank::first(program.n_ranks());
    let mut player = Player {
        program,
        sending,
        states: ranks.clone().map(|rank| State::new(program, rank)).collect(),
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

impl State {
    fn new(program: &Program, rank: Rank) -> State {
        let stream = |walk| Stream { walk, ..Stream::default() };
        State { streams: program.walks(rank).into_iter().map(stream).collect(), ..State::default() }
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
        for rank in self.states.ids() {
            let state = &mut self.states[rank];
            if state.streams.iter_mut().any(|stream| !stream.walk.is_over(self.program, rank)) {
                self.outcome.stuck.push(rank);
            }
            self.outcome.n_unreceived += state.inbox.len();
        }
        self.outcome
    }

    /// Runs one rank as far as possible; returns whether it did anything.
    fn advance(&mut self, rank: Rank) -> bool {
        let mut moved = false;
        for stream in 0..self.states[rank].streams.len() {
            while let Some(action) = self.states[rank].streams[stream].walk.peek(self.program, rank)
                && self.act((rank, stream), action)
            {
                let present = &mut self.states[rank].streams[stream];
                present.walk.pass();
                present.has_begun = false;
                moved = true;
            }
        }
        moved
    }

    fn act(&mut self, (rank, stream): (Rank, usize), action: Action) -> bool {
        let present = &mut self.states[rank].streams[stream];
        let has_begun = std::mem::replace(&mut present.has_begun, true);
        match action {
            Action::Send { to, bytes, tag } | Action::SyncSend { to, bytes, tag } => {
                if !has_begun {
                    present.is_held = self.sending == Sending::Synchronous;
                    self.deliver(to, bytes, self.message(rank, tag, (stream, None)));
                }
                !self.states[rank].streams[stream].is_held
            }
            Action::StartSend { to, bytes, tag, number }
            | Action::StartSyncSend { to, bytes, tag, number } => {
                if self.sending == Sending::Synchronous {
                    self.states[rank].untaken.push((stream, Some(number)));
                }
                self.deliver(to, bytes, self.message(rank, tag, (stream, Some(number))));
                true
            }
            Action::Receive { from, tag } => {
                if !has_begun {
                    self.states[rank].posted.push((from, tag, (stream, None)));
                    self.match_messages(rank);
                }
                !self.states[rank].posted.iter().any(|&(_, _, call)| call == (stream, None))
            }
            Action::StartReceive { from, tag, number } => {
                self.states[rank].posted.push((from, tag, (stream, Some(number))));
                self.match_messages(rank);
                true
            }
            Action::WaitAll => self.is_complete(rank, |call| call.0 == stream),
            Action::Wait { number } => {
                self.is_complete(rank, |call| call == (stream, Some(number)))
            }
            Action::Signal { event } => {
                *self.states[rank].signals.entry(event).or_default() += 1;
                true
            }
            Action::Await { event } => {
                let signals = self.states[rank].signals.entry(event).or_default();
                let is_there = *signals > 0;
                *signals -= u32::from(is_there);
                is_there
            }
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

    fn is_complete(&self, rank: Rank, is_meant: impl Fn(Call) -> bool) -> bool {
        let State { posted, untaken, .. } = &self.states[rank];
        let mut open = posted.iter().map(|&(_, _, call)| call).chain(untaken.clone());
        !open.any(is_meant)
    }

    fn message(&self, from: Rank, tag: Tag, call: Call) -> Message {
        let knowledge = self.outcome.knowledge[from].clone();
        Message { from, tag, knowledge, call }
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
        match message.call {
            (stream, None) => sender.streams[stream].is_held = false,
            call => {
                if let Some(place) = sender.untaken.iter().position(|&used| used == call) {
                    sender.untaken.remove(place);
                }
            }
        }
    }
}
