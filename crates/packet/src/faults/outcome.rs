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
///
/// It is built from the probabilities of 1, 2, 4 ... bits by p + q - pq, because 1 - (1 - p)^n
/// would round the smallest rates to nothing, and because logarithms and exponentials differ in
/// their last bit from one mathematical library to another.
fn of_frame(per_bit: f64, bytes: u32) -> f64 {
    let either = |p: f64, q: f64| p + q - p * q;
    let (mut of_all, mut of_power) = (0.0, per_bit);
    let mut n_bits = bytes * 8;
    while n_bits > 0 {
        if n_bits % 2 == 1 {
            of_all = either(of_all, of_power);
        }
        of_power = either(of_power, of_power);
        n_bits /= 2;
    }
    of_all
}

#[cfg(test)]
mod tests {
    use super::of_frame;

    #[test]
    fn a_frame_is_damaged_by_any_of_its_bits() {
        for per_bit in [1e-300, 1e-18, 1e-12, 1e-9, 1e-6, 1e-3, 0.5] {
            for bytes in [64, 83, 1518] {
                let exact = -(f64::from(bytes * 8) * f64::ln_1p(-per_bit)).exp_m1();
                let found = of_frame(per_bit, bytes);
                assert!((found / exact - 1.0).abs() < 1e-12, "{per_bit} {bytes}: {found} {exact}");
            }
        }
        assert_eq!((of_frame(0.0, 64), of_frame(1.0, 64)), (0.0, 1.0));
    }
}
