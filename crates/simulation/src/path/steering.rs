//! Receive queues of the nodes on a path, and the processors that serve them.
//!
//! Each direction into a node has a queue of its own. A hash steers the two directions of a
//! connection to processors by chance; here they are different from each other if there are enough
//! queues, as they are for most connections.

use host::rx::RxQueues;
use host::{HostModel, Processors, Steering};

use super::frame::Frame;
use super::timing::{Path, RECEIVER, SENDER};

/// Processors of a node that a path can distinguish: that of the process, and one per direction.
pub(super) const N_CPUS: u32 = 3;

/// Returns a queue for every leg of a path; none if hosts process frames at once.
pub(super) fn rx_queues(path: &Path, host: &HostModel, n_cpus: u32) -> RxQueues<Frame> {
    if host.takes_frames_at_once() {
        return RxQueues::unused();
    }
    let there = path.there.iter().map(|span| (span.processor, false));
    let back = path.back.iter().map(|span| (span.processor, true));
    let server = |(node, is_back)| (node as u32, kernel_cpu(&host.processors, node, is_back));
    RxQueues::new(path.n_processors as u32, n_cpus, there.chain(back).map(server))
}

/// Returns the processor of a node that receives one direction.
pub(super) fn kernel_cpu(processors: &Processors, node: usize, is_back: bool) -> u32 {
    let is_local = node == SENDER || node == RECEIVER;
    match processors.steering {
        _ if processors.n_cpus == 1 => 0,
        Steering::ProcessCpu if is_local => 0,
        Steering::One => 1,
        Steering::FlowHash if processors.n_kernel() == 1 => 1,
        _ if is_local || !is_back || processors.n_receive_queues == 1 => 1,
        // Frames that a node forwards are spread over all processors, that of the process last.
        _ if processors.n_cpus == 2 => 0,
        _ => 2,
    }
}
