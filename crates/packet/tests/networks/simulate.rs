//! One run of the packet engine on a small network, with or without faults. A test inspects the
//! engine after the run.

use std::sync::atomic::AtomicBool;

use host::HostModel;
use network::{AddressId, Network, NodeId};
use packet::{Fault, FaultOptions, FaultyWires, NoObserver, PacketError, PacketModel, Wires};
use program::Program;
use quantity::{Id, Time};
use simulation::{MarkRecord, Run, Setup};

/// A run without faults.
pub type Sound<'a> = PacketModel<'a, Wires<'a, NoObserver>>;
/// A run with faults.
pub type Faulty<'a> = PacketModel<'a, FaultyWires<'a, NoObserver>>;

/// No fallback routes, and bonds that detect failures at once.
pub const PROMPT: FaultOptions = FaultOptions { with_fallback: false, bond_poll: Time::ZERO };

/// Simulates a program with rank r on node r; `inspect` receives the engine at the end of the run.
pub fn simulate<T>(
    network: &Network,
    host: &HostModel,
    program: &Program,
    inspect: impl FnOnce(&[MarkRecord], &Sound<'_>) -> T,
) -> Result<T, PacketError> {
    on_its_own_nodes(network, host, program, |setup| {
        let model = PacketModel::new(setup, NoObserver)?;
        let (marks, model) = Run::new(model, program, host).run()?;
        Ok(inspect(&marks, &model))
    })
}

/// Simulates a program with rank r on node r while parts fail.
pub fn simulate_with_faults<T>(
    network: &Network,
    host: &HostModel,
    program: &Program,
    (faults, options): (&[Fault], FaultOptions),
    inspect: impl FnOnce(&[MarkRecord], &Faulty<'_>) -> T,
) -> Result<T, PacketError> {
    on_its_own_nodes(network, host, program, |setup| {
        let model = PacketModel::with_faults(setup, NoObserver, faults, options)?;
        let (marks, model) = Run::new(model, program, host).run()?;
        Ok(inspect(&marks, &model))
    })
}

fn on_its_own_nodes<T>(
    network: &Network,
    host: &HostModel,
    program: &Program,
    run: impl FnOnce(Setup<'_>) -> Result<T, PacketError>,
) -> Result<T, PacketError> {
    let nodes = NodeId::first(program.n_ranks()).collect();
    let identities = AddressId::first(network.fabric.n_nodes()).collect();
    let stop = AtomicBool::new(false);
    run(Setup {
        network,
        host,
        identities: &identities,
        node_of_rank: &nodes,
        seed: 1,
        stop: &stop,
    })
}
