//! The tasks that may continue when a task has begun or ended: the successors of each task, their
//! numbers of open dependencies, and the requirements of a task.

use super::{Graph, TaskId};

/// The successors of every task, in compressed rows.
pub(super) struct Successors {
    /// Start of the row of each task, and the end of the last.
    rows: Vec<u32>,
    /// The successor, and whether the start of the task suffices for it.
    entries: Vec<(TaskId, bool)>,
    /// Per task: the number of dependencies not met.
    unmet: Vec<u32>,
    /// Per task: the number of dependencies neither met nor offered (met by a wait that returns at
    /// once).
    unoffered: Vec<u32>,
    /// Start of each task's requirements in `required`, and the end of the last.
    required_rows: Vec<u32>,
    /// Tasks that must end before a task begins.
    required: Vec<TaskId>,
}

impl Successors {
    pub fn of(graph: &Graph) -> Successors {
        let n_tasks = graph.tasks.len();
        let dependencies = || graph.dependencies.iter();
        let (rows, entries) = gathered(
            n_tasks,
            dependencies()
                .map(|dependency| (dependency.before, (dependency.after, dependency.is_start))),
        );
        let ends = dependencies().filter(|dependency| !dependency.is_start);
        let ends = ends.map(|dependency| (dependency.after, dependency.before));
        let (required_rows, required) = gathered(n_tasks, ends);
        let mut unmet = vec![0; n_tasks];
        for dependency in dependencies() {
            unmet[dependency.after as usize] += 1;
        }
        let unoffered = unmet.clone();
        Successors { rows, entries, unmet, unoffered, required_rows, required }
    }

    /// Returns the tasks that must end before `task` begins.
    pub fn required(&self, task: TaskId) -> &[TaskId] {
        let task = task as usize;
        &self.required[self.required_rows[task] as usize..self.required_rows[task + 1] as usize]
    }

    /// Offers the dependencies on the start of `task`, or those on its end, and calls `payable`
    /// with every task whose dependencies are all offered and not all met.
    pub fn offer(&mut self, task: TaskId, is_start: bool, mut payable: impl FnMut(TaskId)) {
        let row = self.rows[task as usize] as usize..self.rows[task as usize + 1] as usize;
        for &(after, needs_start) in &self.entries[row] {
            if needs_start == is_start {
                let unoffered = &mut self.unoffered[after as usize];
                *unoffered -= 1;
                if *unoffered == 0 && self.unmet[after as usize] > 0 {
                    payable(after);
                }
            }
        }
    }

    /// Returns a task that depends on itself, if there is one.
    pub fn circle(&self) -> Option<TaskId> {
        let mut unmet = self.unmet.clone();
        let n_tasks = unmet.len() as TaskId;
        let mut free: Vec<TaskId> = (0..n_tasks).filter(|&task| self.is_free(task)).collect();
        while let Some(task) = free.pop() {
            for &(after, _) in self.row(task) {
                unmet[after as usize] -= 1;
                if unmet[after as usize] == 0 {
                    free.push(after);
                }
            }
        }
        unmet.iter().position(|&n| n > 0).map(|task| task as TaskId)
    }

    /// Returns whether any task waits for the end of `task`.
    pub fn has_end_successor(&self, task: TaskId) -> bool {
        self.row(task).iter().any(|&(_, is_start)| !is_start)
    }

    /// Returns whether `task` may begin.
    pub fn is_free(&self, task: TaskId) -> bool {
        self.unmet[task as usize] == 0
    }

    /// Meets the dependencies on the start of `task`, or those on its end, and calls `free` with
    /// every task that may begin now.
    pub fn meet(&mut self, task: TaskId, is_start: bool, mut free: impl FnMut(TaskId)) {
        let row = self.rows[task as usize] as usize..self.rows[task as usize + 1] as usize;
        for &(after, needs_start) in &self.entries[row] {
            if needs_start == is_start {
                let unmet = &mut self.unmet[after as usize];
                *unmet -= 1;
                if *unmet == 0 {
                    free(after);
                }
            }
        }
    }

    fn row(&self, task: TaskId) -> &[(TaskId, bool)] {
        let task = task as usize;
        &self.entries[self.rows[task] as usize..self.rows[task + 1] as usize]
    }
}

/// Returns values grouped by their task: the start of each group with the end of the last, and all
/// values.
fn gathered<T: Copy + Default>(
    n_tasks: usize,
    pairs: impl Iterator<Item = (TaskId, T)> + Clone,
) -> (Vec<u32>, Vec<T>) {
    let mut rows = vec![0_u32; n_tasks + 1];
    for (task, _) in pairs.clone() {
        rows[task as usize + 1] += 1;
    }
    for task in 0..n_tasks {
        rows[task + 1] += rows[task];
    }
    let mut next = rows.clone();
    let mut values = vec![T::default(); rows[n_tasks] as usize];
    for (task, value) in pairs {
        let place = &mut next[task as usize];
        values[*place as usize] = value;
        *place += 1;
    }
    (rows, values)
}
