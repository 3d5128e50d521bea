//! The processor time of a transfer on saturated processors: fixed costs count once per largest
//! possible batch, because frames wait in queues, and no interrupts are needed.
//!
//! On an idle path batches are smaller; `transfer_times` computes them. These costs give the number
//! of transfers that a processor can handle.

use host::rx::POLLED_FRAMES;
use host::{AckRule, HostModel};
use quantity::Time;

use super::transfer::Writes;

/// The processor times of a transfer, by task, and its frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Segments.
    pub n_segments: u64,
    /// Bytes of their frames.
    pub frame_bytes: u64,
    /// Number of acknowledgements.
    pub n_acks: u64,
    /// Time of writing and sending, in the process and in its kernel.
    pub send: Time,
    /// Time of receiving data, in the kernel.
    pub receive: Time,
    /// Time of reading, in the process.
    pub read: Time,
    /// Time of relaying data, in the kernel.
    pub forward: Time,
    /// Time of making acknowledgements, in the kernel.
    pub make_acks: Time,
    /// Time of receiving acknowledgements.
    pub take_acks: Time,
    /// Time of relaying acknowledgements.
    pub forward_acks: Time,
}

/// Returns the work of a transfer.
pub fn work(host: &HostModel, writes: Writes, is_v6: bool) -> Work {
    let HostModel { costs, tcp, .. } = host;
    let segment = tcp.largest_payload(is_v6);
    let mut work = Work::default();
    for bytes in [u64::from(writes.header), writes.body].into_iter().filter(|&of| of > 0) {
        work.add_write(host, bytes, is_v6);
    }
    let n_acks = work.n_segments / segments_per_ack(host, segment);
    let ack_ip_bytes = u64::from(tcp.frame_sizes(0, is_v6).0);
    work.n_acks = n_acks;
    work.make_acks = (costs.make_ack + costs.sent) * n_acks;
    work.take_acks = (costs.take_ack + costs.receive_frame) * n_acks;
    work.forward_acks =
        (costs.forward.of(ack_ip_bytes) + costs.receive_frame + costs.sent) * n_acks;
    work
}

/// Returns the work of a stream, long enough that all batches of segments and acknowledgements in
/// it are full.
pub fn work_of_a_stream(host: &HostModel, is_v6: bool) -> Work {
    let segment = host.tcp.largest_payload(is_v6);
    let Together { sent, taken } = Together::new(host, segment);
    let n_segments = sent * taken * segments_per_ack(host, segment);
    let all = work(host, Writes { header: 0, body: n_segments * u64::from(segment) }, is_v6);
    Work { send: all.send - host.costs.write_call, ..all }
}

impl Work {
    fn add_write(&mut self, host: &HostModel, bytes: u64, is_v6: bool) {
        let HostModel { costs, tcp, .. } = host;
        let segment = u64::from(tcp.largest_payload(is_v6));
        let together = Together::new(host, segment as u32);
        self.send += costs.write_call;
        for (payload, n) in pieces(bytes, segment) {
            let frame_bytes = u64::from(tcp.frame_sizes(payload as u32, is_v6).1);
            self.n_segments += n;
            self.send += costs.sent * n;
            self.forward += costs.sent * n;
            self.frame_bytes += frame_bytes * n;
        }
        for (payload, n) in pieces(bytes, together.sent * segment) {
            let more = costs.send_frame * (payload.div_ceil(segment) - 1);
            self.send += (costs.send_fixed + costs.send_copy.of(payload) + more) * n;
        }
        for (payload, n) in pieces(bytes, together.taken * segment) {
            let n_frames = payload.div_ceil(segment);
            let from_interface = costs.receive_frame * n_frames;
            let ip_bytes =
                |(payload, n): (u64, u64)| u64::from(tcp.frame_sizes(payload as u32, is_v6).0) * n;
            let ip_bytes = pieces(payload, segment).map(ip_bytes).sum();
            self.receive += (from_interface + costs.receive.of(payload)) * n;
            self.read += costs.read.of(payload) * n;
            self.forward += (from_interface + host.forward_merged(n_frames, ip_bytes)) * n;
        }
    }
}

/// Returns the pieces of `bytes`: each length, with its number of pieces.
fn pieces(bytes: u64, piece: u64) -> impl Iterator<Item = (u64, u64)> {
    let (n, rest) = (bytes / piece, bytes % piece);
    [(piece, n), (rest, u64::from(rest > 0))].into_iter().filter(|&(_, n)| n > 0)
}

/// Most full segments per batch, handed to the interface and taken from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Together {
    sent: u64,
    taken: u64,
}

impl Together {
    fn new(host: &HostModel, segment_bytes: u32) -> Together {
        let of = |bytes: u32| u64::from((bytes / segment_bytes).max(1));
        let taken = of(host.queues.receive_bytes).min(POLLED_FRAMES as u64);
        Together { sent: of(host.queues.send_bytes), taken }
    }
}

/// Returns the number of full segments per acknowledgement where only batching delays frames.
pub fn segments_per_ack(host: &HostModel, segment_bytes: u32) -> u64 {
    match host.tcp.ack_rule {
        AckRule::EverySegment => Together::new(host, segment_bytes).taken,
        AckRule::EverySecond { .. } | AckRule::Adaptive { .. } | AckRule::FullPairs { .. } => {
            Together::new(host, segment_bytes).taken.max(2)
        }
        // When at most half of the window is left.
        AckRule::OnRead { .. } => {
            let window = host.tcp.window(0, segment_bytes);
            u64::from(window.div_ceil(2).div_ceil(segment_bytes).max(1))
        }
    }
}
