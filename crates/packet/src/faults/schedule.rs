//! Outages of links and devices, and the times during which links lose or damage frames: all known
//! before the run begins.

use std::collections::{BTreeMap, BTreeSet};

use network::metrics::Part;
use network::{DeviceId, Fabric, LinkId, PortId};
use quantity::{Id, IdVec, OptionalId, Time};

use super::fault::{Fault, FaultKind};
use crate::loss::FaultId;

quantity::id! {
    /// The planned faults of one link.
    pub(super) LineId;
}

/// A time during which a link or a device is dead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Outage {
    pub from: Time,
    pub until: Time,
    pub fault: FaultId,
}

/// A time during which a link may lose or damage frames.
#[derive(Clone, Copy, Debug)]
pub(super) struct Impairment {
    pub from: Time,
    pub until: Time,
    pub fault: FaultId,
    pub kind: FaultKind,
}

/// The planned faults of one link.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub link: LinkId,
    pub outages: Outages,
    pub impairments: Vec<Impairment>,
    /// True while the link is dead, at the present time of the run.
    pub is_dark: bool,
}

/// Outages in order of time, disjoint.
#[derive(Clone, Debug, Default)]
pub(super) struct Outages(Vec<Outage>);

impl Outages {
    fn of(mut given: Vec<Outage>) -> Outages {
        given.retain(|outage| outage.from < outage.until);
        given.sort_by_key(|outage| (outage.from, outage.fault));
        let mut joined: Vec<Outage> = Vec::new();
        for outage in given {
            match joined.last_mut() {
                Some(last) if outage.from <= last.until => {
                    last.until = last.until.max(outage.until);
                }
                _ => joined.push(outage),
            }
        }
        Outages(joined)
    }

    /// Returns the outage in force at a time, if any.
    pub fn at(&self, time: Time) -> Option<Outage> {
        let begun = self.0.partition_point(|outage| outage.from <= time);
        self.0[..begun].last().copied().filter(|outage| time < outage.until)
    }

    /// Returns the first outage that begins after a time.
    pub fn after(&self, time: Time) -> Option<Outage> {
        self.0.get(self.0.partition_point(|outage| outage.from <= time)).copied()
    }

    /// Returns whether an outage begins or ends after `from`, and not after `to`.
    pub fn change_within(&self, from: Time, to: Time) -> bool {
        let changes = self.0.iter().flat_map(|outage| [outage.from, outage.until]);
        changes.into_iter().any(|time| from < time && time <= to)
    }

    fn begins(&self, time: Time) -> bool {
        self.0.iter().any(|outage| outage.from == time)
    }
}

/// All planned faults of a run.
#[derive(Debug)]
pub(super) struct Schedule {
    pub lines: IdVec<LineId, Line>,
    line_of_link: IdVec<LinkId, OptionalId<LineId>>,
    devices: BTreeMap<DeviceId, Outages>,
}

impl Schedule {
    pub fn new(fabric: &Fabric, faults: &[Fault]) -> Schedule {
        let mut outages: BTreeMap<LinkId, Vec<Outage>> = BTreeMap::new();
        let mut impairments: BTreeMap<LinkId, Vec<Impairment>> = BTreeMap::new();
        let mut devices: BTreeMap<DeviceId, Vec<Outage>> = BTreeMap::new();
        for (index, Fault { parts, kind, from, until }) in faults.iter().enumerate() {
            let (fault, from, until, kind) = (FaultId::from_index(index), *from, *until, *kind);
            let outage = Outage { from, until, fault };
            for link in links(fabric, parts) {
                match kind {
                    FaultKind::Down => outages.entry(link).or_default().push(outage),
                    kind => impairments.entry(link).or_default().push(Impairment {
                        from,
                        until,
                        fault,
                        kind,
                    }),
                }
            }
            for &part in parts {
                if let (Part::Device(device), FaultKind::Down) = (part, kind) {
                    devices.entry(device).or_default().push(outage);
                }
            }
        }
        let all: BTreeSet<LinkId> = outages.keys().chain(impairments.keys()).copied().collect();
        let mut line_of_link = IdVec::filled(OptionalId::none(), fabric.links().n());
        let mut lines: IdVec<LineId, Line> = IdVec::new();
        for link in all {
            let line = lines.push(Line {
                link,
                outages: Outages::of(outages.remove(&link).unwrap_or_default()),
                impairments: impairments.remove(&link).unwrap_or_default(),
                is_dark: false,
            });
            line_of_link[link] = line.into();
        }
        let devices = devices.into_iter().map(|(id, all)| (id, Outages::of(all))).collect();
        Schedule { lines, line_of_link, devices }
    }

    /// Returns the planned faults of the link in a port.
    pub fn line(&self, fabric: &Fabric, port: PortId) -> Option<&Line> {
        let line = self.line_of_link[fabric.port(port).link?];
        line.get().map(|line| &self.lines[line])
    }

    /// Returns the outages of a device.
    pub fn device(&self, device: DeviceId) -> Option<&Outages> {
        self.devices.get(&device)
    }

    /// Returns the devices that die at a time.
    pub fn dying(&self, time: Time) -> impl Iterator<Item = DeviceId> + '_ {
        self.devices.iter().filter(move |(_, all)| all.begins(time)).map(|(&device, _)| device)
    }

    /// Returns the times at which links fail and return, in order.
    pub fn times(&self) -> BTreeSet<Time> {
        let outages = self.lines.iter().flat_map(|line| &line.outages.0);
        let devices = self.devices.values().flat_map(|all| &all.0);
        let times = outages.chain(devices).flat_map(|outage| [outage.from, outage.until]);
        times.filter(|&time| time != Time::MAX).collect()
    }

    /// Returns the outage in force that began last, of any link.
    pub fn latest(&self, now: Time) -> Option<Outage> {
        let outages = self.lines.iter().filter_map(|line| line.outages.at(now));
        outages.max_by_key(|outage| (outage.from, outage.fault))
    }
}

/// Returns the links that fail with some parts, each once.
fn links(fabric: &Fabric, parts: &[Part]) -> BTreeSet<LinkId> {
    let mut links = BTreeSet::new();
    for &part in parts {
        match part {
            Part::Cable(link) => links.extend([link]),
            Part::Port(port) => links.extend(fabric.port(port).link),
            Part::Device(device) => {
                let ports = fabric.ports_of(device);
                links.extend(ports.filter_map(|port| fabric.port(port).link));
            }
        }
    }
    links
}
