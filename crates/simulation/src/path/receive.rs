//! Processors that poll receive queues: they drive the machines of `host` as the packet engine
//! does, and hand frames to TCP or to the next leg.

use host::process::Job;
use host::rx::{Enqueued, NapiId, Polled, Polling, RxFrame, RxFrames, RxQueueId, RxQueues};
use host::{HostModel, InterfaceQueues};
use quantity::Id;

use super::frame::Frame;
use super::run::{Event, Run};

/// The frames in the receive queues of a node.
pub(super) struct FramesAt<'a> {
    run: (&'a HostModel, bool),
    node: usize,
}

impl RxFrames<Frame> for FramesAt<'_> {
    fn frame(&self, frame: &Frame) -> RxFrame {
        let (host, is_v6) = self.run;
        let ip_bytes = host.tcp.frame_sizes(frame.segment.payload, is_v6).0;
        RxFrame { flow: frame.to as u32, segment: frame.segment, ip_bytes }
    }

    fn is_local(&self, frame: &Frame) -> bool {
        frame.to == self.node
    }
}

impl Run<'_> {
    /// Puts an arrived frame into the receive queue of its leg.
    pub fn queue_received(&mut self, leg: usize, frame: Frame) {
        let queue = RxQueueId::from_index(leg);
        // Idle paths lose no frames.
        let queues = InterfaceQueues { receive: u32::MAX, ..self.host.queues };
        match self.rx.enqueue(queue, frame, self.now, &queues) {
            Enqueued::WaitsUntil(time) => self.events.push(time, Event::Interrupt { queue }),
            Enqueued::Interrupts => self.interrupt(queue),
            Enqueued::Full | Enqueued::Waits => {}
        }
    }

    /// Raises an interrupt that was delayed for more frames, unless enough frames have raised it
    /// before.
    pub fn interrupt_due(&mut self, queue: RxQueueId) {
        if self.rx.is_interrupt_due(queue, self.now) {
            self.interrupt(queue);
        }
    }

    fn interrupt(&mut self, queue: RxQueueId) {
        let context = self.rx.context(queue);
        let (rx, polling) = self.polling(context);
        if let Some(end) = rx.interrupt(queue, polling) {
            self.events.push(end, Event::Polled { context });
        }
    }

    fn polling(
        &mut self,
        context: NapiId,
    ) -> (&mut RxQueues<Frame>, Polling<'_, Job<()>, FramesAt<'_>>) {
        let node = self.rx.node(context) as usize;
        let frames = FramesAt { run: (self.host, self.path.is_v6), node };
        let (now, host) = (self.now, self.host);
        (&mut self.rx, Polling { now, host, cpus: &mut self.cpus[node], frames })
    }

    /// Hands on the frames that a processor has processed, and lets it take more.
    pub fn polled(&mut self, context: NapiId) {
        let (rx, polling) = self.polling(context);
        let node = rx.node(context) as usize;
        let (queue, batch) = match rx.polled(context, polling) {
            Polled::GoesOn(end) => return self.events.push(end, Event::Polled { context }),
            Polled::Done(queue, batch) => (queue, batch),
        };
        let is_local = batch[0].to == node;
        if is_local {
            let frames = FramesAt { run: (self.host, self.path.is_v6), node };
            let whole = RxFrame::of_batch(&batch, &frames);
            self.take_segment(node, &whole.segment, self.now);
        } else {
            batch.iter().for_each(|&frame| self.cross(queue.index() + 1, frame, self.now));
        }
        let (rx, polling) = self.polling(context);
        if let Some(end) = rx.poll_on(context, batch, polling) {
            self.events.push(end, Event::Polled { context });
        }
        self.step(node);
        if is_local {
            self.end_taken(node);
        }
    }
}
