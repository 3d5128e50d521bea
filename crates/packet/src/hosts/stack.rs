//! The view that hosts have of a run: their state, and the link layer that they send on, whose
//! clock wakes them. The files from `send` to `routes` use nothing else.

use host::HostModel;
use network::Network;
use simulation::RunError;

use super::state::Hosts;
use crate::link_layer::LinkLayer;
use crate::medium::Medium;

/// The network stacks and processes of all nodes, at the present time.
#[derive(Debug)]
pub(crate) struct Stack<'a, M> {
    pub network: &'a Network,
    pub host: &'a HostModel,
    pub hosts: Hosts<'a>,
    pub link: LinkLayer<'a, M>,
}

impl<'a, M: Medium<'a>> Stack<'a, M> {
    /// Fails the run if channels wait for each other, which is checked when nothing else happens,
    /// and when a connection has lost data that no queue drops.
    pub fn detect_deadlock(&mut self) {
        let n_stuck = self.link.wires.plain().stuck_channels().len() as u32;
        if n_stuck > 0 && !self.link.clock.has_failed() {
            self.link.clock.fail(RunError::PauseDeadlock { channels: n_stuck });
        }
    }
}
