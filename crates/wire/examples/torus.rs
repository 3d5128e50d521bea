//! Timing of a torus with a route to every identity.
use std::net::{IpAddr, Ipv4Addr};
use std::time::Instant;
use wire::kernel::*;

fn main() {
    let side: u32 = std::env::args().nth(1).unwrap().parse().unwrap();
    let n = side * side;
    let id = |node: u32| IpAddr::V4(Ipv4Addr::from(0x0a000001 + node));
    // cable k of node: 0 right, 1 down; link address 10.1.x
    let link = |node: u32, axis: u32, end: u32| {
        IpAddr::V4(Ipv4Addr::from(0x0a800000 + (node * 2 + axis) * 4 + 1 + end))
    };
    let right = |node: u32| node / side * side + (node % side + 1) % side;
    let left = |node: u32| node / side * side + (node % side + side - 1) % side;
    let down = |node: u32| (node + side) % n;
    let up = |node: u32| (node + n - side) % n;
    let specs: Vec<NodeSpec> = (0..n)
        .map(|node| {
            let ends = [
                (link(node, 0, 0), link(node, 0, 1)),
                (link(left(node), 0, 1), link(left(node), 0, 0)),
                (link(node, 1, 0), link(node, 1, 1)),
                (link(up(node), 1, 1), link(up(node), 1, 0)),
            ];
            let mut interfaces: Vec<InterfaceSpec> = (0..4)
                .map(|k| InterfaceSpec {
                    name: format!("eth{k}"),
                    mac: [2, 0, 0, (node >> 8) as u8, node as u8, k as u8],
                    mtu: 1500,
                    addresses: vec![(ends[k].0, 30)],
                })
                .collect();
            interfaces.push(InterfaceSpec {
                name: "id0".into(),
                mac: [2, 0, 0, (node >> 8) as u8, node as u8, 9],
                mtu: 1500,
                addresses: vec![(id(node), 32)],
            });
            let routes = (0..n)
                .filter(|&to| to != node)
                .map(|to| {
                    let (y, x, ty, tx) = (node / side, node % side, to / side, to % side);
                    let k = if x != tx {
                        if (tx + side - x) % side <= side / 2 { 0 } else { 1 }
                    } else if (ty + side - y) % side <= side / 2 {
                        2
                    } else {
                        3
                    };
                    RouteSpec {
                        destination: id(to),
                        prefix_length: 32,
                        via: Some(ends[k].1),
                        interface: k as u32,
                        metric: 1,
                        source: Some(id(node)),
                    }
                })
                .collect();
            let _ = (right, down);
            NodeSpec {
                hostname: format!("n{node:03}"),
                interfaces,
                routes,
                neighbours: vec![],
                sysctls: vec![
                    ("ipv4/ip_forward".into(), "1".into()),
                    ("ipv6/conf/default/disable_ipv6".into(), "1".into()),
                ],
            }
        })
        .collect();
    let begin = Instant::now();
    let nodes = bring_up(&specs).unwrap();
    let took = begin.elapsed();
    let begin = Instant::now();
    let shown = std::process::Command::new("nsenter")
        .arg(format!(
            "--net=/proc/{}/fd/{}",
            std::process::id(),
            std::os::fd::AsRawFd::as_raw_fd(&nodes[1].namespace.net())
        ))
        .args(["sh", "-c", "ip route | wc -l; ip route get 10.0.0.9; ip -br a"])
        .output()
        .unwrap();
    println!(
        "{}{}",
        String::from_utf8_lossy(&shown.stdout),
        String::from_utf8_lossy(&shown.stderr)
    );
    drop(begin);
    let begin = Instant::now();
    let all: Vec<IpAddr> = (0..n).map(id).collect();
    let found: usize = on_own_threads(|| {
        use rayon::prelude::*;
        nodes
            .par_iter()
            .map(|node| {
                node.look_up(&all)
                    .unwrap()
                    .iter()
                    .filter(|x| matches!(x, Lookup::Via { .. } | Lookup::Local))
                    .count()
            })
            .sum()
    });
    println!("{found} lookups in {:?}", begin.elapsed());
    let begin = Instant::now();
    drop(nodes);
    println!("{n} nodes up {:?}, down {:?}", took, begin.elapsed());
}
