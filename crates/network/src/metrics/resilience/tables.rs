//! The routes of all nodes to many addresses, each with its standby routes behind the best: the
//! input of the proof of failures, here and in the page of a check.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

use quantity::IdVec;
use rayon::prelude::*;
use resilience::Wiring;
use resilience::rerouting::{Destination, Route, RoutesTo};

use crate::Network;
use crate::address::Subnet;
use crate::ids::{AddressId, NodeId, PortId, SubnetId};
use crate::metrics::{MetricError, expect_wanted, load};
use crate::routing::{Decision, Hop, Routing, alternate, groups, standby};

/// The most nodes of a proof of rerouting: 60 to 100 bytes for each ordered pair make 0.4 GB.
pub const MOST_NODES: usize = 2048;

/// Returns the routes of all nodes to each of some addresses, each once; `with_fallback` adds the
/// fallback routes that the routing scheme derives.
///
/// # Errors
/// When an address does not exist, there are too many nodes or addresses, or the caller cancels.
pub fn routes_to(
    network: &Network,
    identities: &[AddressId],
    with_fallback: bool,
    stop: &AtomicBool,
) -> Result<Vec<RoutesTo>, MetricError> {
    expect_few(network, identities)?;
    load::expect_addresses(network, identities)?;
    all_routes(network, &without_repeats(identities), with_fallback, stop, |_, routes| routes)
}

/// Prepares the given identities, each once, as destinations that are numbered by their addresses.
pub(super) fn destinations(
    network: &Network,
    wiring: &Wiring,
    identities: &[AddressId],
    with_fallback: bool,
    stop: &AtomicBool,
) -> Result<Vec<Destination>, MetricError> {
    let prepared = |to: AddressId, routes| Destination::new(wiring, to.get(), routes);
    all_routes(network, &without_repeats(identities), with_fallback, stop, prepared)
}

/// Returns the distinct identities in input order.
fn without_repeats(given: &[AddressId]) -> Vec<AddressId> {
    let mut seen = BTreeSet::new();
    given.iter().copied().filter(|&id| seen.insert(id)).collect()
}

/// Returns the results of `make` on the routes to each distinct address; addresses of one subnet
/// share the work.
fn all_routes<T: Send>(
    network: &Network,
    identities: &[AddressId],
    with_fallback: bool,
    stop: &AtomicBool,
    make: impl Fn(AddressId, RoutesTo) -> T + Sync,
) -> Result<Vec<T>, MetricError> {
    let subnet = |id: AddressId| network.addressing.address(id).subnet;
    let mut order: Vec<(SubnetId, AddressId, usize)> =
        identities.iter().zip(0..).map(|(&id, place)| (subnet(id), id, place)).collect();
    order.sort_unstable();
    let by_subnet: Vec<&[(SubnetId, AddressId, usize)]> =
        order.chunk_by(|a, b| a.0 == b.0).collect();
    let to_subnet = |same: &&[(SubnetId, AddressId, usize)]| {
        expect_wanted(stop)?;
        let wanted: Vec<AddressId> = same.iter().map(|&(_, id, _)| id).collect();
        let found = routes_to_subnet(network, same[0].0, &wanted, with_fallback);
        let made =
            found.into_iter().zip(*same).map(|(routes, &(_, id, place))| (place, make(id, routes)));
        Ok(made.collect::<Vec<(usize, T)>>())
    };
    let found: Vec<_> = by_subnet.par_iter().map(to_subnet).collect::<Result<_, _>>()?;
    // The addresses of one subnet need not be adjacent in the input.
    let mut found: Vec<(usize, T)> = found.into_iter().flatten().collect();
    found.sort_by_key(|&(place, _)| place);
    Ok(found.into_iter().map(|(_, made)| made).collect())
}

/// Returns the routes to some addresses of one subnet, which are given in order.
fn routes_to_subnet(
    network: &Network,
    subnet: SubnetId,
    wanted: &[AddressId],
    with_fallback: bool,
) -> Vec<RoutesTo> {
    let subnet = &network.addressing.subnets()[subnet];
    let derives = with_fallback && !matches!(network.routing, Routing::Explicit(_));
    // A fallback route serves the same addresses as its route: all of the subnet.
    let needed = if derives { &subnet.members } else { wanted };
    let nodes = network.fabric.nodes();
    let decisions: Decisions = needed
        .iter()
        .map(|&to| (to, nodes.clone().map(|node| network.decide(node, to)).collect()))
        .collect();
    let fallbacks: IdVec<NodeId, Vec<Fallback>> = if derives {
        nodes.map(|node| fallbacks(network, subnet, &decisions, node)).collect()
    } else {
        IdVec::new()
    };
    let fallback = |node: NodeId, to: AddressId| {
        let mut groups = fallbacks.get(node).into_iter().flatten();
        let found = groups.find(|(members, _)| members.binary_search(&to).is_ok());
        found.map_or_else(Vec::new, |(_, routes)| routes.clone())
    };
    let wanted = wanted.iter().map(|&to| (to, decided(&decisions, to)));
    wanted
        .map(|(to, decisions)| {
            let found = node_routes(network, to, decisions, |node| fallback(node, to));
            let by_port = if derives { by_port(network, to) } else { Vec::new() };
            RoutesTo { by_port, ..found }
        })
        .collect()
}

/// The decision of each node for each address, the addresses in order.
type Decisions = Vec<(AddressId, IdVec<NodeId, Decision>)>;

/// Fallback routes, the best first, and the addresses that they serve, in order.
type Fallback = (Vec<AddressId>, Vec<Route>);

fn decided(decisions: &Decisions, to: AddressId) -> &IdVec<NodeId, Decision> {
    let place = decisions.binary_search_by_key(&to, |&(id, _)| id).expect("an address of it");
    &decisions[place].1
}

/// Returns the fallback routes of a node for a subnet.
fn fallbacks(
    network: &Network,
    subnet: &Subnet,
    decisions: &Decisions,
    node: NodeId,
) -> Vec<Fallback> {
    let decide = |node: NodeId, to| decided(decisions, to)[node];
    let groups = groups(network, node, subnet, |to| decide(node, to));
    let found = groups.into_iter().map(|group| {
        let hops: Vec<Hop> = match network.instead(node, group.members[0]) {
            Some(instead) => instead.into_iter().map(|(hop, _)| hop).collect(),
            None => {
                let found = alternate(network, node, &group, decide);
                found.map(|alternate| alternate.hop).into_iter().collect()
            }
        };
        (group.members, hops.into_iter().map(route).collect())
    });
    found.collect()
}

/// Lists the routes by incoming port of all nodes to an address.
fn by_port(network: &Network, to: AddressId) -> Vec<(PortId, Route)> {
    let of_port =
        |(port, hops): (PortId, Vec<Hop>)| hops.into_iter().map(move |hop| (port, route(hop)));
    let of_node = |node| network.behind(node, to).into_iter().flat_map(of_port);
    network.fabric.nodes().flat_map(of_node).collect()
}

fn route(hop: Hop) -> Route {
    Route { port: hop.port, via: Some(hop.via) }
}

/// Lists the routes of all nodes to an address: the best one, the fallback route, the others.
fn node_routes(
    network: &Network,
    to: AddressId,
    decisions: &IdVec<NodeId, Decision>,
    fallback: impl Fn(NodeId) -> Vec<Route>,
) -> RoutesTo {
    let owner = network.addressing.address(to).node;
    let mut found = RoutesTo { owner, start: vec![0], routes: Vec::new(), by_port: Vec::new() };
    for (node, decision) in decisions.with_ids() {
        if *decision != Decision::Own {
            let best = match decision {
                Decision::Forward(hop) => Some(Route { port: hop.port, via: Some(hop.via) }),
                _ => None,
            };
            let others = standby(network, node, to).into_iter();
            let others = others.filter(|other| best.is_none_or(|best| best.port != other.port));
            found.routes.extend(best.into_iter().chain(fallback(node)).chain(others));
        }
        found.start.push(found.routes.len() as u32);
    }
    found
}

/// Checks that the routes of all pairs fit into memory.
pub(super) fn expect_few(network: &Network, identities: &[AddressId]) -> Result<(), MetricError> {
    let given = identities.len().max(network.fabric.n_nodes() as usize);
    if given > MOST_NODES {
        return Err(MetricError::TooManyPairs { given, most: MOST_NODES });
    }
    Ok(())
}
