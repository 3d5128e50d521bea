//! Timers of connections, on the ticks of a node's clock: the delayed acknowledgement, the
//! retransmission and the window probe.

use host::process::{Job, Retry};
use host::tcp::{AckTimer, TimeoutAction};
use host::transport::EndpointId;
use host::{HostModel, TickClock, WhileBlocked};
use quantity::Time;
use simulation::RunError;

use super::node::Node;
use super::processes::first_on;
use super::stack::Stack;
use crate::event::Event;
use crate::medium::Medium;
use crate::observer::Work;

impl<'a, M: Medium<'a>> Stack<'a, M> {
    /// Arms the retransmission timer of a connection, if it is due before the event that is
    /// pending.
    #[inline]
    pub(crate) fn arm_timeout(&mut self, endpoint: EndpointId) {
        if !self.hosts.endpoints[endpoint].must_arm_timeout() {
            return;
        }
        let ticks = self.ticks(endpoint);
        let end = &mut self.hosts.endpoints[endpoint];
        if let Some(time) = end.arm_timeout(self.link.clock.now, ticks) {
            self.link.clock.events.push(time, Event::Timeout { endpoint });
        }
    }

    /// Arms the acknowledgement timer of a connection, if it is due before the event that is
    /// pending.
    #[inline]
    pub(crate) fn arm_ack(&mut self, endpoint: EndpointId) {
        if !self.hosts.endpoints[endpoint].owes_ack() {
            return;
        }
        let ticks = self.ticks(endpoint);
        let end = &mut self.hosts.endpoints[endpoint];
        if let Some(time) = end.arm_ack(self.link.clock.now, ticks) {
            self.link.clock.events.push(time, Event::AckTimer { endpoint });
        }
    }

    /// Returns the kernel clock of the node at one end of a connection.
    #[inline]
    fn ticks(&self, endpoint: EndpointId) -> TickClock {
        let node = self.hosts.paths[endpoint].node;
        TickClock::new(self.host.tcp.tick, self.hosts.nodes[first_on(node)].tick_offset)
    }

    pub(crate) fn ack_timer(&mut self, endpoint: EndpointId) {
        let (now, ticks) = (self.link.clock.now, self.ticks(endpoint));
        match self.hosts.endpoints[endpoint].on_ack_timer(now, ticks) {
            AckTimer::Overtaken => {}
            AckTimer::Due => {
                self.hosts.endpoints[endpoint].note_late_ack(&self.host.tcp);
                self.acknowledge_now(endpoint, now);
            }
            AckTimer::NotDue => self.arm_ack(endpoint),
        }
    }

    /// Sends an acknowledgement at the kernel's expense.
    pub(crate) fn acknowledge_now(&mut self, endpoint: EndpointId, now: Time) {
        let made = self.charge(endpoint, now, self.host.costs.make_ack, Work::Acknowledge);
        self.send_acknowledgement(endpoint, made);
    }

    pub(crate) fn timeout(&mut self, endpoint: EndpointId) {
        let state = &mut self.hosts.endpoints[endpoint];
        if !state.is_timeout_expected(self.link.clock.now) {
            return;
        }
        if self.host.tcp.is_linux_2_0() && self.is_in_call(endpoint) {
            let now = self.link.clock.now;
            self.hosts.endpoints[endpoint].sender.postpone(now);
            return self.arm_timeout(endpoint);
        }
        let state = &mut self.hosts.endpoints[endpoint];
        let peer = state.peer;
        let wait = state.sender.wait(&self.host.tcp);
        let waiting_since = state.sender.timeout_at().saturating_sub(wait);
        match state.sender.on_timeout(self.link.clock.now, &self.host.tcp) {
            TimeoutAction::Nothing => self.arm_timeout(endpoint),
            TimeoutAction::Retransmit => {
                self.link.clock.counters.timeouts += 1;
                self.tell_timeout(endpoint);
                self.hosts.waits.add(waiting_since, self.link.clock.now);
                self.detect_deadlock();
                self.send_buffered(endpoint, self.link.clock.now);
            }
            TimeoutAction::Repair => self.send_buffered(endpoint, self.link.clock.now),
            TimeoutAction::ProbeTail => {
                if self.probe_tail(endpoint) && wait >= self.host.tcp.shortest_timeout {
                    self.hosts.waits.add(waiting_since, self.link.clock.now);
                }
            }
            TimeoutAction::Probe if !self.may_read(self.hosts.paths[peer].process) => {
                self.hosts.endpoints[endpoint].sender.abandon();
            }
            TimeoutAction::Probe => {
                let segment = self.hosts.endpoints[endpoint].without_data(true);
                let (now, work) = (self.link.clock.now, self.host.costs.make_ack);
                let made = self.charge(endpoint, now, work, Work::Send);
                self.transmit(endpoint, segment, made);
                self.arm_timeout(endpoint);
            }
            TimeoutAction::GiveUp(attempts) => {
                let [from, to] = [endpoint, peer].map(|end| self.hosts.rank_of_end(end));
                let (at, stuck) = (self.link.clock.now, Vec::new());
                self.link.clock.fail(RunError::ConnectionLost { from, to, attempts, at, stuck });
            }
        }
    }

    /// Returns whether the process is in a call on the socket at this moment: copying to or from
    /// it, or trying again what would block.
    fn is_in_call(&self, endpoint: EndpointId) -> bool {
        let process = &self.hosts.nodes[self.hosts.paths[endpoint].process];
        match process.cpus.job() {
            Some(Job::Write(used, _) | Job::Read(used)) => used == endpoint,
            Some(_) => false,
            None => self.is_in_retry(process, endpoint),
        }
    }

    /// Returns whether one of the calls that a process repeats without sleeping is on the socket
    /// now; the place of the moment in the loop is drawn.
    fn is_in_retry(&self, node: &Node, endpoint: EndpointId) -> bool {
        let HostModel { costs, message_costs, protocol, .. } = self.host;
        let reading = node.order.reading();
        let turn = match &node.writing {
            _ if reading == Some(endpoint) => Retry::Read,
            Some(call) if call.connection != endpoint || reading.is_some() => return false,
            Some(call) if call.while_blocked == WhileBlocked::Reads => {
                let looks = message_costs.look * node.connections.len() as u64;
                Retry::Write { call: costs.write_call, looks }
            }
            Some(_) => Retry::Write { call: costs.write_call, looks: Time::ZERO },
            None => return false,
        };
        let draw = self.hosts.moment(endpoint, self.link.clock.now);
        turn.is_in_use(protocol.retry_in_use, draw)
    }

    /// Sends the probe of the tail of a connection, unless the tail is still in a queue of its own
    /// node (Linux, `skb_still_in_host_queue`); returns whether it did.
    fn probe_tail(&mut self, endpoint: EndpointId) -> bool {
        let now = self.link.clock.now;
        let tcp = &self.host.tcp;
        let sender = &mut self.hosts.endpoints[endpoint].sender;
        let mut probe = None;
        match self.hosts.paths[endpoint].drained > now {
            true => sender.postpone_probe(now, tcp),
            false => probe = sender.probe_tail(now, tcp),
        }
        if let Some(probe) = probe {
            let made = self.charge(endpoint, now, self.host.costs.send_fixed, Work::Send);
            self.transmit(endpoint, probe, made);
        }
        self.arm_timeout(endpoint);
        probe.is_some()
    }
}
