//! Congestion control: growth of the window beyond slow start, and its reduction after a loss or a
//! mark, one file per algorithm. Slow start, recovery and time-outs are the same for all and are in
//! `congestion`.

mod cubic;
mod dctcp;
mod hystart;
mod linux_2_0;
mod news;
mod reno;

use crate::constants::CongestionControl;
use quantity::Time;

use cubic::Cubic;
use dctcp::Dctcp;
use linux_2_0::Linux20;
use news::LEAST;
use reno::Reno;

pub(super) use hystart::{Sample, burst};
pub(super) use news::{Growth, Marks};

/// An algorithm with its state of a connection.
#[derive(Clone, Debug)]
pub(super) enum Control {
    Reno(Reno),
    Cubic(Box<Cubic>),
    Dctcp(Box<Dctcp>),
    Linux20(Linux20),
}

impl Control {
    /// Returns the algorithm at the beginning of a connection.
    pub fn new(control: CongestionControl) -> Control {
        match control {
            CongestionControl::Reno => Control::Reno(Reno::default()),
            CongestionControl::Cubic => Control::Cubic(Box::default()),
            CongestionControl::Dctcp => Control::Dctcp(Box::default()),
            CongestionControl::Linux20 => Control::Linux20(Linux20::default()),
        }
    }

    pub fn heap_bytes(&self) -> usize {
        match self {
            Control::Reno(_) | Control::Linux20(_) => 0,
            Control::Cubic(cubic) => size_of_val(&**cubic),
            Control::Dctcp(dctcp) => size_of_val(&**dctcp),
        }
    }

    /// Returns by how many segments the window opens beyond slow start.
    #[inline]
    pub fn growth(&mut self, growth: Growth) -> u32 {
        match self {
            Control::Reno(reno) => reno.growth(growth),
            Control::Cubic(cubic) => cubic.growth(growth),
            Control::Dctcp(dctcp) => dctcp.reno.growth(growth),
            Control::Linux20(own) => own.growth(growth.window),
        }
    }

    /// Returns whether the window is in slow start.
    #[inline]
    pub fn starts_slowly(&self, window: u32, threshold: u32) -> bool {
        match self {
            Control::Linux20(_) => window <= threshold,
            _ => window < threshold,
        }
    }

    /// Returns the threshold after a loss with `in_flight` segments not acknowledged.
    pub fn after_loss(&mut self, window: u32, in_flight: u32) -> u32 {
        let threshold = match self {
            Control::Reno(_) | Control::Dctcp(_) | Control::Linux20(_) => in_flight / 2,
            Control::Cubic(cubic) => cubic.after_loss(window, in_flight),
        };
        threshold.max(LEAST)
    }

    /// Returns the threshold after a time-out.
    pub fn after_timeout(&mut self, window: u32, in_flight: u32) -> u32 {
        match self {
            Control::Linux20(_) => window / 2,
            _ => self.after_loss(window, in_flight.min(window)),
        }
    }

    /// Returns the threshold after marks: as after a loss (RFC 3168), or by the share of marks (RFC
    /// 8257).
    pub fn after_marks(&mut self, window: u32, in_flight: u32) -> u32 {
        match self {
            Control::Dctcp(dctcp) => dctcp.after_marks(window).max(LEAST),
            _ => self.after_loss(window, in_flight),
        }
    }

    /// Notes the marks reported by an acknowledgement.
    pub fn take_marks(&mut self, marks: Marks) {
        if let Control::Dctcp(dctcp) = self {
            dctcp.take_marks(marks);
        }
    }

    /// Sets the state of a connection in use, on which HyStart is over.
    pub fn settle(&mut self) {
        if let Control::Cubic(cubic) = self {
            cubic.settle();
        }
    }

    /// Returns whether HyStart ends slow start with an acknowledgement.
    pub fn ends_slow_start(&mut self, sample: &Sample) -> bool {
        match self {
            Control::Cubic(cubic) => cubic.ends_slow_start(sample),
            _ => false,
        }
    }

    /// Restarts after a time-out.
    pub fn timed_out(&mut self) {
        match self {
            Control::Cubic(cubic) => cubic.reset(),
            Control::Linux20(own) => own.timed_out(),
            _ => self.restart(Time::ZERO),
        }
    }

    /// Restarts after an idle time of `idle`.
    pub fn restart(&mut self, idle: Time) {
        match self {
            Control::Reno(reno) => *reno = Reno::default(),
            Control::Cubic(cubic) => cubic.shift(idle),
            Control::Dctcp(dctcp) => dctcp.reno = Reno::default(),
            Control::Linux20(_) => {}
        }
    }
}
