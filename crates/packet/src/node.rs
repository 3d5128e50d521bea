//! A node: its processors, on one of which the kernel goes ahead of the process, and what the
//! process is doing.
//!
//! Kernel work is served in order and at once; a process that is working is put off by exactly as
//! much. So when a frame arrives, the end of the kernel's work on it is already known, and no event
//! is needed for it; only the end of a piece of process work is an event, which is put off when it
//! comes too early. Where receive queues delay frames or several processors serve them, `lanes`
//! says when the kernel's work begins.

use std::collections::VecDeque;

use host::prefetch;
use host::tcp::EndpointId;
use host::{Transfer, TransferId};
use network::{AddressId, Hop, PortId};
use program::Rank;
use quantity::Time;

/// Entries of a node's route cache.
const ROUTE_CACHE: usize = 64;

/// A piece of work of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Job {
    /// The program computes.
    Compute,
    /// A segment, or several that leave as one, is copied to the send buffer and, where the windows
    /// allow it at the start, sent.
    Segment { payload: u32, leaves: bool },
    /// A segment is copied from the receive buffer.
    Read(EndpointId),
    /// An acknowledgement is made, because reading has opened the window.
    Acknowledge(EndpointId),
    /// A datagram is copied to the interface in packets.
    SendDatagram,
    /// A datagram is copied from the socket.
    ReadDatagram,
}

/// A transfer that a process is writing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WriteCall {
    pub endpoint: EndpointId,
    pub to: Rank,
    /// What is left of the present write, and whether its system call has been charged.
    pub left: u64,
    pub is_entered: bool,
    /// The write that follows.
    pub body: u64,
}

impl WriteCall {
    pub fn new(endpoint: EndpointId, to: Rank, transfer: Transfer) -> WriteCall {
        let (left, body) = match transfer.header {
            0 => (transfer.body, 0),
            header => (u64::from(header), transfer.body),
        };
        WriteCall { endpoint, to, left, is_entered: false, body }
    }

    /// Moves on to the next write; returns whether there is one.
    pub fn next_write(&mut self) -> bool {
        self.left = std::mem::take(&mut self.body);
        self.is_entered = false;
        self.left > 0
    }
}

#[derive(Debug, Default)]
pub(crate) struct Node {
    /// When the kernel has done all it has to do on the processor of the process.
    kernel_free: Time,
    /// And on each of the others.
    others_free: Box<[Time]>,
    pub job: Option<Job>,
    /// When the present job ends, if nothing puts it off further.
    pub job_end: Time,
    pub writing: Option<WriteCall>,
    pub is_listening: bool,
    /// Whether it does nothing for a time; the processor is free.
    pub is_resting: bool,
    /// The connection whose transfer is being read; it is read to its end before any other.
    pub reading: Option<EndpointId>,
    /// A transfer read to its end, not yet reported.
    pub completed: Option<TransferId>,
    /// Other connections with unread data, in order of arrival.
    pub ready: VecDeque<EndpointId>,
    /// The connections of this process, by the rank at the other end.
    pub connections: Vec<(Rank, EndpointId)>,
    /// First tick of the kernel's clock.
    pub tick_offset: Time,
    routes: Vec<Option<(AddressId, Option<Hop>)>>,
}

impl Node {
    /// Returns an idle node of `n_cpus` processors whose clock first ticks at `tick_offset`.
    pub fn new(tick_offset: Time, n_cpus: u32) -> Node {
        let others_free = vec![Time::ZERO; n_cpus as usize - 1].into();
        Node { tick_offset, others_free, ..Node::default() }
    }

    /// Returns when the kernel has done all it has to do on the processor of the process.
    #[inline]
    pub fn kernel_free(&self) -> Time {
        self.kernel_free
    }

    /// Charges a processor with kernel work that becomes possible at `now`; returns when it is
    /// done. Only on its own processor does it put the process off.
    #[inline]
    pub fn charge(&mut self, cpu: u32, now: Time, work: Time) -> Time {
        if cpu > 0 {
            let free = &mut self.others_free[cpu as usize - 1];
            *free = now.max(*free) + work;
            return *free;
        }
        self.kernel_free = self.kernel_free.max(now) + work;
        if self.job.is_some() {
            self.job_end += work;
        }
        self.kernel_free
    }

    /// Forgets all cached routes.
    pub fn forget_routes(&mut self) {
        self.routes.clear();
    }

    /// Returns whether its process has anything left to do.
    pub fn is_working(&self) -> bool {
        let is_busy = self.job.is_some() || self.writing.is_some() || self.is_listening;
        is_busy || self.is_resting || self.completed.is_some()
    }

    /// Returns the cached route to `address`, or finds and keeps it.
    #[inline]
    pub fn route(&mut self, address: AddressId, find: impl FnOnce() -> Option<Hop>) -> Option<Hop> {
        if self.routes.is_empty() {
            self.routes = vec![None; ROUTE_CACHE];
        }
        let entry = &mut self.routes[address as usize % ROUTE_CACHE];
        match *entry {
            Some((cached, hop)) if cached == address => hop,
            _ => {
                let hop = find();
                *entry = Some((address, hop));
                hop
            }
        }
    }

    /// Asks for its memory, as far as frames look at it.
    #[inline]
    pub fn prefetch(&self) {
        prefetch(&self.kernel_free);
        prefetch(&self.job_end);
        prefetch(&self.writing);
        prefetch(&self.routes);
    }

    /// Asks for the memory of the cached route to `address`.
    #[inline]
    pub fn prefetch_route(&self, address: AddressId) {
        if let Some(entry) = self.routes.get(address as usize % ROUTE_CACHE) {
            prefetch(entry);
        }
    }

    /// Returns the port of the cached route to `address`, if there is one.
    #[inline]
    pub fn known_route(&self, address: AddressId) -> Option<PortId> {
        match *self.routes.get(address as usize % ROUTE_CACHE)? {
            Some((cached, Some(hop))) if cached == address => Some(hop.port),
            _ => None,
        }
    }

    /// Returns the bytes of memory held.
    pub fn memory_bytes(&self) -> usize {
        size_of::<Node>()
            + size_of_val(&*self.others_free)
            + self.ready.capacity() * size_of::<EndpointId>()
            + self.connections.capacity() * size_of::<(Rank, EndpointId)>()
            + self.routes.capacity() * size_of::<Option<(AddressId, Option<Hop>)>>()
    }
}
