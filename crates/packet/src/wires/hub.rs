//! Collision domains: hubs that are wired together, and the ports on them. The crate `device`
//! decides when a station sends.

use std::collections::BTreeMap;

use device::{DeviceError, Hub, HubConfig, QueueLimit, StationOptions};
use host::{HostModel, InterfaceQueues};
use network::{DeviceId, DeviceKind, Fabric, PortId};
use quantity::{Id, IdVec, OptionalId, Rate, Time};

use super::outlet::{Outlet, queue_limit};
use crate::arena::FrameId;
use crate::ids::HubId;

/// A collision domain.
#[derive(Debug)]
pub(crate) struct Domain {
    pub device: Hub,
    /// The port of each station, ascending.
    pub stations: Vec<PortId>,
    /// The stations that are switch ports.
    pub switch_ports: Vec<PortId>,
    /// The time of the pending decision event; `Time::MAX` for none.
    pub scheduled: Time,
}

/// A frame that every station of a collision domain hears.
#[derive(Clone, Copy, Debug)]
pub struct Broadcast {
    pub(crate) hub: HubId,
    pub(crate) sender: PortId,
    /// The station that the frame is for, on this hub or elsewhere; none if it is for all.
    pub(crate) target: OptionalId<PortId>,
    pub(crate) frame: FrameId,
    pub(crate) start: Time,
    /// The times at which the last bit has left the sender, and has been heard by all.
    pub(crate) end: Time,
    pub(crate) heard: Time,
}

/// The result of a contention.
#[derive(Debug)]
pub enum Contention {
    Won(Broadcast),
    /// A collision, after which these ports gave up a frame.
    Lost(Vec<PortId>),
}

/// Returns the collision domains in order of their lowest hubs, and connects the outlets of their
/// stations.
pub(crate) fn domains(
    fabric: &Fabric,
    host: &HostModel,
    rates: &IdVec<PortId, Rate>,
    seed: u64,
    outlets: &mut IdVec<PortId, Outlet>,
) -> Result<IdVec<HubId, Domain>, DeviceError> {
    let found = collision_domains(fabric).into_iter().enumerate();
    let found = found.map(|(index, (stations, domain_delay))| {
        let hub = HubId::from_index(index);
        let config = HubConfig {
            n_stations: stations.len() as u32,
            rate: rates[stations[0]],
            domain_delay,
            queue_limit: None,
            seed,
            hub_id: hub.get(),
        };
        let mut device = Hub::new(config)?;
        for (station, &port) in (0..).zip(&stations) {
            outlets[port] = Outlet::Station { hub, station };
            let limit: QueueLimit = queue_limit(fabric, &host.queues, port);
            device.limit_station(station, Some(limit));
            if matches!(fabric.kind(fabric.port(port).device), DeviceKind::Node) {
                device.equip_station(station, options_of(host));
            }
        }
        let is_of_switch = |&&port: &&PortId| {
            matches!(fabric.kind(fabric.port(port).device), DeviceKind::Switch(_))
        };
        let switch_ports = stations.iter().filter(is_of_switch).copied().collect();
        Ok(Domain { device, stations, switch_ports, scheduled: Time::MAX })
    });
    found.collect()
}

/// Returns the options of the interface of a node.
fn options_of(host: &HostModel) -> StationOptions {
    let InterfaceQueues { pauses_backoff, avoids_capture, .. } = host.queues;
    StationOptions { pauses_backoff, avoids_capture, pause: host.pause_after_frame() }
}

/// Returns the stations and the one-way delay of each collision domain, in order of its lowest hub.
fn collision_domains(fabric: &Fabric) -> Vec<(Vec<PortId>, Time)> {
    let mut domain_of_hub: BTreeMap<DeviceId, usize> = BTreeMap::new();
    let mut domains: Vec<(Vec<PortId>, Time)> = Vec::new();
    for first in fabric.devices() {
        let is_hub = matches!(fabric.kind(first), DeviceKind::Hub(_));
        if !is_hub || domain_of_hub.contains_key(&first) {
            continue;
        }
        let (mut stations, mut delay) = (Vec::new(), Time::ZERO);
        let mut stack = vec![first];
        while let Some(device) = stack.pop() {
            let DeviceKind::Hub(model) = fabric.kind(device) else { continue };
            if domain_of_hub.insert(device, domains.len()).is_some() {
                continue;
            }
            delay += model.domain_delay;
            for peer in fabric.ports_of(device).filter_map(|port| fabric.peer(port)) {
                let other = fabric.port(peer).device;
                match fabric.kind(other) {
                    DeviceKind::Hub(_) => stack.push(other),
                    _ => stations.push(peer),
                }
            }
        }
        stations.sort_unstable();
        domains.push((stations, delay));
    }
    // Hubs without stations carry no frame.
    domains.retain(|(stations, _)| !stations.is_empty());
    domains
}
