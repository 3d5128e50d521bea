//! Processors of a node, and the choice of the one that does the kernel's work on a received frame.
//!
//! Processor 0 runs the process. The others are all alike; their numbers mean nothing. Frames by
//! hash go to the others: Linux moves a process that is alone on a processor away from interrupts
//! while another is idle (`need_active_balance`, `check_cpu_capacity` [LINUX]). Where frames are
//! steered to their processes, those that a node forwards are spread over all processors.

use super::table::constants;

/// The distribution of received frames over the processors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Steering {
    /// One processor takes all frames, beside that of the process where there are two.
    One,
    /// A hash of the flow chooses the processor (RSS).
    FlowHash,
    /// Frames go to the processor of their process (RFS), forwarded ones by hash.
    ProcessCpu,
}

/// Largest number of processors, and of queues of a NIC.
const MOST_CPUS: u64 = 4096;

/// The names of the distributions.
const STEERINGS: [(&str, Steering); 3] = [
    ("one", Steering::One),
    ("flow-hash", Steering::FlowHash),
    ("process-cpu", Steering::ProcessCpu),
];

constants! {
    /// The processors of a node.
    pub struct Processors from table {
        /// Number of processors.
        pub n_cpus: u32 = table.count("cpus", 1..=MOST_CPUS),
        /// Number of processors that frames are spread over.
        pub n_receive_queues: u32 = table.count("receive_queues", 1..=MOST_CPUS),
        /// The distribution of frames over them.
        pub steering: Steering = table.choice("steering", &STEERINGS),
    }
}

impl Processors {
    /// One processor, for everything.
    pub const ONE: Processors =
        Processors { n_cpus: 1, n_receive_queues: 1, steering: Steering::One };

    /// Returns the processor for frames of a flow with this hash; `is_local` if they are for the
    /// process of the node.
    #[inline]
    pub fn cpu_of(&self, hash: u64, is_local: bool) -> u32 {
        if self.n_cpus == 1 {
            return 0;
        }
        let queue = match self.steering {
            Steering::One => 0,
            Steering::ProcessCpu if is_local => return 0,
            Steering::FlowHash => (hash % u64::from(self.n_kernel())) as u32,
            Steering::ProcessCpu => (hash % u64::from(self.n_receive_queues)) as u32,
        };
        // The process's own processor comes last, and only for frames that are not for it.
        (queue + 1) % self.n_cpus
    }

    /// Returns whether the kernel works for a process on the processor of that process.
    pub fn steers_to_process(&self) -> bool {
        self.n_cpus > 1 && self.steering == Steering::ProcessCpu
    }

    /// Returns whether another processor than that of the process does the kernel's work for it.
    pub fn are_apart(&self) -> bool {
        self.n_cpus > 1 && self.steering != Steering::ProcessCpu
    }

    /// Returns the number of processors that share the kernel's forwarding, or all of its work
    /// where `are_apart` holds.
    pub fn n_kernel(&self) -> u32 {
        match self.steering {
            Steering::One => 1,
            Steering::FlowHash | Steering::ProcessCpu => {
                self.n_receive_queues.min(self.n_cpus.saturating_sub(1)).max(1)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cpus(processors: Processors, is_local: bool) -> Vec<u32> {
        (0..6).map(|hash| processors.cpu_of(hash, is_local)).collect()
    }

    #[test]
    fn frames_go_beside_the_process_unless_steered_to_it() {
        let four = Processors { n_cpus: 4, n_receive_queues: 4, steering: Steering::FlowHash };
        assert_eq!(cpus(four, true), [1, 2, 3, 1, 2, 3]);
        assert_eq!(cpus(Processors { n_receive_queues: 2, ..four }, true), [1, 2, 1, 2, 1, 2]);
        assert_eq!(cpus(Processors { steering: Steering::One, ..four }, true), [1; 6]);
        let to_process = Processors { steering: Steering::ProcessCpu, ..four };
        assert_eq!(cpus(to_process, true), [0; 6]);
        assert_eq!(cpus(to_process, false), [1, 2, 3, 0, 1, 2]);
        assert_eq!(cpus(Processors::ONE, false), [0; 6]);
    }
    #[test]
    fn the_kernel_works_beside_the_process_on_another_processor_only() {
        let of = |n_cpus, steering| Processors { n_cpus, n_receive_queues: n_cpus, steering };
        for steering in [Steering::FlowHash, Steering::One] {
            assert!(of(2, steering).are_apart() && !of(1, steering).are_apart());
        }
        assert!(!of(2, Steering::ProcessCpu).are_apart());
    }
}
