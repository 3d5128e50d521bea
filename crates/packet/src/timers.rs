//! Timers of connections: when an acknowledgement or a segment sent again is due by the ticking
//! clock of a node, and what leaves then.

use host::tcp::{EndpointId, TimeoutAction};
use network::NodeId;
use quantity::Time;
use simulation::RunError;

use crate::event::Event;
use crate::model::PacketModel;
use crate::observer::Observer;

impl<O: Observer> PacketModel<'_, O> {
    /// Sees to it that the retransmission timer of a connection will ring.
    #[inline]
    pub(crate) fn arm_timeout(&mut self, endpoint: EndpointId) {
        let state = &self.hosts.endpoints[endpoint as usize];
        let due = state.sender.timeout_at();
        if due == Time::MAX {
            return;
        }
        let node = self.hosts.paths[endpoint as usize].node;
        let time = self.tick_from(node, due).max(self.clock.now);
        if time < state.timeout_event {
            self.hosts.endpoints[endpoint as usize].timeout_event = time;
            self.clock.events.push(time, Event::Timeout { endpoint });
        }
    }

    /// Sees to it that the acknowledgement timer of a connection will ring.
    #[inline]
    pub(crate) fn arm_ack(&mut self, endpoint: EndpointId) {
        let state = &self.hosts.endpoints[endpoint as usize];
        let due = state.receiver.ack_at();
        if due == Time::MAX {
            return;
        }
        let node = self.hosts.paths[endpoint as usize].node;
        let time = self.tick_until(node, due).max(self.tick_from(node, self.clock.now));
        if time < state.ack_event {
            self.hosts.endpoints[endpoint as usize].ack_event = time;
            self.clock.events.push(time, Event::AckTimer { endpoint });
        }
    }

    /// Returns the first tick of the node's clock at `time` or later.
    fn tick_from(&self, node: NodeId, time: Time) -> Time {
        let tick = self.host.tcp.tick.ps();
        if tick == 0 {
            return time;
        }
        let offset = self.hosts.nodes[node as usize].tick_offset.ps();
        let ticks = time.ps().saturating_sub(offset).div_ceil(tick);
        Time::from_ps(offset + ticks * tick)
    }

    /// Returns the last tick of the node's clock that is not after `time`.
    ///
    /// A kernel counts a delay in ticks from the last one, which lies in the past: two ticks of 10
    /// ms are a wait of 10 to 20 ms [MPITCP, sec. 2].
    fn tick_until(&self, node: NodeId, time: Time) -> Time {
        let tick = self.host.tcp.tick.ps();
        if tick == 0 || time == Time::MAX {
            return time;
        }
        let offset = self.hosts.nodes[node as usize].tick_offset.ps();
        let ticks = time.ps().saturating_sub(offset) / tick;
        Time::from_ps(offset + ticks * tick)
    }

    pub(crate) fn ack_timer(&mut self, endpoint: EndpointId) {
        if self.hosts.endpoints[endpoint as usize].ack_event != self.clock.now {
            return;
        }
        self.hosts.endpoints[endpoint as usize].ack_event = Time::MAX;
        let node = self.hosts.paths[endpoint as usize].node;
        let due = self.hosts.endpoints[endpoint as usize].receiver.ack_at();
        if self.tick_until(node, due) <= self.clock.now {
            self.acknowledge_now(endpoint, self.clock.now);
        } else {
            self.arm_ack(endpoint);
        }
    }

    /// Lets the kernel make an acknowledgement.
    pub(crate) fn acknowledge_now(&mut self, endpoint: EndpointId, now: Time) {
        let made = self.charge(endpoint, now, self.host.costs.make_ack);
        self.send_acknowledgement(endpoint, made);
    }

    pub(crate) fn timeout(&mut self, endpoint: EndpointId) {
        if self.hosts.endpoints[endpoint as usize].timeout_event != self.clock.now {
            return;
        }
        let state = &mut self.hosts.endpoints[endpoint as usize];
        state.timeout_event = Time::MAX;
        let peer = state.peer;
        let wait = state.sender.timeout(&self.host.tcp);
        let waiting_since = state.sender.timeout_at().saturating_sub(wait);
        match state.sender.on_timeout(self.clock.now, &self.host.tcp) {
            TimeoutAction::Nothing => self.arm_timeout(endpoint),
            TimeoutAction::Retransmit => {
                self.counters.timeouts += 1;
                self.hosts.waits.add(waiting_since, self.clock.now);
                self.detect_deadlock();
                self.send_buffered(endpoint, self.clock.now);
            }
            TimeoutAction::Probe if !self.may_read(self.hosts.paths[peer as usize].node) => {
                self.hosts.endpoints[endpoint as usize].sender.abandon();
            }
            TimeoutAction::Probe => {
                let segment = self.hosts.endpoints[endpoint as usize].without_data(true);
                let made = self.charge(endpoint, self.clock.now, self.host.costs.make_ack);
                self.transmit(endpoint, segment, made);
                self.arm_timeout(endpoint);
            }
            TimeoutAction::GiveUp(attempts) => {
                let [from, to] = [endpoint, peer].map(|end| self.rank_of_end(end));
                let (at, stuck) = (self.clock.now, Vec::new());
                self.clock.fail(RunError::ConnectionLost { from, to, attempts, at, stuck });
            }
        }
    }
}
