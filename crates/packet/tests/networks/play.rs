//! One run of the packet engine on a small network, with or without faults.

use std::sync::atomic::AtomicBool;

use host::HostModel;
use network::Network;
use packet::{Fault, FaultOptions, NoObserver, PacketError, PacketModel};
use program::Program;
use quantity::Time;
use simulation::{Executor, MarkRecord, Setup};

/// Plays a program with rank r on node r; `inspect` sees the engine as the run left it.
pub fn play<T>(
    network: &Network,
    host: &HostModel,
    program: &Program,
    inspect: impl FnOnce(&[MarkRecord], &PacketModel<'_, NoObserver>) -> T,
) -> Result<T, PacketError> {
    play_with_faults(network, host, program, (&[], PROMPT), inspect)
}

/// No fallback routes, and bonds that notice at once.
pub const PROMPT: FaultOptions = FaultOptions { with_fallback: false, bond_poll: Time::ZERO };

/// Does so while parts fail.
pub fn play_with_faults<T>(
    network: &Network,
    host: &HostModel,
    program: &Program,
    (faults, options): (&[Fault], FaultOptions),
    inspect: impl FnOnce(&[MarkRecord], &PacketModel<'_, NoObserver>) -> T,
) -> Result<T, PacketError> {
    let nodes: Vec<u32> = (0..network.fabric.n_nodes()).collect();
    let stop = AtomicBool::new(false);
    let setup = Setup {
        network,
        host,
        identities: &nodes,
        node_of_rank: &nodes[..program.n_ranks() as usize],
        seed: 1,
        stop: &stop,
    };
    let model = PacketModel::new(setup, NoObserver)?.with_faults(faults, options, 1);
    let executor = Executor::new(model, program, host);
    let (marks, model) = executor.run()?;
    Ok(inspect(&marks, &model))
}
