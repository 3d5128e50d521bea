//! A node that is up: its carrier, routes and settings can change, on a thread that moves into the
//! node.

use std::os::fd::OwnedFd;
use std::thread::sleep;
use std::time::{Duration, Instant};

use netlink_packet_route::RouteNetlinkMessage;
use netlink_packet_route::link::LinkFlags;
use nix::errno::Errno;

use super::batch::Batch;
use super::namespace::Namespace;
use super::requests::{self, CREATE};
use super::spec::{RouteSpec, tables};
use super::{sysctl, tap};
use crate::error::{Refusal, Step};

/// Longest time that a kernel takes to notice a change of carrier.
const LONGEST_NOTICE: Duration = Duration::from_secs(5);

/// A node that is up.
#[derive(Debug)]
pub struct Node {
    /// Its namespaces.
    pub namespace: Namespace,
    /// The other end of each interface, in the order of the description; `None` where a cable of
    /// the kernel is plugged in.
    pub taps: Vec<Option<OwnedFd>>,
    /// The kernel's index of each interface.
    pub(super) links: Vec<u32>,
    /// The name of each interface.
    pub(super) names: Vec<String>,
}

impl Node {
    /// Gives interfaces carrier, or takes it away as when the cable is unplugged, and waits until
    /// the node's kernel has noticed. The calling thread stays in the node.
    ///
    /// # Errors
    /// When the calling thread may not enter the node, or the kernel refuses.
    pub fn plug(&self, interfaces: &[u32], has_carrier: bool) -> Result<(), Refusal> {
        for &interface in interfaces {
            let tap = self.taps[interface as usize].as_ref().ok_or(Errno::EOPNOTSUPP);
            tap.and_then(|tap| tap::plug(tap, has_carrier))
                .map_err(|errno| Refusal { index: interface, ..Refusal::of(Step::Tap, errno) })?;
        }
        self.namespace.enter().map_err(|errno| Refusal::of(Step::Namespace, errno))?;
        for &interface in interfaces {
            self.wait_for_carrier(interface, has_carrier)?;
        }
        Ok(())
    }

    /// Waits until the kernel has told its routes of a change of carrier, which it may put off for
    /// a second. A request for the state of the link makes newer kernels do it at once.
    fn wait_for_carrier(&self, interface: u32, has_carrier: bool) -> Result<(), Refusal> {
        let begin = Instant::now();
        while begin.elapsed() < LONGEST_NOTICE {
            let question = ((Step::Interface, interface), requests::get_link(self.link(interface)));
            let answer = Batch::open()?.ask([question])?.pop();
            if let Some(Ok(RouteNetlinkMessage::NewLink(link))) = answer
                && link.header.flags.contains(LinkFlags::Running) == has_carrier
            {
                return Ok(());
            }
            sleep(Duration::from_millis(2));
        }
        Err(Refusal { index: interface, ..Refusal::of(Step::Interface, Errno::ETIMEDOUT) })
    }

    /// Replaces routes, and the rules that choose their tables. The calling thread stays in the
    /// node.
    ///
    /// # Errors
    /// When the calling thread may not enter the node, or the kernel refuses a route.
    pub fn reroute(&self, old: &[RouteSpec], new: &[RouteSpec]) -> Result<(), Refusal> {
        self.namespace.enter().map_err(|errno| Refusal::of(Step::Namespace, errno))?;
        let mut batch = Batch::open()?;
        for (index, route) in (0..).zip(old) {
            let message = requests::remove_route(self.link(route.interface), route);
            batch.order((Step::Route, index), 0, message)?;
        }
        for (index, route) in (0..).zip(new) {
            let message = requests::add_route(self.link(route.interface), route);
            batch.order((Step::Route, index), CREATE, message)?;
        }
        let (before, after) = (tables(old), tables(new));
        for (index, &(table, is_v6)) in (0..).zip(before.difference(&after)) {
            let message = requests::remove_rule(&self.names, table, is_v6);
            batch.order((Step::Rule, index), 0, message)?;
        }
        for (index, &(table, is_v6)) in (0..).zip(after.difference(&before)) {
            let message = requests::add_rule(&self.names, table, is_v6);
            batch.order((Step::Rule, index), CREATE, message)?;
        }
        Ok(batch.send()?)
    }

    /// Sets a sysctl below /proc/sys/net. The calling thread stays in the node.
    ///
    /// # Errors
    /// When the calling thread may not enter the node, or the kernel refuses the value.
    pub fn set(&self, path: &str, value: &str) -> Result<(), Refusal> {
        self.namespace.enter().map_err(|errno| Refusal::of(Step::Namespace, errno))?;
        sysctl::set(path, value).map_err(|errno| Refusal::of(Step::Sysctl, errno))
    }

    /// Returns the kernel's index of an interface.
    pub(super) fn link(&self, interface: u32) -> u32 {
        self.links[interface as usize]
    }
}
