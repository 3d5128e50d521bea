//! Interfaces on a hub whose back-off pauses, or that avoid capture: nodes have the options of the
//! host model, and fewer frames are given up.

use crate::networks::{Middle, linux_2_0, simulate, star};
use host::HostModel;
use packet::Counters;
use program::{AlgorithmSet, Collective, Program, Step};

const N: u32 = 16;

/// Returns the counters of an exchange of all nodes with all others.
fn exchange(host: &HostModel) -> Counters {
    let steps = [Step::all(Collective::AllToAll { bytes: 8_000 })];
    let program = Program::compile(N, &steps, AlgorithmSet::Mpich1_1).unwrap();
    simulate(&star(N, Middle::Hub, 100), host, &program, |_, model| model.counters()).unwrap()
}

#[test]
fn a_backoff_that_pauses_gives_up_fewer_frames() {
    let standard = exchange(&linux_2_0());
    let mut host = linux_2_0();
    host.queues.pauses_backoff = true;
    let pausing = exchange(&host);
    assert!(standard.dropped_by_collisions > 0, "{standard:?}");
    assert!(pausing.dropped_by_collisions < standard.dropped_by_collisions / 2, "{pausing:?}");
}

#[test]
fn stations_that_avoid_capture_collide_otherwise() {
    let mut host = linux_2_0();
    host.queues.avoids_capture = true;
    assert_ne!(exchange(&host).collisions, exchange(&linux_2_0()).collisions);
}
