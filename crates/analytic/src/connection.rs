//! Connections: the path of each, and the transfer times computed so far. Paths that differ only in
//! the identity of their devices share theirs.

use std::collections::BTreeMap;

use device::ethernet::{ByteTime, GAP_BYTES, PREAMBLE_BYTES};
use host::HostModel;
use network::{AddressId, Network, NodeId, PortId};
use quantity::{IdVec, Rate, Time};
use simulation::RunError;
use simulation::path::{
    ConnectionState, LastAcks, Path, Route, RouteTracer, Stage, TransferTimes, Writes,
    transfer_times,
};

/// A medium that serves a rank's transfers in turn: the one next to its port, outgoing or incoming.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gap {
    /// The sending port.
    pub port: PortId,
    rate: Rate,
    n_lanes: u32,
}

quantity::id! {
    /// One of the different paths of a run.
    PathId;
}

/// One direction of a connection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Connection {
    path: PathId,
    /// The first medium of the route.
    pub out: Gap,
    /// The last medium, if it is not the first.
    pub into: Option<Gap>,
    is_v6: bool,
    congestion_window: u32,
    /// Time of the last read.
    pub last_used: Time,
    /// Departure times of its last acknowledgements.
    pub acks: LastAcks,
}

/// Paths and transfer times, each computed once.
#[derive(Debug)]
pub(crate) struct Paths<'a> {
    walker: RouteTracer<'a>,
    host: HostModel,
    ids: BTreeMap<Path, PathId>,
    paths: IdVec<PathId, Path>,
    times_of: BTreeMap<(PathId, Writes, ConnectionState), TransferTimes>,
}

impl<'a> Paths<'a> {
    pub fn new(network: &'a Network, host: &HostModel) -> Paths<'a> {
        Paths {
            walker: RouteTracer::new(network),
            host: *host,
            ids: BTreeMap::new(),
            paths: IdVec::new(),
            times_of: BTreeMap::new(),
        }
    }

    /// Returns the number of different paths.
    pub fn n_paths(&self) -> usize {
        self.paths.len()
    }

    /// Connects two (node, address) ends, for data from the first one.
    pub fn connect(
        &mut self,
        from: (NodeId, AddressId),
        to: (NodeId, AddressId),
    ) -> Result<Connection, RunError> {
        let ttl = self.host.links.ttl;
        let there = self.walker.route(from.0, to.1)?.within(ttl)?;
        let back = self.walker.route(to.0, from.1)?.within(ttl)?;
        let path = self.id(Path::new(&there, &back));
        let (out, into) = ends(&there);
        Ok(Connection {
            path,
            out,
            into: Some(into).filter(|into| into.port != out.port),
            is_v6: there.is_v6,
            congestion_window: self.host.tcp.initial_window,
            last_used: Time::ZERO,
            acks: LastAcks::default(),
        })
    }

    fn id(&mut self, path: Path) -> PathId {
        if let Some(&id) = self.ids.get(&path) {
            return id;
        }
        let id = self.paths.push(path.clone());
        self.ids.insert(path, id);
        id
    }

    /// Returns the times of a transfer that is written at `now`, and updates the congestion window
    /// of its connection. Earlier acknowledgements in the same direction left at `acks`.
    pub fn transfer_times(
        &mut self,
        connection: &mut Connection,
        writes: Writes,
        (now, acks): (Time, LastAcks),
    ) -> TransferTimes {
        let tcp = &self.host.tcp;
        let is_idle = now > connection.last_used + tcp.shortest_timeout;
        if tcp.restart_when_idle && is_idle {
            let window = connection.congestion_window.min(tcp.initial_window);
            connection.congestion_window = window;
        }
        let opening = ConnectionState::behind(connection.congestion_window, now, acks, &self.host);
        let key = (connection.path, writes, opening);
        let (path, host) = (&self.paths[connection.path], &self.host);
        let found =
            *self.times_of.entry(key).or_insert_with(|| transfer_times(path, host, writes, key.2));
        connection.congestion_window = found.congestion_window;
        connection.last_used = now + found.read;
        connection.acks = found.acks.map(|ack| if ack > Time::ZERO { now + ack } else { ack });
        found
    }

    /// Returns the time that the frames of a transfer occupy a medium.
    pub fn occupied(&self, gap: &Gap, connection: &Connection, writes: Writes) -> Time {
        let (byte, tcp) = (ByteTime::new(gap.rate), &self.host.tcp);
        let of = |payload: u32| {
            byte.of(tcp.frame_sizes(payload, connection.is_v6).1 + PREAMBLE_BYTES + GAP_BYTES).ps()
        };
        let segment = tcp.largest_payload(connection.is_v6);
        let of_write = |bytes: u64| {
            let rest = (bytes % u64::from(segment)) as u32;
            bytes / u64::from(segment) * of(segment) + if rest > 0 { of(rest) } else { 0 }
        };
        let all = of_write(u64::from(writes.header)) + of_write(writes.body);
        Time::from_ps(all / u64::from(gap.n_lanes))
    }
}

/// Returns the first and the last medium of a route.
fn ends(route: &Route) -> (Gap, Gap) {
    let gap = |stage: &Stage, n_lanes: u32| match *stage {
        Stage::Wire { port, rate, .. } | Stage::Hub { port, rate, .. } => {
            Some(Gap { port, rate, n_lanes: n_lanes.max(1) })
        }
        Stage::Switch { .. } => None,
    };
    let media = || {
        route.legs.iter().flat_map(|leg| leg.stages.iter().map(move |stage| (stage, leg.n_lanes)))
    };
    let first = media().find_map(|(stage, n_lanes)| gap(stage, n_lanes));
    let last = media().rev().find_map(|(stage, n_lanes)| gap(stage, n_lanes));
    first.zip(last).expect("a route to another node crosses a medium")
}
