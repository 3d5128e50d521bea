//! Hosts at work: their state, the wires that they send on, and the clock that they are woken by.
//! The files that let hosts do something, from `send` to `routes`, see this much of a run and no
//! more.

use host::HostModel;
use network::Network;
use simulation::RunError;

use super::state::Hosts;
use crate::bonds::Bonds;
use crate::clock::Clock;
use crate::medium::Medium;

/// The network stacks and processes of all nodes, at the present time.
#[derive(Debug)]
pub(crate) struct Stack<'a, M> {
    pub network: &'a Network,
    pub host: &'a HostModel,
    pub hosts: Hosts<'a>,
    pub bonds: Bonds,
    pub wires: M,
    pub clock: Clock<'a>,
}

impl<'a, M: Medium<'a>> Stack<'a, M> {
    /// Fails where channels wait for each other: when nothing else happens, or a connection has
    /// lost what no queue drops.
    pub fn detect_deadlock(&mut self) {
        let n_stuck = self.wires.plain().stuck_channels().len() as u32;
        if n_stuck > 0 && !self.clock.has_failed() {
            self.clock.fail(RunError::PauseDeadlock { channels: n_stuck });
        }
    }
}
