//! The forwarding of one logical switch: the ports by which a frame leaves, and the time it may
//! start.
//!
//! A member number, dense in the broadcast domain, stands for the MAC address of a station. The
//! switch records the place where each station was last heard and forgets it after the ageing time
//! (IEEE 802.1D: 300 s). It floods frames to unknown and broadcast destinations and filters frames
//! to the place of their arrival. A place is a port, or a bundle of ports (link aggregation): a
//! bundle is learned as one, carries a conversation on one of its ports, and gets one copy of a
//! flooded frame. Queues are the [`crate::Channel`]s or hub stations behind the ports, and capacity
//! is the [`crate::Backplane`]; neither is here. No spanning tree: the driver's wiring has no loop
//! at layer 2.

use std::collections::BTreeMap;

use crate::random::mixed;
use quantity::Time;

const NOWHERE: u32 = u32::MAX;

/// When the output of a frame may begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForwardingMode {
    /// After the last bit has arrived.
    StoreAndForward,
    /// After the header has arrived, between ports of one rate; otherwise after the last bit.
    CutThrough,
}

/// The figures of a switch product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SwitchModel {
    /// When output may begin.
    pub mode: ForwardingMode,
    /// Time from the last bit in (store and forward) or the first bit in (cut-through) to the first
    /// bit out.
    pub latency: Time,
    /// Time after which a station not heard from is forgotten; IEEE 802.1D: 300 s.
    pub ageing: Time,
}

/// The decision for one frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Egress {
    /// Out of one port.
    Port(u32),
    /// Out of every port that [`Switch::flood_ports`] lists.
    Flood,
    /// Out of no port: the destination has heard the frame already.
    Filtered,
}

#[derive(Clone, Copy, Debug)]
struct Sighting {
    heard: Time,
    place: u32,
}

const NEVER: Sighting = Sighting { heard: Time::ZERO, place: NOWHERE };

/// The learning table and the ports of one logical switch.
#[derive(Clone, Debug)]
pub struct Switch {
    model: SwitchModel,
    /// The place of each port.
    place_of: Vec<u32>,
    /// The ports of place `k` are `ports[first_port[k]..first_port[k + 1]]`.
    ports: Vec<u32>,
    first_port: Vec<u32>,
    sightings: Vec<Sighting>,
    flooded: u64,
    filtered: u64,
}

impl Switch {
    /// Returns a switch with an empty table.
    ///
    /// `bundles` gives a number per port; ports with the same number form a bundle, a port with a
    /// number of its own belongs to none. `n_members` is the number of stations in the broadcast
    /// domain, the bound of every `src` and `dst`.
    pub fn new(model: SwitchModel, bundles: &[u32], n_members: u32) -> Switch {
        let place_of = places(bundles);
        let sightings = vec![NEVER; n_members as usize];
        let (ports, first_port) = (Vec::new(), Vec::new());
        let mut switch =
            Switch { model, place_of, ports, first_port, sightings, flooded: 0, filtered: 0 };
        switch.use_ports(|_| true);
        switch
    }

    /// Uses only the ports with carrier from now on: a bundle continues with its remaining ports,
    /// and stations last heard at a place without ports are forgotten.
    pub fn use_ports(&mut self, has_carrier: impl Fn(u32) -> bool) {
        let place_of = &self.place_of;
        let n_places = place_of.iter().max().map_or(0, |&last| last + 1);
        self.ports.clear();
        self.ports.extend((0..place_of.len() as u32).filter(|&port| has_carrier(port)));
        self.ports.sort_by_key(|&port| place_of[port as usize]);
        self.first_port.clear();
        for place in 0..=n_places {
            let first = self.ports.partition_point(|&port| place_of[port as usize] < place);
            self.first_port.push(first as u32);
        }
        for index in 0..self.sightings.len() {
            let place = self.sightings[index].place;
            if place != NOWHERE && !self.is_used(place) {
                self.sightings[index] = NEVER;
            }
        }
    }

    fn is_used(&self, place: u32) -> bool {
        self.first_port[place as usize] < self.first_port[place as usize + 1]
    }

    /// Records that `src` was heard at `in_port`, and returns the place of that port.
    ///
    /// # Panics
    /// When the port or the member is out of range.
    #[inline]
    pub fn learn(&mut self, now: Time, in_port: u32, src: u32) -> u32 {
        let place = self.place_of[in_port as usize];
        self.sightings[src as usize] = Sighting { heard: now, place };
        place
    }

    /// Learns the place of `src` and returns the decision for a frame to `dst` (`None`: broadcast).
    ///
    /// # Panics
    /// When a port or member is out of range.
    #[inline]
    pub fn forward(&mut self, now: Time, in_port: u32, src: u32, dst: Option<u32>) -> Egress {
        let arrival = self.learn(now, in_port, src);
        let place = dst.map_or(NOWHERE, |member| self.place_of_member(now, member));
        if place == NOWHERE {
            self.flooded += 1;
            Egress::Flood
        } else if place == arrival {
            self.filtered += 1;
            Egress::Filtered
        } else {
            Egress::Port(self.port_of_place(place, conversation(src, dst)))
        }
    }

    /// Returns the first port of the place where `member` was last heard, whatever its age and
    /// whichever port of a bundle its frames take.
    #[inline]
    pub fn port_towards(&self, member: u32) -> Option<u32> {
        let place = self.sightings.get(member as usize)?.place;
        let first = *self.first_port.get(place as usize)?;
        self.ports.get(first as usize).copied()
    }

    /// Returns the ports by which a flooded frame leaves: one per place, except the place of its
    /// arrival.
    pub fn flood_ports(&self, in_port: u32, src: u32, dst: Option<u32>) -> FloodPorts<'_> {
        FloodPorts {
            switch: self,
            arrival: self.place_of[in_port as usize],
            conversation: conversation(src, dst),
            next: 0,
        }
    }

    /// Returns when output may begin, given when the first and the last bit of the frame are in.
    ///
    /// `same_rate`: the frame leaves at the rate at which it came; otherwise a cut-through switch
    /// stores it too.
    #[inline]
    pub fn output_time(&self, first_bit: Time, last_bit: Time, same_rate: bool) -> Time {
        match self.model.mode {
            ForwardingMode::CutThrough if same_rate => first_bit + self.model.latency,
            _ => last_bit + self.model.latency,
        }
    }

    /// Returns whether the switch cuts through; the driver must then announce a frame at its first
    /// bit.
    pub fn is_cut_through(&self) -> bool {
        self.model.mode == ForwardingMode::CutThrough
    }

    /// Returns the number of frames flooded.
    pub fn flooded(&self) -> u64 {
        self.flooded
    }

    /// Returns the number of frames filtered.
    pub fn filtered(&self) -> u64 {
        self.filtered
    }

    #[inline]
    fn place_of_member(&self, now: Time, member: u32) -> u32 {
        let sighting = self.sightings[member as usize];
        if now.saturating_sub(sighting.heard) > self.model.ageing {
            NOWHERE
        } else {
            sighting.place
        }
    }

    /// Returns the port of a bundle that carries a conversation, by a hash: member numbers are
    /// dense, and a plain remainder would put regular patterns on one port.
    #[inline]
    fn port_of_place(&self, place: u32, conversation: u64) -> u32 {
        let first = self.first_port[place as usize];
        let n_ports = self.first_port[place as usize + 1] - first;
        let pick = if n_ports == 1 { 0 } else { pick(conversation, n_ports) };
        self.ports[(first + pick) as usize]
    }
}

/// The ports by which a flooded frame leaves, in the order of their places.
#[derive(Clone, Debug)]
pub struct FloodPorts<'a> {
    switch: &'a Switch,
    arrival: u32,
    conversation: u64,
    next: u32,
}

impl Iterator for FloodPorts<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        let n_places = self.switch.first_port.len() as u32 - 1;
        while self.next < n_places {
            let place = self.next;
            self.next += 1;
            if place != self.arrival && self.switch.is_used(place) {
                return Some(self.switch.port_of_place(place, self.conversation));
            }
        }
        None
    }
}

/// Returns the place of every port; places count in the order of their lowest port.
fn places(bundles: &[u32]) -> Vec<u32> {
    let mut known = BTreeMap::new();
    let place = |&bundle| {
        let next = known.len() as u32;
        *known.entry(bundle).or_insert(next)
    };
    bundles.iter().map(place).collect()
}

/// Returns the index of the port of a bundle that carries the frames from one station of a segment
/// to another (`None`: broadcast).
pub fn pick_of_bundle(src: u32, dst: Option<u32>, n_ports: u32) -> u32 {
    pick(conversation(src, dst), n_ports)
}

#[inline]
fn pick(conversation: u64, n_ports: u32) -> u32 {
    (mixed(conversation) % u64::from(n_ports)) as u32
}

fn conversation(src: u32, dst: Option<u32>) -> u64 {
    u64::from(src) << 32 | u64::from(dst.unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    const AGEING: Time = Time::from_ms(300_000);
    const STORE: SwitchModel = SwitchModel {
        mode: ForwardingMode::StoreAndForward,
        latency: Time::from_us(7),
        ageing: AGEING,
    };

    fn flooded(switch: &Switch, in_port: u32, src: u32, dst: Option<u32>) -> Vec<u32> {
        switch.flood_ports(in_port, src, dst).collect()
    }

    #[test]
    fn a_stranger_is_flooded_to_and_an_acquaintance_is_not() {
        let mut switch = Switch::new(STORE, &[0, 1, 2, 3], 4);
        assert_eq!(switch.forward(Time::ZERO, 0, 0, Some(2)), Egress::Flood);
        assert_eq!(flooded(&switch, 0, 0, Some(2)), [1, 2, 3]);
        assert_eq!((switch.port_towards(0), switch.port_towards(2)), (Some(0), None));
        assert_eq!(switch.forward(Time::ZERO, 2, 2, Some(0)), Egress::Port(0));
        assert_eq!(switch.forward(Time::ZERO, 0, 0, Some(2)), Egress::Port(2));
        assert_eq!(switch.forward(Time::ZERO, 0, 0, None), Egress::Flood);
        assert_eq!(switch.flooded(), 2);
    }

    #[test]
    fn traffic_local_to_a_port_is_filtered() {
        let mut switch = Switch::new(STORE, &[0, 1], 3);
        switch.forward(Time::ZERO, 1, 1, None);
        assert_eq!(switch.forward(Time::ZERO, 1, 2, Some(1)), Egress::Filtered);
        assert_eq!(switch.forward(Time::ZERO, 1, 1, Some(2)), Egress::Filtered);
        assert_eq!(switch.filtered(), 2);
    }

    #[test]
    fn a_station_that_moved_is_found_at_its_new_port_and_a_silent_one_is_forgotten() {
        let mut switch = Switch::new(STORE, &[0, 1, 2], 2);
        switch.forward(Time::ZERO, 1, 1, None);
        switch.forward(Time::from_us(1), 2, 1, None);
        assert_eq!(switch.forward(Time::from_us(2), 0, 0, Some(1)), Egress::Port(2));
        let last = Time::from_us(1) + AGEING;
        assert_eq!(switch.forward(last, 0, 0, Some(1)), Egress::Port(2));
        assert_eq!(switch.forward(last + Time::from_ps(1), 0, 0, Some(1)), Egress::Flood);
    }

    #[test]
    fn a_bundle_is_one_place() {
        // Ports 1 and 3; the numbers of bundles need not be dense.
        let bundles = [0, 7, 2, 7, 4];
        let mut switch = Switch::new(STORE, &bundles, 64);
        for dst in 1..64 {
            switch.forward(Time::ZERO, if dst % 2 == 0 { 1 } else { 3 }, dst, None);
        }
        let mut uses = [0; 5];
        for dst in 1..64 {
            let Egress::Port(port) = switch.forward(Time::ZERO, 0, 0, Some(dst)) else {
                panic!("{dst} is known");
            };
            uses[port as usize] += 1;
        }
        assert!(uses[1] > 15 && uses[3] > 15 && uses[1] + uses[3] == 63, "{uses:?}");
        let by_source = |src| pick_of_bundle(src, Some(1), 2);
        assert!((2..64).any(|src| by_source(src) == 0) && (2..64).any(|src| by_source(src) == 1));
        assert_eq!(switch.forward(Time::ZERO, 1, 1, Some(2)), Egress::Filtered);
        assert_eq!(flooded(&switch, 1, 1, None), [0, 2, 4]);
        assert_eq!(flooded(&switch, 0, 0, None).len(), 3);
    }

    #[test]
    fn cut_through_starts_early_between_equal_rates_only() {
        let model = SwitchModel {
            mode: ForwardingMode::CutThrough,
            latency: Time::from_us(5),
            ageing: AGEING,
        };
        let (first, last) = (Time::from_us(10), Time::from_us(132));
        let cut = Switch::new(model, &[0, 1], 2);
        let store = Switch::new(STORE, &[0, 1], 2);
        assert_eq!(cut.output_time(first, last, true), Time::from_us(15));
        assert_eq!(cut.output_time(first, last, false), Time::from_us(137));
        assert_eq!(store.output_time(first, last, true), Time::from_us(139));
        assert!(cut.is_cut_through() && !store.is_cut_through());
    }

    #[test]
    fn a_place_without_ports_is_forgotten_and_a_bundle_continues_with_the_rest() {
        let mut switch = Switch::new(STORE, &[0, 1, 1, 2], 3);
        switch.forward(Time::ZERO, 0, 0, None);
        switch.forward(Time::ZERO, 1, 1, None);
        switch.forward(Time::ZERO, 3, 2, None);
        switch.use_ports(|port| port != 1 && port != 3);
        assert_eq!(switch.forward(Time::ZERO, 0, 0, Some(1)), Egress::Port(2));
        assert_eq!(switch.forward(Time::ZERO, 0, 0, Some(2)), Egress::Flood);
        assert_eq!(flooded(&switch, 0, 0, Some(2)), [2]);
        switch.use_ports(|_| true);
        assert_eq!(switch.forward(Time::ZERO, 0, 0, Some(2)), Egress::Flood);
        assert_eq!(flooded(&switch, 0, 0, Some(2)).len(), 2);
    }
}
