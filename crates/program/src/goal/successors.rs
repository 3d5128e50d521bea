//! The tasks that may continue when a task has begun or ended: the successors of each task, their
//! numbers of open dependencies, and the requirements of a task.

use quantity::{Groups, IdVec};

use super::{Graph, TaskId};

/// The successors of every task.
pub(super) struct Successors {
    /// Per task: its successors, each with whether the start of the task suffices for it.
    after: Groups<TaskId, (TaskId, bool)>,
    /// Per task: the number of dependencies not met.
    unmet: IdVec<TaskId, u32>,
    /// Per task: the number of dependencies neither met nor offered (met by a wait that returns at
    /// once).
    unoffered: IdVec<TaskId, u32>,
    /// Per task: those that must end before it begins.
    required: Groups<TaskId, TaskId>,
}

impl Successors {
    pub fn of(graph: &Graph) -> Successors {
        let n_tasks = graph.tasks.n();
        let dependencies = || graph.dependencies.iter();
        let after = Groups::new(n_tasks, || {
            dependencies()
                .map(|dependency| (dependency.before, (dependency.after, dependency.is_start)))
        });
        let required = Groups::new(n_tasks, || {
            let ends = dependencies().filter(|dependency| !dependency.is_start);
            ends.map(|dependency| (dependency.after, dependency.before))
        });
        let mut unmet = IdVec::filled(0, n_tasks);
        for dependency in dependencies() {
            unmet[dependency.after] += 1;
        }
        let unoffered = unmet.clone();
        Successors { after, unmet, unoffered, required }
    }

    /// Returns the tasks that must end before `task` begins.
    pub fn required(&self, task: TaskId) -> &[TaskId] {
        self.required.of(task)
    }

    /// Offers the dependencies on the start of `task`, or those on its end, and calls `payable`
    /// with every task whose dependencies are all offered and not all met.
    pub fn offer(&mut self, task: TaskId, is_start: bool, mut payable: impl FnMut(TaskId)) {
        for &(after, needs_start) in self.after.of(task) {
            if needs_start == is_start {
                let unoffered = &mut self.unoffered[after];
                *unoffered -= 1;
                if *unoffered == 0 && self.unmet[after] > 0 {
                    payable(after);
                }
            }
        }
    }

    /// Returns a task that depends on itself, if there is one.
    pub fn circle(&self) -> Option<TaskId> {
        let mut unmet = self.unmet.clone();
        let mut free: Vec<TaskId> = unmet.ids().filter(|&task| self.is_free(task)).collect();
        while let Some(task) = free.pop() {
            for &(after, _) in self.after.of(task) {
                unmet[after] -= 1;
                if unmet[after] == 0 {
                    free.push(after);
                }
            }
        }
        unmet.with_ids().find(|&(_, &n)| n > 0).map(|(task, _)| task)
    }

    /// Returns whether any task waits for the end of `task`.
    pub fn has_end_successor(&self, task: TaskId) -> bool {
        self.after.of(task).iter().any(|&(_, is_start)| !is_start)
    }

    /// Returns whether `task` may begin.
    pub fn is_free(&self, task: TaskId) -> bool {
        self.unmet[task] == 0
    }

    /// Meets the dependencies on the start of `task`, or those on its end, and calls `free` with
    /// every task that may begin now.
    pub fn meet(&mut self, task: TaskId, is_start: bool, mut free: impl FnMut(TaskId)) {
        for &(after, needs_start) in self.after.of(task) {
            if needs_start == is_start {
                let unmet = &mut self.unmet[after];
                *unmet -= 1;
                if *unmet == 0 {
                    free(after);
                }
            }
        }
    }
}
