//! Receive queues and the processors that poll them: interrupts that wait for more frames, polling
//! while there is work, and segments that are taken as one.
//!
//! A *receive queue* is that of one interface for one processor. The first frame in it raises an
//! interrupt, at once or after a while; from then on the processor polls, and what comes until it
//! finds the queue empty needs no interrupt (Linux's NAPI). It takes one frame at a time, or the
//! segments of one connection that follow each other in the queue (GRO), and what has come
//! meanwhile and continues them, before TCP takes them all. What has to be asked for is the end of
//! that work, because only then is it known what comes next; where one processor takes frames as
//! they come (`HostModel::takes_frames_at_once`) it is known on arrival, and nothing here is used.

mod batch;

use std::collections::VecDeque;

use quantity::Time;

use crate::constants::{HostModel, InterfaceQueues};
use crate::cpus::Cpus;

pub use batch::{POLLED_FRAMES, RxFrame};

/// Index of a receive queue.
pub type RxQueueId = u32;
/// Index of a NAPI context: node times number of processors, plus the processor.
pub type NapiId = u32;

/// Frames that wait for a processor.
#[derive(Clone, Debug)]
struct RxQueue<F> {
    context: NapiId,
    waiting: VecDeque<F>,
    /// Frames that the processor is busy with.
    n_taken: u32,
    /// When the pending interrupt is due; `Time::MAX` for none.
    interrupt_at: Time,
    is_polled: bool,
}

/// What a processor polls.
#[derive(Clone, Debug)]
struct NapiContext<F> {
    /// Queues to be polled, in turn.
    polled: VecDeque<RxQueueId>,
    /// The queue that was polled last, and what was taken from it.
    queue: RxQueueId,
    batch: Vec<F>,
}

/// The receive queues of all nodes, with the processors that poll them. `F` stands for a frame.
#[derive(Clone, Debug)]
pub struct RxQueues<F> {
    n_cpus: u32,
    queues: Vec<RxQueue<F>>,
    contexts: Vec<NapiContext<F>>,
}

/// What becomes of a frame at a receive queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Enqueued {
    /// The queue is full: the frame is lost.
    Full,
    /// The frame waits, and will be taken.
    Waits,
    /// So it does, and an interrupt is due then.
    WaitsUntil(Time),
    /// An interrupt is due at once.
    Interrupts,
}

/// What receive queues are told of the frames that they hold.
pub trait RxFrames<F> {
    /// Returns what a frame holds.
    fn frame(&self, frame: &F) -> RxFrame;

    /// Returns whether it is for the process of its node, and not to be relayed.
    fn is_local(&self, frame: &F) -> bool;
}

/// A processor that polls, and what it needs for that.
#[derive(Debug)]
pub struct Polling<'a, J, V> {
    /// The present time.
    pub now: Time,
    /// The constants of the hosts.
    pub host: &'a HostModel,
    /// The processors of the node.
    pub cpus: &'a mut Cpus<J>,
    /// What is known of frames.
    pub frames: V,
}

/// What a processor says when the end of its work was expected.
#[derive(Clone, Debug)]
pub enum Polled<F> {
    /// It goes on, with what has come meanwhile and continues what it has taken, until then.
    GoesOn(Time),
    /// It has done with what it took from a queue.
    Done(RxQueueId, Vec<F>),
}

impl<F: Copy> RxQueues<F> {
    /// Returns empty queues, of which each is served by the processor with this index, of nodes
    /// that have `n_cpus` each.
    pub fn new(n_nodes: u32, n_cpus: u32, contexts: impl Iterator<Item = NapiId>) -> RxQueues<F> {
        let queue = |context| RxQueue {
            context,
            waiting: VecDeque::new(),
            n_taken: 0,
            interrupt_at: Time::MAX,
            is_polled: false,
        };
        let context = NapiContext { polled: VecDeque::new(), queue: 0, batch: Vec::new() };
        let n_contexts = (n_nodes * n_cpus) as usize;
        RxQueues {
            n_cpus,
            queues: contexts.map(queue).collect(),
            contexts: vec![context; n_contexts],
        }
    }

    /// Returns no queues, for hosts that take frames as they come.
    pub fn unused() -> RxQueues<F> {
        RxQueues { n_cpus: 0, queues: Vec::new(), contexts: Vec::new() }
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

    /// Returns the processor that serves a queue.
    #[inline]
    pub fn context(&self, queue: RxQueueId) -> NapiId {
        self.queues[queue as usize].context
    }

    /// Returns how many frames a queue holds, with those that its processor is busy with.
    pub fn n_held(&self, queue: RxQueueId) -> u32 {
        let RxQueue { waiting, n_taken, .. } = &self.queues[queue as usize];
        waiting.len() as u32 + n_taken
    }

    /// Puts a frame that has arrived into a queue.
    #[inline]
    pub fn enqueue(
        &mut self,
        queue: RxQueueId,
        frame: F,
        now: Time,
        options: &InterfaceQueues,
    ) -> Enqueued {
        let queue = &mut self.queues[queue as usize];
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

    /// Returns whether an interrupt that has waited for more frames is raised now: not when enough
    /// have come before.
    #[inline]
    pub fn is_interrupt_due(&self, queue: RxQueueId, now: Time) -> bool {
        self.queues[queue as usize].interrupt_at == now
    }

    /// Raises an interrupt. Returns when its processor, if it was idle, has done with what it does
    /// first.
    pub fn interrupt<J: Copy>(
        &mut self,
        queue: RxQueueId,
        mut polling: Polling<'_, J, impl RxFrames<F>>,
    ) -> Option<Time> {
        let state = &mut self.queues[queue as usize];
        state.interrupt_at = Time::MAX;
        state.is_polled = true;
        let id = state.context;
        polling.charge(id % self.n_cpus, polling.host.costs.interrupt);
        let context = &mut self.contexts[id as usize];
        context.polled.push_back(queue);
        if context.batch.is_empty() { self.poll(id, polling) } else { None }
    }

    /// Lets an idle processor take what it does next; returns when it has done with it, `None` when
    /// there is nothing.
    fn poll<J: Copy>(
        &mut self,
        id: NapiId,
        mut polling: Polling<'_, J, impl RxFrames<F>>,
    ) -> Option<Time> {
        let NapiContext { polled, queue, batch } = &mut self.contexts[id as usize];
        while let Some(next) = polled.pop_front() {
            let state = &mut self.queues[next as usize];
            if state.waiting.is_empty() {
                state.is_polled = false;
                continue;
            }
            // Every queue has its turn.
            polled.push_back(next);
            *queue = next;
            batch.extend(state.waiting.pop_front());
            let most_bytes = polling.host.queues.receive_bytes;
            batch::take_more(&mut state.waiting, batch, most_bytes, &polling.frames);
            state.n_taken = batch.len() as u32;
            let work = batch::work(batch, &polling.frames, &polling.host.costs);
            return Some(polling.charge(id % self.n_cpus, work));
        }
        None
    }

    /// Answers the end of a processor's work.
    #[inline]
    pub fn polled<J: Copy>(
        &mut self,
        id: NapiId,
        polling: Polling<'_, J, impl RxFrames<F>>,
    ) -> Polled<F> {
        if let Some(end) = self.goes_on(id, polling) {
            return Polled::GoesOn(end);
        }
        let NapiContext { queue, batch, .. } = &mut self.contexts[id as usize];
        self.queues[*queue as usize].n_taken = 0;
        Polled::Done(*queue, std::mem::take(batch))
    }

    /// Lets a processor go on with what continues what it has taken; returns until when, if there
    /// is anything.
    fn goes_on<J: Copy>(
        &mut self,
        id: NapiId,
        mut polling: Polling<'_, J, impl RxFrames<F>>,
    ) -> Option<Time> {
        let NapiContext { queue, batch, .. } = &mut self.contexts[id as usize];
        let state = &mut self.queues[*queue as usize];
        let most_bytes = polling.host.queues.receive_bytes;
        if most_bytes == 0 || state.waiting.is_empty() {
            return None;
        }
        let before = batch::work(batch, &polling.frames, &polling.host.costs);
        batch::take_more(&mut state.waiting, batch, most_bytes, &polling.frames);
        let n_before = std::mem::replace(&mut state.n_taken, batch.len() as u32);
        if state.n_taken == n_before {
            return None;
        }
        let after = batch::work(batch, &polling.frames, &polling.host.costs);
        Some(polling.charge(id % self.n_cpus, after - before))
    }

    /// Lets a processor whose frames have been handed on take more; returns as `interrupt` does.
    /// The memory of the frames comes back.
    pub fn poll_on<J: Copy>(
        &mut self,
        id: NapiId,
        mut batch: Vec<F>,
        polling: Polling<'_, J, impl RxFrames<F>>,
    ) -> Option<Time> {
        batch.clear();
        self.contexts[id as usize].batch = batch;
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

    /// Puts all times off by `span`; `shift` does so with what a frame tells.
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

    /// Appends to `state` all that the times to come depend on, as seen from `now`; `describe` does
    /// so for a frame.
    pub fn describe(&self, now: Time, describe: impl Fn(&F, &mut Vec<u64>), state: &mut Vec<u64>) {
        for queue in &self.queues {
            // Long ago and for ever are alike.
            let due = queue.interrupt_at.saturating_sub(now).ps().min(u64::MAX / 2);
            state.extend([due, u64::from(queue.is_polled), queue.waiting.len() as u64]);
            queue.waiting.iter().for_each(|frame| describe(frame, state));
        }
        for context in &self.contexts {
            state.extend([u64::from(context.queue), context.batch.len() as u64]);
            context.batch.iter().for_each(|frame| describe(frame, state));
            state.push(context.polled.len() as u64);
            state.extend(context.polled.iter().map(|&queue| u64::from(queue)));
        }
    }
}

impl<J: Copy, V> Polling<'_, J, V> {
    fn charge(&mut self, cpu: u32, work: Time) -> Time {
        self.cpus.charge(cpu, self.now, work)
    }
}
