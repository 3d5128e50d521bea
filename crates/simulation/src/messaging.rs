//! Sends and receives of a rank: the message protocol, transfer by transfer.
//!
//! A short message is one transfer, a long one an envelope followed by its data; a rendezvous sends
//! a request first, and its data when the receiver has matched it and cleared it to send. Each
//! function here is one activity of a rank and ends with the choice of the next.

use host::{MessageKind, Transfer, WhileBlocked};
use program::Rank;
use quantity::Time;

use crate::conditions::Conditions;
use crate::effect::{Effect, Flow, Then, Writing};
use crate::executor::Executor;
use crate::head::Part;
use crate::matching::Receive;
use crate::message::{Call, Message, MessageId};
use crate::stream::Wait;

impl Executor {
    pub(crate) fn send(&mut self, message: Message, run: &Conditions<'_>) -> Flow {
        self.send_as(run.protocol.kind(message.bytes), message, run)
    }

    /// Sends a message that its receiver must have matched before its data leave.
    pub(crate) fn send_synchronously(&mut self, message: Message, run: &Conditions<'_>) -> Flow {
        self.send_as(MessageKind::Rendezvous, message, run)
    }

    fn send_as(&mut self, kind: MessageKind, message: Message, run: &Conditions<'_>) -> Flow {
        let Message { peer, bytes, .. } = message;
        let local = run.local_to(self.rank, peer);
        let kind = match local {
            _ if peer == self.rank => MessageKind::Short,
            Some(local) => local.kind(bytes, kind),
            None => kind,
        };
        let message = self.messages.insert(Message { kind, ..message });
        let work = match kind {
            MessageKind::Short if let Some(local) = local => local.send + local.copy.of(bytes),
            _ if let Some(local) = local => local.send,
            MessageKind::Short => run.costs.send + run.costs.short_copy.of(bytes),
            MessageKind::Long | MessageKind::Rendezvous => run.costs.send,
        };
        let then = match kind {
            _ if peer == self.rank => Then::SendToSelf(message),
            MessageKind::Short => Then::Write(message, Writing::Short),
            MessageKind::Long => Then::Write(message, Writing::Envelope),
            MessageKind::Rendezvous => Then::Write(message, Writing::Request),
        };
        self.compute(work, then)
    }

    /// Sends a message of the rank to itself; its sender continues in any case.
    pub(crate) fn send_to_self(&mut self, message: MessageId, run: &Conditions<'_>) -> Flow {
        self.give_way();
        self.offer(message, run)
    }

    pub(crate) fn write(&mut self, id: MessageId, writing: Writing, run: &Conditions<'_>) -> Flow {
        let Message { peer: to, bytes, kind, tag, there, .. } = *self.messages.get(id);
        let protocol = &run.protocol;
        let (part, body, then) = match writing {
            Writing::Short => {
                self.messages.remove(id);
                let body = u64::from(protocol.envelope) + bytes;
                (Part::Short { tag, bytes }, body, Then::Sent)
            }
            Writing::Envelope => {
                (Part::Envelope, u64::from(protocol.envelope), Then::Write(id, Writing::Data))
            }
            Writing::Data if kind == MessageKind::Long => {
                (Part::Long { tag, bytes }, bytes, Then::DataWritten(id))
            }
            Writing::Data => {
                (Part::Data { sent: id, received: there }, bytes, Then::DataWritten(id))
            }
            Writing::Request => {
                let part = Part::Request { tag, sent: id, bytes };
                (part, u64::from(protocol.request), Then::Requested(id))
            }
            Writing::Clear => {
                let part = Part::Clear { sent: there, received: id };
                (part, u64::from(protocol.clear), Then::CheckWait)
            }
        };
        self.then = then;
        if part.is_last() {
            self.silence.writes(bytes);
        }
        self.connect(to, run);
        // A stream needs at least one byte to carry an empty message.
        let body = if protocol.header == 0 { body.max(1) } else { body };
        let transfer = Transfer { head: part.head(), header: protocol.header, body };
        if let Some(local) = run.local_to(self.rank, to) {
            return Flow::Do(Effect::HandOver { to, transfer, latency: local.latency });
        }
        let while_blocked = match self.posts() {
            true => WhileBlocked::GoesOn,
            false => run.protocol.progress.while_blocked(self.rank, to),
        };
        self.begin_write(to, transfer, while_blocked)
    }

    /// Returns the bytes of user data in a part that arrives.
    pub(crate) fn data_bytes(&self, part: Part) -> u64 {
        match part {
            Part::Short { bytes, .. } | Part::Long { bytes, .. } => bytes,
            Part::Data { received, .. } => self.messages.get(received).bytes,
            Part::Envelope | Part::Request { .. } | Part::Clear { .. } => 0,
        }
    }

    pub(crate) fn requested(&mut self, message: MessageId) -> Flow {
        let call = self.messages.get(message).call;
        self.begin(call);
        self.go_on(Then::CheckWait)
    }

    pub(crate) fn data_written(&mut self, message: MessageId) -> Flow {
        let Message { kind, call, .. } = self.messages.remove(message);
        if kind == MessageKind::Rendezvous {
            self.complete(call);
            self.go_on(Then::CheckWait)
        } else {
            self.sent()
        }
    }

    /// Continues a stream whose send is over, or lets others go first.
    pub(crate) fn sent(&mut self) -> Flow {
        if self.others.is_none() {
            return self.go_on(Then::Operation);
        }
        self.give_way();
        self.go_on(Then::CheckWait)
    }

    /// Begins a call of the served stream, which continues if it need not wait inside the call.
    fn begin(&mut self, call: Call) {
        match call.request {
            None => self.stream.wait = Wait::Message,
            Some(number) => {
                self.stream.started.add(number);
                self.give_way();
            }
        }
    }

    fn complete(&mut self, call: Call) {
        match call.request {
            None => {
                self.stream_of(call).wait = Wait::Nothing;
                self.others.iter_mut().for_each(|others| others.make_ready(call.stream));
            }
            Some(number) => {
                self.stream_of(call).started.complete(number);
                self.resume(call);
            }
        }
    }

    pub(crate) fn receive(&mut self, receive: Receive, run: &Conditions<'_>) -> Flow {
        self.begin(receive.call);
        match self.matching.post(receive, &self.messages) {
            Some(message) => self.matched(message, receive, run),
            None => self.go_on(Then::CheckWait),
        }
    }

    /// Charges the process for receiving a transfer.
    pub(crate) fn take(&mut self, from: Rank, part: Part, run: &Conditions<'_>) -> Flow {
        let work = match part {
            _ if let Some(local) = run.local_to(self.rank, from) => local.take,
            Part::Short { bytes, .. } => run.costs.take + run.costs.short_copy.of(bytes),
            _ => run.costs.take,
        };
        self.connect(from, run);
        let watching = run.costs.watch * self.connections.besides_one();
        self.compute(work + watching, Then::Took(from, part))
    }

    /// Notes that the rank has a connection with a peer, which it watches from now on.
    fn connect(&mut self, peer: Rank, run: &Conditions<'_>) {
        if run.costs.watch > Time::ZERO {
            self.connections.note(peer);
        }
    }

    pub(crate) fn took(&mut self, from: Rank, part: Part, run: &Conditions<'_>) -> Flow {
        match part {
            // The data of a long message follow its envelope on the same connection; it is matched
            // when complete.
            Part::Envelope => self.go_on(Then::CheckWait),
            Part::Short { tag, bytes } => {
                self.has_come(Message::arrived(from, bytes, tag, MessageKind::Short), run)
            }
            Part::Long { tag, bytes } => {
                self.has_come(Message::arrived(from, bytes, tag, MessageKind::Long), run)
            }
            Part::Request { tag, sent, bytes } => {
                let message = Message::arrived(from, bytes, tag, MessageKind::Rendezvous);
                self.has_come(Message { there: sent, ..message }, run)
            }
            Part::Clear { sent, received } => self.cleared(sent, received, run),
            Part::Data { received, .. } => self.deliver(received, run),
        }
    }

    /// Keeps a message that has arrived as far as it can be matched, and matches it.
    fn has_come(&mut self, message: Message, run: &Conditions<'_>) -> Flow {
        let id = self.messages.insert(message);
        self.offer(id, run)
    }

    /// Matches a message with a posted receive, or leaves it to a later one.
    fn offer(&mut self, id: MessageId, run: &Conditions<'_>) -> Flow {
        match self.matching.offer(id, &self.messages) {
            Some(receive) => self.matched(id, receive, run),
            None => self.go_on(Then::CheckWait),
        }
    }

    fn matched(&mut self, id: MessageId, receive: Receive, run: &Conditions<'_>) -> Flow {
        let message = self.messages.get_mut(id);
        message.call = receive.call;
        match message.kind {
            MessageKind::Short | MessageKind::Long => self.deliver(id, run),
            MessageKind::Rendezvous => self.go_on(Then::Write(id, Writing::Clear)),
        }
    }

    /// Sends the data of a rendezvous that its receiver has cleared.
    fn cleared(&mut self, sent: MessageId, received: MessageId, run: &Conditions<'_>) -> Flow {
        let message = self.messages.get_mut(sent);
        message.there = received;
        let then = Then::Write(sent, Writing::Data);
        match run.local_to(self.rank, message.peer) {
            Some(local) => {
                let copy = local.copy.of(message.bytes);
                self.compute(copy, then)
            }
            None => self.go_on(then),
        }
    }

    /// Copies a complete message to its user buffer.
    fn deliver(&mut self, id: MessageId, run: &Conditions<'_>) -> Flow {
        let message = self.messages.get(id);
        let copy = match message.kind {
            kind if let Some(local) = run.local_to(self.rank, message.peer) => local.copy_out(kind),
            MessageKind::Short => run.costs.short_copy,
            MessageKind::Long | MessageKind::Rendezvous => run.costs.long_copy,
        };
        self.compute(copy.of(message.bytes), Then::Delivered(id))
    }

    pub(crate) fn delivered(&mut self, id: MessageId) -> Flow {
        let Message { call, .. } = self.messages.remove(id);
        self.complete(call);
        self.go_on(Then::CheckWait)
    }
}
