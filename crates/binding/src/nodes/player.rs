//! A rank of a program in a process of its own, inside its node. Python starts the processes, and
//! lets all listen, connect and play together.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

use program::{Action, Rank};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use quantity::{Id, Time};
use simulation::{NetworkModel, Run, RunError};
use wire::WireError;
use wire::kernel::enter;
use wire::player::{Connections, Listener, RealTime, SocketModel};

use crate::errors::Raise;
use crate::host::HostConstants;
use crate::long_call::long_call;
use crate::program::Program;
use crate::run::to_dict;

/// A rank that listens, connects to its peers, and plays its part of a program.
#[pyclass(frozen, module = "linkwright._core")]
pub struct Player {
    rank: Rank,
    state: Mutex<State>,
}

/// Each step uses up the state before it.
#[derive(Default)]
enum State {
    #[default]
    Over,
    Listening(Listener),
    Connected(Connections),
    /// The connections stay for peers that still read.
    Played(#[allow(dead_code)] Box<SocketModel>),
}

#[pymethods]
impl Player {
    /// Moves this process into a node, by the files of its namespaces, and listens for peers at an
    /// address of the node.
    #[new]
    fn new(
        py: Python<'_>,
        rank: u32,
        namespaces: Vec<String>,
        address: &str,
        port: u16,
    ) -> PyResult<Player> {
        let rank = Rank::new(rank);
        for file in &namespaces {
            enter(file).map_err(|errno| WireError::from(errno).raise(py))?;
        }
        let listener = Listener::open(rank, address, port)
            .map_err(|errno| WireError::from(errno).raise(py))?;
        Ok(Player { rank, state: Mutex::new(State::Listening(listener)) })
    }

    /// Connects to every rank that exchanges messages with this one, once all of them listen;
    /// `addresses` and `ports` are those of all ranks.
    fn connect(
        &self,
        py: Python<'_>,
        program: &Program,
        addresses: Vec<String>,
        ports: Vec<u16>,
    ) -> PyResult<()> {
        let State::Listening(listener) = self.take() else { return Err(out_of_order()) };
        let places: Vec<(String, u16)> = addresses.into_iter().zip(ports).collect();
        let mut peers = BTreeMap::new();
        for peer in peers_of(program.compiled(), self.rank) {
            let unknown = || PyValueError::new_err(format!("rank {peer} has no address"));
            let place = places.get(peer.get() as usize).ok_or_else(unknown)?;
            peers.insert(peer, place.clone());
        }
        let joined = long_call(py, |_| listener.join(&peers))?;
        let connections = joined.map_err(|errno| WireError::from(errno).raise(py))?;
        *self.state.lock().expect("no step fails with the state") = State::Connected(connections);
        Ok(())
    }

    /// Plays the rank's part from `start_s` on, on the machine's monotonic clock; returns its
    /// marks, and the real time for which it was ready and waited for a processor.
    fn play<'py>(
        &self,
        py: Python<'py>,
        program: &Program,
        host: HostConstants<'py>,
        start_s: f64,
        dilation: f64,
    ) -> PyResult<Bound<'py, PyDict>> {
        let State::Connected(connections) = self.take() else { return Err(out_of_order()) };
        let (host, program) = (host.model()?, program.compiled());
        let played = long_call(py, |_| {
            let time = RealTime::new(Duration::from_secs_f64(start_s), dilation);
            RealTime::sleep_exactly();
            time.sleep_until(Time::ZERO);
            let waited = RealTime::waited();
            let model = SocketModel::new(self.rank, connections, time);
            let (marks, model) = Run::of_rank(model, program, &host, self.rank).run()?;
            Ok((marks, model, RealTime::waited().saturating_sub(waited)))
        })?;
        let (marks, model, waited) = played.map_err(|error: RunError| error.raise(py))?;
        let end = model.now();
        *self.state.lock().expect("no step fails with the state") = State::Played(Box::new(model));
        let dict = to_dict(py, &marks, end, &[])?;
        dict.set_item("waited_s", waited.as_secs_f64())?;
        Ok(dict)
    }
}

impl Player {
    fn take(&self) -> State {
        std::mem::take(&mut *self.state.lock().expect("no step fails with the state"))
    }
}

/// Returns the machine's monotonic clock, in seconds.
#[pyfunction]
pub fn machine_time_s() -> f64 {
    RealTime::machine().as_secs_f64()
}

/// Returns the ranks that a rank sends to, and those that send to it.
fn peers_of(program: &program::Program, rank: Rank) -> Vec<Rank> {
    let receivers = |from: Rank| {
        let sent = |action: Action| action.sent().map(|(to, ..)| to);
        program.actions(from).into_iter().filter_map(sent)
    };
    let all = Rank::first(program.n_ranks());
    let senders = all.filter(|&from| receivers(from).any(|to| to == rank));
    let mut peers: Vec<Rank> =
        senders.chain(receivers(rank)).filter(|&peer| peer != rank).collect();
    peers.sort_unstable();
    peers.dedup();
    peers
}

fn out_of_order() -> PyErr {
    PyRuntimeError::new_err("a player listens, connects and plays once, in this order")
}
