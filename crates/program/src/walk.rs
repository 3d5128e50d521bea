//! A walk through the operations of a stream: loops are unrolled pass by pass, and the messages of
//! a collective are written when its rank enters it and forgotten when it has ended.

use std::ops::Range;

use crate::operation::{Action, EntryId, Operation, Rank, Tag};
use crate::program::Program;

/// Actions of a collective in a loop that are kept for its next pass, at most.
const KEPT_ACTIONS: usize = 256;

/// Collectives of a loop whose actions are kept.
const MOST_KEPT: usize = 4;

/// A place in the operations of a stream.
#[derive(Debug, Default)]
pub struct Walk {
    /// Index of the next operation, and behind the last one.
    index: u32,
    end: u32,
    /// Remaining passes of each open repeat, innermost last.
    repeats: Vec<u32>,
    /// Actions of the collective that the rank has entered, and the number of those passed.
    entered: Vec<Action>,
    n_passed: usize,
    /// The collective that the rank entered last.
    last_entry: Option<(EntryId, Tag)>,
    /// Actions of short collectives of a loop.
    kept: Vec<((EntryId, Tag), Vec<Action>)>,
}

impl Walk {
    /// Returns a walk through a range of operations of a rank.
    pub fn new(range: Range<usize>) -> Walk {
        Walk { index: range.start as u32, end: range.end as u32, ..Walk::default() }
    }

    /// Returns the next action, which [`Walk::pass`] passes; `None` at the end.
    #[inline]
    pub fn peek(&mut self, program: &Program, rank: Rank) -> Option<Action> {
        if let Some(&action) = self.entered.get(self.n_passed) {
            return Some(action);
        }
        if !self.entered.is_empty() {
            self.leave();
        }
        self.find(program, rank)
    }

    /// Passes the action that [`Walk::peek`] has returned.
    #[inline]
    pub fn pass(&mut self) {
        if self.entered.is_empty() {
            self.index += 1;
        } else {
            self.n_passed += 1;
        }
    }

    /// Passes the next action and returns it; `None` at the end.
    #[inline]
    pub fn next(&mut self, program: &Program, rank: Rank) -> Option<Action> {
        let action = self.peek(program, rank)?;
        self.pass();
        Some(action)
    }

    /// Returns whether all actions are passed.
    pub fn is_over(&mut self, program: &Program, rank: Rank) -> bool {
        self.peek(program, rank).is_none()
    }

    /// Returns the index of the operation that was passed last, or of the collective that the rank
    /// is in.
    pub fn last(&self) -> u32 {
        self.index.saturating_sub(1)
    }

    /// Returns the action of a collective that was passed last, if the rank is in one.
    pub fn last_entered(&self) -> Option<Action> {
        self.n_passed.checked_sub(1).and_then(|last| self.entered.get(last)).copied()
    }

    /// Enters a collective.
    fn enter(&mut self, program: &Program, rank: Rank, entry: (EntryId, Tag)) {
        self.last_entry = Some(entry);
        match self.kept.iter().position(|&(kept, _)| kept == entry) {
            Some(place) => self.entered = self.kept.swap_remove(place).1,
            None => program.write_entry(entry, rank, &mut self.entered),
        }
    }

    /// Ends a collective.
    fn leave(&mut self) {
        self.n_passed = 0;
        let actions = std::mem::take(&mut self.entered);
        if let Some(entry) = self.last_entry
            && !self.repeats.is_empty()
            && self.kept.len() < MOST_KEPT
            && actions.len() <= KEPT_ACTIONS
        {
            self.kept.push((entry, actions));
        }
    }

    /// Goes on to the next action outside of a collective, or into the next collective.
    #[inline]
    fn find(&mut self, program: &Program, rank: Rank) -> Option<Action> {
        while self.index < self.end {
            match program.operations(rank)[self.index as usize] {
                Operation::Do(action) => return Some(action),
                Operation::Repeat { count } => {
                    self.repeats.push(count);
                    self.index += 1;
                }
                Operation::EndRepeat { start } => self.end_repeat(start),
                Operation::Enter { entry, tag } => {
                    self.index += 1;
                    self.enter(program, rank, (entry, tag));
                    if let Some(&first) = self.entered.first() {
                        return Some(first);
                    }
                }
            }
        }
        None
    }

    fn end_repeat(&mut self, start: u32) {
        let remaining = self.repeats.last_mut().expect("a repeat ends that has begun");
        *remaining -= 1;
        if *remaining > 0 {
            self.index = start + 1;
        } else {
            self.repeats.pop();
            self.index += 1;
            self.kept.clear();
        }
    }
}

impl Program {
    /// Returns a walk through each stream of `rank`.
    pub fn walks(&self, rank: Rank) -> Vec<Walk> {
        match self.streams(rank) {
            [] => vec![Walk::new(0..self.operations(rank).len())],
            streams => streams.iter().map(|stream| Walk::new(stream.operations())).collect(),
        }
    }
}
