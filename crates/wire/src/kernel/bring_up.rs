//! Bringing up all nodes, on every processor of the machine: namespaces, settings, interfaces,
//! addresses, routes and neighbours, in this order, because interfaces inherit settings; and the
//! wait until all addresses can be used.

use std::os::fd::OwnedFd;

use nix::errno::Errno;
use nix::net::if_::if_nametoindex;
use rayon::prelude::*;

use super::batch::{Batch, Failure, Mark};
use super::cables::Cables;
use super::namespace::Namespace;
use super::node::Node;
use super::requests::{self, CREATE};
use super::spec::{NodeSpec, tables};
use super::{marks, shaper, sysctl, tap};
use crate::error::{Refusal, Step, WireError};

/// Index of the loopback interface in every network namespace.
const LOOPBACK: u32 = 1;

/// The wires between the interfaces of nodes.
#[derive(Clone, Debug)]
pub enum Backend {
    /// A TAP for each interface, between which this process moves frames.
    Taps,
    /// Cables of the kernel.
    Cables(Cables),
}

/// Brings up nodes; everything made is gone again after an error. Returns also the namespace of the
/// hubs and switches of the kernel, which end with it.
///
/// # Errors
/// The first refusal of the kernel.
pub fn bring_up(
    nodes: &[NodeSpec],
    backend: &Backend,
) -> Result<(Vec<Node>, Option<Namespace>), WireError> {
    on_own_threads(|| {
        let namespaces = at_each(nodes.par_iter().map(namespace))?;
        let (devices, rates) = match backend {
            Backend::Taps => (None, Cables::default().rates(nodes)),
            Backend::Cables(cables) => (Some(cables.lay(nodes, &namespaces)?), cables.rates(nodes)),
        };
        let parts = nodes.par_iter().zip(namespaces).zip(&rates);
        let up = at_each(parts.map(|((spec, namespace), rates)| one(spec, namespace, rates)))?;
        let parts = up.par_iter().zip(nodes);
        at_each(parts.map(|(node, spec)| node.wait_for_addresses(spec)))?;
        Ok((up, devices))
    })
}

/// Collects the results of all nodes, in their order.
fn at_each<T: Send>(
    nodes: impl IndexedParallelIterator<Item = Result<T, Refusal>>,
) -> Result<Vec<T>, WireError> {
    let named = |(node, result): (usize, Result<T, Refusal>)| {
        result.map_err(|refusal| refusal.at(node as u32))
    };
    nodes.enumerate().map(named).collect()
}

/// Runs work on threads of its own, which may move from namespace to namespace.
pub fn on_own_threads<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    let threads = rayon::ThreadPoolBuilder::new().build().expect("threads can be started");
    threads.install(work)
}

fn namespace(spec: &NodeSpec) -> Result<Namespace, Refusal> {
    let namespace =
        Namespace::create(&spec.hostname).map_err(|errno| refused(Step::Namespace, 0, errno))?;
    for (index, (path, value)) in (0..).zip(&spec.sysctls) {
        sysctl::set(path, value).map_err(|errno| refused(Step::Sysctl, index, errno))?;
    }
    marks::set(&spec.marks).map_err(|errno| refused(Step::Mark, 0, errno))?;
    Ok(namespace)
}

/// Configures a node; an interface without a rate, that of a cable of the kernel, becomes a TAP.
fn one(spec: &NodeSpec, namespace: Namespace, rates: &[Option<u64>]) -> Result<Node, Refusal> {
    namespace.enter().map_err(|errno| refused(Step::Namespace, 0, errno))?;
    let mut taps = Vec::with_capacity(spec.interfaces.len());
    let mut links = Vec::with_capacity(spec.interfaces.len());
    for ((index, interface), rate) in (0..).zip(&spec.interfaces).zip(rates) {
        let name = &interface.name[..];
        taps.push(if rate.is_some() { None } else { Some(new_tap(index, name)?) });
        links.push(if_nametoindex(name).map_err(|errno| refused(Step::Interface, index, errno))?);
    }
    configure(spec, &links, rates)?;
    let names = spec.interfaces.iter().map(|interface| interface.name.clone()).collect();
    Ok(Node { namespace, taps, links, names })
}

fn configure(spec: &NodeSpec, links: &[u32], rates: &[Option<u64>]) -> Result<(), Failure<Mark>> {
    let mut batch = Batch::open()?;
    batch.order((Step::Interface, 0), 0, requests::set_up(LOOPBACK, None))?;
    for ((index, interface), &link) in (0..).zip(&spec.interfaces).zip(links) {
        if let Some(rate_bps) = rates[index as usize] {
            let message = shaper::limit_rate(link, rate_bps, interface.mtu);
            batch.order((Step::Interface, index), CREATE, message)?;
        }
        batch.order((Step::Interface, index), 0, requests::set_up(link, Some(interface)))?;
        for &(address, length) in &interface.addresses {
            let message = requests::add_address(link, address, length);
            batch.order((Step::Address, index), CREATE, message)?;
        }
    }
    for (index, route) in (0..).zip(&spec.routes) {
        let message = requests::add_route(links[route.interface as usize], route);
        batch.order((Step::Route, index), CREATE, message)?;
    }
    let names: Vec<String> =
        spec.interfaces.iter().map(|interface| interface.name.clone()).collect();
    for (index, (table, is_v6)) in (0..).zip(tables(&spec.routes)) {
        batch.order((Step::Rule, index), CREATE, requests::add_rule(&names, table, is_v6))?;
    }
    for (index, neighbour) in (0..).zip(&spec.neighbours) {
        let message = requests::add_neighbour(links[neighbour.interface as usize], neighbour);
        batch.order((Step::Neighbour, index), CREATE, message)?;
    }
    batch.send()
}

fn new_tap(index: u32, name: &str) -> Result<OwnedFd, Refusal> {
    let tun = tap::open().map_err(|errno| refused(Step::OpenTun, index, errno))?;
    tap::create(&tun, name).map_err(|errno| refused(Step::Tap, index, errno))?;
    Ok(tun)
}

fn refused(step: Step, index: u32, errno: Errno) -> Refusal {
    Refusal { step, index, errno: errno as i32 }
}
