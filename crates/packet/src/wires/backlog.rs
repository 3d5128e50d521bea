//! Fill levels of transmit queues, for hosts that hold segments back while there is no room. On a
//! hub the time at which a frame will have left is unknown.

use network::PortId;
use quantity::Time;

use super::Wires;
use super::outlet::Outlet;
use crate::observer::Observer;

/// The longest frame of a standard Ethernet, with preamble and gap.
const FULL_FRAME_BYTES: u64 = 1538;

impl<O: Observer> Wires<'_, O> {
    /// Returns the number of frames in the transmit queue of a port.
    pub(crate) fn n_queued(&mut self, now: Time, port: PortId) -> u32 {
        match &mut self.outlets[port] {
            Outlet::Channel(outlet) => outlet.channel.queued(now).frames,
            &mut Outlet::Station { hub, station } => {
                self.hubs[hub].device.queued(now, station).frames
            }
            Outlet::Paced(outlet) => outlet.channel.queued().frames,
            Outlet::Nothing => 0,
        }
    }

    /// Returns the time at which the queue of a port may hold fewer than `most` frames: when a link
    /// will have sent enough, or after the time of a full frame on a hub, where it is unknown.
    /// `None` where a port reports each frame that has left.
    pub(crate) fn time_below(&mut self, now: Time, port: PortId, most: u32) -> Option<Time> {
        match &mut self.outlets[port] {
            Outlet::Channel(outlet) => Some(outlet.channel.time_below(most)),
            Outlet::Paced(_) => None,
            Outlet::Station { .. } | Outlet::Nothing => {
                Some(now + self.rates[port].time_of_bytes(FULL_FRAME_BYTES))
            }
        }
    }

    /// Returns the time at which the transmit queue of a port will be empty if no frame joins it;
    /// `now` where that is unknown.
    #[inline]
    pub(crate) fn drained(&mut self, now: Time, port: PortId) -> Time {
        match &self.outlets[port] {
            Outlet::Channel(outlet) => outlet.channel.time_below(1),
            Outlet::Paced(_) | Outlet::Station { .. } | Outlet::Nothing => now,
        }
    }

    /// Returns the time at which a queue of `limit` frames will have room for `frames` more, or is
    /// empty, if no others join; `Time::MAX` when only the departure of a frame can tell.
    pub(crate) fn room_at(&mut self, now: Time, port: PortId, frames: u32, limit: u32) -> Time {
        if let Outlet::Channel(outlet) = &mut self.outlets[port] {
            return outlet.channel.room_at(now, frames);
        }
        let queued = self.n_queued(now, port);
        let is_free = queued == 0 || queued + frames <= limit;
        if is_free { now } else { Time::MAX }
    }
}
