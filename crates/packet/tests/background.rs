//! Background ranks, which run as long as the others: the run ends without them, they affect the
//! others only by their load on wires and processors, and they do not hide a deadlock of the
//! others.

use crate::networks::{Middle, chain, ideal, linux_2_0, microseconds, simulate, star};
use host::HostModel;
use packet::PacketError;
use program::{Action, AlgorithmSet, DatagramProtocol, Program, Rank, Ranks, Step, StepKind};
use quantity::Time;
use simulation::RunError;

const FOR_EVER: u32 = u32::MAX;

fn forever(rank: u32, actions: &[Action]) -> Vec<Step> {
    let mut steps = vec![Step::one(Rank::new(rank), StepKind::Repeat { count: FOR_EVER })];
    steps.extend(actions.iter().map(|&action| Step::one(Rank::new(rank), action)));
    steps.push(Step::one(Rank::new(rank), StepKind::EndRepeat));
    steps
}

fn datagram(to: u32, bytes: u32, spacing: Time) -> Action {
    Action::Datagram {
        to: Rank::new(to),
        bytes,
        answer: 0,
        protocol: DatagramProtocol::Udp,
        spacing,
    }
}

fn receive(from: u32) -> Action {
    Action::Receive { from: Some(Rank::new(from)), tag: 0 }
}

fn send(to: u32, bytes: u64) -> Action {
    Action::Send { to: Rank::new(to), bytes, tag: 0 }
}

/// Compiles for two awaited ranks and some background ranks.
fn compile(background: u32, steps: &[Step]) -> Program {
    let ranks = Ranks { awaited: 2, background };
    Program::compile(ranks, steps, AlgorithmSet::Mpich1_1).unwrap()
}

/// Returns the arrival of a message beside background traffic, and the number of frames sent.
fn time_beside(host: &HostModel, background: &[Step]) -> (Time, u64) {
    let message = [
        Step::one(Rank::new(0), send(1, 100_000)),
        Step::one(Rank::new(1), receive(0)),
        Step::one(Rank::new(1), Action::Mark { mark: 0 }),
    ];
    let steps = [&message, background].concat();
    simulate(&star(4, Middle::Hub, 9), host, &compile(2, &steps), |marks, model| {
        assert_eq!(marks.len(), 1);
        (marks[0].time, model.counters().frame_hops)
    })
    .unwrap()
}

#[test]
fn a_run_ends_without_them_and_what_they_send_is_in_the_way() {
    let messages = [
        forever(2, &[Action::Sleep { spacing: Time::from_ms(1) }, send(3, 1000), receive(3)]),
        forever(3, &[receive(2), send(2, 1000)]),
    ]
    .concat();
    for host in [ideal(), linux_2_0()] {
        let (alone, hops_alone) = time_beside(&host, &[]);
        let datagrams = forever(2, &[datagram(3, 1000, Time::from_ms(1))]);
        for background in [&messages, &datagrams] {
            let (beside, hops) = time_beside(&host, background);
            assert!(beside > alone && hops > hops_alone, "{beside} after {alone}");
            assert!(beside < alone + alone, "a tenth of the wire is taken, not half of it");
            assert_eq!(time_beside(&host, background), (beside, hops), "the same again");
        }
    }
}

#[test]
fn a_rest_ends_at_even_spaces_however_long_the_work_between_them() {
    let spacing = Time::from_ms(2);
    let work = |us| Action::Compute { work: microseconds(us) };
    let passes: [f64; 4] = [100.0, 1900.0, 3000.0, 10.0];
    let mut steps = Vec::new();
    for us in passes {
        steps.push(Step::one(Rank::new(0), Action::Sleep { spacing }));
        steps.push(Step::one(Rank::new(0), Action::Mark { mark: 0 }));
        steps.push(Step::one(Rank::new(0), work(us)));
    }
    let times = simulate(&chain(3), &ideal(), &compile(1, &steps), |marks, _| {
        marks.iter().map(|mark| mark.time).collect::<Vec<_>>()
    });
    assert_eq!(times.unwrap(), [0, 2, 4, 7].map(Time::from_ms));
}

#[test]
fn who_waits_for_ever_is_found_although_others_run_on() {
    let steps = [
        vec![Step::one(Rank::new(0), receive(1))],
        forever(2, &[datagram(0, 10, Time::from_ms(500))]),
    ]
    .concat();
    let error = simulate(&chain(3), &ideal(), &compile(1, &steps), |_, _| ()).unwrap_err();
    let PacketError::Run(RunError::Deadlock { stuck }) = error else { panic!("{error}") };
    assert_eq!((stuck.len(), stuck[0].rank), (1, Rank::new(0)));
}

#[test]
fn who_computes_for_a_day_does_not_wait_for_ever() {
    let day = Time::from_ms(86_400_000);
    let steps = [
        vec![
            Step::one(Rank::new(0), Action::Compute { work: day }),
            Step::one(Rank::new(0), Action::Mark { mark: 0 }),
        ],
        forever(2, &[datagram(1, 10, Time::from_ms(10_000))]),
    ]
    .concat();
    let end = simulate(&chain(3), &ideal(), &compile(1, &steps), |marks, _| marks[0].time);
    assert!(end.unwrap() >= day);
}

/// After the last notice to an awaited rank, background ranks are stopped in the middle of their
/// work.
#[test]
fn the_last_datagrams_arrive_though_others_are_cut_short() {
    let stream = [
        Step::one(Rank::new(0), StepKind::Repeat { count: 40 }),
        Step::one(Rank::new(0), datagram(1, 4000, Time::ZERO)),
        Step::one(Rank::new(0), StepKind::EndRepeat),
    ];
    let messages = [forever(2, &[send(3, 1_000_000)]), forever(3, &[receive(2)])].concat();
    let steps = [&stream[..], &messages].concat();
    for host in [ideal(), linux_2_0()] {
        let program = compile(2, &steps);
        let lost = simulate(&star(4, Middle::StoreAndForward, 500), &host, &program, |_, model| {
            model.deliveries().iter().filter(|one| one.received.is_none()).count()
        });
        assert_eq!(lost.unwrap(), 0);
    }
}
