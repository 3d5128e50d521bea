//! Models of hosts: those of a real machine, and some that cost nothing, with a standard TCP and
//! plain byte streams.

use host::{
    AckRule, CongestionControl, HostCosts, HostModel, InterfaceQueues, LinkOptions, MessageCosts,
    MessageProtocol, Processors, ProgressRule, SendBuffer, TcpExtensions, TcpOptions, WindowRule,
};
use quantity::{Cost, Time};

pub fn microseconds(us: f64) -> Time {
    Time::from_seconds(us * 1e-6)
}

fn cost(us: f64, us_per_byte: f64) -> Cost {
    Cost::from_seconds(us * 1e-6, us_per_byte * 1e-6)
}

/// The constants of the calibration pentium-pro-200-linux-2.0.
pub fn linux_2_0() -> HostModel {
    HostModel {
        costs: HostCosts {
            write_call: microseconds(9.0),
            send_fixed: microseconds(24.6),
            send_copy: cost(0.0, 0.015),
            receive: cost(21.0, 0.004),
            read: cost(11.0, 0.006),
            make_ack: microseconds(9.3),
            take_ack: microseconds(16.0),
            forward: cost(31.2, 0.020),
            interrupt: Time::ZERO,
            receive_frame: Time::ZERO,
            send_frame: Time::ZERO,
            sent: Time::ZERO,
        },
        local: None,
        processors: Processors::ONE,
        queues: InterfaceQueues::plain(116, 32),
        links: LinkOptions::PLAIN,
        tcp: TcpOptions {
            segment_bytes: 1460,
            receive_buffer: 16384,
            first_receive_buffer: 0,
            window_rule: WindowRule::HalfInSegments,
            copied_frame: 200,
            ack_rule: AckRule::OnRead { pushed: Time::from_ms(20), longest: Time::from_ms(500) },
            send_buffer: SendBuffer::Segments(9),
            send_buffer_grows: false,
            initial_window: 1,
            fast_retransmit: false,
            holds_tail: false,
            nagle: false,
            fills_waiting: false,
            restart_when_idle: true,
            tick: Time::from_ms(10),
            first_timeout: Time::from_ms(3_000),
            first_round_trip: Time::ZERO,
            timer_margin: Time::ZERO,
            shortest_timeout: Time::from_ms(200),
            longest_timeout: Time::from_ms(120_000),
            most_retransmissions: 15,
            congestion: CongestionControl::Reno,
            extensions: TcpExtensions::PLAIN,
        },
        protocol: MessageProtocol {
            header: 32,
            envelope: 24,
            request: 32,
            clear: 32,
            long_from: 16_384,
            rendezvous_from: 128_000,
            progress: ProgressRule::LowerRank,
            reads_lowest_first: false,
            retry_in_use: 0,
        },
        message_costs: MessageCosts {
            send: microseconds(17.0),
            take: microseconds(50.5),
            watch: Time::ZERO,
            look: Time::ZERO,
            short_copy: cost(0.0, 0.003),
            long_copy: cost(0.0, 0.034),
        },
        disk: None,
    }
}

/// Hosts that cost nothing, with a standard TCP and plain byte streams.
pub fn ideal() -> HostModel {
    let mut host = linux_2_0();
    host.costs = HostCosts {
        write_call: Time::ZERO,
        send_fixed: Time::ZERO,
        send_copy: Cost::ZERO,
        receive: Cost::ZERO,
        read: Cost::ZERO,
        make_ack: Time::ZERO,
        take_ack: Time::ZERO,
        forward: Cost::ZERO,
        interrupt: Time::ZERO,
        receive_frame: Time::ZERO,
        send_frame: Time::ZERO,
        sent: Time::ZERO,
    };
    host.queues = InterfaceQueues::plain(100, 1000);
    host.tcp = TcpOptions {
        receive_buffer: 131_072,
        window_rule: WindowRule::Free,
        ack_rule: AckRule::EverySecond { delay: Time::from_ms(40) },
        send_buffer: SendBuffer::Bytes(131_072),
        initial_window: 10,
        fast_retransmit: true,
        restart_when_idle: false,
        tick: Time::ZERO,
        first_timeout: Time::from_ms(1_000),
        ..host.tcp
    };
    host.protocol = MessageProtocol {
        header: 0,
        envelope: 0,
        request: 0,
        clear: 0,
        long_from: u64::MAX,
        rendezvous_from: u64::MAX,
        progress: ProgressRule::Both,
        reads_lowest_first: false,
        retry_in_use: 0,
    };
    host.message_costs = MessageCosts {
        send: Time::ZERO,
        take: Time::ZERO,
        watch: Time::ZERO,
        look: Time::ZERO,
        short_copy: Cost::ZERO,
        long_copy: Cost::ZERO,
    };
    host
}
