//! The tests of hosts, one binary that is linked once.

mod congestion;
mod growing_buffers;
mod held_tail;
mod hosts;
mod linux_1_2;
mod linux_2_0;
mod linux_2_0_timers;
mod linux_2_2;
mod linux_2_4;
mod lossy;
mod rack;
mod receive_queues;
mod slow_start;
mod tcp;
mod waiting_segment;
