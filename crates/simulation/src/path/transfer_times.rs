//! One transfer on an idle path, segment by segment, by the recurrence that the stages define: a
//! segment leaves a stage when it has arrived, when the one before it has left, and when window,
//! buffer and processor allow it.
//!
//! Such a recurrence becomes periodic after a few round trips, however long the transfer (the
//! cyclicity of max-plus systems; Baccelli, Cohen, Olsder, Quadrat 1992, chapter 3); `period`
//! detects this. So a transfer costs the computation of a few dozen segments, and its period gives
//! the steady-state rate of the path.

use host::HostModel;
use quantity::Time;

use super::connection_state::ConnectionState;
use super::run::Run;
use super::timing::Path;
use super::transfer::{SATURATED_WINDOW, TransferTimes, Writes};

/// Returns the times of a transfer between otherwise idle hosts, on a connection with all earlier
/// data acknowledged.
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

/// Returns the period of a path in steady state, and the bytes delivered in it.
pub(super) fn period(path: &Path, host: &HostModel) -> (Time, u64) {
    let endless = Writes { header: 0, body: u64::MAX / 4 };
    let mut run = Run::new(path, host, endless, SATURATED_WINDOW);
    run.jumps = false;
    run.simulate(endless.bytes());
    run.period
}
