//! Frames in a fat tree: each flow keeps its order and follows the path of a path query. The
//! conservation of frames is tested in `laws`, their times in `paths`.

mod networks;

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use network::metrics::path;
use network::{AddressId, NodeId, PortId, SwitchMode};
use networks::{fat_tree, ideal};
use packet::{Attached, Frame, Observer, PacketModel};
use program::{AlgorithmSet, Collective, Program, Step};
use quantity::{Id, Time};
use simulation::{Executor, Setup};

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
        let executor = Executor::new(model, &program, &host);
        let (_, model) = executor.run().unwrap();
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
