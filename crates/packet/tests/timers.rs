//! The acknowledgement timer of Linux 2.0: it expires two ticks of a kernel's clock after the last
//! segment of a write, counted from the tick before it, which is a wait of 10 to 20 ms.

use std::sync::atomic::AtomicBool;

use crate::networks::{chain, linux_2_0};
use network::{AddressId, NodeId, PortId};
use packet::{Attached, Frame, Observer, PacketModel};
use program::{Action, AlgorithmSet, Program, Rank, Step};
use quantity::{Id, IdVec, Time};
use simulation::{Run, Setup};

/// The times at which the last data reached the second node, and at which it acknowledged them.
#[derive(Debug, Default)]
struct Watch {
    data: Time,
    acknowledgement: Time,
}

impl Observer for Watch {
    fn sent(&mut self, time: Time, port: PortId, frame: &Frame, _: Attached<'_>) {
        if port == PortId::new(2) && frame.segment().is_some_and(|segment| segment.bytes == 0) {
            self.acknowledgement = time;
        }
    }

    fn received(&mut self, time: Time, port: PortId, frame: &Frame, _: Attached<'_>) {
        if port == PortId::new(2) && frame.segment().is_some_and(|segment| segment.bytes > 0) {
            self.data = time;
        }
    }
}

fn wait_for_acknowledgement(seed: u64) -> Time {
    let steps = [
        Step::one(Rank::new(0), Action::Send { to: Rank::new(1), bytes: 1, tag: 0 }),
        Step::one(Rank::new(1), Action::Receive { from: Some(Rank::new(0)), tag: 0 }),
        Step::one(Rank::new(1), Action::Compute { work: Time::from_ms(100) }),
    ];
    let program = Program::compile(2, &steps, AlgorithmSet::Mpich1_1).unwrap();
    let (network, host, stop) = (chain(2), linux_2_0(), AtomicBool::new(false));
    let setup = Setup {
        network: &network,
        host: &host,
        identities: &AddressId::first(2).collect(),
        node_of_rank: &IdVec::from(vec![NodeId::new(0), NodeId::new(1)]),
        seed,
        stop: &stop,
    };
    let model = PacketModel::new(setup, Watch::default()).unwrap();
    let run = Run::new(model, &program, &host);
    let (_, model) = run.run().unwrap();
    let watch = model.into_observer();
    watch.acknowledgement - watch.data
}

#[test]
fn a_pushed_segment_is_acknowledged_at_the_second_tick() {
    // The first segment of a connection is acknowledged at a tick, which releases the second one,
    // so that it waits for nearly two whole ticks.
    for seed in 0..10 {
        let wait = wait_for_acknowledgement(seed);
        assert!(Time::from_ms(19) < wait && wait < Time::from_ms(20), "{wait}");
    }
}
