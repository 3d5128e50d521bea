//! Tasks and dependencies in the order in which a rank, a single process, executes them.
//!
//! All ranks run together on a network without delay. A rank starts every task that may begin:
//! receives first, then sends, then computations, each in the order of the text. With none left to
//! start it waits for the requirements of one task: the first one whose requirements are all there.
//! The order is therefore one that every network can run. Only when all ranks wait for each other
//! is a send completed before its receive, as libraries buffer short messages.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use quantity::{Id, IdVec};

use super::matching::Matching;
use super::successors::Successors;
use super::{GoalError, Graph, Task, TaskId, TaskKind};
use crate::columns::Columns;
use crate::operation::Rank;

/// Columns of steps that own their entries; the owned form of [`Columns`].
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(missing_docs)]
pub struct OwnedColumns {
    pub kind: Vec<u8>,
    pub rank: Vec<i32>,
    pub peer: Vec<i32>,
    pub size_bytes: Vec<u64>,
    pub tag: Vec<u32>,
    pub compute_s: Vec<f64>,
    pub number: Vec<u32>,
}

impl OwnedColumns {
    /// Returns the columns for compilation.
    pub fn columns(&self) -> Columns<'_> {
        Columns {
            kind: &self.kind,
            rank: &self.rank,
            peer: &self.peer,
            size_bytes: &self.size_bytes,
            tag: &self.tag,
            compute_s: &self.compute_s,
            number: &self.number,
        }
    }

    fn push(&mut self, rank: Rank, kind: u8) -> usize {
        self.kind.push(kind);
        self.rank.push(rank.get() as i32);
        self.peer.push(0);
        self.size_bytes.push(0);
        self.tag.push(0);
        self.compute_s.push(0.0);
        self.number.push(0);
        self.kind.len() - 1
    }
}

/// Codes of the kinds of steps written here, by their place in `STEP_KINDS`.
const SEND: u8 = 0;
const RECEIVE: u8 = 1;
const START: u8 = 2;
const WAIT_ALL: u8 = 4;
const COMPUTE: u8 = 5;
const WAIT: u8 = 22;

/// The next action of a rank.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Move {
    Begin(TaskId),
    WaitFor(TaskId),
}

#[derive(Default)]
struct Player {
    clock_ns: u64,
    moves: Vec<Move>,
    /// Tasks that may begin, ordered by kind, then by their place in the text.
    ready: BinaryHeap<Reverse<(u8, TaskId)>>,
    /// Tasks that may begin after waits that return at once, in the order in which they became so.
    payable: BinaryHeap<Reverse<(u64, TaskId)>>,
    /// Sends with successors that wait for their end; some may already be offered.
    sent: BinaryHeap<Reverse<TaskId>>,
    matching: Matching,
    /// Whether the rank is in the queue of ranks that can continue.
    is_queued: bool,
    /// Whether the rank is among those that a buffered send would let continue.
    is_held: bool,
}

struct Game<'a> {
    graph: &'a Graph,
    successors: Successors,
    players: IdVec<Rank, Player>,
    has_begun: IdVec<TaskId, bool>,
    has_met: IdVec<TaskId, bool>,
    /// Per task: whether a wait for it returns at once.
    is_offered: IdVec<TaskId, bool>,
    is_waited: IdVec<TaskId, bool>,
    queue: BinaryHeap<Reverse<(u64, Rank)>>,
    /// Ranks that could continue if one of their sends were complete.
    held: BinaryHeap<Reverse<(u64, Rank)>>,
}

impl Graph {
    /// Returns the steps of all ranks, rank by rank, each in order of execution.
    ///
    /// # Errors
    /// When a receive never finds its message or a send its receive, or tasks depend on each other
    /// in a cycle.
    pub fn steps(&self) -> Result<OwnedColumns, GoalError> {
        let successors = Successors::of(self);
        if let Some(task) = successors.circle() {
            let mut ranks = self.ranks.with_ids();
            let holder = ranks.find(|(_, tasks)| tasks.contains(task));
            let (rank, _) = holder.expect("every task is of a rank");
            return Err(GoalError::Circle { line: self.tasks[task].line, rank });
        }
        let mut game = Game::new(self, successors);
        game.run();
        game.check()?;
        let mut columns = OwnedColumns::default();
        for (rank, player) in game.players.with_ids() {
            game.write(rank, &player.moves, &mut columns);
        }
        Ok(columns)
    }
}

impl<'a> Game<'a> {
    fn new(graph: &'a Graph, successors: Successors) -> Game<'a> {
        let (n_tasks, n_ranks) = (graph.tasks.n(), graph.n_ranks());
        let mut game = Game {
            graph,
            successors,
            players: (0..n_ranks).map(|_| Player::default()).collect(),
            has_begun: IdVec::filled(false, n_tasks),
            has_met: IdVec::filled(false, n_tasks),
            is_offered: IdVec::filled(false, n_tasks),
            is_waited: IdVec::filled(false, n_tasks),
            queue: BinaryHeap::new(),
            held: BinaryHeap::new(),
        };
        for rank in graph.ranks.ids() {
            let tasks = graph.ranks[rank].clone();
            for task in tasks.filter(|&task| game.successors.is_free(task)) {
                game.players[rank].ready.push(ready(graph, task));
            }
            game.call(rank, 0);
        }
        game
    }

    fn run(&mut self) {
        loop {
            while let Some(Reverse((time_ns, rank))) = self.queue.pop() {
                let player = &mut self.players[rank];
                player.is_queued = false;
                player.clock_ns = player.clock_ns.max(time_ns);
                self.go_on(rank);
            }
            // All ranks wait. The first send with a waiting successor is buffered.
            let Some(Reverse((time_ns, rank))) = self.held.pop() else {
                return;
            };
            self.players[rank].is_held = false;
            if let Some(task) = self.first_held_send(rank) {
                self.offer_end(rank, task, time_ns);
            }
        }
    }

    /// Returns the first send of a rank whose completion would let it continue.
    fn first_held_send(&mut self, rank: Rank) -> Option<TaskId> {
        let sent = &mut self.players[rank].sent;
        while let Some(&Reverse(task)) = sent.peek() {
            if !self.is_offered[task] {
                return Some(task);
            }
            sent.pop();
        }
        None
    }

    /// Runs a rank until its clock moves or none of its tasks can begin.
    fn go_on(&mut self, rank: Rank) {
        loop {
            if let Some(Reverse((_, task))) = self.players[rank].ready.pop() {
                if self.begin(rank, task) {
                    return self.call(rank, self.players[rank].clock_ns);
                }
            } else if let Some(Reverse((_, task))) = self.players[rank].payable.pop() {
                self.wait_for_required(rank, task);
            } else {
                break;
            }
        }
        if self.first_held_send(rank).is_some() && !self.players[rank].is_held {
            self.players[rank].is_held = true;
            self.held.push(Reverse((self.players[rank].clock_ns, rank)));
        }
    }

    /// Waits for those requirements of a task that were not waited for before; all of them are
    /// offered.
    fn wait_for_required(&mut self, rank: Rank, task: TaskId) {
        for place in 0..self.successors.required(task).len() {
            let before = self.successors.required(task)[place];
            let is_computed = matches!(self.graph.tasks[before].kind, TaskKind::Compute { .. });
            if !is_computed && !self.is_waited[before] {
                self.is_waited[before] = true;
                self.players[rank].moves.push(Move::WaitFor(before));
                self.meet(rank, before, false);
            }
        }
    }

    /// Begins a task; returns whether it takes time.
    fn begin(&mut self, rank: Rank, task: TaskId) -> bool {
        self.has_begun[task] = true;
        self.players[rank].moves.push(Move::Begin(task));
        self.meet(rank, task, true);
        let begun_ns = self.players[rank].clock_ns;
        self.offer(rank, (task, true), begun_ns);
        match self.graph.tasks[task].kind {
            TaskKind::Compute { nanoseconds } => {
                self.players[rank].clock_ns += nanoseconds;
                self.meet(rank, task, false);
                self.offer(rank, (task, false), begun_ns + nanoseconds);
                return nanoseconds > 0;
            }
            TaskKind::Send { to, tag, .. } => {
                if self.successors.has_end_successor(task) {
                    self.players[rank].sent.push(Reverse(task));
                }
                if let Some(taken) = self.players[to].matching.send(task, rank, tag) {
                    self.pair((rank, task), (to, taken));
                }
            }
            TaskKind::Receive { from, tag } => {
                let matching = &mut self.players[rank].matching;
                if let Some(taken) = matching.receive(task, from, tag) {
                    self.pair(taken, (rank, task));
                }
            }
        }
        false
    }

    /// Matches a send and a receive, which completes both.
    fn pair(&mut self, send: (Rank, TaskId), receive: (Rank, TaskId)) {
        let clock_ns = |rank: Rank| self.players[rank].clock_ns;
        let time_ns = clock_ns(send.0).max(clock_ns(receive.0));
        for (rank, task) in [send, receive] {
            self.has_met[task] = true;
            if self.successors.has_end_successor(task) && !self.is_offered[task] {
                self.offer_end(rank, task, time_ns);
            }
        }
    }

    /// Completes a task for its rank, whose next wait for it returns at once.
    fn offer_end(&mut self, rank: Rank, task: TaskId, time_ns: u64) {
        self.is_offered[task] = true;
        self.offer(rank, (task, false), time_ns);
        self.call(rank, time_ns);
    }

    /// Offers the start of a task, or its end, to its successors.
    fn offer(&mut self, rank: Rank, (task, is_start): (TaskId, bool), time_ns: u64) {
        let player = &mut self.players[rank];
        self.successors
            .offer(task, is_start, |after| player.payable.push(Reverse((time_ns, after))));
    }

    /// Puts a rank into the queue of ranks that can continue.
    fn call(&mut self, rank: Rank, time_ns: u64) {
        let player = &mut self.players[rank];
        if !player.is_queued {
            player.is_queued = true;
            self.queue.push(Reverse((time_ns.max(player.clock_ns), rank)));
        }
    }

    fn meet(&mut self, rank: Rank, task: TaskId, is_start: bool) {
        let (graph, player) = (self.graph, &mut self.players[rank]);
        self.successors.meet(task, is_start, |free| player.ready.push(ready(graph, free)));
    }

    fn check(&self) -> Result<(), GoalError> {
        let mut unreceived = None;
        for (rank, tasks) in self.graph.ranks.with_ids() {
            for task in tasks.clone() {
                let Task { kind, line } = self.graph.tasks[task];
                let is_alone = self.has_begun[task] && !self.has_met[task];
                match kind {
                    TaskKind::Receive { .. } if is_alone => {
                        return Err(GoalError::NeverReceived { line, rank });
                    }
                    TaskKind::Send { .. } if is_alone => {
                        unreceived.get_or_insert(GoalError::NeverSent { line, rank });
                    }
                    _ => {}
                }
            }
        }
        unreceived.map_or(Ok(()), Err)
    }

    /// Appends a rank's moves; a task with an immediate wait becomes a blocking call.
    fn write(&self, rank: Rank, moves: &[Move], columns: &mut OwnedColumns) {
        let first = self.graph.ranks[rank].start;
        let mut is_open = false;
        let mut moves = moves.iter().peekable();
        while let Some(&step) = moves.next() {
            let (Move::Begin(task) | Move::WaitFor(task)) = step;
            // Number 0 is for requests that only the end of the rank waits for.
            let number = task.offset_from(first) + 1;
            if step == Move::WaitFor(task) {
                let row = columns.push(rank, WAIT);
                columns.number[row] = number;
                continue;
            }
            let is_blocking = moves.next_if_eq(&&Move::WaitFor(task)).is_some();
            let start = if is_blocking { 0 } else { START };
            let waited = !is_blocking && self.successors.has_end_successor(task);
            match self.graph.tasks[task].kind {
                TaskKind::Compute { nanoseconds: 0 } => continue,
                TaskKind::Compute { nanoseconds } => {
                    let row = columns.push(rank, COMPUTE);
                    columns.compute_s[row] = nanoseconds as f64 / 1e9;
                    continue;
                }
                TaskKind::Send { to, bytes, tag } => {
                    let row = columns.push(rank, SEND + start);
                    (columns.peer[row], columns.size_bytes[row]) = (to.get() as i32, bytes);
                    columns.tag[row] = tag;
                }
                TaskKind::Receive { from, tag } => {
                    let row = columns.push(rank, RECEIVE + start);
                    columns.peer[row] = from.map_or(-1, |from| from.get() as i32);
                    columns.tag[row] = tag;
                }
            }
            if waited {
                *columns.number.last_mut().expect("a row was pushed") = number;
            }
            is_open |= !is_blocking && !waited;
        }
        if is_open {
            columns.push(rank, WAIT_ALL);
        }
    }
}

/// Returns the priority of a task among those that may begin.
fn ready(graph: &Graph, task: TaskId) -> Reverse<(u8, TaskId)> {
    let class = match graph.tasks[task].kind {
        TaskKind::Receive { .. } => 0,
        TaskKind::Send { .. } => 1,
        TaskKind::Compute { .. } => 2,
    };
    Reverse((class, task))
}
