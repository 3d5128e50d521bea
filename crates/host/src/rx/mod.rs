//! Receive queues and the processors that poll them: interrupt coalescing, polling while there is
//! work, and merged segments.
//!
//! A *receive queue* belongs to one interface and one processor. The first frame in it raises an
//! interrupt, at once or after a while; then the processor polls, and frames that arrive before it
//! finds the queue empty need no interrupt (Linux's NAPI). The processor takes one frame at a time,
//! or consecutive segments of one connection (GRO), extended by those that arrive during the work,
//! before TCP receives them all. The end of that work is an event, because the next batch is known
//! only then. Where one processor takes frames as they arrive (`HostModel::takes_frames_at_once`)
//! the end is known on arrival, and nothing here is used.

mod batch;

use std::collections::VecDeque;

use quantity::{IdVec, Time};

use crate::constants::{HostModel, InterfaceQueues};
use crate::cpus::Cpus;

pub use batch::{POLLED_FRAMES, RxFrame};

quantity::id! {
    /// A receive queue.
    pub RxQueueId;
    /// A NAPI context: one processor of one node, as it polls queues.
    pub NapiId;
}

/// Frames that wait for a processor.
#[derive(Clone, Debug)]
struct RxQueue<F> {
    context: NapiId,
    waiting: VecDeque<F>,
    /// Number of frames in the batch of the processor.
    n_taken: u32,
    /// The time of the pending interrupt; `Time::MAX` for none.
    interrupt_at: Time,
    is_polled: bool,
}

/// A NAPI context: the queues that a processor polls.
#[derive(Clone, Debug)]
struct NapiContext<F> {
    /// Queues to be polled, in round-robin order.
    polled: VecDeque<RxQueueId>,
    /// The queue that was polled last, and the batch taken from it.
    queue: RxQueueId,
    batch: Vec<F>,
}

/// The receive queues of all nodes, with the NAPI contexts that poll them. `F` identifies a frame.
#[derive(Clone, Debug)]
pub struct RxQueues<F> {
    n_cpus: u32,
    queues: IdVec<RxQueueId, RxQueue<F>>,
    /// The contexts of node 0 by processor, then those of node 1, and so on.
    contexts: IdVec<NapiId, NapiContext<F>>,
}

/// The outcome of a frame at a receive queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Enqueued {
    /// The queue is full, and the frame is lost.
    Full,
    /// The frame waits for a poll or an interrupt that is pending.
    Waits,
    /// The frame waits, and an interrupt is due at this time.
    WaitsUntil(Time),
    /// An interrupt is due at once.
    Interrupts,
}

/// Access of receive queues to the frames that they hold.
pub trait RxFrames<F> {
    /// Returns the content of a frame.
    fn frame(&self, frame: &F) -> RxFrame;

    /// Returns whether a frame is for the process of its node, and not to be forwarded.
    fn is_local(&self, frame: &F) -> bool;
}

/// A processor that polls, with everything it needs.
#[derive(Debug)]
pub struct Polling<'a, J, V> {
    /// The present time.
    pub now: Time,
    /// The constants of the hosts.
    pub host: &'a HostModel,
    /// The processors of the node.
    pub cpus: &'a mut Cpus<J>,
    /// Access to the frames.
    pub frames: V,
}

/// The outcome of a check for the end of a batch.
#[derive(Clone, Debug)]
pub enum Polled<F> {
    /// The batch has been extended by frames that arrived meanwhile, until this time.
    GoesOn(Time),
    /// The batch from this queue is done.
    Done(RxQueueId, Vec<F>),
}

impl<F: Copy> RxQueues<F> {
    /// Returns empty queues of nodes with `n_cpus` processors each; `servers` gives the node and
    /// the processor that serve each queue.
    pub fn new(
        n_nodes: u32,
        n_cpus: u32,
        servers: impl Iterator<Item = (u32, u32)>,
    ) -> RxQueues<F> {
        let queue = |(node, cpu)| RxQueue {
            context: NapiId::new(node * n_cpus + cpu),
            waiting: VecDeque::new(),
            n_taken: 0,
            interrupt_at: Time::MAX,
            is_polled: false,
        };
        let queues = servers.map(queue).collect();
        let any = RxQueueId::new(0);
        let context = NapiContext { polled: VecDeque::new(), queue: any, batch: Vec::new() };
        RxQueues { n_cpus, queues, contexts: IdVec::filled(context, n_nodes * n_cpus) }
    }

    /// Returns no queues, for hosts that take frames as they come.
    pub fn unused() -> RxQueues<F> {
        RxQueues { n_cpus: 0, queues: IdVec::new(), contexts: IdVec::new() }
    }

    /// Returns whether frames wait in queues at all.
    #[inline]
    pub fn is_used(&self) -> bool {
        self.n_cpus > 0
    }

    /// Returns the number of processors of each node.
    #[inline]
    pub fn n_cpus(&self) -> u32 {
        self.n_cpus
    }

    /// Returns the NAPI context that serves a queue.
    #[inline]
    pub fn context(&self, queue: RxQueueId) -> NapiId {
        self.queues[queue].context
    }

    /// Returns the node of a NAPI context.
    #[inline]
    pub fn node(&self, context: NapiId) -> u32 {
        context.get() / self.n_cpus
    }

    /// Returns the processor of a NAPI context within its node.
    #[inline]
    pub fn cpu(&self, context: NapiId) -> u32 {
        context.get() % self.n_cpus
    }

    /// Returns the first frame of the batch that a processor has taken.
    #[inline]
    pub fn first_polled(&self, context: NapiId) -> Option<&F> {
        self.contexts.get(context)?.batch.first()
    }

    /// Returns the number of frames that a queue holds, with those in the batch of its processor.
    pub fn n_held(&self, queue: RxQueueId) -> u32 {
        let RxQueue { waiting, n_taken, .. } = &self.queues[queue];
        waiting.len() as u32 + n_taken
    }

    /// Adds a received frame to a queue.
    #[inline]
    pub fn enqueue(
        &mut self,
        queue: RxQueueId,
        frame: F,
        now: Time,
        options: &InterfaceQueues,
    ) -> Enqueued {
        let queue = &mut self.queues[queue];
        if queue.waiting.len() as u32 + queue.n_taken >= options.receive {
            return Enqueued::Full;
        }
        queue.waiting.push_back(frame);
        if queue.is_polled {
            return Enqueued::Waits;
        }
        let is_enough = queue.waiting.len() as u32 == options.interrupt_frames;
        if options.interrupt_hold == Time::ZERO || is_enough {
            return Enqueued::Interrupts;
        }
        if queue.interrupt_at < Time::MAX {
            return Enqueued::Waits;
        }
        queue.interrupt_at = now + options.interrupt_hold;
        Enqueued::WaitsUntil(queue.interrupt_at)
    }

    /// Returns whether an interrupt that has waited for more frames is raised now. It is not if
    /// enough frames have raised it before.
    #[inline]
    pub fn is_interrupt_due(&self, queue: RxQueueId, now: Time) -> bool {
        self.queues[queue].interrupt_at == now
    }

    /// Raises an interrupt. Returns the end of the first batch, if the processor was idle.
    pub fn interrupt<J: Copy>(
        &mut self,
        queue: RxQueueId,
        mut polling: Polling<'_, J, impl RxFrames<F>>,
    ) -> Option<Time> {
        let state = &mut self.queues[queue];
        state.interrupt_at = Time::MAX;
        state.is_polled = true;
        let id = state.context;
        polling.charge(self.cpu(id), polling.host.costs.interrupt);
        let context = &mut self.contexts[id];
        context.polled.push_back(queue);
        if context.batch.is_empty() { self.poll(id, polling) } else { None }
    }

    /// Lets an idle processor take its next batch; returns the end of it, `None` if there is none.
    fn poll<J: Copy>(
        &mut self,
        id: NapiId,
        mut polling: Polling<'_, J, impl RxFrames<F>>,
    ) -> Option<Time> {
        let cpu = self.cpu(id);
        let NapiContext { polled, queue, batch } = &mut self.contexts[id];
        while let Some(next) = polled.pop_front() {
            let state = &mut self.queues[next];
            if state.waiting.is_empty() {
                state.is_polled = false;
                continue;
            }
            // The context serves its queues in turn.
            polled.push_back(next);
            *queue = next;
            batch.extend(state.waiting.pop_front());
            let most_bytes = polling.host.queues.receive_bytes;
            batch::take_more(&mut state.waiting, batch, most_bytes, &polling.frames);
            state.n_taken = batch.len() as u32;
            let work = batch::work(batch, &polling.frames, polling.host);
            return Some(polling.charge(cpu, work));
        }
        None
    }

    /// Checks for the end of a batch, at the time at which it was due.
    #[inline]
    pub fn polled<J: Copy>(
        &mut self,
        id: NapiId,
        polling: Polling<'_, J, impl RxFrames<F>>,
    ) -> Polled<F> {
        if let Some(end) = self.goes_on(id, polling) {
            return Polled::GoesOn(end);
        }
        let NapiContext { queue, batch, .. } = &mut self.contexts[id];
        self.queues[*queue].n_taken = 0;
        Polled::Done(*queue, std::mem::take(batch))
    }

    /// Extends the batch of a processor by frames that continue it; returns its new end, if there
    /// are any.
    fn goes_on<J: Copy>(
        &mut self,
        id: NapiId,
        mut polling: Polling<'_, J, impl RxFrames<F>>,
    ) -> Option<Time> {
        let NapiContext { queue, batch, .. } = &mut self.contexts[id];
        let state = &mut self.queues[*queue];
        let most_bytes = polling.host.queues.receive_bytes;
        if most_bytes == 0 || state.waiting.is_empty() {
            return None;
        }
        let before = batch::work(batch, &polling.frames, polling.host);
        batch::take_more(&mut state.waiting, batch, most_bytes, &polling.frames);
        let n_before = std::mem::replace(&mut state.n_taken, batch.len() as u32);
        if state.n_taken == n_before {
            return None;
        }
        let after = batch::work(batch, &polling.frames, polling.host);
        Some(polling.charge(self.cpu(id), after - before))
    }

    /// Lets a processor whose batch has been delivered take another; returns its end as `interrupt`
    /// does. The memory of the old batch is reused.
    pub fn poll_on<J: Copy>(
        &mut self,
        id: NapiId,
        mut batch: Vec<F>,
        polling: Polling<'_, J, impl RxFrames<F>>,
    ) -> Option<Time> {
        batch.clear();
        self.contexts[id].batch = batch;
        self.poll(id, polling)
    }

    /// Returns the bytes of memory held.
    pub fn memory_bytes(&self) -> usize {
        let waiting: usize = self.queues.iter().map(|queue| queue.waiting.capacity()).sum();
        let taken: usize = self.contexts.iter().map(|context| context.batch.capacity()).sum();
        let polled: usize = self.contexts.iter().map(|context| context.polled.capacity()).sum();
        self.queues.capacity() * size_of::<RxQueue<F>>()
            + self.contexts.capacity() * size_of::<NapiContext<F>>()
            + (waiting + taken) * size_of::<F>()
            + polled * size_of::<RxQueueId>()
    }

    /// Moves all times by `span`; `shift` does so for a frame.
    pub fn shift(&mut self, span: Time, shift: impl FnMut(&mut F)) {
        let waiting = self.queues.iter_mut().flat_map(|queue| {
            if queue.interrupt_at < Time::MAX {
                queue.interrupt_at += span;
            }
            &mut queue.waiting
        });
        let taken = self.contexts.iter_mut().flat_map(|context| &mut context.batch);
        waiting.chain(taken).for_each(shift);
    }

    /// Appends to `state` everything that future times depend on, relative to `now`; `describe`
    /// does so for a frame.
    pub fn describe(&self, now: Time, describe: impl Fn(&F, &mut Vec<u64>), state: &mut Vec<u64>) {
        for queue in &self.queues {
            // Times in the past are all alike, and so are times that never come.
            let due = queue.interrupt_at.saturating_sub(now).ps().min(u64::MAX / 2);
            state.extend([due, u64::from(queue.is_polled), queue.waiting.len() as u64]);
            queue.waiting.iter().for_each(|frame| describe(frame, state));
        }
        for context in &self.contexts {
            state.extend([u64::from(context.queue.get()), context.batch.len() as u64]);
            context.batch.iter().for_each(|frame| describe(frame, state));
            state.push(context.polled.len() as u64);
            state.extend(context.polled.iter().map(|&queue| u64::from(queue.get())));
        }
    }
}

impl<J: Copy, V> Polling<'_, J, V> {
    fn charge(&mut self, cpu: u32, work: Time) -> Time {
        self.cpus.charge(cpu, self.now, work)
    }
}
