//! The clock of a run, which wires, hosts and faults share: the present time, the events to come,
//! and the counters. The effects of events are in `model`.

use std::ops::{Deref, DerefMut};
use std::sync::atomic::AtomicBool;

use crate::counters::Counters;
use crate::event::Event;

/// The clock of a run and its counters.
#[derive(Debug)]
pub struct Clock<'a> {
    inner: simulation::Clock<'a, Event>,
    pub(crate) counters: Counters,
}

impl<'a> Clock<'a> {
    /// Returns a clock at time zero whose queue knows at least `known_ahead` events beyond the
    /// next.
    pub fn new(stop: &'a AtomicBool, known_ahead: usize) -> Clock<'a> {
        let inner = simulation::Clock::new(stop, known_ahead);
        Clock { inner, counters: Counters::default() }
    }
}

impl<'a> Deref for Clock<'a> {
    type Target = simulation::Clock<'a, Event>;

    #[inline]
    fn deref(&self) -> &simulation::Clock<'a, Event> {
        &self.inner
    }
}

impl<'a> DerefMut for Clock<'a> {
    #[inline]
    fn deref_mut(&mut self) -> &mut simulation::Clock<'a, Event> {
        &mut self.inner
    }
}
