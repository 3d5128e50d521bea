//! One CSMA/CD collision domain: a hub, or a stack of hubs, with the transmitters of all its
//! stations. Method: IEEE 802.3 clause 4 with one delay between any two stations.
//!
//! The first station to start is heard elsewhere one domain delay later; any other station that
//! becomes due in that window starts too, and they collide. So one decision per contention is
//! enough, at the earliest start plus the delay, and there are no events per slot. The two-part gap
//! needs no rule of its own and late collisions cannot occur: `docs/design/csma-cd.md` has the
//! arguments. Interfaces may deviate from the standard ([`StationOptions`]). Content and
//! destination of a frame are not here: every other station hears it.

mod backoff;
mod collision;
mod contender;
mod interface;
#[cfg(test)]
mod reference;
mod station;

pub use backoff::MOST_ATTEMPTS;
pub use interface::StationOptions;

use crate::error::DeviceError;
use crate::ethernet::{ByteTime, GAP_BYTES, JAM_BITS, PREAMBLE_BYTES, SLOT_BITS};
use crate::queue::{Backlog, QueueLimit};
use backoff::Backoff;
use collision::{Collision, Timing};
use contender::Contender;
use quantity::{Rate, Time};
use station::Station;

/// The description of a collision domain.
#[derive(Clone, Copy, Debug)]
pub struct HubConfig {
    /// Number of transmitters: nodes and switch ports.
    pub n_stations: u32,
    /// The one rate of the domain.
    pub rate: Rate,
    /// Delay from any station to any other, repeaters and cables together.
    pub domain_delay: Time,
    /// The limit of every station's queue; see [`Hub::limit_station`] for another one.
    pub queue_limit: Option<QueueLimit>,
    /// The seed of the run.
    pub seed: u64,
    /// Gives each hub of a run a random stream of its own.
    pub hub_id: u32,
}

/// How a contention ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// One station has the medium and sends its frame whole.
    Sent {
        /// The sender.
        station: u32,
        /// The token the frame was offered with.
        frame: u32,
        /// When the first bit of the preamble leaves.
        start: Time,
        /// When the last bit leaves; the sender's next frame may start a gap later.
        end: Time,
        /// When the last bit reaches the other stations (the first does at `start` + delay).
        heard: Time,
    },
    /// Several stations collided and backed off; [`Hub::given_up`] lists the frames lost by it.
    Collided {
        /// Number of stations that collided.
        n_stations: u32,
        /// When the first of them starts.
        start: Time,
        /// When the medium is silent at all stations.
        end: Time,
    },
}

/// A frame lost after its sixteenth collision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GivenUp {
    /// The station that gave up.
    pub station: u32,
    /// The token the frame was offered with.
    pub frame: u32,
}

/// Totals of a hub since it was built.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HubCounters {
    /// Frames sent.
    pub frames: u64,
    /// Bytes sent, header to frame check sequence.
    pub bytes: u64,
    /// Collisions, whatever the number of stations in each.
    pub collisions: u64,
    /// Frames lost after sixteen collisions.
    pub given_up: u64,
    /// Frames refused at a full queue.
    pub dropped: u64,
}

/// A collision domain and its stations.
#[derive(Clone, Debug)]
pub struct Hub {
    byte_time: ByteTime,
    timing: Timing,
    stations: Vec<Station>,
    /// The stations with a frame, in no particular order.
    contenders: Vec<Contender>,
    /// The least `due` of the contenders, [`Time::MAX`] without any.
    earliest: Time,
    /// Number of transmissions and collisions so far.
    activity: u64,
    /// When the gap after the last of them ends at the stations that only listened.
    gap_end: Time,
    given_up: Vec<GivenUp>,
    counters: HubCounters,
}

impl Hub {
    /// Returns an idle collision domain.
    ///
    /// # Errors
    /// When there is no station, or the delay exceeds 256 bit times (half a slot).
    pub fn new(config: HubConfig) -> Result<Hub, DeviceError> {
        let HubConfig { n_stations, rate, domain_delay: delay, .. } = config;
        if n_stations == 0 {
            return Err(DeviceError::NoStations);
        }
        let most = rate.time_of_bits(SLOT_BITS / 2);
        if delay > most {
            return Err(DeviceError::DomainTooLarge { delay, most });
        }
        let byte_time = ByteTime::new(rate);
        let timing = Timing {
            delay,
            gap: byte_time.of(GAP_BYTES),
            slot: rate.time_of_bits(SLOT_BITS),
            preamble: byte_time.of(PREAMBLE_BYTES),
            jam: rate.time_of_bits(JAM_BITS),
        };
        let backoff = |station| Backoff::new(config.seed, config.hub_id, station);
        let station = |id| Station::new(config.queue_limit, backoff(id));
        Ok(Hub {
            byte_time,
            timing,
            stations: (0..n_stations).map(station).collect(),
            contenders: Vec::with_capacity(n_stations as usize),
            earliest: Time::MAX,
            activity: 0,
            gap_end: Time::ZERO,
            given_up: Vec::new(),
            counters: HubCounters::default(),
        })
    }

    /// Gives `station` a queue limit of its own, such as that of a switch port among nodes.
    pub fn limit_station(&mut self, station: u32, limit: Option<QueueLimit>) {
        self.stations[station as usize].limit = limit;
    }

    /// Gives `station` an interface with options of its own.
    pub fn equip_station(&mut self, station: u32, options: StationOptions) {
        self.stations[station as usize].options = options;
    }

    /// Puts a frame of `bytes` into the queue of `station`; returns `false` when it is full and the
    /// frame is lost.
    ///
    /// The driver calls this in the order of time and not later than [`Hub::next_decision`], which
    /// it may bring forward. `frame` is a token, given back when the frame is sent or given up.
    #[inline]
    pub fn offer(&mut self, now: Time, station: u32, frame: u32, bytes: u32) -> bool {
        let gap_end = self.gap_end_of(station);
        let state = &mut self.stations[station as usize];
        state.release(now);
        if state.limit.is_some_and(|limit| !limit.admits(state.backlog, bytes)) {
            self.counters.dropped += 1;
            return false;
        }
        if state.queue.is_empty() {
            let due = now.max(gap_end).max(state.ready);
            self.contenders.push(Contender { due, station, backoff_end: Time::ZERO });
            self.earliest = self.earliest.min(due);
        }
        state.queue.push_back((frame, bytes));
        state.backlog.add(bytes);
        true
    }

    /// Empties the queue of `station`, whose wire has failed, and returns the tokens of its frames.
    ///
    /// The frame being sent, if any, is not among them.
    pub fn silence(&mut self, station: u32) -> Vec<u32> {
        self.contenders.retain(|contender| contender.station != station);
        self.earliest = self.contenders.iter().map(|c| c.due).min().unwrap_or(Time::MAX);
        let state = &mut self.stations[station as usize];
        state.backoff.reset();
        let frames: Vec<(u32, u32)> = state.queue.drain(..).collect();
        frames.iter().for_each(|&(_, bytes)| state.backlog.remove(bytes));
        frames.into_iter().map(|(frame, _)| frame).collect()
    }

    /// Returns when the next contention is decided, [`Time::MAX`] when no station has a frame.
    #[inline]
    pub fn next_decision(&self) -> Time {
        if self.earliest == Time::MAX { Time::MAX } else { self.earliest + self.timing.delay }
    }

    /// Decides the contention that is due at `now`; `None` when none is due, because an offer
    /// brought it forward and it is decided already, or because no station has a frame.
    pub fn decide(&mut self, now: Time) -> Option<Decision> {
        if now < self.next_decision() || self.earliest == Time::MAX {
            return None;
        }
        self.activity += 1;
        self.given_up.clear();
        let first = self.earliest;
        let window_end = first + self.timing.delay;
        let (n_joined, winner, second) = self.joined(window_end);
        Some(if n_joined == 1 {
            self.send(winner, first)
        } else {
            self.collide(n_joined, first, second, window_end)
        })
    }

    /// Returns the frames lost in the collision just decided.
    pub fn given_up(&self) -> &[GivenUp] {
        &self.given_up
    }

    /// Returns the frames of `station` that are neither completely sent nor given up at `now`.
    pub fn queued(&mut self, now: Time, station: u32) -> Backlog {
        let state = &mut self.stations[station as usize];
        state.release(now);
        state.backlog
    }

    /// Returns the delay from any station to any other.
    pub fn domain_delay(&self) -> Time {
        self.timing.delay
    }

    /// Returns the totals since the hub was built.
    pub fn counters(&self) -> HubCounters {
        self.counters
    }

    /// Returns when `station` has heard a gap of silence after the last activity.
    #[inline]
    fn gap_end_of(&self, station: u32) -> Time {
        let state = &self.stations[station as usize];
        if state.activity == self.activity { state.gap_end } else { self.gap_end }
    }

    /// Returns the number of contenders due by `window_end`, the index of the first of them, and
    /// the second-earliest start.
    fn joined(&self, window_end: Time) -> (u32, usize, Time) {
        let (mut n_joined, mut winner) = (0, 0);
        let (mut first, mut second) = (Time::MAX, Time::MAX);
        for (index, contender) in self.contenders.iter().enumerate() {
            n_joined += u32::from(contender.due <= window_end);
            if contender.due < first {
                (winner, second, first) = (index, first, contender.due);
            } else {
                second = second.min(contender.due);
            }
        }
        (n_joined, winner, second)
    }

    fn send(&mut self, winner: usize, start: Time) -> Decision {
        let station = self.contenders[winner].station;
        let Timing { delay, gap, .. } = self.timing;
        let state = &mut self.stations[station as usize];
        let (frame, bytes) = state.queue.pop_front().expect("a contender has a frame");
        let end = start + self.byte_time.of_frame(bytes);
        state.release(start);
        state.sending = (end, bytes);
        state.backoff.reset();
        state.activity = self.activity;
        state.gap_end = end + gap;
        state.ready = end + state.options.pause;
        state.has_won = true;
        let next = state.next_contender(station);
        self.counters.frames += 1;
        self.counters.bytes += u64::from(bytes);
        self.contenders.swap_remove(winner);
        self.defer(start + delay, end + delay);
        self.contend_again(next);
        Decision::Sent { station, frame, start, end, heard: end + delay }
    }

    fn collide(&mut self, n_joined: u32, first: Time, second: Time, window_end: Time) -> Decision {
        let starts = self.contenders.iter().map(|c| c.due).filter(|&due| due <= window_end);
        let collision = Collision::new(self.timing, first, second, starts);
        let silence = collision.silence();
        let mut index = 0;
        while let Some(contender) = self.contenders.get_mut(index) {
            let Contender { due, station, .. } = *contender;
            if due > window_end {
                contender.defer(window_end, silence, self.timing.gap);
                index += 1;
            } else if let Some(contender) = self.back_off(station, due, &collision) {
                self.contenders[index] = contender;
                index += 1;
            } else {
                self.contenders.swap_remove(index);
            }
        }
        self.gap_end = silence + self.timing.gap;
        self.earliest = self.contenders.iter().map(|c| c.due).min().unwrap_or(Time::MAX);
        self.counters.collisions += 1;
        Decision::Collided { n_stations: n_joined, start: first, end: silence }
    }

    /// Returns a station of a collision with the time at which it is due again, or `None` when its
    /// last frame was given up.
    fn back_off(&mut self, station: u32, start: Time, collision: &Collision) -> Option<Contender> {
        let state = &mut self.stations[station as usize];
        let end = collision.end_of(start);
        let has_captured = state.has_captured(self.activity);
        state.activity = self.activity;
        state.has_won = false;
        state.gap_end = collision.gap_end_of(end);
        if let Some(slots) = state.backoff.collide(has_captured) {
            let (pauses, wait) = (state.options.pauses_backoff, self.timing.slot * slots);
            // A counter that stops while the medium is busy starts when the last jam has passed.
            let from = if pauses { state.gap_end - self.timing.gap } else { end };
            let due = state.gap_end.max(from + wait);
            let backoff_end = if pauses { from + wait } else { Time::ZERO };
            return Some(Contender { due, station, backoff_end });
        }
        state.backoff.reset();
        let (frame, bytes) = state.queue.pop_front().expect("a contender has a frame");
        state.backlog.remove(bytes);
        self.given_up.push(GivenUp { station, frame });
        self.counters.given_up += 1;
        state.next_contender(station)
    }

    /// Makes every contender wait for a gap after `silence`, the end of what stations hear that
    /// only listen, from `heard` on.
    fn defer(&mut self, heard: Time, silence: Time) {
        self.gap_end = silence + self.timing.gap;
        self.earliest = Time::MAX;
        for contender in &mut self.contenders {
            contender.defer(heard, silence, self.timing.gap);
            self.earliest = self.earliest.min(contender.due);
        }
    }

    fn contend_again(&mut self, contender: Option<Contender>) {
        if let Some(contender) = contender {
            self.earliest = self.earliest.min(contender.due);
            self.contenders.push(contender);
        }
    }
}
