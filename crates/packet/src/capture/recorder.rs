//! Remembers every frame of a run at every port, to be encoded when the run is over.
//!
//! A frame names the connection end it is for and the destination address. The source address and
//! the TCP port numbers follow from the connections that exist at the end of the run, so recording
//! costs a copy per sighting.

use host::tcp::SegmentOptions;
use host::transport::EndpointId;
use network::{Ip, Network, Owner, PortId};
use program::DatagramProtocol;
use quantity::{IdVec, Time};

use super::block::encode;
use super::captured::{self, CapturedFrame, Carried, Direction, Packet, Part};
use crate::arena::{Attached, Contents};
use crate::frame::{Fragment, Frame, Pause, Payload, Resolution, Segment};
use crate::observer::Observer;

/// TCP ports: the end that opened connection k has 49152 + k, the other 57344 + k, both modulo
/// 2^13. The range is free of registered services, so that no dissector takes zeros for a protocol.
const OPENER_PORTS: u16 = 49_152;
const ACCEPTOR_PORTS: u16 = 57_344;
/// The prefix fe80::/64.
const LINK_LOCAL: u128 = 0xFE80 << 112;
const PORTS_PER_SIDE: u32 = 1 << 13;

#[derive(Clone, Debug)]
struct Sighting {
    time: Time,
    port: PortId,
    direction: Direction,
    frame: Frame,
    options: SegmentOptions,
    contents: Option<Contents>,
}

/// An [`Observer`] that records every sighting of a frame.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    sightings: Vec<Sighting>,
}

impl Recorder {
    /// Returns the number of sightings.
    pub fn n_sightings(&self) -> usize {
        self.sightings.len()
    }

    /// Returns the sightings as Enhanced Packet Blocks in order of time.
    ///
    /// `own_addresses` gives the address of each connection end, from
    /// [`crate::PacketModel::own_addresses`]; `network` gives the ports that share a hardware
    /// address in a bond, and the owner of each address.
    pub fn blocks(
        mut self,
        own_addresses: &IdVec<EndpointId, Ip>,
        network: &Network,
        snap_bytes: u32,
    ) -> Vec<u8> {
        // A departure is reported when it is known, which may be ahead of time; the stable sort
        // keeps ties in order.
        self.sightings.sort_by_key(|sighting| sighting.time);
        let frames = self.sightings.iter().map(|seen| captured(seen, own_addresses, network));
        encode(frames, snap_bytes)
    }

    fn note(
        &mut self,
        time: Time,
        port: PortId,
        direction: Direction,
        frame: &Frame,
        attached: Attached<'_>,
    ) {
        let options = attached.options.copied().unwrap_or_default();
        let contents = attached.contents.cloned();
        self.sightings.push(Sighting { time, port, direction, frame: *frame, options, contents });
    }
}

impl Observer for Recorder {
    fn sent(&mut self, time: Time, port: PortId, frame: &Frame, attached: Attached<'_>) {
        self.note(time, port, Direction::Outbound, frame, attached);
    }

    fn received(&mut self, time: Time, port: PortId, frame: &Frame, attached: Attached<'_>) {
        self.note(time, port, Direction::Inbound, frame, attached);
    }
}

fn captured(
    sighting: &Sighting,
    own_addresses: &IdVec<EndpointId, Ip>,
    network: &Network,
) -> CapturedFrame {
    let &Sighting { time, port, direction, frame, options, .. } = sighting;
    CapturedFrame {
        time,
        port,
        direction,
        source_port: network.fabric.interface(frame.source),
        target_port: frame.target.get().map(|target| network.fabric.interface(target)),
        carried: match frame.payload {
            Payload::Segment(ip, segment) => {
                let packet = Packet {
                    source: own_addresses[other_end(segment.to)],
                    target: own_addresses[segment.to],
                    ttl: ip.ttl,
                };
                Carried::Segment(packet, captured_segment(&segment, options))
            }
            Payload::Fragment(ip, fragment) => {
                let of_address = |id| network.addressing.address(id).ip;
                let (source, target) = (of_address(fragment.source), of_address(ip.destination));
                Carried::Datagram(Packet { source, target, ttl: ip.ttl }, part(&fragment))
            }
            Payload::Resolution(Resolution { about, is_v6, is_answer }) => {
                let of_port = |port| address_of_port(network, port, is_v6);
                let asker = frame.target.get().filter(|_| is_answer);
                let target = of_port(asker.unwrap_or(about));
                Carried::Resolution { source: of_port(frame.source), target, is_answer }
            }
            Payload::Pause(Pause { quanta }) => Carried::Pause { quanta },
            Payload::Contents => Carried::Contents(sighting.contents.clone().unwrap_or_default()),
        },
    }
}

fn captured_segment(segment: &Segment, options: SegmentOptions) -> captured::Segment {
    let Segment { to, bytes, window, sequence, acknowledged, flags } = *segment;
    let ports = (tcp_port(other_end(to)), tcp_port(to));
    captured::Segment { ports, sequence, acknowledged, window, flags, options, bytes }
}

fn part(fragment: &Fragment) -> Part {
    let Fragment { protocol, datagram, offset, bytes, total_bytes, .. } = *fragment;
    Part {
        is_udp: protocol == DatagramProtocol::Udp,
        ports: (OPENER_PORTS, ACCEPTOR_PORTS),
        number: datagram.get(),
        offset,
        bytes,
        total_bytes,
    }
}

/// Returns the address by which a neighbour requests a port: the port's own, or else the first of
/// the same family on its node, or else a link-local one (IPv6) or 0.0.0.0 (IPv4).
fn address_of_port(network: &Network, port: PortId, is_v6: bool) -> Ip {
    let (fabric, addressing) = (&network.fabric, &network.addressing);
    let interface = fabric.interface(port);
    let of_node = addressing.of_node(fabric.node_of(port)).iter();
    let in_family = of_node.map(|&id| addressing.address(id)).filter(|a| a.ip.is_v6 == is_v6);
    let own = in_family.clone().find(|address| address.owner == Owner::Port(interface));
    let bits = if is_v6 { LINK_LOCAL | u128::from(interface.get()) } else { 0 };
    own.or(in_family.clone().next()).map_or(Ip { is_v6, bits }, |address| address.ip)
}

/// Connection ends are numbered in pairs, the opener's first.
fn other_end(endpoint: EndpointId) -> EndpointId {
    EndpointId::new(endpoint.get() ^ 1)
}

fn tcp_port(endpoint: EndpointId) -> u16 {
    let first = if endpoint.get().is_multiple_of(2) { OPENER_PORTS } else { ACCEPTOR_PORTS };
    first + (endpoint.get() / 2 % PORTS_PER_SIDE) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_of_a_connection_have_each_other_and_different_ports() {
        for endpoint in [0, 1, 6, 7, 40_000].map(EndpointId::new) {
            assert_eq!(other_end(other_end(endpoint)), endpoint);
            assert_ne!(tcp_port(endpoint), tcp_port(other_end(endpoint)));
        }
        let ports = [0, 1, 16_384, 2 * 8_191 + 1].map(|end| tcp_port(EndpointId::new(end)));
        assert_eq!(ports, [49_152, 57_344, 49_152, 65_535]);
    }
}
