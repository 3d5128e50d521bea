//! The constants of the hosts: what a calibration says, as every engine takes it. Names and units
//! are those of the calibration files.

use host::{
    AckRule, CongestionControl, DiskModel, DrainRule, HostCosts, HostModel, InterfaceQueues,
    LinkOptions, MessageCosts, MessageProtocol, Neighbours, Processors, SendBuffer, Steering,
    TcpExtensions, TcpOptions, WindowRule,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use quantity::{Cost, Time};

use crate::host_rules::{
    MOST_CPUS, expect_costs, expect_headers, expect_some, expect_times, expect_window,
};

/// A cost as Python gives it: (microseconds, microseconds per byte).
type CostPair = (f64, f64);

/// A disk as Python gives it: access, read, write and copy, and the bytes written in one go.
type DiskTuple = (CostPair, CostPair, CostPair, CostPair, u64);

/// The constants of a calibration, as the items of a dictionary.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct HostTable {
    write_call: CostPair,
    send: CostPair,
    receive: CostPair,
    read: CostPair,
    make_ack: CostPair,
    take_ack: CostPair,
    forward: CostPair,
    interrupt: CostPair,
    receive_frame: CostPair,
    send_frame: CostPair,
    cpus: u32,
    receive_queues: u32,
    steers_by_hash: bool,
    steers_to_process: bool,
    transmit_frames: u32,
    receive_frames: u32,
    interrupt_hold_us: f64,
    interrupt_frames: u32,
    tso_bytes: u32,
    gro_bytes: u32,
    mark_above_frames: u32,
    arp_cold: bool,
    arp_waiting_frames: u32,
    arp_retry_us: f64,
    arp_tries: u32,
    ttl: u8,
    datagram_buffer_bytes: u32,
    pauses: bool,
    segment_bytes: u32,
    receive_buffer_bytes: u32,
    window_in_half_segments: bool,
    ack_rule: AckName,
    ack_delay_us: f64,
    ack_longest_us: f64,
    send_buffer_segments: Option<u32>,
    spares_first_segment: bool,
    send_buffer_bytes: u32,
    initial_window: u32,
    fast_retransmit: bool,
    restart_when_idle: bool,
    tick_us: f64,
    first_timeout_us: f64,
    shortest_timeout_us: f64,
    longest_timeout_us: f64,
    most_retransmissions: u32,
    congestion: CongestionName,
    sack: bool,
    limited_transmit: bool,
    timestamps: bool,
    window_scaling: bool,
    ecn: bool,
    window_counts_segments: bool,
    local_drops: bool,
    header_bytes: u32,
    envelope_bytes: u32,
    control_bytes: u32,
    long_from: u64,
    rendezvous_from: u64,
    both_drain: bool,
    send_call: CostPair,
    take: CostPair,
    short_copy: CostPair,
    long_copy: CostPair,
    disk: Option<DiskTuple>,
}

impl HostTable {
    /// Returns the constants as engines take them.
    ///
    /// # Errors
    /// When one of them cannot have its value.
    pub fn model(&self) -> PyResult<HostModel> {
        self.expect_sound()?;
        Ok(HostModel {
            costs: HostCosts {
                write_call: fixed(self.write_call),
                send_fixed: fixed(self.send),
                send_copy: cost((0.0, self.send.1)),
                receive: cost(self.receive),
                read: cost(self.read),
                make_ack: fixed(self.make_ack),
                take_ack: fixed(self.take_ack),
                forward: cost(self.forward),
                interrupt: fixed(self.interrupt),
                receive_frame: fixed(self.receive_frame),
                send_frame: fixed(self.send_frame),
            },
            processors: self.processors(),
            queues: InterfaceQueues {
                transmit: self.transmit_frames,
                receive: self.receive_frames,
                interrupt_hold: microseconds(self.interrupt_hold_us),
                interrupt_frames: self.interrupt_frames,
                send_bytes: self.tso_bytes,
                receive_bytes: self.gro_bytes,
                mark_above: self.mark_above_frames,
            },
            links: self.links(),
            tcp: self.tcp(),
            protocol: MessageProtocol {
                header: self.header_bytes,
                envelope: self.envelope_bytes,
                control: self.control_bytes,
                long_from: self.long_from,
                rendezvous_from: self.rendezvous_from,
                drain: match self.both_drain {
                    true => DrainRule::Both,
                    false => DrainRule::LowerRank,
                },
            },
            message_costs: MessageCosts {
                send: fixed(self.send_call),
                take: fixed(self.take),
                short_copy: cost(self.short_copy),
                long_copy: cost(self.long_copy),
            },
            disk: self.disk.map(disk),
        })
    }

    fn expect_sound(&self) -> PyResult<()> {
        expect_costs(&[
            ("write_call", self.write_call),
            ("send", self.send),
            ("receive", self.receive),
            ("read", self.read),
            ("make_ack", self.make_ack),
            ("take_ack", self.take_ack),
            ("forward", self.forward),
            ("interrupt", self.interrupt),
            ("receive_frame", self.receive_frame),
            ("send_frame", self.send_frame),
            ("send_call", self.send_call),
            ("take", self.take),
            ("short_copy", self.short_copy),
            ("long_copy", self.long_copy),
        ])?;
        if let Some((access, read, write, copy, _)) = self.disk {
            expect_costs(&[("access", access), ("read", read), ("write", write), ("copy", copy)])?;
        }
        expect_times(&[
            ("interrupt_hold_us", self.interrupt_hold_us),
            ("arp_retry_us", self.arp_retry_us),
            ("ack_delay_us", self.ack_delay_us),
            ("ack_longest_us", self.ack_longest_us),
            ("tick_us", self.tick_us),
            ("first_timeout_us", self.first_timeout_us),
            ("shortest_timeout_us", self.shortest_timeout_us),
            ("longest_timeout_us", self.longest_timeout_us),
        ])?;
        expect_some(&[
            ("cpus", self.cpus, MOST_CPUS),
            ("receive_queues", self.receive_queues, MOST_CPUS),
            ("initial_window", self.initial_window, u32::MAX),
        ])?;
        expect_headers(&[
            ("header_bytes", self.header_bytes),
            ("envelope_bytes", self.envelope_bytes),
            ("control_bytes", self.control_bytes),
        ])?;
        let halves = if self.window_in_half_segments { 2 } else { 1 };
        expect_window(self.segment_bytes, self.receive_buffer_bytes / halves)
    }

    fn processors(&self) -> Processors {
        let steering = match (self.steers_by_hash, self.steers_to_process) {
            (_, true) => Steering::ProcessCpu,
            (true, false) => Steering::FlowHash,
            (false, false) => Steering::One,
        };
        Processors { n_cpus: self.cpus, n_receive_queues: self.receive_queues, steering }
    }

    fn links(&self) -> LinkOptions {
        let neighbours = match self.arp_cold {
            false => Neighbours::Warm,
            true => Neighbours::Cold {
                waiting: self.arp_waiting_frames,
                retry: microseconds(self.arp_retry_us),
                tries: self.arp_tries,
            },
        };
        LinkOptions {
            neighbours,
            ttl: self.ttl,
            datagram_buffer: self.datagram_buffer_bytes,
            pause: self.pauses,
        }
    }

    fn tcp(&self) -> TcpOptions {
        let window_rule = match self.window_in_half_segments {
            true => WindowRule::HalfInSegments,
            false => WindowRule::Free,
        };
        let delay = microseconds(self.ack_delay_us);
        let longest = microseconds(self.ack_longest_us);
        let ack_rule = match self.ack_rule {
            AckName::OnRead => AckRule::OnRead { pushed: delay, longest },
            AckName::FullPairs => AckRule::FullPairs { pushed: delay, longest },
            AckName::EverySecond => AckRule::EverySecond { delay },
            AckName::Adaptive => AckRule::Adaptive { shortest: delay, longest },
        };
        let send_buffer = match self.send_buffer_segments {
            Some(segments) if self.spares_first_segment => SendBuffer::SegmentsBehind(segments),
            Some(segments) => SendBuffer::Segments(segments),
            None => SendBuffer::Bytes(self.send_buffer_bytes),
        };
        TcpOptions {
            segment_bytes: self.segment_bytes,
            receive_buffer: self.receive_buffer_bytes,
            window_rule,
            ack_rule,
            send_buffer,
            initial_window: self.initial_window,
            fast_retransmit: self.fast_retransmit,
            restart_when_idle: self.restart_when_idle,
            tick: microseconds(self.tick_us),
            first_timeout: microseconds(self.first_timeout_us),
            shortest_timeout: microseconds(self.shortest_timeout_us),
            longest_timeout: microseconds(self.longest_timeout_us),
            most_retransmissions: self.most_retransmissions,
            congestion: self.congestion.0,
            extensions: TcpExtensions {
                sack: self.sack,
                limited_transmit: self.limited_transmit,
                timestamps: self.timestamps,
                window_scaling: self.window_scaling,
                // DCTCP is nothing without marks.
                ecn: self.ecn || self.congestion.0 == CongestionControl::Dctcp,
                counts_segments: self.window_counts_segments,
                local_drops: self.local_drops,
            },
        }
    }
}

/// When received data are acknowledged, by its name.
#[derive(Clone, Copy)]
enum AckName {
    EverySecond,
    Adaptive,
    FullPairs,
    OnRead,
}

impl FromPyObject<'_, '_> for AckName {
    type Error = PyErr;

    fn extract(name: Borrowed<'_, '_, PyAny>) -> PyResult<AckName> {
        match name.extract::<&str>()? {
            "every-second" => Ok(AckName::EverySecond),
            "adaptive" => Ok(AckName::Adaptive),
            "full-pairs" => Ok(AckName::FullPairs),
            "on-read" => Ok(AckName::OnRead),
            other => Err(unknown("ack_rule", other)),
        }
    }
}

/// How the congestion window grows, by its name.
#[derive(Clone, Copy)]
struct CongestionName(CongestionControl);

impl FromPyObject<'_, '_> for CongestionName {
    type Error = PyErr;

    fn extract(name: Borrowed<'_, '_, PyAny>) -> PyResult<CongestionName> {
        match name.extract::<&str>()? {
            "reno" => Ok(CongestionName(CongestionControl::Reno)),
            "cubic" => Ok(CongestionName(CongestionControl::Cubic)),
            "dctcp" => Ok(CongestionName(CongestionControl::Dctcp)),
            "linux-2.0" => Ok(CongestionName(CongestionControl::Linux20)),
            other => Err(unknown("congestion", other)),
        }
    }
}

fn unknown(constant: &str, name: &str) -> PyErr {
    PyValueError::new_err(format!("{constant} cannot be '{name}'"))
}

fn microseconds(us: f64) -> Time {
    Time::from_seconds(us * 1e-6)
}

fn cost((us, us_per_byte): CostPair) -> Cost {
    Cost::from_seconds(us * 1e-6, us_per_byte * 1e-6)
}

fn disk((access, read, write, copy, gather): DiskTuple) -> DiskModel {
    DiskModel {
        access: fixed(access),
        read: cost(read),
        write: cost(write),
        copy: cost(copy),
        gather,
    }
}

fn fixed((us, _): CostPair) -> Time {
    microseconds(us)
}
