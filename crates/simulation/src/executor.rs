//! The rank executor: plays a program on a network, with MPI's matching and the message protocol.
//!
//! Every rank is one process that does one thing at a time. What it does next stands in [`Then`];
//! what it is waiting for inside a blocking call stands in [`Wait`]. Progress is made only inside
//! calls, as in MPICH over P4 [MPICH-1.1]: a clear-to-send that arrives while its rank computes is
//! answered when the rank next waits.

use std::collections::VecDeque;

use program::{Operation, Program, Rank, Tag};
use quantity::Time;
use thiserror::Error;

use crate::model::{NetworkModel, Notice, Transfer, TransferId};
use crate::protocol::{MessageCosts, MessageKind, MessageProtocol};

/// A mark passed by a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MarkRecord {
    /// The number of the mark.
    pub mark: u32,
    /// The rank that passed it.
    pub rank: Rank,
    /// When.
    pub time: Time,
}

/// A rank that can never go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StuckRank {
    /// The rank.
    pub rank: Rank,
    /// Index of the operation it is in.
    pub index: u32,
    /// The operation it is in.
    pub operation: Operation,
}

/// Why a run did not finish.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RunError {
    /// Nothing will ever happen again, but ranks are still waiting.
    #[error("{} ranks wait for ever", .0.len())]
    Deadlock(Vec<StuckRank>),
    /// A connection gave up after its last retransmission.
    #[error(
        "the connection from rank {from} to rank {to} gave up after {attempts} retransmissions"
    )]
    ConnectionLost {
        /// Sending rank.
        from: Rank,
        /// Receiving rank.
        to: Rank,
        /// Retransmissions of one segment.
        attempts: u32,
    },
    /// A rank's node has no route to another's.
    #[error("node {from} has no route to node {to}")]
    NoRoute {
        /// Sending node.
        from: u32,
        /// Receiving node.
        to: u32,
    },
    /// The caller asked to stop.
    #[error("stopped")]
    Stopped,
}

type MessageId = u32;

#[derive(Clone, Copy, Debug)]
struct Message {
    from: Rank,
    to: Rank,
    tag: Tag,
    bytes: u64,
    kind: MessageKind,
    /// Whether its sender waits inside the sending call.
    is_blocking_send: bool,
    /// Whether its receiver waits inside the receiving call; known once matched.
    is_blocking_receive: bool,
}

impl Message {
    /// Returns a message that nobody has matched; how it travels is decided when it is sent.
    fn new(from: Rank, to: Rank, bytes: u64, tag: Tag, is_blocking_send: bool) -> Message {
        let kind = MessageKind::Short;
        Message { from, to, tag, bytes, kind, is_blocking_send, is_blocking_receive: false }
    }
}

/// The role of a transfer; stands in the low bits of its id, the message in the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Short,
    Envelope,
    Data,
    Request,
    Clear,
}

const ROLES: [Role; 5] = [Role::Short, Role::Envelope, Role::Data, Role::Request, Role::Clear];
const ROLE_BITS: u32 = 3;

fn transfer_id(message: MessageId, role: Role) -> TransferId {
    u64::from(message) << ROLE_BITS | role as u64
}

fn read_transfer_id(id: TransferId) -> (MessageId, Role) {
    ((id >> ROLE_BITS) as MessageId, ROLES[(id & ((1 << ROLE_BITS) - 1)) as usize])
}

#[derive(Clone, Copy, Debug)]
struct PostedReceive {
    from: Option<Rank>,
    tag: Tag,
    is_blocking: bool,
}

/// What a rank waits for inside a blocking call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wait {
    Nothing,
    /// Its blocking receive, or the clear-to-send of its blocking send.
    Message,
    /// All its started operations.
    Started,
}

/// What a rank does when its present activity is over.
#[derive(Clone, Copy, Debug)]
enum Then {
    Operation,
    Write { to: Rank, message: MessageId, role: Role },
    SendToSelf(MessageId),
    DataWritten(MessageId),
    Requested(MessageId),
    CheckWait,
    Listening,
    Took(TransferId),
    Delivered(MessageId),
    Finished,
}

/// Whether a rank can go on at once or an engine's notice will continue it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flow {
    Ready,
    Busy,
}

#[derive(Debug)]
struct RankState {
    index: u32,
    /// Remaining passes of each open repeat, innermost last.
    repeats: Vec<u32>,
    wait: Wait,
    then: Then,
    posted: Vec<PostedReceive>,
    /// Messages that arrived before their receive, in order of arrival.
    unexpected: Vec<MessageId>,
    /// Transfers taken in while writing.
    inbox: VecDeque<TransferId>,
    /// Started sends and receives that are not complete.
    n_started: u32,
}

/// Plays a program on a network.
#[derive(Debug)]
pub struct Executor<'a, M> {
    model: M,
    program: &'a Program,
    protocol: MessageProtocol,
    costs: MessageCosts,
    ranks: Vec<RankState>,
    messages: Vec<Message>,
    free_messages: Vec<MessageId>,
    marks: Vec<MarkRecord>,
    n_running: u32,
}

impl<'a, M: NetworkModel> Executor<'a, M> {
    /// Prepares every rank of `program` to start at time zero.
    pub fn new(
        model: M,
        program: &'a Program,
        protocol: MessageProtocol,
        costs: MessageCosts,
    ) -> Executor<'a, M> {
        let rank = |_| RankState {
            index: 0,
            repeats: Vec::new(),
            wait: Wait::Nothing,
            then: Then::Operation,
            posted: Vec::new(),
            unexpected: Vec::new(),
            inbox: VecDeque::new(),
            n_started: 0,
        };
        Executor {
            model,
            program,
            protocol,
            costs,
            ranks: (0..program.n_ranks()).map(rank).collect(),
            messages: Vec::new(),
            free_messages: Vec::new(),
            marks: Vec::new(),
            n_running: program.n_ranks(),
        }
    }

    /// Plays the program until its last rank has finished and returns the marks in order of time,
    /// with the network as it was left: late acknowledgements may still be under way.
    ///
    /// # Errors
    /// When ranks wait for ever, or the network gives up.
    pub fn run(mut self) -> Result<(Vec<MarkRecord>, M), RunError> {
        for rank in 0..self.program.n_ranks() {
            self.drive(rank);
        }
        while self.n_running > 0 {
            match self.model.advance()? {
                Some(Notice::Written(rank) | Notice::Computed(rank)) => self.drive(rank),
                Some(Notice::Arrived(rank, transfer)) => self.arrived(rank, transfer),
                None => return Err(RunError::Deadlock(self.stuck_ranks())),
            }
        }
        Ok((self.marks, self.model))
    }

    fn stuck_ranks(&self) -> Vec<StuckRank> {
        (0..self.program.n_ranks())
            .filter(|&rank| !matches!(self.ranks[rank as usize].then, Then::Finished))
            .map(|rank| {
                // Blocking operations are counted as passed when they begin.
                let index = self.ranks[rank as usize].index.saturating_sub(1);
                let operation = self.program.operations(rank)[index as usize];
                StuckRank { rank, index, operation }
            })
            .collect()
    }

    fn arrived(&mut self, rank: Rank, transfer: TransferId) {
        if matches!(self.state(rank).then, Then::Listening) {
            if self.take(rank, transfer) == Flow::Ready {
                self.drive(rank);
            }
        } else {
            self.state(rank).inbox.push_back(transfer);
        }
    }

    /// Lets a rank go on until it needs the engine again.
    fn drive(&mut self, rank: Rank) {
        loop {
            let flow = match self.state(rank).then {
                Then::Operation => self.operation(rank),
                Then::Write { to, message, role } => self.write(rank, to, message, role),
                Then::SendToSelf(message) => self.offer(rank, message),
                Then::Requested(message) => self.requested(rank, message),
                Then::DataWritten(message) => self.data_written(rank, message),
                Then::CheckWait => self.check_wait(rank),
                Then::Took(transfer) => self.took(rank, transfer),
                Then::Delivered(message) => self.delivered(rank, message),
                Then::Listening | Then::Finished => Flow::Busy,
            };
            if flow == Flow::Busy {
                return;
            }
        }
    }

    fn state(&mut self, rank: Rank) -> &mut RankState {
        &mut self.ranks[rank as usize]
    }

    fn go_on(&mut self, rank: Rank, then: Then) -> Flow {
        self.state(rank).then = then;
        Flow::Ready
    }

    fn compute(&mut self, rank: Rank, work: Time, then: Then) -> Flow {
        self.state(rank).then = then;
        if work == Time::ZERO {
            return Flow::Ready;
        }
        self.model.compute(rank, work);
        Flow::Busy
    }

    fn operation(&mut self, rank: Rank) -> Flow {
        let index = self.ranks[rank as usize].index;
        let Some(&operation) = self.program.operations(rank).get(index as usize) else {
            self.state(rank).then = Then::Finished;
            self.n_running -= 1;
            return Flow::Busy;
        };
        self.state(rank).index += 1;
        match operation {
            Operation::Send { to, bytes, tag } => {
                self.send(Message::new(rank, to, bytes, tag, true))
            }
            Operation::StartSend { to, bytes, tag } => {
                self.send(Message::new(rank, to, bytes, tag, false))
            }
            Operation::Receive { from, tag } => {
                self.receive(rank, PostedReceive { from, tag, is_blocking: true })
            }
            Operation::StartReceive { from, tag } => {
                self.receive(rank, PostedReceive { from, tag, is_blocking: false })
            }
            Operation::WaitAll => {
                self.state(rank).wait = Wait::Started;
                self.go_on(rank, Then::CheckWait)
            }
            Operation::Compute { work } => self.compute(rank, work, Then::Operation),
            Operation::Mark { mark } => {
                self.marks.push(MarkRecord { mark, rank, time: self.model.now() });
                Flow::Ready
            }
            Operation::Repeat { count } => {
                self.state(rank).repeats.push(count);
                Flow::Ready
            }
            Operation::EndRepeat { start } => self.end_repeat(rank, start),
        }
    }

    fn end_repeat(&mut self, rank: Rank, start: u32) -> Flow {
        let state = self.state(rank);
        let remaining = state.repeats.last_mut().expect("a repeat ends that has begun");
        *remaining -= 1;
        if *remaining > 0 {
            state.index = start + 1;
        } else {
            state.repeats.pop();
        }
        Flow::Ready
    }

    fn send(&mut self, mut message: Message) -> Flow {
        let Message { from: rank, to, bytes, .. } = message;
        let kind = if to == rank { MessageKind::Short } else { self.protocol.kind(bytes) };
        message.kind = kind;
        let message = self.new_message(message);
        let work = match kind {
            MessageKind::Short => self.costs.send + self.costs.short_copy.of(bytes),
            MessageKind::Long | MessageKind::Rendezvous => self.costs.send,
        };
        let then = match kind {
            _ if to == rank => Then::SendToSelf(message),
            MessageKind::Short => Then::Write { to, message, role: Role::Short },
            MessageKind::Long => Then::Write { to, message, role: Role::Envelope },
            MessageKind::Rendezvous => Then::Write { to, message, role: Role::Request },
        };
        self.compute(rank, work, then)
    }

    fn write(&mut self, rank: Rank, to: Rank, message: MessageId, role: Role) -> Flow {
        let bytes = self.messages[message as usize].bytes;
        let (body, then) = match role {
            Role::Short => (u64::from(self.protocol.envelope) + bytes, Then::Operation),
            Role::Envelope => {
                (u64::from(self.protocol.envelope), Then::Write { to, message, role: Role::Data })
            }
            Role::Data => (bytes, Then::DataWritten(message)),
            Role::Request => (u64::from(self.protocol.control), Then::Requested(message)),
            Role::Clear => (u64::from(self.protocol.control), Then::CheckWait),
        };
        self.state(rank).then = then;
        // A stream needs at least one byte to carry an empty message.
        let body = if self.protocol.header == 0 { body.max(1) } else { body };
        let id = transfer_id(message, role);
        self.model.write(rank, to, Transfer { id, header: self.protocol.header, body });
        Flow::Busy
    }

    fn requested(&mut self, rank: Rank, message: MessageId) -> Flow {
        if self.messages[message as usize].is_blocking_send {
            self.state(rank).wait = Wait::Message;
        } else {
            self.state(rank).n_started += 1;
        }
        self.go_on(rank, Then::CheckWait)
    }

    fn data_written(&mut self, rank: Rank, message: MessageId) -> Flow {
        let message = self.messages[message as usize];
        if message.kind == MessageKind::Rendezvous {
            self.complete(rank, message.is_blocking_send);
            self.go_on(rank, Then::CheckWait)
        } else {
            self.go_on(rank, Then::Operation)
        }
    }

    fn complete(&mut self, rank: Rank, was_blocking: bool) {
        let state = self.state(rank);
        if was_blocking {
            state.wait = Wait::Nothing;
        } else {
            state.n_started -= 1;
        }
    }

    fn receive(&mut self, rank: Rank, receive: PostedReceive) -> Flow {
        let messages = &self.messages;
        let state = &mut self.ranks[rank as usize];
        if receive.is_blocking {
            state.wait = Wait::Message;
        } else {
            state.n_started += 1;
        }
        let found = state.unexpected.iter().position(|&id| fits(&receive, &messages[id as usize]));
        match found {
            Some(position) => {
                let message = state.unexpected.remove(position);
                self.matched(rank, message, receive.is_blocking)
            }
            None => {
                state.posted.push(receive);
                self.go_on(rank, Then::CheckWait)
            }
        }
    }

    /// Waits on, or leaves the call when what it waits for has happened.
    fn check_wait(&mut self, rank: Rank) -> Flow {
        let state = self.state(rank);
        if state.wait == Wait::Nothing || (state.wait == Wait::Started && state.n_started == 0) {
            state.wait = Wait::Nothing;
            return self.go_on(rank, Then::Operation);
        }
        if let Some(transfer) = state.inbox.pop_front() {
            return self.take(rank, transfer);
        }
        state.then = Then::Listening;
        self.model.listen(rank);
        Flow::Busy
    }

    /// Charges the process for taking in a transfer.
    fn take(&mut self, rank: Rank, transfer: TransferId) -> Flow {
        let (message, role) = read_transfer_id(transfer);
        let work = match role {
            Role::Short => {
                self.costs.take + self.costs.short_copy.of(self.messages[message as usize].bytes)
            }
            Role::Envelope | Role::Data | Role::Request | Role::Clear => self.costs.take,
        };
        self.compute(rank, work, Then::Took(transfer))
    }

    fn took(&mut self, rank: Rank, transfer: TransferId) -> Flow {
        let (message, role) = read_transfer_id(transfer);
        let kind = self.messages[message as usize].kind;
        match role {
            // The data of a long message follows its envelope on the same connection; it is matched
            // when complete.
            Role::Envelope => self.go_on(rank, Then::CheckWait),
            Role::Short | Role::Request => self.offer(rank, message),
            Role::Data if kind == MessageKind::Long => self.offer(rank, message),
            Role::Data => self.deliver(rank, message),
            Role::Clear => self.clear_received(rank, message),
        }
    }

    /// Matches a message that has come in with a posted receive, or keeps it.
    fn offer(&mut self, rank: Rank, id: MessageId) -> Flow {
        let message = &self.messages[id as usize];
        let state = &mut self.ranks[rank as usize];
        match state.posted.iter().position(|receive| fits(receive, message)) {
            Some(position) => {
                let receive = state.posted.remove(position);
                self.matched(rank, id, receive.is_blocking)
            }
            None => {
                state.unexpected.push(id);
                self.go_on(rank, Then::CheckWait)
            }
        }
    }

    fn matched(&mut self, rank: Rank, id: MessageId, is_blocking: bool) -> Flow {
        let message = &mut self.messages[id as usize];
        message.is_blocking_receive = is_blocking;
        match message.kind {
            MessageKind::Short | MessageKind::Long => self.deliver(rank, id),
            MessageKind::Rendezvous => {
                let to = message.from;
                self.go_on(rank, Then::Write { to, message: id, role: Role::Clear })
            }
        }
    }

    fn clear_received(&mut self, rank: Rank, id: MessageId) -> Flow {
        let to = self.messages[id as usize].to;
        self.go_on(rank, Then::Write { to, message: id, role: Role::Data })
    }

    /// Copies a complete message to its user buffer.
    fn deliver(&mut self, rank: Rank, id: MessageId) -> Flow {
        let message = &self.messages[id as usize];
        let copy = match message.kind {
            MessageKind::Short => self.costs.short_copy,
            MessageKind::Long | MessageKind::Rendezvous => self.costs.long_copy,
        };
        self.compute(rank, copy.of(message.bytes), Then::Delivered(id))
    }

    fn delivered(&mut self, rank: Rank, id: MessageId) -> Flow {
        let was_blocking = self.messages[id as usize].is_blocking_receive;
        self.free_messages.push(id);
        self.complete(rank, was_blocking);
        self.go_on(rank, Then::CheckWait)
    }

    fn new_message(&mut self, message: Message) -> MessageId {
        match self.free_messages.pop() {
            Some(id) => {
                self.messages[id as usize] = message;
                id
            }
            None => {
                self.messages.push(message);
                self.messages.len() as MessageId - 1
            }
        }
    }
}

fn fits(receive: &PostedReceive, message: &Message) -> bool {
    receive.tag == message.tag && receive.from.is_none_or(|from| from == message.from)
}
