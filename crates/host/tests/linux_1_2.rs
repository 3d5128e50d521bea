//! The acknowledgements of one end of a connection under Linux 1.2, by itself.

use crate::hosts::linux_2_0;
use host::tcp::{Endpoint, Flags, Incoming};
use host::transport::EndpointId;
use host::{AckRule, TcpOptions};
use quantity::Time;

/// `tcp_data`: in order or not, repeated or not, pushed or not.
#[test]
fn every_segment_is_acknowledged_at_once() {
    let options = TcpOptions { ack_rule: AckRule::EverySegment, ..linux_2_0().tcp };
    let mut end = Endpoint::new(EndpointId::new(1), 1460, &options);
    let mut expected = 0;
    for (sequence, payload, push) in
        [(0, 1460, false), (1460, 588, true), (5000, 100, false), (0, 1460, false), (2048, 1, true)]
    {
        let flags = Flags::default().with_if(push, Flags::PUSH);
        let data = Incoming { sequence, payload, flags, acknowledged: 0, window: 8_192 };
        assert!(end.on_data(&data, Time::from_ms(1), &options), "{sequence} {payload}");
        if sequence == expected {
            expected += u64::from(payload);
        }
        assert_eq!(end.receiver.acknowledge(&options).0, expected);
        assert_eq!(end.receiver.ack_at(), Time::MAX, "nothing is owed");
    }
}
