//! The groups of switches of a multipath segment, as the tree of elements on which a flow is
//! counted: each leaf switch, then the groups joined by the switches of each further level (a pod,
//! the whole segment).
//!
//! A switch's level is its distance from the nearest leaf. The traffic that leaves a group is
//! limited by its links to the level above, so the tree never counts too little. The count is exact
//! where the groups are even: each switch of a level has the same rate to every group that it
//! joins, and the same rates down and up as its peers. Then every flow can be spread over all links
//! in proportion to their rates, as in a fat tree [FATTREE-2008, sec. 2].

use quantity::Id;

use crate::fabric::Fabric;
use crate::ids::{DeviceId, PortId};

const NONE: usize = usize::MAX;

/// A group and its parent; the outermost group is its own parent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    pub parent: usize,
    /// Twice the rate of the group's links to the rest of its parent.
    pub up_bps: u64,
}

/// The groups of a segment.
#[derive(Debug)]
pub(super) struct Groups {
    /// The groups; a parent precedes its children.
    pub groups: Vec<Group>,
    /// The smallest group of each leaf switch.
    pub of_leaf: Vec<(DeviceId, usize)>,
    /// Whether flows can use all links in proportion to their rates.
    pub is_even: bool,
}

impl Groups {
    /// Finds the groups of the multipath switches of a segment.
    pub(super) fn new(fabric: &Fabric, devices: &[DeviceId]) -> Groups {
        let mut search = Search::new(fabric, devices);
        let mut leaves: Vec<(DeviceId, usize)> = Vec::new();
        for &device in devices {
            if search.level(device) == 0 {
                leaves.push((device, search.enter(&[device])));
            }
        }
        let top = devices.iter().map(|&device| search.level(device)).filter(|&level| level != NONE);
        for level in 0..=top.max().unwrap_or(0) {
            search.join(devices, level);
        }
        let Search { mut groups, is_even, .. } = search;
        let last = groups.len().saturating_sub(1);
        groups.reverse();
        groups.iter_mut().for_each(|group| group.parent = last - group.parent);
        leaves.iter_mut().for_each(|(_, group)| *group = last - *group);
        Groups { groups, of_leaf: leaves, is_even }
    }
}

struct Search<'a> {
    fabric: &'a Fabric,
    /// The first of the devices, at which all arrays per device begin.
    first: DeviceId,
    level: Vec<usize>,
    /// The largest group so far that contains each device.
    group: Vec<usize>,
    /// The groups, children before parents.
    groups: Vec<Group>,
    is_even: bool,
}

impl<'a> Search<'a> {
    fn new(fabric: &'a Fabric, devices: &[DeviceId]) -> Search<'a> {
        let first = devices.iter().copied().min().unwrap_or_default();
        let n = devices.iter().max().map_or(0, |&last| last.index() - first.index() + 1);
        let mut search = Search {
            fabric,
            first,
            level: vec![NONE; n],
            group: vec![NONE; n],
            groups: Vec::new(),
            is_even: true,
        };
        let is_leaf = |&device: &DeviceId| {
            let mut peers = fabric.ports_of(device).filter_map(|port| fabric.peer(port));
            peers.any(|peer| fabric.is_node(fabric.port(peer).device))
        };
        let mut queue: Vec<DeviceId> = devices.iter().copied().filter(is_leaf).collect();
        queue.iter().for_each(|&leaf| search.level[leaf.index() - first.index()] = 0);
        let mut done = 0;
        while let Some(&device) = queue.get(done) {
            done += 1;
            let next = search.level(device) + 1;
            for (_, other) in exits(fabric, device) {
                if search.level(other) == NONE {
                    search.level[other.index() - first.index()] = next;
                    queue.push(other);
                }
            }
        }
        search
    }

    fn place(&self, device: DeviceId) -> usize {
        device.index() - self.first.index()
    }

    fn level(&self, device: DeviceId) -> usize {
        self.level[self.place(device)]
    }

    fn group(&self, device: DeviceId) -> usize {
        self.group[self.place(device)]
    }

    /// Makes a group of the given devices.
    fn enter(&mut self, members: &[DeviceId]) -> usize {
        let group = self.groups.len();
        self.groups.push(Group { parent: group, up_bps: 0 });
        for &device in members {
            let place = self.place(device);
            self.group[place] = group;
        }
        group
    }

    /// Joins the groups that the switches of a level connect.
    fn join(&mut self, devices: &[DeviceId], level: usize) {
        let mut is_seen = vec![false; self.level.len()];
        for &device in devices {
            if self.level(device) > level || is_seen[self.place(device)] {
                continue;
            }
            let members = self.component(device, level, &mut is_seen);
            let group = self.group(device);
            if members.iter().any(|&member| self.group(member) != group) {
                self.adopt(&members, level);
            }
        }
    }

    /// Returns the devices of levels up to the given one that links connect to a device, that
    /// device first.
    fn component(&self, device: DeviceId, level: usize, is_seen: &mut [bool]) -> Vec<DeviceId> {
        is_seen[self.place(device)] = true;
        let mut members = vec![device];
        let mut done = 0;
        while let Some(&member) = members.get(done) {
            done += 1;
            for (_, other) in exits(self.fabric, member) {
                let place = self.place(other);
                if self.level[place] <= level && !std::mem::replace(&mut is_seen[place], true) {
                    members.push(other);
                }
            }
        }
        members
    }

    /// Makes a parent for the groups of `members`, which the switches of `level` join.
    fn adopt(&mut self, members: &[DeviceId], level: usize) {
        let (inner, joints): (Vec<DeviceId>, Vec<DeviceId>) =
            members.iter().partition(|&&member| self.group(member) != NONE);
        let mut children: Vec<usize> = inner.iter().map(|&member| self.group(member)).collect();
        children.sort_unstable();
        children.dedup();
        let ups: Vec<u64> = inner.iter().map(|&member| self.rate_up(member, level)).collect();
        let is_top = |&(member, _): &(&DeviceId, &u64)| self.level(*member) + 1 == level;
        let top_ups: Vec<u64> = inner.iter().zip(&ups).filter(is_top).map(|(_, &up)| up).collect();
        let downs: Vec<Option<u64>> =
            joints.iter().map(|&joint| self.even_rate_down(joint, &children)).collect();
        self.is_even &= downs.iter().all(|down| down.is_some() && *down == downs[0])
            && top_ups.iter().all(|&up| up == top_ups[0]);
        let parent = self.groups.len();
        for (&member, up) in inner.iter().zip(ups) {
            let child = self.group(member);
            self.groups[child].up_bps += 2 * up;
            self.groups[child].parent = parent;
        }
        self.enter(members);
    }

    /// Returns the rate of a switch to the switches of a level and to the other groups that these
    /// join.
    fn rate_up(&mut self, member: DeviceId, level: usize) -> u64 {
        let (fabric, mut sum) = (self.fabric, 0);
        for (port, other) in exits(fabric, member) {
            if self.level(other) <= level && self.group(other) != self.group(member) {
                // A link that bypasses the switches of the level carries no share of a spread flow.
                self.is_even &= self.group(other) == NONE;
                sum += self.bps(port);
            }
        }
        sum
    }

    /// Returns the rate of a switch to each of some groups, if it is the same to all of them.
    fn even_rate_down(&self, joint: DeviceId, children: &[usize]) -> Option<u64> {
        let mut rates = vec![0; children.len()];
        for (port, other) in exits(self.fabric, joint) {
            if let Ok(place) = children.binary_search(&self.group(other)) {
                rates[place] += self.bps(port);
            }
        }
        rates.first().copied().filter(|&rate| rates.iter().all(|&other| other == rate))
    }

    fn bps(&self, port: PortId) -> u64 {
        let link = self.fabric.port(port).link;
        link.map_or(0, |link| self.fabric.links()[link].rate.bps())
    }
}

/// Returns the ports of a switch that lead to other switches, with those switches.
fn exits(fabric: &Fabric, device: DeviceId) -> impl Iterator<Item = (PortId, DeviceId)> + '_ {
    fabric.ports_of(device).filter_map(|port| {
        let other = fabric.port(fabric.peer(port)?).device;
        (!fabric.is_node(other)).then_some((port, other))
    })
}
