//! Bringing up all nodes, on every processor of the machine.

use std::fs;
use std::os::fd::OwnedFd;

use nix::errno::Errno;
use nix::net::if_::if_nametoindex;
use rayon::prelude::*;

use super::namespace::Namespace;
use super::node::{Node, NodeSpec};
use super::requests::{Refusal, Requests};
use super::tap;
use crate::error::{Step, WireError};

/// Index of the loopback interface in every network namespace.
const LOOPBACK: u32 = 1;

/// Brings up nodes; whatever has been made is gone again after an error.
///
/// # Errors
/// The first refusal of the kernel.
pub fn bring_up(nodes: &[NodeSpec]) -> Result<Vec<Node>, WireError> {
    // Threads of their own, because each moves from namespace to namespace.
    let threads = rayon::ThreadPoolBuilder::new().build().expect("threads can be started");
    threads.install(|| {
        (0u32..).zip(nodes).collect::<Vec<_>>().into_par_iter().map(|(id, spec)| {
            one(spec).map_err(|Refusal { step, index, errno }| {
                WireError::Refused { node: id, step, index, errno }
            })
        }).collect()
    })
}

fn one(spec: &NodeSpec) -> Result<Node, Refusal> {
    let namespace =
        Namespace::create(&spec.hostname).map_err(|errno| refused(Step::Namespace, 0, errno))?;
    for (index, (path, value)) in (0..).zip(&spec.sysctls) {
        fs::write(format!("/proc/sys/net/{path}"), value).map_err(|error| {
            let errno = error.raw_os_error().unwrap_or(0);
            Refusal { step: Step::Sysctl, index, errno }
        })?;
    }
    let mut taps = Vec::with_capacity(spec.interfaces.len());
    let mut links = Vec::with_capacity(spec.interfaces.len());
    for (index, interface) in (0..).zip(&spec.interfaces) {
        let (tap, link) = new_tap(index, &interface.name)?;
        taps.push(tap);
        links.push(link);
    }
    let mut requests = Requests::open()?;
    requests.set_up(0, LOOPBACK, None)?;
    for ((index, interface), &link) in (0..).zip(&spec.interfaces).zip(&links) {
        requests.set_up(index, link, Some(interface))?;
        for &(address, prefix_length) in &interface.addresses {
            requests.add_address(index, link, address, prefix_length)?;
        }
    }
    for (index, route) in (0..).zip(&spec.routes) {
        requests.add_route(index, links[route.interface as usize], route)?;
    }
    for (index, neighbour) in (0..).zip(&spec.neighbours) {
        requests.add_neighbour(index, links[neighbour.interface as usize], neighbour)?;
    }
    requests.send()?;
    Ok(Node { namespace, taps })
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
