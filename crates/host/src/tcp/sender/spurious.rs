//! Repairs that prove superfluous: the window returns to what it was (`undo`), and what seemed lost
//! counts as in the network.

use super::Sender;

/// The losses that are being repaired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Repair {
    None,
    /// Losses that acknowledgements have shown.
    Losses,
    /// All that was sent before a time-out.
    Timeout,
}

impl Sender {
    /// Returns the repair in progress.
    #[inline]
    pub(super) fn repair(&self) -> Repair {
        match self.congestion.is_open(self.acknowledged) {
            true => Repair::None,
            false if self.congestion.is_recovering() => Repair::Losses,
            false => Repair::Timeout,
        }
    }

    /// Processes a report that the peer has received the segment before `end` twice.
    pub(super) fn on_duplicate_report(&mut self, end: u64) {
        if self.scoreboard.tail_probe().is_some_and(|probe| probe.end == end) {
            return self.scoreboard.set_tail_probe(None);
        }
        if self.congestion.undo.as_mut().is_some_and(|undo| undo.duplicated()) {
            self.revert();
        }
    }

    /// Undoes the last reduction if an acknowledgement shows that it was spurious; until this is
    /// decided after a time-out, new data leave before lost ones (F-RTO).
    pub(super) fn test_repair(&mut self, repair: Repair, has_advanced: bool) {
        let original = self.scoreboard.take_original();
        let echo = self.scoreboard.echo();
        let recover = self.congestion.recover();
        let Some(undo) = &mut self.congestion.undo else { return };
        undo.prefers_new = false;
        if repair == Repair::None {
            return;
        }
        let is_tentative = repair == Repair::Timeout && undo.is_tentative;
        if has_advanced && undo.is_answered_early(echo) || is_tentative && original <= recover {
            return self.revert();
        }
        if !is_tentative {
            return;
        }
        if self.next > recover {
            // New data were sent, and nothing that was sent once has arrived.
            undo.is_tentative &= has_advanced;
        } else if has_advanced && self.acknowledged < recover {
            let new = self.queue.get(self.n_sent as usize);
            undo.prefers_new =
                new.is_some_and(|new| self.next + u64::from(new.payload) <= self.edge);
            undo.is_tentative = undo.prefers_new;
        }
    }

    fn revert(&mut self) {
        self.congestion.revert(self.acknowledged);
        self.scoreboard.forget_losses(&mut self.queue);
    }
}
