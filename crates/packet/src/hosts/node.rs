//! A node: its processors, the state of its process, and the routes that its kernel has cached.
//!
//! The end of the kernel's work on a frame is known when the frame arrives (`host::Cpus`), so that
//! no event is needed for it. Only the end of a piece of process work is an event, which is
//! postponed when it comes too early. Where receive queues delay frames or several processors serve
//! them, `rx` says when the kernel's work begins.

use host::process::{Job, Looking, Postponed, ReadOrder, WriteCall};
use host::transport::EndpointId;
use host::{Cpus, Head, prefetch};
use network::{AddressId, Hop, PortId};
use program::Rank;
use quantity::{Id, Time};

/// Number of entries of a node's route cache.
const ROUTE_CACHE: usize = 64;

#[derive(Debug, Default)]
pub(crate) struct Node {
    pub cpus: Cpus<Job<EndpointId>>,
    pub writing: Option<WriteCall<EndpointId>>,
    /// The writes that wait for room while the process does something else.
    pub postponed: Option<Box<Postponed<EndpointId>>>,
    /// The messages that the process looks for while its write is blocked.
    pub looking: Looking,
    pub is_listening: bool,
    /// A computation that begins when the present job is over.
    pub next_work: Option<Time>,
    /// True while the process sleeps; the processor is free.
    pub is_sleeping: bool,
    /// The connections with unread data.
    pub order: ReadOrder<EndpointId>,
    /// The sequence number up to which the connection that is being read has its turn.
    pub turn_end: u64,
    /// The head of a transfer read to its end and not yet reported, and its connection.
    pub completed: Option<(EndpointId, Head)>,
    /// The connections of this process, by the rank at the other end.
    pub connections: Vec<(Rank, EndpointId)>,
    /// Time of the first tick of the kernel's clock.
    pub tick_offset: Time,
    routes: Vec<Option<(AddressId, Option<Hop>)>>,
}

impl Node {
    /// Returns an idle node of `n_cpus` processors whose clock first ticks at `tick_offset`.
    pub fn new(tick_offset: Time, n_cpus: u32) -> Node {
        Node { tick_offset, cpus: Cpus::new(n_cpus), turn_end: u64::MAX, ..Node::default() }
    }

    /// Charges a processor with kernel work that becomes possible at `now`; returns when it is
    /// done.
    #[inline]
    pub fn charge(&mut self, cpu: u32, now: Time, work: Time) -> Time {
        self.cpus.charge(cpu, now, work)
    }

    /// Returns the write to a connection.
    #[inline]
    pub fn call(&mut self, connection: EndpointId) -> Option<&mut WriteCall<EndpointId>> {
        match &mut self.writing {
            Some(call) if call.connection == connection => Some(call),
            _ => self.postponed.as_mut()?.call(connection),
        }
    }

    /// Forgets all cached routes.
    pub fn forget_routes(&mut self) {
        self.routes.clear();
    }

    /// Returns whether the process has anything left to do.
    pub fn is_working(&self) -> bool {
        let is_busy = self.cpus.job().is_some() || self.writing.is_some() || self.is_listening;
        is_busy || self.is_sleeping || self.completed.is_some()
    }

    /// Returns the cached route to `address`, or finds and keeps it.
    #[inline]
    pub fn route(&mut self, address: AddressId, find: impl FnOnce() -> Option<Hop>) -> Option<Hop> {
        if self.routes.is_empty() {
            self.routes = vec![None; ROUTE_CACHE];
        }
        let entry = &mut self.routes[address.index() % ROUTE_CACHE];
        match *entry {
            Some((cached, hop)) if cached == address => hop,
            _ => {
                let hop = find();
                *entry = Some((address, hop));
                hop
            }
        }
    }

    /// Prefetches the memory that frames read.
    #[inline]
    pub fn prefetch(&self) {
        self.cpus.prefetch();
        prefetch(&self.writing);
        prefetch(&self.routes);
    }

    /// Prefetches the cached route to `address`.
    #[inline]
    pub fn prefetch_route(&self, address: AddressId) {
        if let Some(entry) = self.routes.get(address.index() % ROUTE_CACHE) {
            prefetch(entry);
        }
    }

    /// Returns the port of the cached route to `address`, if there is one.
    #[inline]
    pub fn known_route(&self, address: AddressId) -> Option<PortId> {
        match *self.routes.get(address.index() % ROUTE_CACHE)? {
            Some((cached, Some(hop))) if cached == address => Some(hop.port),
            _ => None,
        }
    }

    /// Returns the bytes of memory held.
    pub fn memory_bytes(&self) -> usize {
        size_of::<Node>()
            + self.cpus.heap_bytes()
            + self.order.heap_bytes()
            + self.postponed.as_ref().map_or(0, |postponed| postponed.heap_bytes())
            + self.connections.capacity() * size_of::<(Rank, EndpointId)>()
            + self.routes.capacity() * size_of::<Option<(AddressId, Option<Hop>)>>()
    }
}
