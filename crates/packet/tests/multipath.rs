//! Frames in a fat tree: each flow keeps its order and follows the path of a path query. The
//! conservation of frames is tested in `laws`, their times in `paths`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicBool;

use crate::networks::{chain, fat_tree, ideal};
use host::transport::EndpointId;
use network::metrics::path;
use network::{AddressId, NodeId, PortId, SwitchMode};
use packet::{Attached, Frame, Observer, PacketModel};
use program::{Action, AlgorithmSet, Collective, Program, Rank, Step};
use quantity::{Id, Time};
use simulation::{Run, Setup};

/// The ports by which each flow left, and its last byte that arrived, by the stations at its ends.
#[derive(Default)]
struct Trail {
    ports: BTreeMap<(PortId, PortId), Vec<PortId>>,
    sequence: BTreeMap<(PortId, PortId), u64>,
}

impl Observer for Trail {
    fn sent(&mut self, _: Time, port: PortId, frame: &Frame, _: Attached<'_>) {
        let Some(target) = frame.target.get() else { return };
        let ports = self.ports.entry((frame.source, target)).or_default();
        if !ports.contains(&port) {
            ports.push(port);
        }
    }

    fn received(&mut self, _: Time, port: PortId, frame: &Frame, _: Attached<'_>) {
        let Some(segment) = frame.segment() else { return };
        if frame.target == port.into() && segment.bytes > 0 {
            let last = self.sequence.entry((frame.source, port)).or_default();
            assert!(*last <= segment.sequence, "a frame was overtaken");
            *last = segment.sequence;
        }
    }
}

#[test]
fn every_flow_keeps_to_the_path_of_a_query_and_to_its_order() {
    for mode in [SwitchMode::StoreAndForward, SwitchMode::CutThrough] {
        let network = fat_tree(4, mode, 1000);
        let steps = [Step::all(Collective::AllToAll { bytes: 10_000 })];
        let program = Program::compile(16, &steps, AlgorithmSet::Mpich1_1).unwrap();
        let nodes = NodeId::first(16).collect();
        let (stop, mut host) = (AtomicBool::new(false), ideal());
        host.queues.transmit = 10_000;
        let setup = Setup {
            network: &network,
            host: &host,
            identities: &AddressId::first(16).collect(),
            node_of_rank: &nodes,
            seed: 1,
            stop: &stop,
        };
        let model = PacketModel::new(setup, Trail::default()).unwrap();
        let run = Run::new(model, &program, &host);
        let (_, model) = run.run().unwrap();
        assert_eq!(model.counters().frames_dropped(), 0);
        let trail = model.into_observer();
        assert_eq!(trail.ports.len(), 16 * 15);
        for (&(source, target), ports) in &trail.ports {
            let asked =
                path(&network, NodeId::new(source.get()), AddressId::new(target.get())).unwrap();
            let expected: Vec<PortId> = asked.iter().filter_map(|at| at.outlet).collect();
            assert_eq!(*ports, expected, "the port of node n has number n");
        }
    }
}

/// The numbers of the flows to each connection end.
#[derive(Default)]
struct Flows(BTreeMap<EndpointId, BTreeSet<u32>>);

impl Observer for Flows {
    fn sent(&mut self, _: Time, _: PortId, frame: &Frame, _: Attached<'_>) {
        if let Some(segment) = frame.segment() {
            self.0.entry(segment.to).or_default().insert(frame.flow);
        }
    }

    fn received(&mut self, _: Time, _: PortId, _: &Frame, _: Attached<'_>) {}
}

#[test]
fn a_connection_through_a_forwarder_has_a_flow_number_at_each_end() {
    let flows = |n: u32| -> Vec<u32> {
        let (from, to) = (Rank::new(0), Rank::new(n - 1));
        let steps = [
            Step::one(from, Action::Send { to, bytes: 10_000, tag: 0 }),
            Step::one(to, Action::Receive { from: Some(from), tag: 0 }),
        ];
        let program = Program::compile(n, &steps, AlgorithmSet::Mpich1_1).unwrap();
        let (network, host, stop) = (chain(n), ideal(), AtomicBool::new(false));
        let setup = Setup {
            network: &network,
            host: &host,
            identities: &AddressId::first(n).collect(),
            node_of_rank: &NodeId::first(n).collect(),
            seed: 1,
            stop: &stop,
        };
        let model = PacketModel::new(setup, Flows::default()).unwrap();
        let (_, model) = Run::new(model, &program, &host).run().unwrap();
        model.into_observer().0.into_values().flatten().collect()
    };
    assert_eq!(flows(2), [0, 0], "neighbours are told apart by their stations");
    let [a, b] = flows(3)[..] else { panic!("one number for each end") };
    assert!(a > 0 && b > 0 && a != b, "{a} {b}");
}
