//! The clock of a run: the present time, the events to come, and what ranks have yet to be told.
//! One loop, [`advance`], drives every engine from notice to notice; an engine says what its events
//! do.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};

use quantity::Time;

use crate::error::RunError;
use crate::events::EventQueue;
use crate::model::{END, Notice};

/// Events between two looks at the caller's wish to stop.
const EVENTS_BETWEEN_CHECKS: u64 = 1 << 12;

/// The time of a run and its events.
#[derive(Debug)]
pub struct Clock<'a, E> {
    /// The present time.
    pub now: Time,
    /// The events to come.
    pub events: EventQueue<E>,
    notices: VecDeque<Notice>,
    failure: Option<RunError>,
    n_events: u64,
    stop: &'a AtomicBool,
}

impl<'a, E: Copy> Clock<'a, E> {
    /// Returns a clock at time zero that stops when `stop` becomes true; its queue knows
    /// `known_ahead` events ahead of the next.
    pub fn new(stop: &'a AtomicBool, known_ahead: usize) -> Clock<'a, E> {
        Clock {
            now: Time::ZERO,
            events: EventQueue::knowing_ahead(known_ahead),
            notices: VecDeque::new(),
            failure: None,
            n_events: 0,
            stop,
        }
    }

    /// Returns how many events have happened.
    pub fn n_events(&self) -> u64 {
        self.n_events
    }

    /// Tells the ranks something, after what they were told before.
    #[inline]
    pub fn notify(&mut self, notice: Notice) {
        self.notices.push_back(notice);
    }

    /// Ends the run, for this reason.
    pub fn fail(&mut self, reason: RunError) {
        self.failure = Some(reason);
    }

    /// Returns whether the run is about to end for a reason.
    pub fn has_failed(&self) -> bool {
        self.failure.is_some()
    }

    /// Takes the next event and moves the time on to it; `None` when nothing will ever happen.
    ///
    /// # Errors
    /// [`RunError::Stopped`] when the caller wants the run to stop, [`RunError::TooLong`] at the
    /// end of time.
    #[inline]
    fn next(&mut self) -> Result<Option<E>, RunError> {
        let Some((time, event)) = self.events.pop() else { return Ok(None) };
        if time >= END {
            return Err(RunError::TooLong { stuck: Vec::new() });
        }
        self.now = time;
        self.n_events += 1;
        if self.n_events.is_multiple_of(EVENTS_BETWEEN_CHECKS) && self.stop.load(Ordering::Relaxed)
        {
            return Err(RunError::Stopped);
        }
        Ok(Some(event))
    }
}

/// An engine whose state changes at events, of which `E` tells what can happen.
pub trait EventDriven<'a, E: Copy> {
    /// Returns its clock.
    fn clock(&mut self) -> &mut Clock<'a, E>;

    /// Lets an event happen, at the present time.
    fn handle(&mut self, event: E);

    /// Prepares for the next event, which may come later or never.
    #[inline]
    fn before_event(&mut self) {}

    /// Looks for a reason why nothing will ever happen again.
    fn at_standstill(&mut self) {}
}

/// Goes on to the next notice; `None` when nothing will ever happen again.
///
/// # Errors
/// When the engine fails, the caller wants the run to stop, or the time ends.
#[inline]
pub fn advance<'a, E: Copy>(
    engine: &mut impl EventDriven<'a, E>,
) -> Result<Option<Notice>, RunError> {
    loop {
        let clock = engine.clock();
        if let Some(failure) = clock.failure.take() {
            return Err(failure);
        }
        if let Some(notice) = clock.notices.pop_front() {
            return Ok(Some(notice));
        }
        engine.before_event();
        let Some(event) = engine.clock().next()? else {
            engine.at_standstill();
            return engine.clock().failure.take().map_or(Ok(None), Err);
        };
        engine.handle(event);
    }
}
