//! Collision domains: hubs that are plugged together are one medium, on which one station transmits
//! at a time.

use quantity::{IdVec, Time};

use crate::ids::DeviceId;

use super::{DeviceKind, Fabric};

/// Returns for each hub the lowest hub of its collision domain, and the delay of the domain; every
/// other device is a domain by itself.
pub fn collision_domains(fabric: &Fabric) -> IdVec<DeviceId, (DeviceId, Time)> {
    let mut domains: IdVec<DeviceId, (DeviceId, Time)> =
        fabric.devices().map(|device| (device, Time::ZERO)).collect();
    let mut is_met = IdVec::filled(false, domains.n());
    for first in fabric.hubs_and_switches() {
        let (mut stack, mut members, mut delay) = (vec![first], Vec::new(), Time::ZERO);
        while let Some(device) = stack.pop() {
            let DeviceKind::Hub(model) = fabric.kind(device) else { continue };
            if std::mem::replace(&mut is_met[device], true) {
                continue;
            }
            delay += model.domain_delay;
            members.push(device);
            let peers = fabric.ports_of(device).filter_map(|port| fabric.peer(port));
            stack.extend(peers.map(|port| fabric.port(port).device));
        }
        for member in members {
            domains[member] = (first, delay);
        }
    }
    domains
}
