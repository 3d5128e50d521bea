//! Bringing up all nodes, on every processor of the machine: namespaces, settings, interfaces,
//! addresses, routes and neighbours, in this order, because interfaces inherit settings.

use std::os::fd::OwnedFd;

use nix::errno::Errno;
use nix::net::if_::if_nametoindex;
use rayon::prelude::*;

use super::batch::{Batch, Failure, Mark};
use super::namespace::Namespace;
use super::node::Node;
use super::requests::{self, CREATE};
use super::spec::NodeSpec;
use super::{sysctl, tap};
use crate::error::{Refusal, Step, WireError};

/// Index of the loopback interface in every network namespace.
const LOOPBACK: u32 = 1;

/// Brings up nodes; everything made is gone again after an error.
///
/// # Errors
/// The first refusal of the kernel.
pub fn bring_up(nodes: &[NodeSpec]) -> Result<Vec<Node>, WireError> {
    on_own_threads(|| {
        let numbered: Vec<(u32, &NodeSpec)> = (0..).zip(nodes).collect();
        let up = numbered
            .into_par_iter()
            .map(|(node, spec)| one(spec).map_err(|refusal| refusal.at(node)));
        up.collect()
    })
}

/// Runs work on threads of its own, which may move from namespace to namespace.
pub fn on_own_threads<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    let threads = rayon::ThreadPoolBuilder::new().build().expect("threads can be started");
    threads.install(work)
}

fn one(spec: &NodeSpec) -> Result<Node, Refusal> {
    let namespace =
        Namespace::create(&spec.hostname).map_err(|errno| refused(Step::Namespace, 0, errno))?;
    for (index, (path, value)) in (0..).zip(&spec.sysctls) {
        sysctl::set(path, value).map_err(|errno| refused(Step::Sysctl, index, errno))?;
    }
    let mut taps = Vec::with_capacity(spec.interfaces.len());
    let mut links = Vec::with_capacity(spec.interfaces.len());
    for (index, interface) in (0..).zip(&spec.interfaces) {
        let (tap, link) = new_tap(index, &interface.name)?;
        taps.push(tap);
        links.push(link);
    }
    configure(spec, &links)?;
    Ok(Node { namespace, taps, links })
}

fn configure(spec: &NodeSpec, links: &[u32]) -> Result<(), Failure<Mark>> {
    let mut batch = Batch::open()?;
    batch.order((Step::Interface, 0), 0, requests::set_up(LOOPBACK, None))?;
    for ((index, interface), &link) in (0..).zip(&spec.interfaces).zip(links) {
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
    for (index, neighbour) in (0..).zip(&spec.neighbours) {
        let message = requests::add_neighbour(links[neighbour.interface as usize], neighbour);
        batch.order((Step::Neighbour, index), CREATE, message)?;
    }
    batch.send()
}

fn new_tap(index: u32, name: &str) -> Result<(OwnedFd, u32), Refusal> {
    let tun = tap::open().map_err(|errno| refused(Step::OpenTun, index, errno))?;
    tap::create(&tun, name).map_err(|errno| refused(Step::Tap, index, errno))?;
    let link = if_nametoindex(name).map_err(|errno| refused(Step::Tap, index, errno))?;
    Ok((tun, link))
}

fn refused(step: Step, index: u32, errno: Errno) -> Refusal {
    Refusal { step, index, errno: errno as i32 }
}
