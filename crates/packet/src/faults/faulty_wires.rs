//! Wires with planned faults, around wires that never fail.
//!
//! A frame whose rest is lost after a cut-through switch has begun to forward it continues as a
//! damaged frame.

use host::transport::EndpointId;
use network::{AddressId, Fabric, Hop, Multipath, Network, NodeId, PortId};
use quantity::{IdVec, Time};

use super::fault::{Fault, FaultOptions, FaultReport};
use super::outcome::Outcome;
use super::recovery::Stalls;
use super::state::FaultState;
use crate::arena::FrameId;
use crate::clock::Clock;
use crate::event::Event;
use crate::frame::Segment;
use crate::loss::{FaultId, Loss, LostFrame, Reason, WireOutcome};
use crate::medium::{Change, Medium};
use crate::observer::{Fate, Observer};
use crate::wires::{Broadcast, Wires};

/// The wires of a network with their planned faults.
#[derive(Debug)]
pub struct FaultyWires<'a, O> {
    plain: Wires<'a, O>,
    state: FaultState,
    /// Counts of each port for whose link a fault is planned.
    outlets: IdVec<PortId, Option<FaultyOutlet>>,
    reports: IdVec<FaultId, FaultReport>,
    stalls: Stalls,
}

/// Counts of a port for whose link a fault is planned. They number frames, so that random losses
/// depend on nothing else.
#[derive(Clone, Copy, Debug, Default)]
struct FaultyOutlet {
    /// Frames that the wire had to carry from this port, and those from a hub to it.
    n_sent: u64,
    n_heard: u64,
    /// The latest time to which a frame is held back, because a fault may decide its outcome.
    held_until: Time,
}

/// The direction of a frame on the wire between a station and its hub.
#[derive(Clone, Copy, Debug)]
enum Side {
    Sends = 0,
    Hears = 1,
}

impl<'a, O: Observer> FaultyWires<'a, O> {
    /// Plans faults for unused wires.
    pub(crate) fn new(
        plain: Wires<'a, O>,
        clock: &mut Clock<'_>,
        faults: &[Fault],
        options: FaultOptions,
        seed: u64,
    ) -> FaultyWires<'a, O> {
        let fabric = &plain.network.fabric;
        let state = FaultState::new(fabric, faults, options, seed);
        let outlet = |port| {
            let is_planned = plain.has_outlet(port) && state.line(port).is_some();
            is_planned.then(FaultyOutlet::default)
        };
        let outlets = fabric.ports().ids().map(outlet).collect();
        for time in state.times(fabric) {
            clock.events.push(time, Event::Change);
        }
        let reports = IdVec::filled(FaultReport::default(), faults.len() as u32);
        FaultyWires { plain, state, outlets, reports, stalls: Stalls::default() }
    }

    /// Returns the cost of each fault until now, in the order given.
    pub(crate) fn reports(&self) -> Vec<FaultReport> {
        let mut reports = self.reports.clone();
        self.stalls.count_open(&mut reports);
        reports.into_vec()
    }

    fn offer_on_channel(
        &mut self,
        clock: &mut Clock<'_>,
        port: PortId,
        frame: FrameId,
        (time, delay): (Time, Time),
    ) -> bool {
        let Some(departure) = self.plain.enqueue(port, frame, time) else { return false };
        let next = self.state.line(port).and_then(|line| line.outages.after(time));
        if let Some(outage) = next.filter(|outage| outage.from <= departure.start) {
            // The frame never leaves the queue.
            let loss = self.state.waiting(port, outage);
            self.lose_at(clock, outage.from, frame, loss);
            return true;
        }
        let end = departure.end + delay;
        let outcome = self.carry(port, Side::Sends, (departure.start, end), frame);
        let heard = self.plain.depart(clock, port, frame, departure);
        match outcome {
            // The head of the frame was forwarded before the rest was lost.
            WireOutcome::Lost(at, loss) if heard < at && at < end => {
                self.damage(clock.now, frame, loss.fault);
            }
            WireOutcome::Lost(at, loss) => {
                self.lose_at(clock, at, frame, loss);
                return true;
            }
            WireOutcome::Damaged(fault) => self.damage(clock.now, frame, fault),
            WireOutcome::Whole => {}
        }
        self.plain.fly(clock, port, frame, heard);
        true
    }

    /// Returns the outcome of a transmission over the wire in a port during `span`.
    fn carry(
        &mut self,
        port: PortId,
        side: Side,
        span: (Time, Time),
        frame: FrameId,
    ) -> WireOutcome {
        let Some(outlet) = &mut self.outlets[port] else { return WireOutcome::Whole };
        let counter = match side {
            Side::Sends => &mut outlet.n_sent,
            Side::Hears => &mut outlet.n_heard,
        };
        let words = [u64::from(port.get()) << 1 | side as u64, *counter];
        *counter += 1;
        self.state.wire_outcome(port, span, self.plain.frames.get(frame).bytes, words)
    }

    /// Carries a frame between a station and a hub; returns whether it arrives.
    fn carry_at_hub(
        &mut self,
        clock: &mut Clock<'_>,
        (port, side): (PortId, Side),
        span: (Time, Time),
        frame: FrameId,
    ) -> bool {
        match self.carry(port, side, span, frame) {
            WireOutcome::Lost(at, loss) => {
                self.lose_at(clock, at, frame, loss);
                return false;
            }
            WireOutcome::Damaged(fault) => self.damage(clock.now, frame, fault),
            WireOutcome::Whole => {}
        }
        true
    }

    /// Loses a frame at `time`, now or later.
    fn lose_at(&mut self, clock: &mut Clock<'_>, time: Time, frame: FrameId, loss: Loss) {
        match time > clock.now {
            true => clock.events.push(time, Event::Lost(LostFrame { frame, loss })),
            false => self.lose(clock, LostFrame { frame, loss }),
        }
    }

    /// Damages a frame, so that it fails its check sequence at the next receiver that checks it.
    fn damage(&mut self, now: Time, frame: FrameId, fault: FaultId) {
        self.blame(now, frame, fault);
        self.plain.frames.get_mut(frame).is_damaged = true;
    }

    /// Returns a loss charged to the latest outage.
    fn latest_loss(&self, now: Time) -> Option<Loss> {
        let fault = self.state.schedule.latest(now)?.fault;
        Some(Loss { fault, reason: Reason::NoCarrier })
    }

    /// Charges the loss of a frame, or damage to it, to a fault.
    fn blame(&mut self, now: Time, frame: FrameId, fault: FaultId) {
        self.reports[fault].frames_lost += 1;
        self.note_stall(now, frame, fault);
    }

    /// Notes that a connection may stall for lack of the data in a frame.
    fn note_stall(&mut self, now: Time, frame: FrameId, fault: FaultId) {
        let report = &mut self.reports[fault];
        let segment = self.plain.frames.get(frame).segment();
        if let Some(&Segment { to, bytes: 1.., sequence, .. }) = segment {
            self.stalls.note((fault, to), sequence, now, report);
        }
    }
}

impl<'a, O: Observer> Medium<'a> for FaultyWires<'a, O> {
    type Observer = O;

    #[inline]
    fn plain(&self) -> &Wires<'a, O> {
        &self.plain
    }

    #[inline]
    fn plain_mut(&mut self) -> &mut Wires<'a, O> {
        &mut self.plain
    }

    fn into_observer(self) -> O {
        self.plain.observer
    }

    fn offer(&mut self, clock: &mut Clock<'_>, port: PortId, frame: FrameId, time: Time) -> bool {
        let Some(outlet) = &mut self.outlets[port] else {
            return self.plain.offer(clock, port, frame, time);
        };
        match self.state.outcome(port, outlet.held_until, clock.now, time) {
            Outcome::Lost(at, loss) => self.lose_at(clock, at, frame, loss),
            Outcome::Open => {
                outlet.held_until = outlet.held_until.max(time);
                clock.events.push(time, Event::Offer { port, frame });
            }
            Outcome::Taken => match self.plain.channel_delay(port) {
                Some(delay) => return self.offer_on_channel(clock, port, frame, (time, delay)),
                None => return self.plain.offer(clock, port, frame, time),
            },
        }
        true
    }

    fn joins(&self, from: PortId, to: PortId) -> bool {
        self.state.joins(from, to)
    }

    fn multipath<'s>(&'s self) -> &'s Multipath
    where
        'a: 's,
    {
        self.state.multipath()
    }

    fn next_hop(&self, network: &Network, node: NodeId, address: AddressId) -> Option<Hop> {
        self.state.hop(network, node, address)
    }

    fn hop_behind(
        &self,
        network: &Network,
        came_by: PortId,
        node: NodeId,
        address: AddressId,
    ) -> Option<Hop> {
        self.state.hop_behind(network, came_by, node, address)
    }

    fn may_fail(&self) -> bool {
        true
    }

    fn passes_over(&self, port: PortId) -> bool {
        self.state.passes_over(port)
    }

    fn carry_to_hub(&mut self, clock: &mut Clock<'_>, broadcast: &Broadcast) -> bool {
        let &Broadcast { sender, frame, start, heard, .. } = broadcast;
        self.carry_at_hub(clock, (sender, Side::Sends), (start, heard), frame)
    }

    fn carry_from_hub(
        &mut self,
        clock: &mut Clock<'_>,
        port: PortId,
        frame: FrameId,
        heard: Time,
    ) -> bool {
        let now = clock.now;
        self.carry_at_hub(clock, (port, Side::Hears), (now, heard), frame)
    }

    fn end_unheard(&mut self, clock: &mut Clock<'_>, frame: FrameId, is_addressed: bool) {
        match self.latest_loss(clock.now).filter(|_| is_addressed) {
            Some(loss) => self.lose(clock, LostFrame { frame, loss }),
            None => self.plain.consume(clock, frame),
        }
    }

    fn note_flood(&mut self, now: Time, from: PortId, frame: FrameId) {
        let target = self.plain.frames.get(frame).target.get();
        if target.is_some_and(|target| !self.state.joins(from, target))
            && let Some(loss) = self.latest_loss(now)
        {
            self.note_stall(now, frame, loss.fault);
        }
    }

    fn drop_unreachable(&mut self, clock: &mut Clock<'_>, frame: FrameId) {
        match self.latest_loss(clock.now) {
            Some(loss) => self.lose(clock, LostFrame { frame, loss }),
            None => self.plain.drop_at_queue(clock, frame),
        }
    }

    fn drop_without_route(&mut self, clock: &mut Clock<'_>, frame: FrameId) {
        clock.counters.dropped_without_route += 1;
        if let Some(loss) = self.latest_loss(clock.now) {
            self.blame(clock.now, frame, loss.fault);
        }
        self.plain.drop(clock.now, frame, Fate::NoRoute);
    }

    fn note_progress(&mut self, now: Time, endpoint: EndpointId, received: u64) {
        self.stalls.progress(endpoint, received, now, &mut self.reports);
    }

    fn change(&mut self, clock: &mut Clock<'_>) -> Change {
        let now = clock.now;
        let ports = self.state.change_links(now);
        let mut lost = Vec::new();
        for &port in &ports {
            let loss = self.state.waiting_now(port, now);
            let frames = self.plain.empty_queue(now, port, loss.is_some()).into_iter();
            lost.extend(frames.filter_map(|frame| Some(LostFrame { frame, loss: loss? })));
        }
        lost.into_iter().for_each(|lost| self.lose(clock, lost));
        let noticed_by = self.state.tell_nodes(now);
        let fabric = self.plain.fabric();
        let dying = self.state.schedule.dying(now).filter_map(|device| fabric.as_node(device));
        Change { ports, noticed_by, dying: dying.collect() }
    }

    fn is_in_use(&self, port: PortId) -> bool {
        let is_plugged = |fabric: &Fabric| fabric.port(port).link.is_some();
        // A port that was never wired loses no frame, so it counts as in use.
        is_plugged(&self.state.left) || !is_plugged(&self.state.whole)
    }

    fn lose(&mut self, clock: &mut Clock<'_>, LostFrame { frame, loss }: LostFrame) {
        match loss.reason {
            Reason::OnWire => clock.counters.lost_on_wire += 1,
            Reason::NoCarrier => clock.counters.no_carrier += 1,
            Reason::AtDeadDevice => clock.counters.at_dead_device += 1,
        }
        self.blame(clock.now, frame, loss.fault);
        self.plain.drop(clock.now, frame, Fate::Lost);
    }
}
