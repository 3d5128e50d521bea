//! The clock of a run: the present time, the events to come, and the pending notices to ranks. One
//! loop, [`advance`], drives every engine from notice to notice; an engine defines the effects of
//! its events.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};

use quantity::Time;

use crate::error::RunError;
use crate::events::EventQueue;
use crate::model::{END, Notice};

/// Events between two polls of the caller's stop flag.
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
    /// Returns a clock at time zero that stops when `stop` becomes true; its queue knows at least
    /// `known_ahead` events beyond the next.
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

    /// Returns the number of events so far.
    pub fn n_events(&self) -> u64 {
        self.n_events
    }

    /// Queues a notice to the ranks, behind earlier ones.
    #[inline]
    pub fn notify(&mut self, notice: Notice) {
        self.notices.push_back(notice);
    }

    /// Ends the run for this reason.
    pub fn fail(&mut self, reason: RunError) {
        self.failure = Some(reason);
    }

    /// Returns whether the run is about to end for a reason.
    pub fn has_failed(&self) -> bool {
        self.failure.is_some()
    }

    /// Takes the next event if it is due by `time`, and advances the time to it; without such an
    /// event, advances to `time` itself.
    #[inline]
    pub fn take_due(&mut self, time: Time) -> Option<E> {
        let is_due = self.events.next_time().is_some_and(|next| next <= time);
        let Some((time, event)) = is_due.then(|| self.events.pop()).flatten() else {
            self.now = self.now.max(time);
            return None;
        };
        self.now = time;
        self.n_events += 1;
        Some(event)
    }

    /// Takes the next event and advances the time to it; `None` when no event is left.
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

/// An engine whose state changes at events of type `E`.
pub trait EventDriven<'a, E: Copy> {
    /// Returns the engine's clock.
    fn clock(&mut self) -> &mut Clock<'a, E>;

    /// Handles an event at the present time.
    fn handle(&mut self, event: E);

    /// Prepares for the next event, which may come later or never.
    #[inline]
    fn before_event(&mut self) {}

    /// Finds the reason why no event will happen again.
    fn at_standstill(&mut self) {}
}

/// Advances to the next notice; `None` when no event is left.
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
