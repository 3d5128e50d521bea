//! The tasks of a rank that can run in one order only, as the calls of one process: a task without
//! anything between it and the wait for it is a blocking call.

use quantity::{Id, Ids};

use super::links::Links;
use super::{TaskId, TaskKind};
use crate::code;
use crate::operation::Rank;
use crate::owned_columns::{OwnedColumns, Row};

/// The next action of a rank.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Move {
    Begin(TaskId),
    WaitFor(TaskId),
}

/// Appends the steps of a rank.
pub(super) fn write(
    rank: Rank,
    tasks: &Ids<TaskId>,
    order: &[TaskId],
    links: &Links<'_>,
    columns: &mut OwnedColumns,
) {
    let first = tasks.start;
    // Number 0 is for requests that only the end of the rank waits for.
    let number = |task: TaskId| task.offset_from(first) + 1;
    let moves = moves(order, tasks, links);
    let mut moves = moves.iter().peekable();
    let mut is_open = false;
    while let Some(&step) = moves.next() {
        let task = match step {
            Move::Begin(task) => task,
            Move::WaitFor(task) => {
                columns.push(Row { number: number(task), ..Row::new(rank, code::WAIT) });
                continue;
            }
        };
        let kind = links.graph.tasks[task].kind;
        if let TaskKind::Compute { nanoseconds } = kind {
            if nanoseconds > 0 {
                columns.push(kind.row(rank, None));
            }
            continue;
        }
        let is_blocking = moves.next_if_eq(&&Move::WaitFor(task)).is_some();
        let is_waited = links.after(task).any(|link| !link.is_start);
        let request = if is_waited { number(task) } else { 0 };
        columns.push(kind.row(rank, (!is_blocking).then_some(request)));
        is_open |= !is_blocking && !is_waited;
    }
    if is_open {
        columns.push(Row::new(rank, code::WAIT_ALL));
    }
}

/// Returns the tasks in their order, each behind waits for its requirements.
fn moves(order: &[TaskId], tasks: &Ids<TaskId>, links: &Links<'_>) -> Vec<Move> {
    let mut is_over = vec![false; tasks.len()];
    let mut moves = Vec::with_capacity(order.len());
    for &task in order {
        for before in links.required(task) {
            let is_over = &mut is_over[before.offset_from(tasks.start) as usize];
            if !*is_over && !links.graph.tasks[before].kind.is_computation() {
                moves.push(Move::WaitFor(before));
            }
            *is_over = true;
        }
        moves.push(Move::Begin(task));
    }
    moves
}
