//! The outcome of a frame at a port and on a wire with planned faults, known when the frame is
//! handed over, because all faults are known before the run begins.
//!
//! A frame on the wire when its link fails is lost. One that waits at a port without carrier is
//! dropped: Linux puts a queue that drops everything in front of a port that lost its carrier
//! (`dev_deactivate`, net/sched/sch_generic.c), and drivers empty their rings.

use device::Random;
use network::PortId;
use quantity::{Id, Time};

use super::fault::FaultKind;
use super::schedule::{Impairment, Outage};
use super::state::FaultState;
use crate::loss::{Loss, Reason, WireOutcome};

/// Purpose number of random losses and damage on wires.
const WIRE_PURPOSE: u64 = 0x6661_756c;

/// The outcome of a frame that will be queued at a port.
#[derive(Clone, Copy, Debug)]
pub(super) enum Outcome {
    /// The frame is lost at a time.
    Lost(Time, Loss),
    /// The outcome is open: a link changes before the frame is queued.
    Open,
    /// The wire takes the frame.
    Taken,
}

impl FaultState {
    /// Returns the outcome of a frame that is queued at a port at `time`, now or later.
    pub(super) fn outcome(&self, port: PortId, held_until: Time, now: Time, time: Time) -> Outcome {
        let device = self.schedule.device(self.left.port(port).device);
        let inside = |outage: Outage| Loss { fault: outage.fault, reason: Reason::AtDeadDevice };
        if let Some(device) = device {
            if let Some(outage) = device.at(now) {
                return Outcome::Lost(now, inside(outage));
            }
            if let Some(outage) = device.after(now).filter(|outage| outage.from <= time) {
                return Outcome::Lost(outage.from, inside(outage));
            }
        }
        let Some(line) = self.line(port) else { return Outcome::Taken };
        if time > now && (held_until > now || line.outages.change_within(now, time)) {
            return Outcome::Open;
        }
        match line.outages.at(time) {
            Some(outage) => Outcome::Lost(now, self.waiting(port, outage)),
            None => Outcome::Taken,
        }
    }

    /// Returns the outcome of the transmission of `bytes` over the link in `port` from `start` to
    /// `end`; `words` identify the frame among all of the run.
    pub(super) fn wire_outcome(
        &self,
        port: PortId,
        (start, end): (Time, Time),
        bytes: u32,
        words: [u64; 2],
    ) -> WireOutcome {
        let Some(line) = self.line(port) else { return WireOutcome::Whole };
        if let Some(outage) = line.outages.after(start).filter(|outage| outage.from <= end) {
            let loss = Loss { fault: outage.fault, reason: Reason::OnWire };
            return WireOutcome::Lost(outage.from, loss);
        }
        let mut damage = None;
        for &Impairment { from, until, fault, kind } in &line.impairments {
            if !(from <= start && start < until) {
                continue;
            }
            let [port, frame] = words;
            let ids = [WIRE_PURPOSE, u64::from(fault.get()), port, frame];
            let drawn = fraction(Random::new(self.seed, &ids).next_u64());
            match kind {
                FaultKind::Loss(probability) if drawn < probability => {
                    return WireOutcome::Lost(end, Loss { fault, reason: Reason::OnWire });
                }
                FaultKind::Corrupt(rate) if drawn < of_frame(rate, bytes) => {
                    damage = damage.or(Some(fault));
                }
                _ => {}
            }
        }
        damage.map_or(WireOutcome::Whole, WireOutcome::Damaged)
    }
}

/// Returns a number in [0, 1) made of 53 random bits.
fn fraction(bits: u64) -> f64 {
    (bits >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
}

/// Returns the probability that at least one bit of a frame is wrong.
fn of_frame(per_bit: f64, bytes: u32) -> f64 {
    // Exact for the smallest rates, where 1 - (1 - p)^n would round to nothing.
    -(f64::from(bytes * 8) * (-per_bit).ln_1p()).exp_m1()
}
