//! The wait for the addresses of a node. Its kernel adds an IPv6 address at once, and the route by
//! which it takes packets for that address later, on a thread that all nodes share. On a busy
//! machine a node forwards or refuses packets for itself until then.

use std::thread::sleep;
use std::time::{Duration, Instant};

use netlink_packet_route::RouteNetlinkMessage;
use netlink_packet_route::address::{AddressHeaderFlags, AddressMessage};
use netlink_packet_route::route::RouteType;
use network::Ip;
use nix::errno::Errno;

use super::batch::{Batch, Failure, Mark};
use super::node::Node;
use super::requests;
use super::spec::NodeSpec;
use crate::error::{Refusal, Step};

/// Longest time that a kernel takes for it. The thread waits for the lock of all network settings,
/// which the end of another large emulation may hold for seconds.
const LONGEST: Duration = Duration::from_secs(60);
/// Time between two looks.
const LOOK: Duration = Duration::from_millis(1);

impl Node {
    /// Waits until the node's kernel takes packets for all its addresses, and probes none any more
    /// for duplicates. The calling thread stays in the node.
    ///
    /// # Errors
    /// When the calling thread may not enter the node, or the kernel takes longer than a minute.
    pub(super) fn wait_for_addresses(&self, spec: &NodeSpec) -> Result<(), Refusal> {
        let of_interface = |(index, interface): (u32, &super::spec::InterfaceSpec)| {
            let v6 = interface.addresses.iter().filter(|(address, _)| address.is_v6);
            v6.map(move |&(address, _)| (index, address)).collect::<Vec<_>>()
        };
        let mut awaited: Vec<_> = (0..).zip(&spec.interfaces).flat_map(of_interface).collect();
        if awaited.is_empty() {
            return Ok(());
        }
        self.namespace.enter().map_err(|errno| Refusal::of(Step::Namespace, errno))?;
        let mut batch = Batch::open()?;
        let begin = Instant::now();
        loop {
            awaited = not_local(&mut batch, &awaited)?;
            let is_probing = awaited.is_empty() && has_tentative(&mut batch)?;
            let Some(index) = awaited.first().map(|&(index, _)| index).or(is_probing.then_some(0))
            else {
                return Ok(());
            };
            if begin.elapsed() > LONGEST {
                return Err(Refusal { index, ..Refusal::of(Step::Usable, Errno::ETIMEDOUT) });
            }
            sleep(LOOK);
        }
    }
}

/// Returns the addresses that the kernel does not take as its own.
fn not_local(
    batch: &mut Batch<Mark>,
    addresses: &[(u32, Ip)],
) -> Result<Vec<(u32, Ip)>, Failure<Mark>> {
    let question = |&(index, address)| ((Step::Usable, index), requests::get_route(address, None));
    let answers = batch.ask(addresses.iter().map(question))?;
    let is_local = |answer: &Result<RouteNetlinkMessage, i32>| {
        matches!(answer, Ok(RouteNetlinkMessage::NewRoute(route))
            if route.header.kind == RouteType::Local)
    };
    let others = addresses.iter().zip(&answers).filter(|(_, answer)| !is_local(answer));
    Ok(others.map(|(&address, _)| address).collect())
}

/// Returns whether the kernel still probes an address, perhaps one of its own making.
fn has_tentative(batch: &mut Batch<Mark>) -> Result<bool, Failure<Mark>> {
    let question = RouteNetlinkMessage::GetAddress(AddressMessage::default());
    let found = batch.list((Step::Usable, 0), question)?;
    let is_tentative = |message: &RouteNetlinkMessage| {
        matches!(message, RouteNetlinkMessage::NewAddress(address)
            if address.header.flags.contains(AddressHeaderFlags::Tentative))
    };
    Ok(found.iter().any(is_tentative))
}
