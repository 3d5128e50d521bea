//! The permutation that loads a link, or a hub, most. Among all pairs whose packets cross it in one
//! direction, a permutation can include as many as a maximum matching of sources with destinations:
//! the assignment problem of Towles and Dally (2002), in which all weights are one because each
//! pair has one route. The matching is found by augmenting paths, source by source (Kuhn 1955); so
//! the worst case over all channels is exact.
//!
//! All pairs are walked once and kept per channel, so this is for networks of some hundreds of
//! nodes.

use std::sync::atomic::AtomicBool;

use quantity::{Id, IdVec, OptionalId};
use rayon::prelude::*;

use crate::Network;
use crate::fabric::{DeviceKind, Fabric, collision_domains};
use crate::ids::{AddressId, PortId};
use crate::metrics::{MetricError, expect_wanted};

use super::expect_addresses;
use super::pattern::PacketWalker;

/// The most nodes for which every pair is walked.
pub const MOST_EXACT: usize = 576;

quantity::id! {
    /// Place of an address in the given list.
    PlaceId;
}

/// A permutation that loads a channel or a hub as much as any permutation can.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorstCase {
    /// The port that sends into the busiest channel: the leader of a bundle; on a hub, any of its
    /// ports.
    pub port: PortId,
    /// Packets on the busiest channel when every node sends one.
    pub packets: u32,
    /// Per address: the place of the address to which its owner sends.
    pub destination: Vec<u32>,
}

/// Returns the permutation of some addresses that takes longest on its busiest channel, in view of
/// link rates and the number of links of a bundle; `None` if no packet is sent.
///
/// # Errors
/// When there are more than [`MOST_EXACT`] addresses, one does not exist, a packet does not arrive,
/// or `stop` is set during the search.
pub fn worst_case(
    network: &Network,
    identities: &[AddressId],
    stop: &AtomicBool,
) -> Result<Option<WorstCase>, MetricError> {
    let n = identities.len();
    if n > MOST_EXACT {
        return Err(MetricError::TooManyPairs { given: n, most: MOST_EXACT });
    }
    expect_addresses(network, identities)?;
    let media = Media::new(&network.fabric);
    let crossing = pairs_by_medium(network, identities, &media, stop)?;
    let found = crossing
        .into_vec()
        .into_par_iter()
        .enumerate()
        .filter(|(_, pairs)| !pairs.is_empty())
        .map(|(port, pairs)| {
            expect_wanted(stop)?;
            Ok((PortId::from_index(port), matching(n as u32, &pairs)))
        })
        .collect::<Result<Vec<_>, MetricError>>()?;
    let time = |port: PortId, n_matched: u32| f64::from(n_matched) / media.widths[port];
    // The first of equal ones, so that the answer does not depend on the number of threads.
    let mut best: Option<(f64, WorstCase)> = None;
    for (port, source_of) in found {
        let packets = source_of.iter().filter(|source| source.is_some()).count() as u32;
        let time = time(port, packets);
        if best.as_ref().is_none_or(|(most, _)| time > *most) {
            best = Some((time, WorstCase { port, packets, destination: completed(&source_of) }));
        }
    }
    Ok(best.map(|(_, worst)| worst))
}

/// Returns for each medium the (source, destination) places of the packets that cross it.
fn pairs_by_medium(
    network: &Network,
    identities: &[AddressId],
    media: &Media,
    stop: &AtomicBool,
) -> Result<IdVec<PortId, Vec<(u16, u16)>>, MetricError> {
    let walker = PacketWalker::new(network);
    let mut crossing = IdVec::filled(Vec::new(), network.fabric.ports().n());
    for (source, &from) in (0..).zip(identities) {
        expect_wanted(stop)?;
        let node = network.addressing.address(from).node;
        for (destination, &to) in (0..).zip(identities).filter(|&(other, _)| other != source) {
            // The wires of a bond carry equal shares; the first one represents them all.
            walker.walk(
                node,
                to,
                |_| (),
                |port, (place, _)| {
                    let pairs: &mut Vec<(u16, u16)> = &mut crossing[media.of_port[port]];
                    // A hub is reported twice: for the sending port, and for its own.
                    if place == 0 && pairs.last() != Some(&(source, destination)) {
                        pairs.push((source, destination));
                    }
                },
            )?;
        }
    }
    Ok(crossing)
}

/// A shared medium, named by one port: the first of a bond or bundle, or the first port of the
/// lowest hub of a collision domain.
struct Media {
    of_port: IdVec<PortId, PortId>,
    /// Bits per second, of all links of a bundle and all wires of a bond together.
    widths: IdVec<PortId, f64>,
}

impl Media {
    fn new(fabric: &Fabric) -> Media {
        let domains = collision_domains(fabric);
        let is_hub = |port: PortId| {
            let device = fabric.port(port).device;
            matches!(fabric.kind(device), DeviceKind::Hub(_)).then_some(device)
        };
        let ports = fabric.ports().ids();
        let medium = |port: PortId| {
            let hub = is_hub(port).or_else(|| fabric.peer(port).and_then(is_hub));
            match hub {
                Some(hub) => fabric.ports_of(domains[hub].0).start,
                None => fabric.interface(fabric.bundle(port)),
            }
        };
        let of_port: IdVec<PortId, PortId> = ports.clone().map(medium).collect();
        let mut widths = IdVec::filled(0.0, of_port.n());
        for port in ports {
            let Some(link) = fabric.port(port).link else { continue };
            let rate = fabric.links()[link].rate.bps() as f64;
            let (width, is_shared) = (&mut widths[of_port[port]], is_hub(port));
            *width = if is_shared.is_some() { rate } else { *width + rate };
        }
        Media { of_port, widths }
    }
}

/// The source of each destination, if it has one.
type Sources = IdVec<PlaceId, OptionalId<PlaceId>>;

/// Returns for each destination the source that a maximum matching gives it.
fn matching(n: u32, pairs: &[(u16, u16)]) -> Sources {
    let mut wanted = IdVec::filled(Vec::new(), n);
    for &(source, destination) in pairs {
        wanted[PlaceId::new(source.into())].push(PlaceId::new(destination.into()));
    }
    let mut source_of = IdVec::filled(OptionalId::none(), n);
    let mut tried = IdVec::filled(OptionalId::none(), n);
    for source in PlaceId::first(n).filter(|&source| !wanted[source].is_empty()) {
        augment(source, source, &wanted, &mut source_of, &mut tried);
    }
    source_of
}

/// Gives `source` a destination, moving others where they have an alternative; `round` marks the
/// destinations already looked at.
fn augment(
    source: PlaceId,
    round: PlaceId,
    wanted: &IdVec<PlaceId, Vec<PlaceId>>,
    source_of: &mut Sources,
    tried: &mut IdVec<PlaceId, OptionalId<PlaceId>>,
) -> bool {
    for &destination in &wanted[source] {
        if std::mem::replace(&mut tried[destination], round.into()).get() == Some(round) {
            continue;
        }
        let holder = source_of[destination].get();
        if holder.is_none_or(|holder| augment(holder, round, wanted, source_of, tried)) {
            source_of[destination] = source.into();
            return true;
        }
    }
    false
}

/// Returns a permutation that contains this matching: the remaining sources send to the remaining
/// destinations, where possible none to itself.
fn completed(source_of: &Sources) -> Vec<u32> {
    let mut destination: Sources = IdVec::filled(OptionalId::none(), source_of.n());
    for (place, source) in source_of.with_ids() {
        if let Some(source) = source.get() {
            destination[source] = OptionalId::from(place);
        }
    }
    let free = |entries: &Sources| -> Vec<PlaceId> {
        entries.with_ids().filter(|(_, entry)| entry.is_none()).map(|(place, _)| place).collect()
    };
    let (sources, targets) = (free(&destination), free(source_of));
    let stay = |turn: usize| {
        let turned = targets.iter().cycle().skip(turn);
        sources.iter().zip(turned).filter(|(source, target)| source == target).count()
    };
    let turn = (0..sources.len()).min_by_key(|&turn| stay(turn)).unwrap_or(0);
    for (&source, &target) in sources.iter().zip(targets.iter().cycle().skip(turn)) {
        destination[source] = OptionalId::from(target);
    }
    destination.iter().filter_map(|place| place.get()).map(PlaceId::get).collect()
}
