//! The tasks of a rank whose order is decided as it runs, as streams.
//!
//! Each stream is a chain of tasks on one processor, each of which requires the one before it. Of
//! the other dependencies each is an event: the task that comes first signals it, the other waits
//! for it. Stream 0, of the process, continues when all others have ended.
//!
//! A chain prefers neighbours in the text, so that a text written from the streams has the same
//! ones.

use quantity::{Id, IdVec, Ids, OptionalId};

use super::links::Links;
use super::{Dependency, TaskId};
use crate::code;
use crate::operation::{EventNumber, Rank};
use crate::owned_columns::{OwnedColumns, Row};

/// The event that a stream has ended; those of tasks follow.
const ENDED: EventNumber = 0;
/// More waits for an event in a row are a loop.
const FEW: u32 = 3;

/// The chains of tasks, rank after rank.
pub(super) struct Chains {
    /// Per task: the task behind it in its stream.
    next: IdVec<TaskId, OptionalId<TaskId>>,
    /// Per task: whether it is behind another.
    has_previous: IdVec<TaskId, bool>,
    /// Per task: its stream, and its place among the tasks of all streams of its rank.
    stream: IdVec<TaskId, u32>,
    place: IdVec<TaskId, u32>,
}

impl Chains {
    pub fn new(n_tasks: u32) -> Chains {
        Chains {
            next: IdVec::filled(OptionalId::none(), n_tasks),
            has_previous: IdVec::filled(false, n_tasks),
            stream: IdVec::filled(0, n_tasks),
            place: IdVec::filled(0, n_tasks),
        }
    }

    /// Appends the steps of a rank.
    pub fn write(
        &mut self,
        rank: Rank,
        tasks: &Ids<TaskId>,
        links: &Links<'_>,
        columns: &mut OwnedColumns,
    ) {
        self.join(tasks, links);
        let n_streams = self.number(tasks);
        for head in tasks.clone().filter(|&task| !self.has_previous[task]) {
            let (number, peer) = (self.stream[head], links.graph.tasks[head].cpu.into());
            columns.push(Row { number, peer, ..Row::new(rank, code::STREAM) });
            let mut task = Some(head);
            while let Some(present) = task {
                self.write_task(rank, (present, tasks.start), links, columns);
                task = self.next[present].get();
            }
            columns.push(Row { number: ENDED, ..Row::new(rank, code::SIGNAL) });
        }
        columns.push(Row { peer: -1, ..Row::new(rank, code::STREAM) });
        wait_for(rank, ENDED, n_streams, columns);
    }

    /// Joins tasks to chains: first neighbours in the text, then whatever is left.
    fn join(&mut self, tasks: &Ids<TaskId>, links: &Links<'_>) {
        let cpu = |task: TaskId| links.graph.tasks[task].cpu;
        for task in tasks.clone().skip(1) {
            let before = TaskId::new(task.get() - 1);
            if cpu(before) == cpu(task) && links.required(task).any(|found| found == before) {
                self.link(before, task);
            }
        }
        for task in tasks.clone() {
            if !self.has_previous[task] {
                let is_free = |&before: &TaskId| {
                    self.next[before].get().is_none() && cpu(before) == cpu(task)
                };
                let before = links.required(task).filter(is_free).max();
                before.into_iter().for_each(|before| self.link(before, task));
            }
        }
    }

    fn link(&mut self, before: TaskId, task: TaskId) {
        self.next[before] = task.into();
        self.has_previous[task] = true;
    }

    /// Numbers the streams from 1, and their tasks; returns the number of streams.
    fn number(&mut self, tasks: &Ids<TaskId>) -> u32 {
        let (mut n_streams, mut n_tasks) = (0, 0);
        for head in tasks.clone() {
            if self.has_previous[head] {
                continue;
            }
            n_streams += 1;
            let mut task = Some(head);
            while let Some(present) = task {
                n_tasks += 1;
                (self.stream[present], self.place[present]) = (n_streams, n_tasks);
                task = self.next[present].get();
            }
        }
        n_streams
    }

    fn write_task(
        &self,
        rank: Rank,
        (task, first): (TaskId, TaskId),
        links: &Links<'_>,
        columns: &mut OwnedColumns,
    ) {
        let event = |task: TaskId| task.offset_from(first) + 1;
        let is_elsewhere = |other: TaskId| self.stream[other] != self.stream[task];
        let n_awaited = links.before(task).filter(|link| is_elsewhere(link.before)).count();
        wait_for(rank, event(task), n_awaited as u32, columns);
        let mut others: Vec<_> =
            links.after(task).filter(|link| is_elsewhere(link.after)).collect();
        others.sort_by_key(|link| self.place[link.after]);
        let (of_start, of_end): (Vec<_>, Vec<_>) = others.iter().partition(|link| link.is_start);
        let signals = |links: Vec<&Dependency>, columns: &mut OwnedColumns| {
            for link in links {
                columns.push(Row { number: event(link.after), ..Row::new(rank, code::SIGNAL) });
            }
        };
        let kind = links.graph.tasks[task].kind;
        if of_start.is_empty() {
            columns.push(kind.row(rank, None));
        } else if kind.is_computation() {
            // A computation of no length ends when the processor is free: when the other begins.
            columns.push(Row::new(rank, code::COMPUTE));
            signals(of_start, columns);
            columns.push(kind.row(rank, None));
        } else {
            columns.push(kind.row(rank, Some(event(task))));
            signals(of_start, columns);
            columns.push(Row { number: event(task), ..Row::new(rank, code::WAIT) });
        }
        signals(of_end, columns);
    }
}

/// Appends waits for an event.
fn wait_for(rank: Rank, event: EventNumber, n_times: u32, columns: &mut OwnedColumns) {
    let wait = Row { number: event, ..Row::new(rank, code::WAIT_FOR) };
    if n_times <= FEW {
        (0..n_times).for_each(|_| columns.push(wait));
        return;
    }
    columns.push(Row { number: n_times, ..Row::new(rank, code::REPEAT) });
    columns.push(wait);
    columns.push(Row::new(rank, code::END_REPEAT));
}
