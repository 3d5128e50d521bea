//! One transfer on an idle path, segment by segment, as the recurrence that the stages define: a
//! segment leaves a stage when it has come, when the one before it has left, and when window,
//! buffer and processor allow it.
//!
//! Such a recurrence falls into a period after a few round trips, however long the transfer (the
//! cyclicity of max-plus systems; Baccelli, Cohen, Olsder, Quadrat 1992, chapter 3), which `period`
//! looks for. So the time of a transfer costs a few dozen segments to work out, and its period is
//! the rate that the path keeps up for ever.

use host::HostModel;
use quantity::Time;

use super::connection_state::ConnectionState;
use super::run::Run;
use super::timing::Path;
use super::transfer::{SATURATED_WINDOW, TransferTimes, Writes};

/// Returns the times of a transfer between hosts that do nothing else, on a connection of which
/// everything is acknowledged.
pub fn transfer_times(
    path: &Path,
    host: &HostModel,
    writes: Writes,
    state: ConnectionState,
) -> TransferTimes {
    let mut run = Run::new(path, host, writes, state.congestion_window);
    let begin = run.begin_behind(state.ahead.into_iter());
    run.simulate(writes.bytes());
    let times = run.times.since(begin);
    TransferTimes { congestion_window: run.window_at_rest(), ..times }
}

/// Returns how long a path takes for how many bytes, again and again, once it is in its period.
pub(super) fn period(path: &Path, host: &HostModel) -> (Time, u64) {
    let endless = Writes { header: 0, body: u64::MAX / 4 };
    let mut run = Run::new(path, host, endless, SATURATED_WINDOW);
    run.jumps = false;
    run.simulate(endless.bytes());
    run.period
}
