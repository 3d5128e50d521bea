//! Fallback routes never make a loop under a single failure of a cable, a NIC, a hub, a switch, a
//! chassis or a node, whatever the shape.

use network::metrics::{Part, Progress, ReroutingOptions, Watch, rerouting};
use network::{AddressId, DeviceId, Fabric, Network, NodeId, Owner, Routing, RoutingError};

use crate::fabrics::{GO_ON, Sketch, hub, single_failures, switch};

const OPTIONS: ReroutingOptions = ReroutingOptions {
    with_fallback: true,
    with_return_paths: false,
    planner: NodeId::new(0),
    most_examples: 1,
};

type Scheme = fn(&Fabric) -> Result<Routing, RoutingError>;

/// The schemes that derive routes.
const SCHEMES: [Scheme; 3] =
    [Routing::dimension_order, Routing::shortest_path, Routing::shortest_path_with_alternates];

/// Shapes, and the chassis that hold several of their switches.
fn shapes() -> Vec<(Sketch, Vec<Vec<Part>>)> {
    let lone = |sketch: Sketch| (sketch, Vec::new());
    let mut shapes: Vec<(Sketch, Vec<Vec<Part>>)> = Vec::new();
    shapes.extend((3..=8).map(|n| lone(Sketch::cabled(&[n], true))));
    shapes.extend((3..=5).map(|n| lone(Sketch::cabled_with_front_end(&[n], true))));
    let grids: [&[u32]; 7] = [&[3, 3], &[4, 4], &[3, 5], &[5, 6], &[2, 4], &[3, 3, 3], &[2, 3, 4]];
    for shape in grids {
        shapes.push(lone(Sketch::cabled(shape, true)));
        shapes.push(lone(Sketch::cabled(shape, false)));
        shapes.push(lone(Sketch::meshed(shape)));
        shapes.push(lone(Sketch::cabled_with_front_end(shape, true)));
        for front_end in [false, true] {
            shapes.push(lone(Sketch::switched(shape, front_end)));
            shapes.push(in_chassis(Sketch::switched(shape, front_end), 2));
            shapes.push(in_chassis(Sketch::switched(shape, front_end), 3));
        }
    }
    shapes.extend((2..=7).map(|n| lone(Sketch::meshed(&[n]))));
    shapes.push(lone(Sketch::tree(3, 2, 2, 100)));
    shapes.push(lone(Sketch::star(5, hub())));
    shapes
}

/// Puts runs of consecutive switches into one chassis each.
fn in_chassis(mut sketch: Sketch, n_each: usize) -> (Sketch, Vec<Vec<Part>>) {
    let fabric = sketch.fabric();
    let switches: Vec<DeviceId> = fabric.hubs_and_switches().collect();
    for chassis in switches.chunks(n_each) {
        let backplane = sketch.backplane(1000);
        for &device in chassis {
            sketch.replace(device.get(), switch(Some(backplane)));
        }
    }
    let parts = |chassis: &[DeviceId]| chassis.iter().copied().map(Part::Device).collect();
    (sketch, switches.chunks(n_each).map(parts).collect())
}

/// Returns the loopback addresses of all nodes, and all their other addresses.
fn identities(network: &Network) -> [Vec<AddressId>; 2] {
    let addresses = network.addressing.addresses();
    let is_on_port = |&id: &AddressId| matches!(addresses[id].owner, Owner::Port(_));
    let (ports, loopbacks) = addresses.ids().partition(is_on_port);
    [loopbacks, ports]
}

#[test]
fn no_single_failure_makes_a_loop() {
    let mut n_tried = 0;
    for (sketch, chassis) in shapes() {
        for scheme in SCHEMES {
            let Ok(network) = sketch.network(scheme) else { continue };
            let failures = [single_failures(&network.fabric), chassis.clone()].concat();
            for identities in identities(&network) {
                let progress = Progress::default();
                let watch = Watch { stop: &GO_ON, progress: &progress };
                let impacts = rerouting(&network, &identities, &failures, OPTIONS, watch).unwrap();
                for (impact, failure) in impacts.iter().zip(&failures) {
                    assert_eq!(impact.n_looping, 0, "{failure:?} {:?} {sketch:?}", impact.examples);
                    n_tried += 1;
                }
            }
        }
    }
    assert!(n_tried > 10_000, "{n_tried}");
}
