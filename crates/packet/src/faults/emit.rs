//! What becomes of frames at ports and on hubs for which something is planned.
//!
//! A frame on the wire when its link fails is lost. One that waits at a port without carrier is
//! dropped: Linux puts a queue that drops everything in front of a port that lost its carrier
//! (`dev_deactivate`, net/sched/sch_generic.c), and drivers empty their rings. What a cut-through
//! switch has begun to send on goes on as a damaged frame.

use device::Random;
use network::PortId;
use quantity::Time;

use super::schedule::{Doubt, Line, Outage};
use super::{FaultId, FaultKind, FaultState, Loss, LostFrame, Reason};
use crate::arena::FrameId;
use crate::event::Event;
use crate::frame::NO_STATION;
use crate::layer2::Broadcast;
use crate::model::PacketModel;
use crate::observer::Observer;
use crate::wiring::{ChannelOutlet, Outlet};

/// Purpose number of what wires lose and damage.
const WIRE_PURPOSE: u64 = 0x6661_756c;

/// The outlet of a port for which something is planned.
#[derive(Debug)]
pub(crate) struct Doubtful {
    pub inner: Outlet,
    /// Frames that the wire had to carry from this port, and to it from a hub.
    n_sent: u64,
    n_heard: u64,
    /// Until when frames are held back to be decided on when they come to the port.
    held_until: Time,
}

impl Doubtful {
    pub fn new(inner: Outlet) -> Doubtful {
        Doubtful { inner, n_sent: 0, n_heard: 0, held_until: Time::ZERO }
    }
}

/// What is known of a frame that will come to a port.
#[derive(Clone, Copy, Debug)]
enum Fate {
    /// It is lost at a time.
    Lost(Time, Loss),
    /// Something changes before it comes there.
    Open,
    /// The wire takes it.
    Taken,
}

/// What a wire does to a frame.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Passage {
    Whole,
    Damaged(FaultId),
    Lost(Time, Loss),
}

impl FaultState {
    /// Returns what becomes of a frame that is handed to a port at `time`, now or later.
    fn fate(&self, port: PortId, held_until: Time, now: Time, time: Time) -> Fate {
        let device = self.schedule.device(self.left.port(port).device);
        let inside = |outage: Outage| Loss { fault: outage.fault, reason: Reason::AtDeadDevice };
        if let Some(device) = device {
            if let Some(outage) = device.at(now) {
                return Fate::Lost(now, inside(outage));
            }
            if let Some(outage) = device.after(now).filter(|outage| outage.from <= time) {
                return Fate::Lost(outage.from, inside(outage));
            }
        }
        let Some(line) = self.line(port) else { return Fate::Taken };
        if time > now && (held_until > now || line.outages.change_within(now, time)) {
            return Fate::Open;
        }
        match line.outages.at(time) {
            Some(outage) => Fate::Lost(now, self.waiting(port, outage)),
            None => Fate::Taken,
        }
    }

    pub(super) fn line(&self, port: PortId) -> Option<&Line> {
        self.schedule.line(&self.whole, port)
    }

    /// Returns how the frames that wait at a port are lost in an outage of its link.
    pub(super) fn waiting(&self, port: PortId, outage: Outage) -> Loss {
        let device = self.schedule.device(self.left.port(port).device);
        let is_dead = device.is_some_and(|device| device.at(outage.from).is_some());
        let reason = if is_dead { Reason::AtDeadDevice } else { Reason::NoCarrier };
        Loss { fault: outage.fault, reason }
    }

    /// Returns what the link in `port` does to a frame of `bytes` that it carries from `start` to
    /// `end`; `words` name the frame among all of the run.
    fn passage(
        &self,
        port: PortId,
        (start, end): (Time, Time),
        bytes: u32,
        words: [u64; 2],
    ) -> Passage {
        let Some(line) = self.line(port) else { return Passage::Whole };
        if let Some(outage) = line.outages.after(start).filter(|outage| outage.from <= end) {
            let loss = Loss { fault: outage.fault, reason: Reason::OnWire };
            return Passage::Lost(outage.from, loss);
        }
        let mut damage = None;
        for &Doubt { from, until, fault, kind } in &line.doubts {
            if !(from <= start && start < until) {
                continue;
            }
            let [port, frame] = words;
            let ids = [WIRE_PURPOSE, u64::from(fault), port, frame];
            let drawn = fraction(Random::new(self.seed, &ids).next_u64());
            match kind {
                FaultKind::Loss(probability) if drawn < probability => {
                    return Passage::Lost(end, Loss { fault, reason: Reason::OnWire });
                }
                FaultKind::Corrupt(rate) if drawn < of_frame(rate, bytes) => {
                    damage = damage.or(Some(fault));
                }
                _ => {}
            }
        }
        damage.map_or(Passage::Whole, Passage::Damaged)
    }
}

/// Returns a number in [0, 1), of 53 random bits.
fn fraction(bits: u64) -> f64 {
    (bits >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
}

/// Returns the probability that some bit of a frame is wrong.
fn of_frame(per_bit: f64, bytes: u32) -> f64 {
    // Exact for the smallest rates, where 1 - (1 - p)^n would round to nothing.
    -(f64::from(bytes * 8) * (-per_bit).ln_1p()).exp_m1()
}

impl<O: Observer> PacketModel<'_, O> {
    /// Hands a frame to a port for which something is planned; returns whether its queue has room.
    pub(crate) fn emit_in_doubt(&mut self, port: PortId, frame: FrameId, time: Time) -> bool {
        let (Some(faults), Outlet::Doubtful(outlet)) =
            (&self.faults, &mut self.wires.outlets[port as usize])
        else {
            return false;
        };
        match faults.fate(port, outlet.held_until, self.clock.now, time) {
            Fate::Lost(at, loss) => self.lose_at(at, frame, loss),
            Fate::Open => {
                outlet.held_until = outlet.held_until.max(time);
                self.clock.events.push(time, Event::Offer { port, frame });
            }
            Fate::Taken => match &outlet.inner {
                Outlet::Channel(_) => return self.emit_on_channel(port, frame, time),
                Outlet::Station { .. } if time > self.clock.now => {
                    self.clock.events.push(time, Event::Offer { port, frame });
                }
                &Outlet::Station { hub, station } => return self.offer_to_hub(hub, station, frame),
                Outlet::Nothing | Outlet::Doubtful(_) | Outlet::Paced(_) => return false,
            },
        }
        true
    }

    fn emit_on_channel(&mut self, port: PortId, frame: FrameId, time: Time) -> bool {
        let bytes = self.wires.frames.get(frame).bytes;
        let Some(faults) = &self.faults else { return false };
        let Outlet::Doubtful(outlet) = &mut self.wires.outlets[port as usize] else { return false };
        let Doubtful { inner: Outlet::Channel(wire), n_sent, .. } = &mut **outlet else {
            return false;
        };
        let Some(departure) = wire.channel.offer(time, bytes) else { return false };
        let line = faults.line(port);
        let next = line.and_then(|line| line.outages.after(time));
        if let Some(outage) = next.filter(|outage| outage.from <= departure.start) {
            // It never leaves the queue.
            let loss = faults.waiting(port, outage);
            self.lose_at(outage.from, frame, loss);
            return true;
        }
        let &mut ChannelOutlet { peer, delay, tells_first_bit, .. } = wire;
        let words = [u64::from(port) << 1, *n_sent];
        *n_sent += 1;
        let end = departure.end + delay;
        let passage = faults.passage(port, (departure.start, end), bytes, words);
        let heard = if tells_first_bit { departure.start + delay } else { end };
        self.counters.frame_hops += 1;
        let mark_above = self.host.queues.mark_above;
        if mark_above > 0 && wire.channel.n_queued() > mark_above {
            self.wires.frames.get_mut(frame).mark();
        }
        let options = self.wires.frames.options(frame);
        self.observer.sent(departure.start, port, self.wires.frames.get(frame), options);
        match passage {
            // Its head has gone on before the rest was lost.
            Passage::Lost(at, loss) if heard < at && at < end => {
                self.carry(peer, frame, heard, Passage::Damaged(loss.fault));
            }
            passage => self.carry(peer, frame, heard, passage),
        }
        true
    }

    /// Lets a frame arrive as a wire passes it on.
    fn carry(&mut self, to: PortId, frame: FrameId, heard: Time, passage: Passage) {
        match passage {
            Passage::Lost(at, loss) => return self.lose_at(at, frame, loss),
            Passage::Damaged(fault) => self.damage(frame, fault),
            Passage::Whole => {}
        }
        self.clock.events.push(heard, Event::Arrive { port: to, frame });
    }

    /// Delivers a frame on a hub as `broadcast` does, to those that it still reaches.
    pub(crate) fn broadcast_in_doubt(&mut self, hub: u32, broadcast: Broadcast) {
        let Broadcast { sender, frame: id, start, heard } = broadcast;
        let frame = *self.wires.frames.get(id);
        self.observer.sent(start, sender, &frame, self.wires.frames.options(id));
        match self.pass_hub(sender, Side::Sends, (start, heard), frame.bytes) {
            Passage::Lost(at, loss) => return self.lose_at(at, id, loss),
            Passage::Damaged(fault) => self.damage(id, fault),
            Passage::Whole => {}
        }
        let frame = *self.wires.frames.get(id);
        let domain = &self.wires.hubs[hub as usize];
        let target = domain.stations.binary_search(&frame.target).ok().map(|_| frame.target);
        let others = match frame.target {
            NO_STATION => &domain.stations,
            _ => &domain.switch_ports,
        };
        let stations: Vec<PortId> =
            target.iter().chain(others).copied().filter(|&port| port != sender).collect();
        let mut original = Some(id);
        for port in stations {
            if !self.is_joined(sender, port) {
                continue;
            }
            let copy = original.take().unwrap_or_else(|| {
                self.counters.frames_created += 1;
                self.wires.frames.copy(id)
            });
            let passage = self.pass_hub(port, Side::Hears, (self.clock.now, heard), frame.bytes);
            self.carry(port, copy, heard, passage);
        }
        let Some(id) = original else { return };
        match target.and_then(|_| self.latest_loss()) {
            Some(loss) => self.lose(LostFrame { frame: id, loss }),
            None => {
                self.counters.frames_consumed += 1;
                self.wires.frames.remove(id);
            }
        }
    }

    fn is_joined(&self, from: PortId, to: PortId) -> bool {
        self.faults.as_ref().is_none_or(|faults| faults.joins(from, to))
    }

    /// Returns what the wire between a hub and a station does to a frame.
    fn pass_hub(&mut self, port: PortId, side: Side, span: (Time, Time), bytes: u32) -> Passage {
        let (Some(faults), Outlet::Doubtful(outlet)) =
            (&self.faults, &mut self.wires.outlets[port as usize])
        else {
            return Passage::Whole;
        };
        let counter = match side {
            Side::Sends => &mut outlet.n_sent,
            Side::Hears => &mut outlet.n_heard,
        };
        *counter += 1;
        let words = [u64::from(port) << 1 | side as u64, *counter - 1];
        faults.passage(port, span, bytes, words)
    }

    /// Lets a frame be lost at a time, now or later.
    fn lose_at(&mut self, time: Time, frame: FrameId, loss: Loss) {
        match time > self.clock.now {
            true => self.clock.events.push(time, Event::Lost(LostFrame { frame, loss })),
            false => self.lose(LostFrame { frame, loss }),
        }
    }

    /// Accounts for a frame that is lost now.
    pub(crate) fn lose(&mut self, LostFrame { frame, loss }: LostFrame) {
        match loss.reason {
            Reason::OnWire => self.counters.lost_on_wire += 1,
            Reason::NoCarrier => self.counters.no_carrier += 1,
            Reason::AtDeadDevice => self.counters.at_dead_device += 1,
        }
        self.blame(frame, loss.fault);
        self.wires.frames.remove(frame);
    }

    /// Lets a frame fail its check sequence where that is looked at.
    fn damage(&mut self, frame: FrameId, fault: FaultId) {
        self.blame(frame, fault);
        self.wires.frames.get_mut(frame).is_damaged = true;
    }

    /// Drops a frame whose check sequence is wrong.
    pub(crate) fn drop_damaged(&mut self, frame: FrameId) {
        self.counters.corrupted += 1;
        self.wires.frames.remove(frame);
    }

    /// Returns a loss by the outage that began last.
    fn latest_loss(&self) -> Option<Loss> {
        let fault = self.faults.as_ref()?.schedule.latest(self.clock.now)?.fault;
        Some(Loss { fault, reason: Reason::NoCarrier })
    }

    /// Blames the outage that began last for a frame that finds no way.
    pub(crate) fn blame_latest(&mut self, frame: FrameId) {
        if let Some(loss) = self.latest_loss() {
            self.blame(frame, loss.fault);
        }
    }

    /// Notes that a frame which is flooded will not come to its target.
    pub(crate) fn flood_in_vain(&mut self, frame: FrameId) {
        if let Some(loss) = self.latest_loss() {
            self.note_stall(frame, loss.fault);
        }
    }

    /// Drops a frame for which a switch has no way left.
    pub(crate) fn drop_without_way(&mut self, frame: FrameId) {
        match self.latest_loss() {
            Some(loss) => self.lose(LostFrame { frame, loss }),
            None => self.drop_at_queue(frame),
        }
    }
}

/// Which way a frame passes the wire between a station and its hub.
#[derive(Clone, Copy, Debug)]
enum Side {
    Sends = 0,
    Hears = 1,
}
