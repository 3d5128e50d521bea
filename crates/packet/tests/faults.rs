//! Parts that fail in the middle of a run: every frame is accounted for, a run repeats to the bit,
//! a fault after the end changes nothing, and recovery takes the time of the retransmission
//! time-outs.

use crate::networks::{
    Middle, PROMPT, bonded, chain, fat_tree, ideal, linux_2_0, simulate, simulate_with_faults,
    slow_hub_on_switch, star,
};
use host::HostModel;
use network::metrics::Part;
use network::{AddressId, DeviceId, LinkId, Network, NodeId, SwitchMode};
use packet::{Counters, Fault, FaultKind, FaultReport, PacketError};
use program::{Action, AlgorithmSet, Collective, Program, Rank, Step};
use proptest::prelude::*;
use quantity::{Id, IdVec, Time};
use simulation::RunError;

fn all_to_all(n: u32, bytes: u64) -> Program {
    let steps = [
        Step::all(Collective::AllToAll { bytes }),
        Step::all(Collective::Barrier),
        Step::all(Action::Mark { mark: 0 }),
    ];
    Program::compile(n, &steps, AlgorithmSet::Mpich1_1).unwrap()
}

/// Rank 0 sends to rank `to`, which marks the arrival.
fn transfer(n: u32, to: u32, bytes: u64) -> Program {
    let steps = [
        Step::one(Rank::new(0), Action::Send { to: Rank::new(to), bytes, tag: 0 }),
        Step::one(Rank::new(to), Action::Receive { from: Some(Rank::new(0)), tag: 0 }),
        Step::one(Rank::new(to), Action::Mark { mark: 0 }),
    ];
    Program::compile(n, &steps, AlgorithmSet::Mpich1_1).unwrap()
}

fn down(part: Part, from: Time, until: Time) -> Fault {
    Fault { parts: vec![part], kind: FaultKind::Down, from, until }
}

fn doubt(link: LinkId, kind: FaultKind) -> Fault {
    Fault { parts: vec![Part::Cable(link)], kind, from: Time::ZERO, until: Time::MAX }
}

type Trace = (Vec<Time>, Counters, Vec<FaultReport>);

/// Simulates a storm among faults and checks that frames are conserved. Returns everything that
/// must be equal between runs, or the reason why the run did not finish.
fn check(network: &Network, host: &HostModel, faults: &[Fault]) -> Result<Trace, PacketError> {
    let n = network.fabric.n_nodes();
    simulate_with_faults(network, host, &all_to_all(n, 20_000), (faults, PROMPT), |marks, model| {
        let counters = model.counters();
        assert_eq!(
            counters.frames_created,
            counters.frames_consumed + counters.frames_dropped() + model.frames_in_flight(),
            "frames are taken in, dropped or under way"
        );
        let lost = counters.lost_on_wire + counters.no_carrier + counters.at_dead_device;
        let reports = model.fault_reports();
        let blamed: u64 = reports.iter().map(|report| report.frames_lost).sum();
        assert!(blamed >= lost + counters.corrupted, "each loss has its fault");
        assert_eq!(marks.len(), n as usize);
        (marks.iter().map(|mark| mark.time).collect(), counters, reports)
    })
}

#[derive(Clone, Copy, Debug)]
enum Shape {
    Star(Middle),
    Chain,
    Bonded(Middle),
    SlowHub(SwitchMode),
    FatTree(SwitchMode),
}

impl Shape {
    fn network(self) -> Network {
        match self {
            Shape::Star(middle) => star(5, middle, 20),
            Shape::Chain => chain(4),
            Shape::Bonded(middle) => bonded(3, 2, middle),
            Shape::SlowHub(mode) => slow_hub_on_switch(5, mode, Time::from_us(5)),
            Shape::FatTree(mode) => fat_tree(4, mode, 20),
        }
    }
}

fn shapes() -> impl Strategy<Value = Shape> {
    let middle =
        || prop::sample::select(vec![Middle::Hub, Middle::StoreAndForward, Middle::CutThrough]);
    let mode = || prop::sample::select(vec![SwitchMode::StoreAndForward, SwitchMode::CutThrough]);
    prop_oneof![
        middle().prop_map(Shape::Star),
        Just(Shape::Chain),
        middle().prop_map(Shape::Bonded),
        mode().prop_map(Shape::SlowHub),
        mode().prop_map(Shape::FatTree),
    ]
}

/// A part, the kind of its fault, and the start and duration of the fault in microseconds.
fn faults() -> impl Strategy<Value = Vec<(u32, u8, u64, u64)>> {
    prop::collection::vec((0u32..1000, 0u8..4, 0u64..60_000, 1u64..30_000), 1..4)
}

fn fault(network: &Network, (id, what, from, span): (u32, u8, u64, u64)) -> Fault {
    let fabric = &network.fabric;
    let n_switches = fabric.n_devices() - fabric.n_nodes();
    let cable = Part::Cable(LinkId::new(id % fabric.links().len() as u32));
    let (part, kind) = match what {
        // A node that dies takes its rank with it, so here only hubs and switches die.
        0 if n_switches > 0 => {
            (Part::Device(DeviceId::new(fabric.n_nodes() + id % n_switches)), FaultKind::Down)
        }
        0 | 1 => (cable, FaultKind::Down),
        2 => (cable, FaultKind::Loss(0.01)),
        _ => (cable, FaultKind::Corrupt(1e-6)),
    };
    let from = Time::from_us(from);
    Fault { parts: vec![part], kind, from, until: from + Time::from_us(span) }
}

proptest! {
    #![proptest_config(crate::networks::repeatable(192))]

    #[test]
    fn frames_are_conserved_and_runs_repeat_whatever_fails(
        shape in shapes(),
        given in faults(),
        is_modern in any::<bool>(),
    ) {
        let network = shape.network();
        let host = if is_modern { ideal() } else { linux_2_0() };
        let faults: Vec<Fault> = given.into_iter().map(|given| fault(&network, given)).collect();
        let first = check(&network, &host, &faults);
        prop_assert!(first.is_ok(), "links that return let every run finish: {first:?}");
        prop_assert_eq!(first, check(&network, &host, &faults));
    }

    #[test]
    fn a_fault_that_comes_too_late_changes_nothing(shape in shapes(), id in 0u32..1000) {
        let network = shape.network();
        let program = all_to_all(network.fabric.n_nodes(), 20_000);
        let trace = |faults: &[Fault]| {
            let (host, options) = (linux_2_0(), (faults, PROMPT));
            simulate_with_faults(&network, &host, &program, options, |marks, model| {
                (marks.to_vec(), model.counters(), model.fault_reports())
            })
        };
        let (marks, counters, _) = trace(&[]).unwrap();
        let late = marks.last().unwrap().time + Time::from_ms(1);
        let cable = Part::Cable(LinkId::new(id % network.fabric.links().len() as u32));
        let with_fault = trace(&[down(cable, late, Time::MAX)]).unwrap();
        prop_assert_eq!((marks, counters, vec![FaultReport::default()]), with_fault);
    }
}

#[test]
fn a_cut_takes_what_is_on_the_wire_and_what_waits_behind_it() {
    // Ten segments leave at once; the third is on the wire when the cable is cut, the first has
    // been received, and the last bit of the second has arrived.
    let network = chain(2);
    let frame = Time::from_ns(123_040);
    let cut = frame * 2 + Time::from_us(50);
    let faults = [down(Part::Cable(LinkId::new(0)), cut, cut + Time::from_ms(10))];
    let program = transfer(2, 1, 10 * 1460);
    simulate_with_faults(&network, &ideal(), &program, (&faults, PROMPT), |marks, model| {
        let counters = model.counters();
        // One acknowledgement is in flight as well.
        assert_eq!((counters.lost_on_wire, counters.no_carrier), (1, 7), "{counters:?}");
        let report = model.fault_reports()[0];
        assert_eq!((report.n_stalled, report.n_unrecovered), (1, 0));
        assert!(marks[0].time > Time::from_ms(200), "a time-out has passed");
    })
    .unwrap();
}

/// Returns the end of a transfer over one cable that is dead from the start for `ms`.
fn complete_after(ms: u64, host: &HostModel) -> Time {
    let faults = [down(Part::Cable(LinkId::new(0)), Time::ZERO, Time::from_ms(ms))];
    let program = transfer(2, 1, 1000);
    simulate_with_faults(&chain(2), host, &program, (&faults, PROMPT), |marks, _| marks[0].time)
        .unwrap()
}

#[test]
fn recovery_waits_for_the_next_time_out() {
    // Time-outs double from the first one: retransmissions at 1, 3, 7 and 15 s.
    for (outage_ms, tried_at_ms) in [(1, 1000), (999, 1000), (1001, 3000), (5000, 7000)] {
        let complete = complete_after(outage_ms, &ideal());
        let first = Time::from_ms(tried_at_ms);
        assert!(first < complete && complete < first + Time::from_us(200), "{complete}");
    }
}

#[test]
fn a_wire_that_stays_dead_ends_the_run_when_the_connection_gives_up() {
    let faults = [down(Part::Cable(LinkId::new(0)), Time::ZERO, Time::MAX)];
    let program = transfer(2, 1, 1000);
    let run = simulate_with_faults(&chain(2), &ideal(), &program, (&faults, PROMPT), |_, _| ());
    let Err(PacketError::Run(RunError::ConnectionLost { from, to, attempts: 15, .. })) = run else {
        panic!("{run:?}");
    };
    assert_eq!((from.get(), to.get()), (0, 1));
}

#[test]
fn a_rank_dies_with_its_node_but_a_node_without_one_comes_back() {
    let network = chain(3);
    let host = ideal();
    let reboot = |node| down(Part::Device(node), Time::from_ms(2), Time::from_ms(30));
    // Two ranks are on nodes 0 and 2; node 1 only forwards.
    let identities = AddressId::first(3).collect();
    let stop = std::sync::atomic::AtomicBool::new(false);
    let run = |node: u32| {
        let setup = simulation::Setup {
            network: &network,
            host: &host,
            identities: &identities,
            node_of_rank: &IdVec::from(vec![NodeId::new(0), NodeId::new(2)]),
            seed: 1,
            stop: &stop,
        };
        let program = transfer(2, 1, 100_000);
        let faults = [reboot(DeviceId::new(node))];
        let model =
            packet::PacketModel::with_faults(setup, packet::NoObserver, &faults, PROMPT).unwrap();
        simulation::Run::new(model, &program, &host).run().map(|run| run.0)
    };
    assert!(run(1).unwrap()[0].time > Time::from_ms(200));
    let at = Time::from_ms(2);
    let Err(RunError::NodeDied { rank, at: when, .. }) = run(2) else { panic!("rank 1 survives") };
    assert_eq!((rank, when), (Rank::new(1), at));
}

#[test]
fn a_damaged_frame_is_dropped_by_who_stores_it() {
    for middle in [Middle::StoreAndForward, Middle::CutThrough, Middle::Hub] {
        let network = star(2, middle, 100);
        let faults = [doubt(LinkId::new(0), FaultKind::Corrupt(1e-5))];
        let program = transfer(2, 1, 1_000_000);
        let counters =
            simulate_with_faults(&network, &ideal(), &program, (&faults, PROMPT), |_, model| {
                model.counters()
            })
            .unwrap();
        // About one data frame in nine, of 685 and their retransmissions.
        assert!((50..200).contains(&counters.corrupted), "{middle:?}: {counters:?}");
        assert_eq!(counters.frames_dropped(), counters.corrupted);
    }
}

#[test]
fn losses_do_not_depend_on_what_else_happens() {
    let network = star(4, Middle::StoreAndForward, 100);
    let lost = |faults: &[Fault]| {
        let program = transfer(4, 1, 200_000);
        simulate_with_faults(&network, &ideal(), &program, (faults, PROMPT), |_, model| {
            model.fault_reports()[0]
        })
        .unwrap()
    };
    let one = doubt(LinkId::new(0), FaultKind::Loss(0.02));
    let far = down(Part::Cable(LinkId::new(3)), Time::from_ms(1), Time::from_ms(3));
    assert_eq!(lost(std::slice::from_ref(&one)), lost(&[one.clone(), far]));
    assert!(lost(&[one]).frames_lost > 0);
}

#[test]
fn a_bond_goes_on_with_the_wire_that_is_left() {
    let network = bonded(2, 2, Middle::StoreAndForward);
    let program = transfer(2, 1, 200_000);
    let time = |faults: &[Fault]| {
        simulate_with_faults(&network, &ideal(), &program, (faults, PROMPT), |marks, model| {
            (marks[0].time, model.counters())
        })
        .unwrap()
    };
    let whole = time(&[]).0;
    // Both ends lose the same bus, as with a failure of its switch.
    let (alone, counters) = time(&[down(Part::Device(DeviceId::new(2)), Time::ZERO, Time::MAX)]);
    assert_eq!(counters.frames_dropped(), 0);
    assert!(alone > whole, "{alone} {whole}");
    let host = ideal();
    let rate_bound = 200_000.0 * 8.0 / 10e6;
    assert!(alone.seconds() > rate_bound && alone.seconds() < 1.1 * rate_bound, "{alone}");
    simulate(&network, &host, &program, |marks, _| assert_eq!(marks[0].time, whole)).unwrap();
}

#[test]
fn a_bond_that_looks_now_and_then_loses_frames_meanwhile() {
    let network = bonded(2, 2, Middle::StoreAndForward);
    let program = transfer(2, 1, 200_000);
    let options = packet::FaultOptions { bond_poll: Time::from_ms(100), ..PROMPT };
    let faults = [down(Part::Device(DeviceId::new(2)), Time::from_ms(20), Time::MAX)];
    let counters =
        simulate_with_faults(&network, &ideal(), &program, (&faults, options), |_, model| {
            model.counters()
        })
        .unwrap();
    assert!(counters.no_carrier > 5, "{counters:?}");
}
