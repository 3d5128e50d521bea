//! The capture of a run: every frame of a message, at every port on its path, with the headers of a
//! real one.

use std::sync::atomic::AtomicBool;

use crate::networks::{Middle, bonded, chain, linux_2_0, over_ipv6, star};
use host::HostModel;
use network::{AddressId, Network, NodeId, PortId};
use packet::PacketModel;
use packet::capture::{Recorder, mac_of_port};
use program::{Action, AlgorithmSet, Program, Rank, Step};
use simulation::{Run, Setup};

const MESSAGE_BYTES: u64 = 4_000;
/// A short message travels as its header and as envelope and body.
const STREAM_BYTES: u32 = 32 + 24 + 4_000;

/// A parsed block.
#[derive(Debug)]
struct Seen {
    time_ns: u64,
    port: u32,
    is_outbound: bool,
    /// The frame, without the frame check sequence, which captures leave out.
    frame_bytes: u32,
    packet: Vec<u8>,
}

impl Seen {
    fn source_mac(&self) -> &[u8] {
        &self.packet[6..12]
    }

    fn ip_source(&self) -> u32 {
        self.number(26)
    }

    fn ttl(&self) -> u8 {
        self.packet[22]
    }

    fn sequence(&self) -> u32 {
        self.number(38)
    }

    fn payload(&self) -> u32 {
        (self.number(14) & 0xFFFF) - 40
    }

    fn number(&self, offset: usize) -> u32 {
        u32::from_be_bytes(self.packet[offset..offset + 4].try_into().unwrap())
    }
}

fn parse(mut blocks: &[u8]) -> Vec<Seen> {
    let mut seen = Vec::new();
    while !blocks.is_empty() {
        let word =
            |index: usize| u32::from_le_bytes(blocks[4 * index..4 * index + 4].try_into().unwrap());
        let packet_bytes = word(5) as usize;
        let flags_at = 7 + packet_bytes.div_ceil(4);
        seen.push(Seen {
            time_ns: u64::from(word(3)) << 32 | u64::from(word(4)),
            port: word(2),
            is_outbound: word(flags_at + 1) == 2,
            frame_bytes: word(6),
            packet: blocks[28..28 + packet_bytes].to_vec(),
        });
        blocks = &blocks[word(1) as usize..];
    }
    seen
}

/// Records one message from the first to the last node.
fn record(network: &Network) -> Vec<Seen> {
    record_on(&linux_2_0(), network)
}

fn record_on(host: &HostModel, network: &Network) -> Vec<Seen> {
    let last = network.fabric.n_nodes() - 1;
    let steps = [
        Step::one(Rank::new(0), Action::Send { to: Rank::new(last), bytes: MESSAGE_BYTES, tag: 0 }),
        Step::one(Rank::new(last), Action::Receive { from: Some(Rank::new(0)), tag: 0 }),
    ];
    let program = Program::compile(last + 1, &steps, AlgorithmSet::Mpich1_1).unwrap();
    let stop = AtomicBool::new(false);
    let nodes = (0..=last).map(NodeId::new).collect();
    let identities = (0..=last).map(AddressId::new).collect();
    let setup = Setup {
        network,
        host,
        identities: &identities,
        node_of_rank: &nodes,
        seed: 1,
        stop: &stop,
    };
    let model = PacketModel::new(setup, Recorder::default()).unwrap();
    let run = Run::new(model, &program, host);
    let (_, model) = run.run().unwrap();
    let own_addresses = model.own_addresses();
    let recorder = model.into_observer();
    let n_sightings = recorder.n_sightings();
    let seen = parse(&recorder.blocks(&own_addresses, network, 128));
    assert_eq!(seen.len(), n_sightings);
    seen
}

fn check(network: &Network, ports_passed: &[u32]) {
    let seen = record(network);
    assert!(seen.is_sorted_by_key(|seen| seen.time_ns));
    let data = |seen: &&Seen| seen.ip_source() == 0x0A00_0001 && seen.payload() > 0;
    for (place, &port) in ports_passed.iter().enumerate() {
        let is_outbound = place.is_multiple_of(2);
        let at_port = |seen: &&Seen| seen.port == port && seen.is_outbound == is_outbound;
        let mut next = None;
        let mut bytes = 0;
        for frame in seen.iter().filter(data).filter(at_port) {
            let expected = *next.get_or_insert(frame.sequence());
            assert_eq!(frame.sequence(), expected, "the stream has no gap at port {port}");
            next = Some(expected.wrapping_add(frame.payload()));
            bytes += frame.payload();
        }
        assert_eq!(bytes, STREAM_BYTES, "at port {port}, place {place}");
    }
    assert!(seen.iter().any(|seen| seen.ip_source() != 0x0A00_0001), "nothing was acknowledged");
}

#[test]
fn a_message_is_seen_at_both_ends_of_a_cable() {
    check(&chain(2), &[1, 2]);
}

#[test]
fn a_message_is_seen_on_both_sides_of_a_forwarder_and_a_switch() {
    check(&chain(3), &[1, 2, 3, 4]);
    check(&star(3, Middle::StoreAndForward, 100), &[0, 3, 5, 2]);
    check(&star(3, Middle::CutThrough, 100), &[0, 3, 5, 2]);
}

#[test]
fn a_message_is_seen_at_the_stations_of_a_hub() {
    check(&star(3, Middle::Hub, 100), &[0, 2]);
}

#[test]
fn a_forwarder_changes_the_mac_address_and_takes_a_hop_off() {
    let seen = record(&chain(3));
    let first = |port: u32| seen.iter().find(|seen| seen.port == port && seen.is_outbound).unwrap();
    let (before, after) = (first(1), first(3));
    assert_eq!(before.source_mac(), mac_of_port(PortId::new(1)));
    assert_eq!(after.source_mac(), mac_of_port(PortId::new(3)));
    assert_eq!(before.ip_source(), after.ip_source());
    assert_eq!((before.ttl(), after.ttl()), (64, 63));
}

#[test]
fn headers_have_the_ttl_that_hosts_send_with() {
    let mut host = linux_2_0();
    host.links.ttl = 200;
    let sent = |seen: &[Seen], offset: usize| -> Vec<u8> {
        let first = |port| seen.iter().find(|seen| seen.port == port && seen.is_outbound).unwrap();
        [1, 3].map(|port| first(port).packet[offset]).to_vec()
    };
    assert_eq!(sent(&record_on(&host, &chain(3)), 22), [200, 199]);
    // The hop limit precedes the addresses.
    assert_eq!(sent(&record_on(&host, &over_ipv6(chain(3))), 21), [200, 199]);
}

#[test]
fn the_ports_of_a_bond_take_turns_under_one_mac_address() {
    let seen = record(&bonded(2, 2, Middle::Hub));
    let sent = |seen: &&Seen| seen.is_outbound && seen.ip_source() == 0x0A00_0001;
    let ports: Vec<u32> = seen.iter().filter(sent).map(|seen| seen.port).collect();
    let on_first = ports.iter().filter(|&&port| port == 0).count();
    assert!(ports.len() > 3 && ports.len().abs_diff(2 * on_first) <= 1, "{ports:?}");
    assert!(seen.iter().filter(sent).all(|seen| seen.source_mac() == mac_of_port(PortId::new(0))));
}

#[test]
fn the_longest_frame_is_the_same_over_ipv4_and_ipv6() {
    let switch = || star(3, Middle::StoreAndForward, 100);
    for network in [chain(3), over_ipv6(chain(3)), switch(), over_ipv6(switch())] {
        let longest = record(&network).iter().map(|seen| seen.frame_bytes).max();
        assert_eq!(longest, Some(1518 - 4));
    }
}
