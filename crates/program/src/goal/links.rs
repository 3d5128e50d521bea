//! The dependencies of a graph, found from either end.

use quantity::Groups;

use super::{Dependency, Graph, TaskId};

/// The dependencies by the task that they come from and that they lead to.
pub(super) struct Links<'a> {
    pub graph: &'a Graph,
    /// Per task: the places of the dependencies of others on it.
    after: Groups<TaskId, u32>,
    /// Per task: the places of its own dependencies.
    before: Groups<TaskId, u32>,
}

impl<'a> Links<'a> {
    pub fn of(graph: &'a Graph) -> Links<'a> {
        let n_tasks = graph.tasks.n();
        let all = || graph.dependencies.iter().zip(0..);
        Links {
            graph,
            after: Groups::new(n_tasks, || all().map(|(link, place)| (link.before, place))),
            before: Groups::new(n_tasks, || all().map(|(link, place)| (link.after, place))),
        }
    }

    /// Returns the dependencies of others on a task.
    pub fn after(&self, task: TaskId) -> impl Iterator<Item = Dependency> {
        self.after.of(task).iter().map(|&place| self.graph.dependencies[place as usize])
    }

    /// Returns the dependencies of a task.
    pub fn before(&self, task: TaskId) -> impl Iterator<Item = Dependency> {
        self.before.of(task).iter().map(|&place| self.graph.dependencies[place as usize])
    }

    /// Returns the tasks that must end before a task begins.
    pub fn required(&self, task: TaskId) -> impl Iterator<Item = TaskId> {
        self.before(task).filter(|link| !link.is_start).map(|link| link.before)
    }
}
