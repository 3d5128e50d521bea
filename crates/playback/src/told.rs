//! The reasons why a run is not played, in words for the reader of the page. The page has the names
//! of nodes; ranks and nodes are numbers here.

use packet::PacketError;
use simulation::RunError;

use crate::session::PlayError;

/// Returns a sentence for the reader.
pub(crate) fn told(error: &PlayError) -> String {
    match error {
        PlayError::Run(PacketError::Run(error)) => of_run(error),
        other => format!("The run cannot be played: {other}."),
    }
}

fn of_run(error: &RunError) -> String {
    match error {
        RunError::Deadlock { stuck } => {
            format!("{} ranks wait for each other forever.", stuck.len())
        }
        RunError::TooLong { .. } => "The run reaches the end of simulated time.".to_owned(),
        RunError::ConnectionLost { from, to, attempts, at, .. } => format!(
            "Rank {from} gives its connection to rank {to} up at {at}, after {attempts} attempts."
        ),
        RunError::NodeDied { rank, at, .. } => {
            format!("The node of rank {rank} dies at {at}, before its rank is done.")
        }
        RunError::NoRoute { from, to } => format!("Node {from} has no route to node {to}."),
        RunError::PauseDeadlock { channels } => {
            format!("{channels} channels stopped by PAUSE frames wait for each other.")
        }
        RunError::TooManyFrames { most } => format!(
            "The run is too long for a page: it puts more than {most} frames on wires. Choose a \
             smaller size, or undo the changes."
        ),
        RunError::FaultsWithPauses => "Links with PAUSE frames cannot fail in a run.".to_owned(),
        other => format!("The run cannot finish: {other}."),
    }
}
