//! Tasks and dependencies as steps, rank by rank.
//!
//! A rank whose tasks can run in one order only is a sequence for one process, as an MPI program
//! is: `sequence` writes it with blocking calls where nothing lies between a task and the wait for
//! it. The tasks of any other rank run as soon as their requirements are met, in streams that
//! `streams` writes: which task is first is decided when the program runs.

use quantity::{IdVec, Ids};

use super::links::Links;
use super::{GoalError, Graph, TaskId, pairs, sequence, streams};
use crate::owned_columns::OwnedColumns;

impl Graph {
    /// Returns the steps of all ranks, rank by rank.
    ///
    /// # Errors
    /// When a receive never finds its message or a send its receive, or tasks depend on each other
    /// in a circle.
    pub fn steps(&self) -> Result<OwnedColumns, GoalError> {
        let links = Links::of(self);
        let mut unmet = IdVec::filled(0, self.tasks.n());
        self.dependencies.iter().for_each(|link| unmet[link.after] += 1);
        let mut orders = Vec::new();
        for (rank, tasks) in self.ranks.with_ids() {
            let order = Order::of(tasks, &links, &mut unmet);
            if let Order::Circle(task) = order {
                return Err(GoalError::Circle { at: self.tasks[task].at, rank });
            }
            orders.push(order);
        }
        pairs::check(self)?;
        let mut columns = OwnedColumns::default();
        let mut chains = streams::Chains::new(self.tasks.n());
        for ((rank, tasks), order) in self.ranks.with_ids().zip(orders) {
            match order {
                Order::One(order) => sequence::write(rank, tasks, &order, &links, &mut columns),
                _ => chains.write(rank, tasks, &links, &mut columns),
            }
        }
        Ok(columns)
    }
}

/// The orders in which a rank's tasks can run.
enum Order {
    /// One order only.
    One(Vec<TaskId>),
    /// Several orders.
    Several,
    /// None: a task requires itself, or one that does.
    Circle(TaskId),
}

impl Order {
    fn of(tasks: &Ids<TaskId>, links: &Links<'_>, unmet: &mut IdVec<TaskId, u32>) -> Order {
        let mut ready: Vec<TaskId> = tasks.clone().filter(|&task| unmet[task] == 0).collect();
        let (mut is_one, mut order) = (true, Vec::with_capacity(tasks.len()));
        loop {
            is_one &= ready.len() <= 1;
            let Some(task) = ready.pop() else { break };
            order.push(task);
            for link in links.after(task) {
                unmet[link.after] -= 1;
                if unmet[link.after] == 0 {
                    ready.push(link.after);
                }
            }
        }
        match tasks.clone().find(|&task| unmet[task] > 0) {
            Some(task) => Order::Circle(task),
            None if is_one => Order::One(order),
            None => Order::Several,
        }
    }
}
