//! A switch that has heard both ends delivers to exactly one port, never back to where a frame came
//! from.

use device::{Egress, ForwardingMode, Switch, SwitchModel};
use proptest::prelude::*;
use quantity::Time;

const MODEL: SwitchModel = SwitchModel {
    mode: ForwardingMode::StoreAndForward,
    latency: Time::from_us(7),
    ageing: Time::from_ms(300_000),
};

/// The bundle number of each port, and the port each member is behind.
fn layouts() -> impl Strategy<Value = (Vec<u32>, Vec<u32>)> {
    (2usize..16).prop_flat_map(|n_ports| {
        let bundles = prop::collection::vec(0..n_ports as u32, n_ports);
        let ports_of_members = prop::collection::vec(0..n_ports as u32, 2..40);
        (bundles, ports_of_members)
    })
}

fn egress_ports(switch: &mut Switch, in_port: u32, src: u32, dst: Option<u32>) -> Vec<u32> {
    match switch.forward(Time::ZERO, in_port, src, dst) {
        Egress::Port(port) => vec![port],
        Egress::Flood => switch.flood_ports(in_port, src, dst).collect(),
        Egress::Filtered => Vec::new(),
    }
}

proptest! {
    #![proptest_config(super::seeded())]

    #[test]
    fn unknown_and_broadcast_frames_reach_every_other_place_once(
        (bundles, port_of) in layouts(), src in any::<prop::sample::Index>(), is_broadcast: bool,
    ) {
        let mut switch = Switch::new(MODEL, &bundles, port_of.len() as u32);
        let src = src.index(port_of.len()) as u32;
        let in_port = port_of[src as usize];
        let dst = if is_broadcast { None } else { Some((src + 1) % port_of.len() as u32) };
        let out = egress_ports(&mut switch, in_port, src, dst);
        let mut reached: Vec<u32> = out.iter().map(|&port| bundles[port as usize]).collect();
        let arrival = bundles[in_port as usize];
        let mut others: Vec<u32> = bundles.iter().copied().filter(|&b| b != arrival).collect();
        others.sort_unstable();
        others.dedup();
        reached.sort_unstable();
        prop_assert_eq!(reached, others);
    }

    #[test]
    fn once_both_ends_have_spoken_a_frame_goes_to_exactly_one_port(
        (bundles, port_of) in layouts(),
        talks in prop::collection::vec(any::<(prop::sample::Index, prop::sample::Index)>(), 1..60),
    ) {
        let n_members = port_of.len() as u32;
        let mut switch = Switch::new(MODEL, &bundles, n_members);
        let mut has_spoken = vec![false; port_of.len()];
        for (src, dst) in talks {
            let (src, dst) = (src.index(port_of.len()), dst.index(port_of.len()));
            let out = egress_ports(&mut switch, port_of[src], src as u32, Some(dst as u32));
            has_spoken[src] = true;
            let (from, to) = (bundles[port_of[src] as usize], bundles[port_of[dst] as usize]);
            prop_assert!(out.iter().all(|&port| bundles[port as usize] != from));
            if !has_spoken[dst] {
                continue;
            }
            let reached: Vec<u32> = out.iter().map(|&port| bundles[port as usize]).collect();
            prop_assert_eq!(reached, if from == to { vec![] } else { vec![to] });
        }
    }

    #[test]
    fn a_conversation_keeps_to_one_port_of_a_bundle(src in 0u32..40, dst in 0u32..40) {
        let bundles = [0, 1, 1, 1, 1];
        let mut switch = Switch::new(MODEL, &bundles, 40);
        switch.forward(Time::ZERO, 1, dst, None);
        prop_assume!(src != dst);
        let first = egress_ports(&mut switch, 0, src, Some(dst));
        switch.forward(Time::ZERO, 3, dst, None);
        prop_assert_eq!(egress_ports(&mut switch, 0, src, Some(dst)), first);
    }
}
