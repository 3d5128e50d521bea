//! Sends and receives of a rank: the message protocol, transfer by transfer.
//!
//! A short message is one transfer, a long one an envelope followed by its data; a rendezvous sends
//! a request first, and its data when the receiver has matched it and cleared it to send. Each
//! function here is one activity of a rank and ends with the choice of the next.

use host::{LocalModel, MessageKind, Transfer, TransferId};
use program::Rank;
use quantity::Time;

use crate::executor::Executor;
use crate::matching::Receive;
use crate::message::{Call, Message, MessageId, Role, read_transfer_id, transfer_id};
use crate::model::NetworkModel;
use crate::rank::{Flow, Then};
use crate::stream::Wait;

impl<M: NetworkModel> Executor<'_, M> {
    pub(crate) fn send(&mut self, message: Message) -> Flow {
        self.send_as(self.protocol.kind(message.bytes), message)
    }

    /// Sends a message that its receiver must have matched before its data leave.
    pub(crate) fn send_synchronously(&mut self, message: Message) -> Flow {
        self.send_as(MessageKind::Rendezvous, message)
    }

    fn send_as(&mut self, kind: MessageKind, mut message: Message) -> Flow {
        let Message { from: rank, to, bytes, .. } = message;
        let local = self.local_to(rank, to);
        let kind = match local {
            _ if to == rank => MessageKind::Short,
            Some(local) => local.kind(bytes, kind),
            None => kind,
        };
        message.kind = kind;
        let message = self.messages.insert(message);
        let work = match kind {
            MessageKind::Short if let Some(local) = local => local.send + local.copy.of(bytes),
            _ if let Some(local) = local => local.send,
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

    /// Returns the transport between two ranks of one node; `None` for others.
    #[inline]
    fn local_to(&self, rank: Rank, to: Rank) -> Option<LocalModel> {
        let shared = self.shared.as_ref()?;
        self.local.filter(|_| to != rank && shared.are_together(rank, to))
    }

    pub(crate) fn write(&mut self, rank: Rank, to: Rank, message: MessageId, role: Role) -> Flow {
        let Message { bytes, kind, sent_by, .. } = *self.messages.get(message);
        let (body, then) = match role {
            Role::Short => (u64::from(self.protocol.envelope) + bytes, Then::Sent),
            Role::Envelope => {
                (u64::from(self.protocol.envelope), Then::Write { to, message, role: Role::Data })
            }
            Role::Data => (bytes, Then::DataWritten { kind, sent_by }),
            Role::Request => (u64::from(self.protocol.request), Then::Requested(message)),
            Role::Clear => (u64::from(self.protocol.clear), Then::CheckWait),
        };
        self.state(rank).then = then;
        // A stream needs at least one byte to carry an empty message.
        let body = if self.protocol.header == 0 { body.max(1) } else { body };
        let id = transfer_id(message, role);
        if self.is_elsewhere(to) {
            let head = self.adopted.head(&self.messages, message, role);
            self.model.note_head(head);
            if matches!(role, Role::Short | Role::Data) {
                // The receiver's executor has a message of its own.
                self.messages.remove(message);
            }
        } else if self.is_awaited(rank) {
            self.under_way_bytes += self.data_bytes(id);
        }
        self.connect(rank, to);
        let transfer = Transfer { id, header: self.protocol.header, body };
        if let Some(local) = self.local_to(rank, to) {
            self.model.hand_over(rank, to, transfer, self.model.now() + local.latency);
            return Flow::Ready;
        }
        match &self.ranks[rank].others {
            Some(others) if others.posts() => self.model.post(rank, to, transfer),
            _ => self.model.write(rank, to, transfer),
        }
        Flow::Busy
    }

    /// Returns the bytes of user data in a transfer.
    pub(crate) fn data_bytes(&self, transfer: TransferId) -> u64 {
        let (message, role) = read_transfer_id(transfer);
        match role {
            Role::Short | Role::Data => self.messages.get(message).bytes,
            Role::Envelope | Role::Request | Role::Clear => 0,
        }
    }

    pub(crate) fn requested(&mut self, rank: Rank, message: MessageId) -> Flow {
        let call = self.messages.get(message).sent_by;
        self.begin(rank, call);
        self.go_on(rank, Then::CheckWait)
    }

    pub(crate) fn data_written(&mut self, rank: Rank, kind: MessageKind, call: Call) -> Flow {
        if kind == MessageKind::Rendezvous {
            self.complete(rank, call);
            self.go_on(rank, Then::CheckWait)
        } else {
            self.sent(rank)
        }
    }

    /// Continues a stream whose send is over, or lets others go first.
    pub(crate) fn sent(&mut self, rank: Rank) -> Flow {
        let state = self.state(rank);
        if state.others.is_none() {
            return self.go_on(rank, Then::Operation);
        }
        state.give_way();
        self.go_on(rank, Then::CheckWait)
    }

    /// Begins a call of the served stream, which continues if it need not wait inside the call.
    fn begin(&mut self, rank: Rank, call: Call) {
        let state = self.state(rank);
        match call.request {
            None => state.stream.wait = Wait::Message,
            Some(number) => {
                state.stream.started.add(number);
                state.give_way();
            }
        }
    }

    fn complete(&mut self, rank: Rank, call: Call) {
        let state = self.state(rank);
        match call.request {
            None => {
                state.stream_of(call).wait = Wait::Nothing;
                state.others.iter_mut().for_each(|others| others.make_ready(call.stream));
            }
            Some(number) => {
                state.stream_of(call).started.complete(number);
                state.resume(call);
            }
        }
    }

    pub(crate) fn receive(&mut self, rank: Rank, receive: Receive) -> Flow {
        self.begin(rank, receive.call);
        let state = &mut self.ranks[rank];
        match state.matching.post(receive, &self.messages) {
            Some(message) => self.matched(rank, message, receive),
            None => self.go_on(rank, Then::CheckWait),
        }
    }

    /// Charges the process for receiving a transfer.
    pub(crate) fn take(&mut self, rank: Rank, transfer: TransferId) -> Flow {
        let (message, role) = read_transfer_id(transfer);
        let &Message { from, to, .. } = self.messages.get(message);
        let work = match role {
            _ if let Some(local) = self.local_to(from, to) => local.take,
            Role::Short => {
                self.costs.take + self.costs.short_copy.of(self.messages.get(message).bytes)
            }
            Role::Envelope | Role::Data | Role::Request | Role::Clear => self.costs.take,
        };
        // The clear of a rendezvous goes the other way.
        self.connect(rank, if rank == to { from } else { to });
        let watching = self.costs.watch * self.ranks[rank].connections.besides_one();
        self.compute(rank, work + watching, Then::Took(transfer))
    }

    /// Notes that a rank has a connection with a peer, which it watches from now on.
    #[inline]
    fn connect(&mut self, rank: Rank, peer: Rank) {
        if self.costs.watch > Time::ZERO {
            self.ranks[rank].connections.note(peer);
        }
    }

    pub(crate) fn took(&mut self, rank: Rank, transfer: TransferId) -> Flow {
        let (message, role) = read_transfer_id(transfer);
        let kind = self.messages.get(message).kind;
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

    /// Matches an arrived message with a posted receive, or keeps it.
    pub(crate) fn offer(&mut self, rank: Rank, id: MessageId) -> Flow {
        let state = &mut self.ranks[rank];
        match state.matching.offer(id, &self.messages) {
            Some(receive) => self.matched(rank, id, receive),
            None => self.go_on(rank, Then::CheckWait),
        }
    }

    fn matched(&mut self, rank: Rank, id: MessageId, receive: Receive) -> Flow {
        let message = self.messages.get_mut(id);
        message.received_by = receive.call;
        match message.kind {
            MessageKind::Short | MessageKind::Long => self.deliver(rank, id),
            MessageKind::Rendezvous => {
                let to = message.from;
                self.go_on(rank, Then::Write { to, message: id, role: Role::Clear })
            }
        }
    }

    fn clear_received(&mut self, rank: Rank, id: MessageId) -> Flow {
        let &Message { to, bytes, .. } = self.messages.get(id);
        let then = Then::Write { to, message: id, role: Role::Data };
        match self.local_to(rank, to) {
            Some(local) => self.compute(rank, local.copy.of(bytes), then),
            None => self.go_on(rank, then),
        }
    }

    /// Copies a complete message to its user buffer.
    fn deliver(&mut self, rank: Rank, id: MessageId) -> Flow {
        let message = self.messages.get(id);
        let copy = match message.kind {
            kind if let Some(local) = self.local_to(message.from, rank) => local.copy_out(kind),
            MessageKind::Short => self.costs.short_copy,
            MessageKind::Long | MessageKind::Rendezvous => self.costs.long_copy,
        };
        self.compute(rank, copy.of(message.bytes), Then::Delivered(id))
    }

    pub(crate) fn delivered(&mut self, rank: Rank, id: MessageId) -> Flow {
        let call = self.messages.get(id).received_by;
        self.messages.remove(id);
        self.complete(rank, call);
        self.go_on(rank, Then::CheckWait)
    }
}
