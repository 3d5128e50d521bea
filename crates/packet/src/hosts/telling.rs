//! Hosts tell the observer of a run about the work of their kernels and the windows of their
//! connections. Nothing here changes anything; without an observer it vanishes.

use host::rx::NapiId;
use host::transport::EndpointId;
use network::NodeId;
use quantity::Time;

use super::processes::first_on;
use super::stack::Stack;
use super::state::Hosts;
use crate::medium::Medium;
use crate::observer::{Observer, Windows, Work};

impl<'a, M: Medium<'a>> Stack<'a, M> {
    /// Returns the observer of the run.
    #[inline]
    pub(crate) fn observer(&mut self) -> &mut M::Observer {
        &mut self.link.wires.plain_mut().observer
    }

    /// Charges the processor of the process with kernel work that becomes possible at `now`;
    /// returns when it is done.
    #[inline]
    pub(crate) fn charge_node(&mut self, node: NodeId, now: Time, work: Time, kind: Work) -> Time {
        let done = self.charge_kernel((node, 0), now, work);
        self.observer().worked(node, 0, (done - work, done), kind);
        done
    }

    /// Charges a processor of a node with kernel work that becomes possible at `now`; returns when
    /// it is done.
    #[inline]
    pub(crate) fn charge_kernel(
        &mut self,
        (node, cpu): (NodeId, u32),
        now: Time,
        work: Time,
    ) -> Time {
        let done = self.hosts.nodes[first_on(node)].charge(cpu, now, work);
        if self.hosts.processes.share_nodes() {
            self.follow_kernel((node, cpu), done, work);
        }
        done
    }

    /// Delays the further processes on a processor by the kernel's work, which is done at `done`.
    #[cold]
    fn follow_kernel(&mut self, (node, cpu): (NodeId, u32), done: Time, work: Time) {
        let Hosts { processes, nodes, .. } = &mut self.hosts;
        for process in processes.further_on(node) {
            if processes.cpu(process) == cpu {
                nodes[process].cpus.follow(done, work);
            }
        }
    }

    /// Returns when the processor that polls some receive queues is done with all kernel work.
    #[inline]
    pub(crate) fn kernel_free(&self, context: NapiId) -> Time {
        let node = NodeId::new(self.hosts.rx.node(context));
        self.hosts.nodes[first_on(node)].cpus.kernel_free(self.hosts.rx.cpu(context))
    }

    /// Notes the work that the poll of some receive queues has added to a processor that was free
    /// `before`.
    #[inline]
    pub(crate) fn tell_polling(&mut self, context: NapiId, before: Time) {
        let (now, free) = (self.link.clock.now, self.kernel_free(context));
        if free > before {
            let node = NodeId::new(self.hosts.rx.node(context));
            let cpu = self.hosts.rx.cpu(context);
            let kind = self.polled_work(context, node);
            if self.hosts.processes.share_nodes() {
                self.follow_kernel((node, cpu), free, free - before.max(now));
            }
            self.observer().worked(node, cpu, (before.max(now), free), kind);
        }
    }

    /// Returns the kind of work on the batch that a processor polls; the interrupt before it counts
    /// with it.
    #[inline]
    fn polled_work(&self, context: NapiId, node: NodeId) -> Work {
        let frame = self.hosts.rx.first_polled(context);
        let ip = frame.and_then(|&frame| self.link.wires.plain().frames.find(frame)?.ip());
        let address = ip.and_then(|ip| self.network.addressing.addresses().get(ip.destination));
        match address {
            Some(address) if address.node == node => Work::Receive,
            Some(_) => Work::Forward,
            None => Work::Kernel,
        }
    }

    /// Tells the windows of the sender at one end of a connection.
    #[inline]
    pub(crate) fn tell_windows(&mut self, endpoint: EndpointId, time: Time) {
        let is_v6 = self.hosts.paths[endpoint].is_v6;
        let segment_bytes = u64::from(self.host.tcp.largest_payload(is_v6));
        let sender = &self.hosts.endpoints[endpoint].sender;
        let windows = Windows {
            congestion: u64::from(sender.congestion_window()) * segment_bytes,
            in_flight: sender.bytes_in_flight(),
            limit: sender.peer_window(),
        };
        self.observer().windows(time, endpoint, windows);
    }

    /// Tells a retransmission time-out.
    #[inline]
    pub(crate) fn tell_timeout(&mut self, endpoint: EndpointId) {
        let now = self.link.clock.now;
        self.observer().timed_out(now, endpoint);
        self.tell_windows(endpoint, now);
    }
}
