//! One end of a connection by itself, without a network: what its timers and windows do. Whole
//! connections are tested by the laws of a run.

mod networks;

use networks::ideal;
use packet::transport::{Endpoint, Incoming, TcpOptions, TimeoutAction};
use quantity::Time;

const SEGMENT: u32 = 1460;

fn acknowledgement(acknowledged: u64, window: u32) -> Incoming {
    Incoming { sequence: 0, payload: 0, flags: Default::default(), acknowledged, window }
}

/// Returns an end that has written `n` full segments and sent what it may.
fn sender(n: u32, options: &TcpOptions) -> Endpoint {
    let mut end = Endpoint::new(0, 1, options);
    (0..n).for_each(|_| end.buffer(SEGMENT, false));
    while end.send(Time::ZERO, options).is_some() {}
    end
}

#[test]
fn probes_of_a_closed_window_wait_ever_longer_until_it_opens() {
    let options = TcpOptions { receive_buffer: 2 * SEGMENT, ..ideal().tcp };
    let mut end = sender(4, &options);
    let mut now = Time::from_ms(50);
    end.on_acknowledgement(&acknowledgement(2 * u64::from(SEGMENT), 0), now, &options);
    end.watch_closed_window(now, &options);
    let mut waits_ms = Vec::new();
    for _ in 0..4 {
        waits_ms.push((end.timeout_at() - now).ps() / 1_000_000_000);
        now = end.timeout_at();
        assert_eq!(end.on_timeout(now, &options), TimeoutAction::Probe);
    }
    assert_eq!(waits_ms, [200, 400, 800, 1600]);
    end.on_acknowledgement(&acknowledgement(2 * u64::from(SEGMENT), SEGMENT), now, &options);
    assert!(end.may_send());
}
