//! The traffic that crosses a given split: the flow through each segment, limited by its hubs and
//! backplanes.
//!
//! A segment is a tree of *elements*: a switch, or hubs that share one collision domain; a plain
//! cable is one element without a limit. Between multipath switches an element is a group of them.
//! On a tree the largest flow is found greedily from the leaves: traffic that can be matched below
//! an element is matched there, because the paths that it frees for others are parts of those it
//! would have used itself. Both directions are counted by giving links twice their rate and shared
//! media once: the network is symmetric, so the reverse flow mirrors the forward one.

use quantity::IdVec;

use crate::bridging::Bridging;
use crate::fabric::{DeviceKind, Fabric};
use crate::ids::{BackplaneId, DeviceId, NodeId, PortId, SegmentId};

use super::groups::{Group, Groups};
use super::routed::Graph;

const UNLIMITED: u64 = u64::MAX;

quantity::id! {
    /// Index of a segment with a positive capacity.
    KeptId;
}

/// The segments of a fabric as capacities between the nodes that are split.
#[derive(Debug)]
pub(super) struct Capacities {
    segments: IdVec<KeptId, Segment>,
    /// Rate of each backplane.
    backplanes: IdVec<BackplaneId, u64>,
    /// The segments of each node.
    of_node: IdVec<NodeId, Vec<KeptId>>,
    /// Whether a flow omits a limit, such as that of a shared backplane, and so is an upper bound.
    pub is_bound: bool,
    /// The whole network, where routed switches join the segments.
    routed: Option<Graph>,
}

#[derive(Debug)]
struct Segment {
    /// The elements in order of depth: a parent precedes its children.
    elements: Vec<Element>,
    /// The backplane that limits this segment's flow together with that of other segments.
    backplane: Option<BackplaneId>,
}

#[derive(Debug)]
struct Element {
    parent: usize,
    /// Twice the rate of the bundle to the parent.
    up_bps: u64,
    /// Most traffic that the element passes on.
    most_bps: u64,
    /// Nodes, with twice the rate of their links.
    stations: Vec<(NodeId, u64)>,
}

/// A split and the traffic that crosses it, kept up to date as nodes change sides.
#[derive(Clone, Debug)]
pub(super) struct Split {
    pub half: IdVec<NodeId, bool>,
    flows: IdVec<KeptId, u64>,
    backplane_flows: IdVec<BackplaneId, u64>,
    unlimited_flow: u64,
}

impl Capacities {
    pub(super) fn new(fabric: &Fabric, n_split: u32, with_backplanes: bool) -> Capacities {
        let builder = Builder { fabric, bridging: Bridging::new(fabric), n_split, with_backplanes };
        let mut capacities = Capacities {
            segments: IdVec::new(),
            backplanes: fabric.backplanes().iter().map(|rate| rate.bps()).collect(),
            of_node: IdVec::filled(Vec::new(), n_split),
            is_bound: false,
            routed: None,
        };
        if fabric.nodes().any(|node| fabric.is_routed_switch(node)) {
            capacities.routed = Some(Graph::new(fabric, n_split, with_backplanes));
            return capacities;
        }
        let devices = builder.devices_by_segment();
        let users = builder.backplane_users();
        for (segment, devices) in fabric.segments().zip(devices) {
            if fabric.is_multipath(segment) {
                let (built, is_bound) = builder.multipath_segment(segment, &devices);
                capacities.is_bound |= is_bound;
                capacities.enter(built);
                continue;
            }
            let built = builder.segment(segment, &devices);
            if built.elements.len() > 1 {
                let backplanes = devices.iter().filter_map(|&device| builder.backplane(device));
                capacities.is_bound |= backplanes.into_iter().any(|id| users[id] > 1);
            }
            capacities.enter(built);
        }
        capacities
    }

    /// Returns whether no flow crosses several segments.
    pub(super) fn are_separate(&self) -> bool {
        self.routed.is_none()
    }

    /// Keeps a segment if it can carry traffic between two of the nodes.
    fn enter(&mut self, segment: Segment) {
        let stations = || segment.elements.iter().flat_map(|element| &element.stations);
        if stations().count() < 2 {
            return;
        }
        let nodes: Vec<NodeId> = stations().map(|&(node, _)| node).collect();
        let index = self.segments.push(segment);
        for node in nodes {
            let list = &mut self.of_node[node];
            if list.last() != Some(&index) {
                list.push(index);
            }
        }
    }

    /// Computes all flows of a split.
    pub(super) fn split(&self, half: &IdVec<NodeId, bool>) -> Split {
        let mut split = Split {
            flows: IdVec::filled(0, self.segments.n()),
            backplane_flows: IdVec::filled(0, self.backplanes.n()),
            unlimited_flow: 0,
            half: half.clone(),
        };
        for index in self.segments.ids() {
            split.update(self, index);
        }
        split
    }
}

impl Split {
    /// Returns the traffic that crosses the split, in bit/s.
    pub(super) fn crossing(&self, capacities: &Capacities) -> u64 {
        if let Some(graph) = &capacities.routed {
            return graph.crossing(&self.half);
        }
        let limited = self.backplane_flows.iter().zip(&capacities.backplanes);
        self.unlimited_flow + limited.map(|(&flow, &most)| flow.min(most)).sum::<u64>()
    }

    /// Moves a node to the other half.
    pub(super) fn flip(&mut self, capacities: &Capacities, node: NodeId) {
        self.half[node] = !self.half[node];
        for &index in &capacities.of_node[node] {
            self.update(capacities, index);
        }
    }

    fn update(&mut self, capacities: &Capacities, index: KeptId) {
        let segment = &capacities.segments[index];
        let flow = segment.flow(&self.half);
        let old = std::mem::replace(&mut self.flows[index], flow);
        let sum = match segment.backplane {
            Some(backplane) => &mut self.backplane_flows[backplane],
            None => &mut self.unlimited_flow,
        };
        *sum = *sum - old + flow;
    }
}

impl Segment {
    fn flow(&self, half: &IdVec<NodeId, bool>) -> u64 {
        if let [element] = self.elements.as_slice() {
            let [a, b] = element.offers(half);
            return a.min(b).min(element.most_bps);
        }
        let mut offers: Vec<[u64; 2]> =
            self.elements.iter().map(|element| element.offers(half)).collect();
        let mut flow = 0;
        for (index, element) in self.elements.iter().enumerate().rev() {
            let [a, b] = offers[index];
            let met = a.min(b).min(element.most_bps);
            flow += met;
            if index == 0 {
                break;
            }
            let room = (element.most_bps - met).min(element.up_bps);
            offers[element.parent][0] += (a - met).min(room);
            offers[element.parent][1] += (b - met).min(room);
        }
        flow
    }
}

impl Element {
    /// The traffic that the stations of each half can send (or receive) through their links.
    fn offers(&self, half: &IdVec<NodeId, bool>) -> [u64; 2] {
        let mut offers = [0; 2];
        for &(node, bps) in &self.stations {
            offers[usize::from(half[node])] += bps;
        }
        offers
    }
}

struct Builder<'a> {
    fabric: &'a Fabric,
    bridging: Bridging,
    n_split: u32,
    with_backplanes: bool,
}

impl Builder<'_> {
    /// Returns the hubs and switches of each segment, parents before children.
    fn devices_by_segment(&self) -> IdVec<SegmentId, Vec<DeviceId>> {
        let mut devices = IdVec::filled(Vec::new(), self.fabric.n_segments());
        for device in self.fabric.hubs_and_switches() {
            if let Some(port) = self.fabric.ports_of(device).next() {
                devices[self.fabric.port(port).segment].push(device);
            }
        }
        for list in &mut devices {
            list.sort_by_key(|&device| (self.bridging.depth(device), device));
        }
        devices
    }

    fn backplane(&self, device: DeviceId) -> Option<BackplaneId> {
        match self.fabric.kind(device) {
            DeviceKind::Switch(model) if self.with_backplanes => model.backplane,
            _ => None,
        }
    }

    fn backplane_users(&self) -> IdVec<BackplaneId, u32> {
        let mut users = IdVec::filled(0, self.fabric.backplanes().n());
        for device in self.fabric.hubs_and_switches() {
            if let Some(backplane) = self.backplane(device) {
                users[backplane] += 1;
            }
        }
        users
    }

    fn segment(&self, segment: SegmentId, devices: &[DeviceId]) -> Segment {
        let mut elements: Vec<Element> = Vec::new();
        let mut element_of: Vec<(DeviceId, usize)> = Vec::new();
        for &device in devices {
            let index = self.enter_device(device, &element_of, &mut elements);
            element_of.push((device, index));
        }
        if devices.is_empty() {
            elements.push(Element { parent: 0, up_bps: 0, most_bps: UNLIMITED, stations: vec![] });
        }
        self.enter_stations(segment, &element_of, &mut elements);
        let backplane = match (devices, elements.len()) {
            (&[device], 1) => self.backplane(device),
            _ => None,
        };
        if backplane.is_some() {
            // The limit applies to all segments of the backplane together.
            elements[0].most_bps = UNLIMITED;
        }
        Segment { elements, backplane }
    }

    /// Returns a multipath segment, and whether its flow omits a limit.
    fn multipath_segment(&self, segment: SegmentId, devices: &[DeviceId]) -> (Segment, bool) {
        let Groups { groups, of_leaf, is_even } = Groups::new(self.fabric, devices);
        let element = |group: &Group| Element {
            parent: group.parent,
            up_bps: group.up_bps,
            most_bps: UNLIMITED,
            stations: Vec::new(),
        };
        let mut elements: Vec<Element> = groups.iter().map(element).collect();
        of_leaf.iter().for_each(|&(leaf, group)| elements[group].most_bps = self.most_bps(leaf));
        self.enter_stations(segment, &of_leaf, &mut elements);
        let has_backplane = devices.iter().any(|&device| self.backplane(device).is_some());
        (Segment { elements, backplane: None }, has_backplane || !is_even)
    }

    fn enter_stations(
        &self,
        segment: SegmentId,
        element_of: &[(DeviceId, usize)],
        elements: &mut [Element],
    ) {
        let mut sorted = element_of.to_vec();
        sorted.sort_unstable();
        let find = |device| sorted.binary_search_by_key(&device, |&(id, _)| id);
        let interfaces = self.fabric.segment_members(segment).iter();
        for port in interfaces.flat_map(|&first| self.fabric.interface_ports(first)) {
            let Some((node, beyond, bps)) = self.station(port) else { continue };
            let element = find(beyond).map_or(0, |place| sorted[place].1);
            elements[element].stations.push((node, bps));
        }
    }

    /// Adds a device as an element, or merges a hub with the hub above it.
    fn enter_device(
        &self,
        device: DeviceId,
        element_of: &[(DeviceId, usize)],
        elements: &mut Vec<Element>,
    ) -> usize {
        let most_bps = self.most_bps(device);
        let above = self.bridging.parent(self.fabric, device);
        let parent = above.and_then(|(above, _)| find(element_of, above)).unwrap_or(0);
        if let Some((above, _)) = above
            && is_hub(self.fabric, above)
            && is_hub(self.fabric, device)
        {
            elements[parent].most_bps = elements[parent].most_bps.min(most_bps);
            return parent;
        }
        let up_bps = above.map_or(0, |(_, port)| self.bundle_bps(port));
        elements.push(Element { parent, up_bps, most_bps, stations: Vec::new() });
        elements.len() - 1
    }

    /// The traffic that a hub's medium or a switch's backplane passes on.
    fn most_bps(&self, device: DeviceId) -> u64 {
        let fabric = self.fabric;
        if let Some(backplane) = self.backplane(device) {
            return fabric.backplanes()[backplane].bps();
        }
        if !is_hub(fabric, device) {
            return UNLIMITED;
        }
        let links = fabric.ports_of(device).filter_map(|port| fabric.port(port).link);
        links.map(|link| fabric.links()[link].rate.bps()).min().unwrap_or(UNLIMITED)
    }

    /// Twice the rate of all links of the bundle that `leader` leads.
    fn bundle_bps(&self, leader: PortId) -> u64 {
        let fabric = self.fabric;
        let ports = fabric.ports_of(fabric.port(leader).device);
        let links = ports
            .filter(|&port| fabric.bundle(port) == fabric.bundle(leader))
            .filter_map(|port| fabric.port(port).link);
        links.map(|link| 2 * fabric.links()[link].rate.bps()).sum()
    }

    /// Returns the node, the device at the other end and twice the rate of a station's link.
    fn station(&self, port: PortId) -> Option<(NodeId, DeviceId, u64)> {
        let fabric = self.fabric;
        let node = fabric.node_of(port);
        let link = fabric.links()[fabric.port(port).link?];
        let beyond = fabric.port(fabric.peer(port)?).device;
        (node.get() < self.n_split).then_some((node, beyond, 2 * link.rate.bps()))
    }
}

fn find(element_of: &[(DeviceId, usize)], device: DeviceId) -> Option<usize> {
    element_of.iter().find(|&&(id, _)| id == device).map(|&(_, element)| element)
}

fn is_hub(fabric: &Fabric, device: DeviceId) -> bool {
    matches!(fabric.kind(device), DeviceKind::Hub(_))
}
