//! The load of a traffic pattern on every link, hub, backplane and processor, and the rate at which
//! the first of them is full.
//!
//! Frames are full ones. Acknowledgements return in the opposite direction, at the rate of hosts
//! that keep up with the data; they share the links of other data, hubs and processors. A hub
//! carries the throughput of stations that always have a next frame (`device::saturation`). Queues,
//! losses and the fairness of flows are left to the other engines: no network carries more than
//! this.

use std::collections::BTreeMap;

use device::ethernet::{ByteTime, GAP_BYTES, PREAMBLE_BYTES};
use device::saturation::{Source, saturate};
use device::{DeviceError, HubConfig};
use host::HostModel;
use network::metrics::Load;
use network::{
    BackplaneId, DeviceId, DeviceKind, Fabric, LinkId, NodeId, PortId, collision_domains,
};
use quantity::{IdVec, Rate, Time};
use simulation::path::{Work, segments_per_ack, work_of_a_stream};

/// Frames in a simulation of a hub; its capacity is then known to 1 %.
const FRAMES_ON_A_HUB: usize = 4_000;
/// Number of stations beyond which a hub's capacity falls no further.
const MOST_STATIONS: u32 = 64;

/// A traffic pattern, as counted on the network: in each round, every sender injects some packets.
#[derive(Clone, Copy, Debug)]
pub struct Traffic<'a> {
    /// Load of the data packets of a round.
    pub data: &'a Load,
    /// Load of the reply packets, one per data packet.
    pub back: &'a Load,
    /// Packets that each node sends in a round.
    pub sent: &'a IdVec<NodeId, u64>,
    /// Packets that each node receives in a round.
    pub received: &'a IdVec<NodeId, u64>,
}

impl Traffic<'_> {
    /// Returns the packets of the busiest sender.
    fn injected(&self) -> f64 {
        self.sent.iter().max().map_or(0, |&most| most) as f64
    }
}

/// A resource that can be full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resource {
    /// One direction of a link, given by the sending port.
    Channel(PortId),
    /// A collision domain, given by its lowest hub.
    Hub(DeviceId),
    /// A backplane.
    Backplane(BackplaneId),
    /// The processors of a node.
    Processor(NodeId),
}

/// The saturation point of a pattern on a network.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Saturation {
    /// User data per second of the busiest sender; the others send in proportion.
    pub rate_bytes_per_s: f64,
    /// The resource that is full first.
    pub bottleneck: Resource,
    /// The busiest channel, given by its sending port, and its packets per packet injected by the
    /// busiest sender.
    pub busiest_link: (PortId, f64),
    /// The busiest forwarder, and its relayed packets per packet injected by the busiest sender.
    pub busiest_forwarder: (NodeId, f64),
}

/// Returns the saturation point of a pattern on a network; `None` if no packet is sent or no
/// resource has a cost.
///
/// # Errors
/// When a hub of the network cannot be simulated.
pub fn saturation(
    fabric: &Fabric,
    host: &HostModel,
    traffic: &Traffic<'_>,
) -> Result<Option<Saturation>, DeviceError> {
    let sizes = Sizes::new(host);
    let channels = channels(fabric, traffic, &sizes);
    let parts = [
        channels.clone(),
        hubs(fabric, traffic, &sizes)?,
        backplanes(fabric, traffic, &sizes),
        processors(fabric, host, traffic, &sizes),
    ];
    let most = parts.into_iter().flatten().fold(None, longer);
    let injected = traffic.injected();
    Ok(most.filter(|&(_, busy_s)| busy_s > 0.0 && injected > 0.0).map(|(bottleneck, busy_s)| {
        Saturation {
            rate_bytes_per_s: injected * f64::from(sizes.payload) / busy_s,
            bottleneck,
            busiest_link: busiest_link(fabric, traffic.data, injected),
            busiest_forwarder: busiest_forwarder(traffic.data, injected),
        }
    }))
}

/// A resource, and the seconds that a round keeps it busy.
type Busy = (Resource, f64);

/// Keeps the busier one; the first of equals.
fn longer(best: Option<Busy>, next: Busy) -> Option<Busy> {
    Some(best.filter(|best| best.1 >= next.1).unwrap_or(next))
}

/// Sizes of a full segment and its acknowledgement, and the processor work of a long stream.
struct Sizes {
    payload: u32,
    frame: (u32, u32),
    /// Acknowledgements per segment.
    share: f64,
    /// The work of a stream of many segments.
    stream: Work,
}

impl Sizes {
    /// Frame sizes for IPv4; IPv6 differs by about 1 %.
    fn new(host: &HostModel) -> Sizes {
        let payload = host.tcp.largest_payload(false);
        let frame = [payload, 0].map(|payload| host.tcp.frame_sizes(payload, false).1);
        Sizes {
            payload,
            frame: frame.into(),
            share: 1.0 / segments_per_ack(host, payload) as f64,
            stream: work_of_a_stream(host, false),
        }
    }

    /// Returns the time that some data packets, and the acknowledgements of some, occupy a medium,
    /// with `extra` bytes around each frame.
    fn occupied_s(&self, rate: Rate, extra: u32, (data, back): (f64, f64)) -> f64 {
        let byte = ByteTime::new(rate);
        let time_s = |frame: u32| byte.of(frame + extra).seconds();
        data * time_s(self.frame.0) + back * self.share * time_s(self.frame.1)
    }
}

/// Returns the packets that cross a link from one end (0: a), as data and as replies.
fn on_link(traffic: &Traffic<'_>, link: LinkId, end: usize) -> (f64, f64) {
    (traffic.data.channels[link][end], traffic.back.channels[link][end])
}

fn is_hub(fabric: &Fabric, device: DeviceId) -> bool {
    matches!(fabric.kind(device), DeviceKind::Hub(_))
}

/// Returns the busy times of both channels of each link that is not on a hub.
fn channels(fabric: &Fabric, traffic: &Traffic<'_>, sizes: &Sizes) -> Vec<Busy> {
    let mut found = Vec::new();
    for (id, link) in fabric.links().with_ids() {
        if [link.a, link.b].into_iter().any(|port| is_hub(fabric, fabric.port(port).device)) {
            continue;
        }
        for (end, port) in [link.a, link.b].into_iter().enumerate() {
            let carried = on_link(traffic, id, end);
            let extra = PREAMBLE_BYTES + GAP_BYTES;
            found.push((Resource::Channel(port), sizes.occupied_s(link.rate, extra, carried)));
        }
    }
    found
}

/// The packets sent into a collision domain.
#[derive(Clone, Copy)]
struct Heard {
    rate: Rate,
    packets: (f64, f64),
    n_senders: u32,
}

fn hubs(fabric: &Fabric, traffic: &Traffic<'_>, sizes: &Sizes) -> Result<Vec<Busy>, DeviceError> {
    let domains = collision_domains(fabric);
    let mut heard: BTreeMap<DeviceId, Heard> = BTreeMap::new();
    for (id, link) in fabric.links().with_ids() {
        for (end, (from, to)) in [(link.a, link.b), (link.b, link.a)].into_iter().enumerate() {
            let [from, to] = [from, to].map(|port| fabric.port(port).device);
            if is_hub(fabric, from) || !is_hub(fabric, to) {
                continue;
            }
            let (data, back) = on_link(traffic, id, end);
            let none = Heard { rate: link.rate, packets: (0.0, 0.0), n_senders: 0 };
            let entry = heard.entry(domains[to].0).or_insert(none);
            entry.packets = (entry.packets.0 + data, entry.packets.1 + back);
            entry.n_senders += u32::from(data + back > 0.0);
        }
    }
    let mut known: BTreeMap<(u32, Rate, quantity::Time), f64> = BTreeMap::new();
    let mut found = Vec::new();
    for (hub, Heard { rate, packets, n_senders }) in heard {
        if n_senders == 0 {
            continue;
        }
        let n_stations = n_senders.min(MOST_STATIONS);
        let domain_delay = domains[hub].1;
        let key = (n_stations, rate, domain_delay);
        let share = match known.get(&key) {
            Some(&share) => share,
            None => {
                let config = HubConfig {
                    n_stations,
                    rate,
                    domain_delay,
                    queue_limit: None,
                    seed: 0,
                    hub_id: 0,
                };
                let source = Source { frame_bytes: sizes.frame.0, spacing: quantity::Time::ZERO };
                let share = saturate(config, source, FRAMES_ON_A_HUB)?.utilisation;
                *known.entry(key).or_insert(share)
            }
        };
        // The hub's utilisation counts frame bits only; contention costs a time per frame, also for
        // short frames.
        let frame_s = sizes.occupied_s(rate, 0, (1.0, 0.0));
        let contention_s = frame_s / share - frame_s;
        let n_frames = packets.0 + packets.1 * sizes.share;
        let busy_s = sizes.occupied_s(rate, 0, packets) + n_frames * contention_s;
        found.push((Resource::Hub(hub), busy_s));
    }
    Ok(found)
}

fn backplanes(fabric: &Fabric, traffic: &Traffic<'_>, sizes: &Sizes) -> Vec<Busy> {
    let mut busy_s = IdVec::filled(0.0, fabric.backplanes().n());
    for (id, link) in fabric.links().with_ids() {
        for (end, to) in [link.b, link.a].into_iter().enumerate() {
            let model = fabric.kind(fabric.port(to).device).switch();
            let Some(backplane) = model.and_then(|model| model.backplane) else { continue };
            let rate = fabric.backplanes()[backplane];
            busy_s[backplane] += sizes.occupied_s(rate, 0, on_link(traffic, id, end));
        }
    }
    busy_s.with_ids().map(|(id, &busy_s)| (Resource::Backplane(id), busy_s)).collect()
}

/// Returns the busy times of the nodes' processors, with their own packets and relayed ones; frames
/// wait in queues, so that batches are as large as possible. Routed switches have none.
fn processors(
    fabric: &Fabric,
    host: &HostModel,
    traffic: &Traffic<'_>,
    sizes: &Sizes,
) -> Vec<Busy> {
    let (tasks, n) = (&sizes.stream, sizes.stream.n_segments as f64);
    let each = |time: Time| time.seconds() / n;
    let (send_s, read_s) = (each(tasks.send), each(tasks.read));
    let kernel_s = [each(tasks.take_acks), each(tasks.receive + tasks.make_acks)];
    let relay_s = [each(tasks.forward), each(tasks.forward_acks)];
    let n_kernel = f64::from(host.processors.n_kernel());
    let busy_s = |node: NodeId| {
        let (sent, received) = (traffic.sent[node] as f64, traffic.received[node] as f64);
        let process_s = sent * send_s + received * read_s;
        let kernel_s = sent * kernel_s[0] + received * kernel_s[1];
        let relayed_s = traffic.data.forwarded[node] as f64 * relay_s[0]
            + traffic.back.forwarded[node] as f64 * relay_s[1];
        if host.processors.n_cpus == 1 {
            return process_s + kernel_s + relayed_s;
        }
        match host.processors.are_apart() {
            true => process_s.max((kernel_s + relayed_s) / n_kernel),
            false => (process_s + kernel_s).max(relayed_s / n_kernel),
        }
    };
    let computers = traffic.sent.ids().filter(|&node| !fabric.is_routed_switch(node));
    computers.map(|node| (Resource::Processor(node), busy_s(node))).collect()
}

fn busiest_link(fabric: &Fabric, data: &Load, injected: f64) -> (PortId, f64) {
    let ends = fabric.links().iter().flat_map(|link| [link.a, link.b]);
    let carried = data.channels.iter().flatten().map(|&packets| packets / injected);
    ends.zip(carried)
        .fold((PortId::new(0), 0.0), |best, next| if next.1 > best.1 { next } else { best })
}

fn busiest_forwarder(data: &Load, injected: f64) -> (NodeId, f64) {
    data.forwarded.with_ids().fold((NodeId::new(0), 0.0), |best, (node, &packets)| {
        let packets = packets as f64 / injected;
        if packets > best.1 { (node, packets) } else { best }
    })
}
