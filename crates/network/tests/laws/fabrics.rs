//! Small networks for tests, built without the package that builds the real ones: grids of cables
//! or of switches, stars, trees, a front end, and one subnet per segment.

use std::sync::atomic::AtomicBool;

use network::metrics::Part;
use network::{
    Addressing, BackplaneId, BondSpec, CableSpec, DeviceId, DeviceKind, Fabric, FabricError,
    FabricSpec, HubModel, Ip, Network, NodeId, Owner, PortId, QueueLimit, Routing, RoutingError,
    SwitchMode, SwitchModel,
};
use quantity::{Rate, Time};

/// A flag that is never set: no test cancels a count.
pub static GO_ON: AtomicBool = AtomicBool::new(false);

/// A list of devices and cables; ports are added as cables need them.
#[derive(Clone, Debug, Default)]
pub struct Sketch {
    spec: FabricSpec,
}

impl Sketch {
    /// A grid of nodes without cables.
    pub fn nodes(shape: &[u32]) -> Sketch {
        let mut sketch = Sketch::default();
        sketch.spec.shape = shape.to_vec();
        for node in 0..shape.iter().product::<u32>() {
            sketch.device(DeviceKind::Node, &coordinates(shape, node));
        }
        sketch
    }

    /// A grid of nodes with cables between neighbours.
    pub fn cabled(shape: &[u32], wraps: bool) -> Sketch {
        let mut sketch = Sketch::nodes(shape);
        sketch.join_neighbours(shape, wraps);
        sketch
    }

    fn join_neighbours(&mut self, shape: &[u32], wraps: bool) {
        for node in 0..shape.iter().product() {
            for (axis, &side) in shape.iter().enumerate() {
                let at = coordinates(shape, node)[axis] as u32;
                let is_last = at + 1 == side;
                if side > 1 && (!is_last || (wraps && side > 2)) {
                    self.cable(node, beside(shape, node, axis, (at + 1) % side), 100);
                }
            }
        }
    }

    /// A grid of nodes with a cable between every two on a line.
    pub fn meshed(shape: &[u32]) -> Sketch {
        let mut sketch = Sketch::nodes(shape);
        for node in 0..shape.iter().product() {
            for (axis, &side) in shape.iter().enumerate() {
                for to in coordinates(shape, node)[axis] as u32 + 1..side {
                    sketch.cable(node, beside(shape, node, axis, to), 100);
                }
            }
        }
        sketch
    }

    /// A grid of nodes with a switch on each line along each axis. The front end, if any, is on the
    /// first line of the last axis.
    pub fn switched(shape: &[u32], front_end: bool) -> Sketch {
        let mut sketch = Sketch::nodes(shape);
        let n = shape.iter().product();
        let off_grid = vec![-1; shape.len()];
        let front = front_end.then(|| sketch.device(DeviceKind::Node, &off_grid));
        for axis in (0..shape.len()).rev() {
            for first in (0..n).filter(|&node| coordinates(shape, node)[axis] == 0) {
                let mut place = coordinates(shape, first);
                place[axis] = -1;
                let line = sketch.device(switch(None), &place);
                for at in 0..shape[axis] {
                    sketch.cable(beside(shape, first, axis, at), line, 100);
                }
                if let (Some(front), 0, true) = (front, first, axis + 1 == shape.len()) {
                    sketch.cable(front, line, 100);
                }
            }
        }
        sketch
    }

    /// A grid of nodes with a hub on each line along each axis, and a switch that joins the hubs of
    /// an axis. The front end, if any, is on the first hub of each axis.
    pub fn switched_buses(shape: &[u32], front_end: bool) -> Sketch {
        let mut sketch = Sketch::nodes(shape);
        let n = shape.iter().product();
        let off_grid = vec![-1; shape.len()];
        let front = front_end.then(|| sketch.device(DeviceKind::Node, &off_grid));
        for axis in (0..shape.len()).rev() {
            let middle = sketch.device(switch(None), &off_grid);
            for first in (0..n).filter(|&node| coordinates(shape, node)[axis] == 0) {
                let line = sketch.device(hub(), &off_grid);
                for at in 0..shape[axis] {
                    sketch.cable(beside(shape, first, axis, at), line, 100);
                }
                sketch.cable(line, middle, 100);
                if let (Some(front), 0) = (front, first) {
                    sketch.cable(front, line, 100);
                }
            }
        }
        sketch
    }

    /// Groups of nodes whose last axis counts the places in a group, with a switch between each two
    /// neighbouring groups, `forwarders` more nodes beyond the last place of each group, and a
    /// front end, if any, on the first switch.
    pub fn stacked(shape: &[u32], forwarders: u32, front_end: bool) -> Sketch {
        let mut sketch = Sketch::nodes(shape);
        let (&places, groups) = shape.split_last().expect("groups and places");
        let n_groups: u32 = groups.iter().product();
        for forwarder in 0..n_groups * forwarders {
            let mut place = coordinates(groups, forwarder / forwarders);
            place.push((places + forwarder % forwarders) as i32);
            sketch.device(DeviceKind::Node, &place);
        }
        let mut front = front_end.then(|| sketch.device(DeviceKind::Node, &vec![-1; shape.len()]));
        let nodes = |group: u32| {
            let first = n_groups * places + group * forwarders;
            (group * places..(group + 1) * places).chain(first..first + forwarders)
        };
        for (first, axis) in (0..n_groups).flat_map(|g| (0..groups.len()).map(move |k| (g, k))) {
            let (at, side) = (coordinates(groups, first)[axis] as u32, groups[axis]);
            if side == 1 || (side == 2 && at == 1) {
                continue;
            }
            let second = beside(groups, first, axis, (at + 1) % side);
            let stack = sketch.device(switch(None), &vec![-1; shape.len()]);
            nodes(first).chain(nodes(second)).for_each(|node| sketch.cable(node, stack, 100));
            if let Some(front) = front.take() {
                sketch.cable(front, stack, 100);
            }
        }
        sketch
    }

    /// Cabled neighbours, and a front end on an extra port of node 0.
    pub fn cabled_with_front_end(shape: &[u32], wraps: bool) -> Sketch {
        let mut sketch = Sketch::nodes(shape);
        let front = sketch.device(DeviceKind::Node, &vec![-1; shape.len()]);
        sketch.join_neighbours(shape, wraps);
        sketch.cable(0, front, 100);
        sketch
    }

    /// `n` nodes on one hub or switch.
    pub fn star(n: u32, centre: DeviceKind) -> Sketch {
        let mut sketch = Sketch::nodes(&[n]);
        let centre = sketch.device(centre, &[-1]);
        for node in 0..n {
            sketch.cable(node, centre, 100);
        }
        sketch
    }

    /// Leaf switches with `down` nodes and `up` parallel uplinks each, and one root.
    pub fn tree(leaves: u32, down: u32, up: u32, uplink_mbps: u64) -> Sketch {
        let mut sketch = Sketch::nodes(&[leaves * down]);
        let root = sketch.device(switch(None), &[-1]);
        for leaf in 0..leaves {
            let device = sketch.device(switch(None), &[-1]);
            for node in leaf * down..(leaf + 1) * down {
                sketch.cable(node, device, 100);
            }
            for _ in 0..up {
                sketch.cable(device, root, uplink_mbps);
            }
        }
        sketch
    }

    /// A k-ary fat tree of nodes and multipath switches: the cables of nodes come first, then those
    /// of edge switches, then those of aggregation switches, between edge and core switches.
    pub fn fat_tree(k: u32) -> Sketch {
        let half = k / 2;
        let mut sketch = Sketch::nodes(&[k, half, half]);
        let place = |pod: u32, edge: i32| [pod as i32, edge, -1];
        let [mut edges, mut aggregations] = [Vec::new(), Vec::new()];
        for pod in 0..k {
            for edge in 0..half as i32 {
                edges.push(sketch.device(multipath_switch(), &place(pod, edge)));
            }
        }
        for pod in 0..k {
            aggregations
                .extend((0..half).map(|_| sketch.device(multipath_switch(), &place(pod, -1))));
        }
        let cores: Vec<u32> =
            (0..half * half).map(|_| sketch.device(multipath_switch(), &[-1; 3])).collect();
        for node in 0..k * half * half {
            sketch.cable(node, edges[(node / half) as usize], 100);
        }
        for (edge, at) in edges.iter().zip(0..) {
            let pod = at / half;
            (0..half).for_each(|up| {
                sketch.cable(*edge, aggregations[(pod * half + up) as usize], 100);
            });
        }
        for (aggregation, at) in aggregations.iter().zip(0..) {
            let group = at % half;
            (0..half).for_each(|up| {
                sketch.cable(*aggregation, cores[(group * half + up) as usize], 100);
            });
        }
        sketch
    }

    /// `n` nodes with a bond of `buses` ports, each on a hub of its own.
    pub fn bonded(n: u32, buses: u32) -> Sketch {
        let mut sketch = Sketch::nodes(&[n]);
        for _ in 0..buses {
            let bus = sketch.device(hub(), &[-1]);
            (0..n).for_each(|node| sketch.cable(node, bus, 100));
        }
        (0..n).for_each(|node| sketch.bond(node, 0, buses));
        sketch
    }

    /// Bonds consecutive ports of a node.
    pub fn bond(&mut self, node: u32, first_port: u32, n_ports: u32) {
        self.spec.bonds.push(BondSpec { node: NodeId::new(node), first_port, n_ports });
    }

    /// Builds the fabric, or returns the reason why it cannot be built.
    pub fn try_fabric(&self) -> Result<Fabric, FabricError> {
        Fabric::new(self.spec.clone())
    }

    /// Adds a device and returns its id.
    pub fn device(&mut self, kind: DeviceKind, coordinates: &[i32]) -> u32 {
        self.spec.kinds.push(kind);
        self.spec.n_ports.push(0);
        self.spec.coordinates.extend(coordinates);
        self.spec.kinds.len() as u32 - 1
    }

    /// Adds a backplane and returns its id.
    pub fn backplane(&mut self, mbps: u64) -> u32 {
        self.spec.backplanes.push(Rate::from_mbps(mbps));
        self.spec.backplanes.len() as u32 - 1
    }

    /// Changes the kind of a device.
    pub fn replace(&mut self, device: u32, kind: DeviceKind) {
        self.spec.kinds[device as usize] = kind;
    }

    /// Joins two devices by a cable in new ports.
    pub fn cable(&mut self, a: u32, b: u32, mbps: u64) {
        let mut port = |device: u32| {
            self.spec.n_ports[device as usize] += 1;
            (DeviceId::new(device), self.spec.n_ports[device as usize] - 1)
        };
        let (a, b) = (port(a), port(b));
        let rate = Rate::from_mbps(mbps);
        self.spec.cables.push(CableSpec { a, b, rate, delay: Time::from_ns(50) });
    }

    /// Unplugs a cable and leaves its ports empty.
    pub fn unplug(&mut self, cable: usize) {
        self.spec.cables.remove(cable);
    }

    /// Unplugs all cables of a device.
    pub fn kill(&mut self, device: u32) {
        self.spec.cables.retain(|cable| {
            cable.a.0 != DeviceId::new(device) && cable.b.0 != DeviceId::new(device)
        });
    }

    /// Builds the fabric.
    pub fn fabric(&self) -> Fabric {
        Fabric::new(self.spec.clone()).expect("a sketch has no contradictions")
    }

    /// Builds, addresses (see [`address`]) and routes it.
    pub fn network(
        &self,
        scheme: impl Fn(&Fabric) -> Result<Routing, RoutingError>,
    ) -> Result<Network, RoutingError> {
        let fabric = self.fabric();
        let addressing = address(&fabric);
        let routing = scheme(&fabric)?;
        Ok(Network::new(fabric, addressing, routing))
    }
}

/// Every single failure of a cable, of a port with a cable in it, and of a device.
pub fn single_failures(fabric: &Fabric) -> Vec<Vec<Part>> {
    let cables = fabric.links().ids().map(Part::Cable);
    let is_plugged = |&port: &PortId| fabric.port(port).link.is_some();
    let ports = fabric.ports().ids().filter(is_plugged).map(Part::Port);
    let devices = fabric.devices().map(Part::Device);
    cables.chain(ports).chain(devices).map(|part| vec![part]).collect()
}

/// A switch; store and forward, because no test here depends on it.
pub fn switch(backplane: Option<u32>) -> DeviceKind {
    DeviceKind::Switch(SwitchModel {
        mode: SwitchMode::StoreAndForward,
        latency: Time::from_us(5),
        backplane: backplane.map(BackplaneId::new),
        queue: QueueLimit::Bytes(1 << 17),
        ageing: Time::from_ms(300_000),
        is_multipath: false,
    })
}

/// A switch that forwards on all shortest paths.
pub fn multipath_switch() -> DeviceKind {
    match switch(None) {
        DeviceKind::Switch(model) => {
            DeviceKind::Switch(SwitchModel { is_multipath: true, ..model })
        }
        other => other,
    }
}

/// A hub.
pub fn hub() -> DeviceKind {
    DeviceKind::Hub(HubModel { domain_delay: Time::from_ns(600) })
}

/// Gives every node an identity on its loopback (address n of node n), and every segment a subnet
/// of its own with an address for each station; all in IPv4.
pub fn address(fabric: &Fabric) -> Addressing {
    let v4 = |bits: u32| Ip { is_v6: false, bits: bits.into() };
    let identities =
        fabric.nodes().map(|node| (v4(0xAC10_0000 + node.get()), 32, Owner::Loopback(node)));
    let stations = fabric.segments().flat_map(|segment| {
        let first = 0x0A00_0000 + (segment.get() << 10);
        let members = fabric.segment_members(segment);
        (1..).zip(members).map(move |(host, &port)| (v4(first + host), 22, Owner::Port(port)))
    });
    let given: Vec<(Ip, u8, Owner)> = identities.chain(stations).collect();
    Addressing::new(fabric, &given).expect("prefixes of 22 and 32 bits fit")
}

/// Returns the row-major coordinates of a node.
pub fn coordinates(shape: &[u32], node: u32) -> Vec<i32> {
    let mut rest = node;
    let mut place: Vec<i32> = shape
        .iter()
        .rev()
        .map(|side| {
            let at = rest % side;
            rest /= side;
            at as i32
        })
        .collect();
    place.reverse();
    place
}

/// Returns the node that differs from `node` only in its coordinate along `axis`.
fn beside(shape: &[u32], node: u32, axis: usize, at: u32) -> u32 {
    let stride: u32 = shape[axis + 1..].iter().product();
    node + at * stride - coordinates(shape, node)[axis] as u32 * stride
}
