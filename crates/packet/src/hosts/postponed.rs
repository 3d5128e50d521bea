//! Writes of a process that wait for room while it goes on: their pieces are copied while the
//! process listens, before it reads.

use host::process::{Job, Piece};
use host::transport::EndpointId;
use quantity::Time;
use simulation::Notice;

use super::stack::Stack;
use crate::ids::ProcessId;
use crate::medium::Medium;

impl<'a, M: Medium<'a>> Stack<'a, M> {
    /// Postpones the rest of the write of a process.
    pub(crate) fn postpone(&mut self, process: ProcessId) {
        let state = &mut self.hosts.nodes[process];
        if let Some(call) = state.writing.take() {
            state.postponed.get_or_insert_default().add(call);
            self.notify(process, Notice::Postponed);
        }
    }

    /// Returns the next job of an idle process that listens: a piece of a postponed write, or a
    /// read.
    #[inline]
    pub(crate) fn next_when_listening(
        &mut self,
        process: ProcessId,
    ) -> Option<(Job<EndpointId>, Time)> {
        if self.hosts.nodes[process].postponed.is_some()
            && let Some(next) = self.next_postponed(process)
        {
            return next;
        }
        self.next_read(process)
    }

    /// Returns the next piece of a postponed write, if one has room; `Some(None)` if one is over.
    fn next_postponed(&mut self, process: ProcessId) -> Option<Option<(Job<EndpointId>, Time)>> {
        loop {
            let state = &mut self.hosts.nodes[process];
            let postponed = state.postponed.as_mut()?;
            let call = postponed.first()?;
            let endpoint = call.connection;
            if !call.has_more() {
                postponed.end_first();
                state.is_listening = false;
                let to = self.hosts.rank_of_end(self.hosts.endpoints[endpoint].peer);
                self.notify(process, |rank| Notice::Flushed { rank, to });
                return Some(None);
            }
            let call = *call;
            let Some(piece) = call.next_piece(&self.hosts.endpoints[endpoint], self.host) else {
                postponed.pass();
                continue;
            };
            let leaves = piece.leaves && self.goes_out_at_once(endpoint);
            let piece = Piece { leaves, ..piece };
            let work = call.work(piece, &self.hosts.endpoints[endpoint], self.host);
            return Some(Some((Job::Write(endpoint, piece), work)));
        }
    }

    /// Notes that the send buffer of a connection may have got room.
    #[inline]
    pub(crate) fn may_have_room(&mut self, endpoint: EndpointId) {
        let process = self.hosts.paths[endpoint].process;
        if let Some(postponed) = &mut self.hosts.nodes[process].postponed {
            postponed.may_have_room(endpoint);
        }
    }
}
