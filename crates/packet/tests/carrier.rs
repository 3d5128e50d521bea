//! Links that lose their carrier and get it back, by known answers: what waits behind them, what a
//! bond loses until it looks, and when a frame is lost that a node still works on.

use crate::networks::{Middle, PROMPT, bonded, chain, ideal, simulate_with_faults, star};
use network::metrics::Part;
use network::{DeviceId, LinkId, Network};
use packet::datagram::Delivery;
use packet::{Counters, Fault, FaultKind, FaultOptions};
use program::{Action, AlgorithmSet, DatagramProtocol, Program, Rank, Step, StepKind};
use quantity::{Cost, Time};

/// The time of a full frame on a wire of 100 Mb/s, with preamble and without gap.
const FRAME: Time = Time::from_ns(122_080);

fn down(part: Part, from: Time, until: Time) -> Fault {
    Fault { parts: vec![part], kind: FaultKind::Down, from, until }
}

/// Rank 0 sends `count` full datagrams to rank 1.
fn stream(count: u32, spacing: Time) -> [Step; 3] {
    let (to, protocol) = (Rank::new(1), DatagramProtocol::Udp);
    let datagram = Action::Datagram { to, bytes: 1472, answer: 0, protocol, spacing };
    [
        Step::one(Rank::new(0), StepKind::Repeat { count }),
        Step::one(Rank::new(0), datagram),
        Step::one(Rank::new(0), StepKind::EndRepeat),
    ]
}

fn run(
    network: &Network,
    steps: &[Step],
    faults: (&[Fault], FaultOptions),
) -> (Vec<Delivery>, Counters) {
    let program = Program::compile(2, steps, AlgorithmSet::Mpich1_1).unwrap();
    simulate_with_faults(network, &ideal(), &program, faults, |_, model| {
        (model.deliveries().to_vec(), model.counters())
    })
    .unwrap()
}

#[test]
fn a_link_that_returns_has_an_empty_queue() {
    for (network, transit) in
        [(chain(2), Time::ZERO), (star(2, Middle::Hub, 9), Time::from_ns(600))]
    {
        let mut steps = stream(50, Time::ZERO).to_vec();
        steps.push(Step::one(Rank::new(0), Action::Compute { work: Time::from_ms(2) }));
        steps.extend(stream(1, Time::ZERO));
        let (cut, back) = (Time::from_ms(1), Time::from_us(1_100));
        let faults = [down(Part::Cable(LinkId::new(0)), cut, back)];
        let (deliveries, counters) = run(&network, &steps, (&faults, PROMPT));
        let received: Vec<_> = deliveries.iter().map(|delivery| delivery.received).collect();
        // Eight of 123.04 us arrive in a millisecond, the ninth is on the wire.
        assert!(received[..8].iter().all(Option::is_some));
        assert!(received[8..50].iter().all(Option::is_none));
        assert_eq!((counters.lost_on_wire, counters.no_carrier), (1, 41), "{counters:?}");
        assert_eq!(received[50], Some(Time::from_ms(2) + FRAME + transit));
    }
}

#[test]
fn a_bond_loses_every_second_frame_until_it_looks() {
    let network = bonded(2, 2, Middle::StoreAndForward);
    let steps = stream(100, Time::from_ms(2));
    let faults = [down(Part::Device(DeviceId::new(2)), Time::from_ms(23), Time::MAX)];
    let lost = |bond_poll| {
        let options = FaultOptions { bond_poll, ..PROMPT };
        run(&network, &steps, (&faults, options)).1.frames_dropped()
    };
    assert_eq!(lost(Time::ZERO), 0);
    // Those of 24, 28 and so on to 96 ms go to the dead switch.
    assert_eq!(lost(Time::from_ms(99)), 19);
}

#[test]
fn a_frame_that_a_node_still_works_on_is_lost_when_it_leaves() {
    let mut host = ideal();
    host.costs.forward = Cost::from_seconds(10e-3, 0.0);
    let steps = [
        Step::one(Rank::new(0), Action::Send { to: Rank::new(2), bytes: 1_460, tag: 0 }),
        Step::one(Rank::new(2), Action::Receive { from: Some(Rank::new(0)), tag: 0 }),
    ];
    let program = Program::compile(3, &steps, AlgorithmSet::Mpich1_1).unwrap();
    let faults = [down(Part::Cable(LinkId::new(1)), Time::from_ms(5), Time::from_ms(20))];
    let stall = simulate_with_faults(&chain(3), &host, &program, (&faults, PROMPT), |_, model| {
        let report = model.fault_reports()[0];
        assert_eq!((report.frames_lost, report.n_stalled, report.n_unrecovered), (1, 1, 0));
        report.longest_stall
    })
    .unwrap();
    // It is sent again a second after the first time, and takes one wire longer than to the loss.
    assert_eq!(stall, Time::from_ms(1_000) + FRAME);
}
