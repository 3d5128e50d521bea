//! The receive queues of the nodes (`host::rx`) as the engine drives them: frames are steered to
//! queues, and batches handed to TCP or to forwarding.

use host::rx::{Enqueued, NapiId, Polled, Polling, RxFrame, RxFrames, RxQueueId, RxQueues};
use host::{process::Job, transport::EndpointId};
use network::{Addressing, NodeId, PortId};
use quantity::Id;

use super::path::flow_hash;
use super::processes::first_on;
use super::stack::Stack;
use crate::arena::{FrameArena, FrameId};
use crate::event::Event;
use crate::frame::{IpHeader, Payload, Segment};
use crate::medium::Medium;

/// The frames in the receive queues of a node.
pub(crate) struct FramesAt<'a> {
    frames: &'a FrameArena,
    addressing: &'a Addressing,
    node: NodeId,
}

impl RxFrames<FrameId> for FramesAt<'_> {
    #[inline]
    fn frame(&self, &id: &FrameId) -> RxFrame {
        let (ip, segment) = packet(self.frames, id);
        RxFrame { flow: segment.to.get(), segment: segment.incoming(), ip_bytes: ip.bytes }
    }

    #[inline]
    fn is_local(&self, &id: &FrameId) -> bool {
        self.addressing.address(packet(self.frames, id).0.destination).node == self.node
    }
}

/// Returns the packet in a frame of a receive queue.
#[inline]
fn packet(frames: &FrameArena, id: FrameId) -> (IpHeader, Segment) {
    match frames.get(id).payload {
        Payload::Segment(ip, segment) => (ip, segment),
        _ => unreachable!("receive queues hold segments"),
    }
}

impl<'a, M: Medium<'a>> Stack<'a, M> {
    /// Puts a frame that has arrived at a node into the queue that its flow is steered to.
    pub(crate) fn queue_received(&mut self, node: NodeId, port: PortId, id: FrameId) {
        let (ip, segment) = packet(&self.link.wires.plain().frames, id);
        let hash = flow_hash(segment.to);
        let cpu = match self.is_for(node, &ip) {
            true if self.hosts.processes.share_nodes() => self.hosts.paths[segment.to].cpu,
            is_local => self.host.processors.cpu_of(hash, is_local),
        };
        let queue = self.hosts.rx_queues_of(port).start.offset(cpu);
        let enqueued = self.hosts.rx.enqueue(queue, id, self.link.clock.now, &self.host.queues);
        if enqueued == Enqueued::Full {
            return self.drop_at_receiver(id);
        }
        self.watch_ring(port);
        match enqueued {
            Enqueued::Full | Enqueued::Waits => {}
            Enqueued::WaitsUntil(time) => {
                self.link.clock.events.push(time, Event::Interrupt { queue })
            }
            Enqueued::Interrupts => self.interrupt(queue),
        }
    }

    /// Raises an interrupt that has waited for more frames, unless enough frames have raised it
    /// before.
    pub(crate) fn interrupt_due(&mut self, queue: RxQueueId) {
        if self.hosts.rx.is_interrupt_due(queue, self.link.clock.now) {
            self.interrupt(queue);
        }
    }

    fn interrupt(&mut self, queue: RxQueueId) {
        self.link.clock.counters.interrupts += 1;
        let context = self.hosts.rx.context(queue);
        let before = self.kernel_free(context);
        let (rx, polling) = self.polling(context);
        if let Some(end) = rx.interrupt(queue, polling) {
            self.link.clock.events.push(end, Event::Polled { context });
        }
        self.tell_polling(context, before);
    }

    /// Returns the receive queues, and a view of one processor that polls them.
    fn polling(
        &mut self,
        context: NapiId,
    ) -> (&mut RxQueues<FrameId>, Polling<'_, Job<EndpointId>, FramesAt<'_>>) {
        let node = NodeId::new(self.hosts.rx.node(context));
        let (frames, addressing) = (&self.link.wires.plain().frames, &self.network.addressing);
        let polling = Polling {
            now: self.link.clock.now,
            host: self.host,
            cpus: &mut self.hosts.nodes[first_on(node)].cpus,
            frames: FramesAt { frames, addressing, node },
        };
        (&mut self.hosts.rx, polling)
    }

    /// Delivers the batch that a processor has finished, and lets it take another.
    pub(crate) fn polled(&mut self, context: NapiId) {
        let before = self.kernel_free(context);
        let (rx, polling) = self.polling(context);
        let (queue, batch) = match rx.polled(context, polling) {
            Polled::GoesOn(end) => {
                self.tell_polling(context, before);
                return self.link.clock.events.push(end, Event::Polled { context });
            }
            Polled::Done(queue, batch) => (queue, batch),
        };
        let node = NodeId::new(self.hosts.rx.node(context));
        self.watch_ring(self.hosts.interface(queue));
        if self.is_for(node, &packet(&self.link.wires.plain().frames, batch[0]).0) {
            self.take_batch(node, &batch);
        } else {
            batch.iter().for_each(|&id| self.forward(node, id, self.link.clock.now));
        }
        let before = self.kernel_free(context);
        let (rx, polling) = self.polling(context);
        if let Some(end) = rx.poll_on(context, batch, polling) {
            self.link.clock.events.push(end, Event::Polled { context });
        }
        self.tell_polling(context, before);
        self.step(first_on(node));
        self.hosts.processes.further_on(node).for_each(|process| self.step(process));
    }

    /// Hands a batch of segments to TCP: as one segment if they are in order.
    fn take_batch(&mut self, node: NodeId, batch: &[FrameId]) {
        let (frames, addressing) = (&self.link.wires.plain().frames, &self.network.addressing);
        let (_, first) = packet(frames, batch[0]);
        let (endpoint, now) = (first.to, self.link.clock.now);
        let expected = self.hosts.endpoints[endpoint].receiver.expected();
        if batch.len() == 1 || first.sequence != expected {
            for &id in batch {
                let (_, segment) = packet(&self.link.wires.plain().frames, id);
                self.take_segment(id, endpoint, &segment.incoming(), now);
            }
        } else {
            let whole = RxFrame::of_batch(batch, &FramesAt { frames, addressing, node });
            self.take_segment(batch[batch.len() - 1], endpoint, &whole.segment, now);
        }
        self.link.clock.counters.frames_consumed += batch.len() as u64;
        batch.iter().for_each(|&id| self.link.wires.plain_mut().frames.remove(id));
    }
}
