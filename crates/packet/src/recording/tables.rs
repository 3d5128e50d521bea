//! The small tables of a recording: collisions, connections, windows and time-outs. Their rows are
//! made at the end of the run, from the events that the observer got.

use host::transport::EndpointId;
use quantity::{Time, columns};

use crate::observer::{Collision, Windows};

columns! {
    /// Collisions on hubs, in order of time.
    "collisions": Collisions of CollisionRow {
        /// Device id of the hub.
        hub: u32,
        /// When the first station started, in seconds.
        time: f64,
        /// When the medium was silent again.
        until: f64,
        /// Number of stations that collided.
        stations: u32,
    }
}

columns! {
    /// Connections, one row per direction.
    "connections": Connections of ConnectionRow {
        /// Sending rank.
        from: u32,
        /// Receiving rank.
        to: u32,
    }
}

columns! {
    /// The windows of senders after each change, in bytes.
    "windows": WindowsOverTime of WindowRow {
        /// The connection.
        connection: u32,
        /// Time of the change, in seconds.
        time: f64,
        /// The congestion window.
        congestion: f64,
        /// Bytes sent and not acknowledged.
        in_flight: f64,
        /// Bytes that the receiver allows.
        limit: f64,
    }
}

columns! {
    /// Retransmission time-outs, in order of time.
    "timeouts": Timeouts of TimeoutRow {
        /// The connection.
        connection: u32,
        /// Its time, in seconds.
        time: f64,
    }
}

impl From<&Collision> for CollisionRow {
    fn from(collision: &Collision) -> CollisionRow {
        let &Collision { hub, start, end, n_stations } = collision;
        let (time, until) = (start.seconds(), end.seconds());
        CollisionRow { hub: hub.get(), time, until, stations: n_stations }
    }
}

impl From<&(Time, EndpointId, Windows)> for WindowRow {
    fn from(&(time, end, windows): &(Time, EndpointId, Windows)) -> WindowRow {
        let Windows { congestion, in_flight, limit } = windows;
        WindowRow {
            connection: end.get(),
            time: time.seconds(),
            congestion: congestion as f64,
            in_flight: in_flight as f64,
            limit: limit as f64,
        }
    }
}

impl From<&(Time, EndpointId)> for TimeoutRow {
    fn from(&(time, end): &(Time, EndpointId)) -> TimeoutRow {
        TimeoutRow { connection: end.get(), time: time.seconds() }
    }
}
