//! Receive queues by hand: the times of interrupts, the frames of a poll, and its cost. Their use
//! in a network is tested with the packet engine.

use crate::hosts::{ideal, microseconds};
use host::process::Job;
use host::rx::{Enqueued, Polled, Polling, RxFrame, RxFrames, RxQueueId, RxQueues};
use host::tcp::{Flags, Incoming};
use host::{Cpus, HostModel};
use quantity::Time;

/// The only queue.
const QUEUE: RxQueueId = RxQueueId::new(0);

/// Segments of 100 bytes by their number, of one connection; all are for the local process.
struct Segments;

impl RxFrames<u64> for Segments {
    fn frame(&self, &number: &u64) -> RxFrame {
        let (sequence, flags) = (100 * number, Flags::default());
        let segment = Incoming { sequence, payload: 100, flags, acknowledged: 0, window: 1 };
        RxFrame { flow: 0, segment, ip_bytes: 140 }
    }

    fn is_local(&self, _: &u64) -> bool {
        true
    }
}

/// Interrupts are delayed by 5 us or until 3 frames and cost 1 us, a frame costs 2 us; up to 300
/// bytes are merged.
fn host() -> HostModel {
    let mut host = ideal();
    host.queues.interrupt_hold = microseconds(5.0);
    host.queues.interrupt_frames = 3;
    host.queues.receive_bytes = 300;
    host.queues.receive = 4;
    host.costs.interrupt = microseconds(1.0);
    host.costs.receive_frame = microseconds(2.0);
    host
}

fn polling<'a>(
    host: &'a HostModel,
    cpus: &'a mut Cpus<Job<()>>,
    us: f64,
) -> Polling<'a, Job<()>, Segments> {
    Polling { now: microseconds(us), host, cpus, frames: Segments }
}

#[test]
fn an_interrupt_waits_for_company_and_polling_needs_none() {
    let (host, mut cpus) = (host(), Cpus::new(1));
    let mut rx = RxQueues::new(1, 1, std::iter::once((0, 0)));
    let context = rx.context(QUEUE);
    let enqueue = |rx: &mut RxQueues<u64>, frame, us| {
        rx.enqueue(QUEUE, frame, microseconds(us), &host.queues)
    };
    assert_eq!(enqueue(&mut rx, 0, 0.0), Enqueued::WaitsUntil(microseconds(5.0)));
    assert_eq!(enqueue(&mut rx, 1, 1.0), Enqueued::Waits);
    assert_eq!(enqueue(&mut rx, 2, 2.0), Enqueued::Interrupts, "three are enough");
    let end = rx.interrupt(QUEUE, polling(&host, &mut cpus, 2.0));
    assert_eq!(end, Some(microseconds(9.0)), "1 us, and 2 us for each of three");
    assert!(!rx.is_interrupt_due(QUEUE, microseconds(5.0)), "it has come before");
    assert_eq!(enqueue(&mut rx, 3, 3.0), Enqueued::Waits, "the processor polls");
    let Polled::Done(QUEUE, batch) = rx.polled(context, polling(&host, &mut cpus, 9.0)) else {
        panic!("300 bytes are all that is taken as one")
    };
    assert_eq!(batch, [0, 1, 2]);
    let end = rx.poll_on(context, batch, polling(&host, &mut cpus, 9.0));
    assert_eq!(end, Some(microseconds(11.0)));
    assert_eq!(enqueue(&mut rx, 4, 10.0), Enqueued::Waits);
    let Polled::GoesOn(end) = rx.polled(context, polling(&host, &mut cpus, 11.0)) else {
        panic!("what has come meanwhile continues it")
    };
    assert_eq!(end, microseconds(13.0));
    let Polled::Done(QUEUE, batch) = rx.polled(context, polling(&host, &mut cpus, 13.0)) else {
        panic!("nothing more has come")
    };
    assert_eq!(batch, [3, 4]);
    assert_eq!(rx.poll_on(context, batch, polling(&host, &mut cpus, 13.0)), None);
    assert_eq!(enqueue(&mut rx, 5, 20.0), Enqueued::WaitsUntil(microseconds(25.0)));
}

#[test]
fn a_full_queue_takes_nothing() {
    let host = host();
    let mut rx = RxQueues::new(1, 1, std::iter::once((0, 0)));
    let answers: Vec<Enqueued> =
        (0..5).map(|frame| rx.enqueue(QUEUE, frame, Time::ZERO, &host.queues)).collect();
    assert_eq!(answers[4], Enqueued::Full);
    assert_eq!(rx.n_held(QUEUE), 4);
}
