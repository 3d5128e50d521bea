//! Receive queues of the nodes on a path: which processor serves which, and where it hands frames
//! on.
//!
//! Each way into a node has a queue of its own. Which processors a hash steers the two ways of a
//! connection to is a matter of luck; here they are neither one nor that of the process, where
//! there are queues enough. So it is for most connections.

use host::process::Job;
use host::rx::{Enqueued, NapiId, Polled, Polling, RxFrame, RxFrames, RxQueueId, RxQueues};
use host::{HostModel, InterfaceQueues, Processors, Steering};

use super::run::{Event, Frame, Run};
use super::timing::{Path, RECEIVER, SENDER};

/// Processors of a node that a path can tell apart: that of the process, and one for each way.
pub(super) const N_CPUS: u32 = 3;

/// Returns a queue for every leg of a path; none where frames are taken as they come.
pub(super) fn rx_queues(path: &Path, host: &HostModel, n_cpus: u32) -> RxQueues<Frame> {
    if host.takes_frames_at_once() {
        return RxQueues::unused();
    }
    let there = path.there.iter().map(|span| (span.processor, false));
    let back = path.back.iter().map(|span| (span.processor, true));
    let context =
        |(node, is_back)| node as u32 * n_cpus + kernel_cpu(&host.processors, node, is_back);
    RxQueues::new(path.n_processors as u32, n_cpus, there.chain(back).map(context))
}

/// Returns the processor of a node that takes what comes one way.
pub(super) fn kernel_cpu(processors: &Processors, node: usize, is_back: bool) -> u32 {
    let is_local = node == SENDER || node == RECEIVER;
    match processors.steering {
        _ if processors.n_cpus == 1 => 0,
        Steering::ProcessCpu if is_local => 0,
        Steering::One => 1,
        _ if is_local || !is_back || processors.n_receive_queues == 1 => 1,
        // The second of two queues is on the processor of the process.
        _ if processors.n_cpus == 2 => 0,
        _ => 2,
    }
}

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
    /// Puts a frame that has arrived at a node into the queue of its leg.
    pub fn queue_received(&mut self, leg: usize, frame: Frame) {
        let queue = leg as RxQueueId;
        // Nothing is lost here.
        let queues = InterfaceQueues { receive: u32::MAX, ..self.host.queues };
        match self.rx.enqueue(queue, frame, self.now, &queues) {
            Enqueued::WaitsUntil(time) => self.events.push(time, Event::Interrupt { queue }),
            Enqueued::Interrupts => self.interrupt(queue),
            Enqueued::Full | Enqueued::Waits => {}
        }
    }

    /// Raises an interrupt that has waited for more frames, unless enough have come before.
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
        let node = (context / self.rx.n_cpus()) as usize;
        let frames = FramesAt { run: (self.host, self.path.is_v6), node };
        let (now, host) = (self.now, self.host);
        (&mut self.rx, Polling { now, host, cpus: &mut self.cpus[node], frames })
    }

    /// Hands on what a processor has done with, and lets it take more.
    pub fn polled(&mut self, context: NapiId) {
        let (rx, polling) = self.polling(context);
        let node = (context / rx.n_cpus()) as usize;
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
            batch.iter().for_each(|&frame| self.cross(queue as usize + 1, frame, self.now));
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
