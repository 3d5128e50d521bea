//! Receive queues of the nodes on a path: which processor serves which.
//!
//! Each way into a node has a queue of its own. Which processors a hash steers the two ways of a
//! connection to is a matter of luck; here they are neither one nor that of the process, where
//! there are queues enough. So it is for most connections.

use host::rx::RxQueues;
use host::{HostModel, Processors, Steering};

use super::frame::Frame;
use super::timing::{Path, RECEIVER, SENDER};

/// Processors of a node that a path can tell apart: that of the process, and one for each way.
pub(super) const N_CPUS: u32 = 3;

/// Returns a queue for every leg of a path; none where frames are taken as they come.
pub(super) fn rx_queues(path: &Path, host: &HostModel, n_cpus: u32) -> RxQueues<Frame> {
    if host.takes_frames_at_once() {
        return RxQueues::unused();
    }
    let there = path.there.iter().map(|span| (span.processor, false));
    let back = path.back.iter().map(|span| (span.processor, true));
    let context =
        |(node, is_back)| node as u32 * n_cpus + kernel_cpu(&host.processors, node, is_back);
    RxQueues::new(path.n_processors as u32, n_cpus, there.chain(back).map(context))
}

/// Returns the processor of a node that takes what comes one way.
pub(super) fn kernel_cpu(processors: &Processors, node: usize, is_back: bool) -> u32 {
    let is_local = node == SENDER || node == RECEIVER;
    match processors.steering {
        _ if processors.n_cpus == 1 => 0,
        Steering::ProcessCpu if is_local => 0,
        Steering::One => 1,
        _ if is_local || !is_back || processors.n_receive_queues == 1 => 1,
        // The second of two queues is on the processor of the process.
        _ if processors.n_cpus == 2 => 0,
        _ => 2,
    }
}
