//! The profile of one transfer on its path: its weight on each resource, and its times on an idle
//! path.
//!
//! On an idle path a transfer takes exactly the time of `simulation::path`. Part of that is its
//! volume, which drains at a rate shared with others; the rest is fixed latency: the filling of
//! stages, processors at the ends, waits for acknowledgements. Profiles are computed once for equal
//! transfers.

use std::collections::BTreeMap;

use host::{AckRule, HostModel, SendBuffer};
use quantity::{IdVec, Time};
use simulation::path::{
    Bottleneck, ConnectionState, LastAcks, Path, TransferTimes, Work, Writes, steady_state,
    transfer_times, work,
};

use crate::claims::{Claim, Task};
use crate::passage::{AckSizes, Passage};
use crate::units::{
    CAPACITY, FlowRate, UNLIMITED, Volume, Weight, carried, duration, level, rate, volume, weight,
};

quantity::id! {
    /// Index of a class of similar connections.
    pub(crate) ClassId;
    /// Index of a profile.
    pub(crate) ProfileId;
}

/// A header and the segment right behind it are noticed as one.
const SEGMENTS_AT_ONCE: u64 = 2;
/// The most bytes of a burst: a message of 64 KiB and what goes with it. Larger transfers share the
/// resources on their way.
pub(crate) const MOST_OF_A_BURST: u64 = 68 << 10;
/// Preamble and gap.
const BYTES_AROUND_A_FRAME: u64 = 20;

/// A transfer on its path.
#[derive(Clone, Debug)]
pub(crate) struct Profile {
    pub volume: Volume,
    /// The rate that it cannot exceed on an idle network.
    pub cap: FlowRate,
    /// Per claim of its class, data first.
    pub weights: Vec<Weight>,
    /// Per claim, by place: the part of the weight that is kernel work.
    pub kernel: Vec<(u32, Weight)>,
    /// Wait for the congestion window to open, before it drains.
    pub opening: Time,
    /// From the beginning until the receiving kernel has its first segment.
    pub reached: Time,
    /// From the beginning until the receiving kernel has all of the transfer.
    taken: Time,
    /// Whether its first segment arrives so far ahead of its last that the receiver can begin to
    /// read.
    pub has_head: bool,
    /// From the end of draining until the receiving kernel has all of the transfer.
    pub latency: Time,
    /// From the last kernel receipt to the last read, for a process that was reading throughout.
    pub tail: Time,
    /// From the last kernel receipt to the last read, for a process that finds the transfer, or as
    /// much of it as the receive buffer holds, waiting.
    pub late_tail: Time,
    /// Return of the write if the send buffer holds the whole transfer.
    pub written: Time,
    /// Volume left to drain when the write returns, if the send buffer is smaller than the
    /// transfer.
    pub left_when_written: Volume,
    /// Whether nearly all of it leaves without waiting for an acknowledgement.
    pub leaves_at_once: bool,
    /// Its way as a burst; empty for a larger transfer.
    pub passage: Passage,
    pub n_segments: u32,
    pub bytes: u64,
    /// Mean length of the frames.
    pub frame_bytes: u32,
    pub congestion_window: u32,
    /// From the departure of the last acknowledgements to the last read.
    pub acks: LastAcks,
}

impl Profile {
    /// Returns the time from the start of draining until the receiving kernel has it all.
    pub fn open(&self) -> Time {
        self.taken.saturating_sub(self.opening)
    }
}

/// Connections that differ only in the identity of their resources.
#[derive(Debug)]
struct Class {
    path: Path,
    data: Vec<Claim>,
    acks: Vec<Claim>,
    /// Steady-state rate if the window limits it; computed on first use.
    window_cap: Option<FlowRate>,
    /// Travel time of an acknowledgement back to the sender; computed on first use.
    time_back: Option<Time>,
}

/// Returns the bytes on the wire of a transfer.
fn wire_bytes(work: &Work) -> u64 {
    work.frame_bytes + BYTES_AROUND_A_FRAME * work.n_segments
}

type ClassKey = (Path, Vec<Claim>, Vec<Claim>);

/// All classes and profiles so far.
#[derive(Debug)]
pub(crate) struct Profiles {
    host: HostModel,
    classes: IdVec<ClassId, Class>,
    class_of: BTreeMap<ClassKey, ClassId>,
    profiles: IdVec<ProfileId, Profile>,
    profile_of: BTreeMap<(ClassId, Writes, ConnectionState), ProfileId>,
}

impl Profiles {
    pub fn new(host: &HostModel) -> Profiles {
        Profiles {
            host: *host,
            classes: IdVec::new(),
            class_of: BTreeMap::new(),
            profiles: IdVec::new(),
            profile_of: BTreeMap::new(),
        }
    }

    /// Returns the class of connections with this path and these claims.
    pub fn class(&mut self, path: Path, data: Vec<Claim>, acks: Vec<Claim>) -> ClassId {
        let key = (path, data, acks);
        if let Some(&class) = self.class_of.get(&key) {
            return class;
        }
        let (path, data, acks) = key.clone();
        let class =
            self.classes.push(Class { path, data, acks, window_cap: None, time_back: None });
        self.class_of.insert(key, class);
        class
    }

    /// Returns a profile.
    #[inline]
    pub fn get(&self, profile: ProfileId) -> &Profile {
        &self.profiles[profile]
    }

    /// Returns the profile of a transfer.
    pub fn find(&mut self, class: ClassId, writes: Writes, opening: ConnectionState) -> ProfileId {
        let key = (class, writes, opening);
        if let Some(&profile) = self.profile_of.get(&key) {
            return profile;
        }
        let profile = self.work_out(class, writes, opening);
        let id = self.profiles.push(profile);
        self.profile_of.insert(key, id);
        id
    }

    /// Returns the payload of a full segment.
    pub fn segment_bytes(&self, class: ClassId) -> u32 {
        self.host.tcp.largest_payload(self.classes[class].path.is_v6())
    }

    /// Returns the most bytes that can arrive on a connection while its process reads none.
    pub fn most_unread(&self, class: ClassId) -> u64 {
        u64::from(self.host.tcp.most_unread(self.segment_bytes(class)))
    }

    /// Returns the volume of a full window of this kind of transfer.
    pub fn window(&self, class: ClassId, profile: ProfileId) -> Volume {
        let Profile { volume, bytes, .. } = self.get(profile);
        let window = self.host.tcp.window(0, self.segment_bytes(class));
        volume / Volume::from(*bytes) * Volume::from(window)
    }

    /// Returns the travel time of a window update from the receiver to the sender, given the class
    /// of the reverse connection.
    pub fn time_back(&mut self, back: ClassId) -> Time {
        if let Some(time) = self.classes[back].time_back {
            return time;
        }
        let word = Writes { header: 0, body: 1 };
        let word =
            transfer_times(&self.classes[back].path, &self.host, word, ConnectionState::silent(1));
        let time = word.taken.saturating_sub(word.departed);
        self.classes[back].time_back = Some(time);
        time
    }

    fn work_out(&mut self, class: ClassId, writes: Writes, opening: ConnectionState) -> Profile {
        let times = transfer_times(&self.classes[class].path, &self.host, writes, opening);
        let window = opening.congestion_window;
        let transfer = work(&self.host, writes, self.classes[class].path.is_v6());
        let (weights, kernel) = self.weights(class, &transfer);
        let n_data = self.classes[class].data.len();
        let full = CAPACITY as i128;
        // A flow is limited to the rate at which its acknowledgements alone fill a resource on
        // their path.
        let ack_cap = weights[n_data..].iter().filter(|&&w| w > 0).map(|&w| level(full, w)).min();
        let cap = self.window_cap(class, writes).min(ack_cap.unwrap_or(UNLIMITED));
        let cap = cap.min(self.of_one_processor(class, &weights));
        let alone = weights[..n_data].iter().filter(|&&w| w > 0).map(|&w| level(full, w)).min();
        let alone = alone.unwrap_or(UNLIMITED).min(cap);
        let TransferTimes { written, reached, taken, read, acks, .. } = times;
        let warm = self.taken_warm(class, writes, opening).unwrap_or(taken);
        let opening = taken.saturating_sub(warm);
        let open = taken.saturating_sub(opening);
        // The gap behind the last frame occupies the wire but does not delay the transfer.
        let volume = volume(wire_bytes(&transfer)).min(carried(alone, open));
        let draining = duration(volume, alone).unwrap_or(Time::MAX);
        let tail = read.saturating_sub(taken);
        let window = window.min(self.most_in_flight());
        let leaves_at_once = transfer.n_segments <= 2 * u64::from(window);
        let is_burst = writes.bytes() <= MOST_OF_A_BURST
            && self.hold(transfer.n_segments as u32, writes.bytes());
        let passage = match is_burst {
            true => self.passage(class, &transfer, (&times, open)),
            false => Passage::default(),
        };
        let has_head = transfer.n_segments > SEGMENTS_AT_ONCE && passage.stages.is_empty();
        Profile {
            volume,
            cap,
            weights,
            kernel,
            opening,
            reached,
            has_head,
            taken,
            latency: open.saturating_sub(draining),
            tail,
            late_tail: tail.max(self.reading(writes)),
            written,
            left_when_written: volume
                .saturating_sub(carried(alone, written.saturating_sub(opening))),
            leaves_at_once: leaves_at_once && passage.stages.is_empty(),
            passage,
            n_segments: transfer.n_segments as u32,
            bytes: writes.bytes(),
            frame_bytes: (transfer.frame_bytes / transfer.n_segments.max(1)) as u32,
            // Acknowledgements still outstanding open it further before its next use.
            congestion_window: times.congestion_window.max((window + 1).min(self.most_in_flight())),
            acks: acks
                .map(|ack| if ack > Time::ZERO { read.saturating_sub(ack) } else { Time::MAX }),
        }
    }

    /// Returns the arrival of the whole transfer with an open congestion window; `None` if it is
    /// open already.
    fn taken_warm(
        &mut self,
        class: ClassId,
        writes: Writes,
        opening: ConnectionState,
    ) -> Option<Time> {
        let congestion_window = self.most_in_flight();
        (opening.congestion_window < congestion_window).then(|| {
            let warm = self.find(class, writes, ConnectionState { congestion_window, ..opening });
            self.get(warm).taken
        })
    }

    fn most_in_flight(&self) -> u32 {
        let tcp = &self.host.tcp;
        tcp.window(0, tcp.segment_bytes) / tcp.segment_bytes + 2
    }

    /// Returns the rate that the window allows a transfer of several windows.
    fn window_cap(&mut self, id: ClassId, writes: Writes) -> FlowRate {
        let tcp = &self.host.tcp;
        let class = &self.classes[id];
        let is_v6 = class.path.is_v6();
        let segment = tcp.largest_payload(is_v6);
        if writes.bytes() <= 2 * u64::from(tcp.window(0, segment)) {
            return UNLIMITED;
        }
        if let Some(cap) = class.window_cap {
            return cap;
        }
        let pace = steady_state(&class.path, &self.host);
        let cap = match pace.bottleneck {
            Bottleneck::Window => {
                let writes = Writes { header: 0, body: pace.bytes };
                rate(wire_bytes(&work(&self.host, writes, is_v6)), pace.period)
            }
            _ => UNLIMITED,
        };
        self.classes[id].window_cap = Some(cap);
        cap
    }

    /// Returns the reading time of a process that finds all of a transfer waiting, or as much of it
    /// as the receive buffer holds.
    fn reading(&self, writes: Writes) -> Time {
        let tcp = &self.host.tcp;
        let waiting = writes.bytes().min(u64::from(tcp.most_unread(tcp.segment_bytes)));
        let all = Writes { header: 0, body: waiting };
        let header = u64::from(u32::from(writes.header > 0));
        work(&self.host, all, false).read + self.host.costs.read.of(0) * header
    }

    fn ack_sizes(&self, path: &Path, transfer: &Work) -> AckSizes {
        let each = u64::from(self.host.tcp.frame_sizes(0, path.is_v6()).1);
        AckSizes {
            frame_bytes: each * transfer.n_acks,
            wire_bytes: (each + BYTES_AROUND_A_FRAME) * transfer.n_acks,
        }
    }

    fn passage(&self, class: ClassId, transfer: &Work, times: (&TransferTimes, Time)) -> Passage {
        let Class { path, data, acks, .. } = &self.classes[class];
        let sizes = (transfer, wire_bytes(transfer), self.ack_sizes(path, transfer));
        Passage::new(&self.host, data.iter().chain(acks), sizes, times)
    }

    fn weights(&self, class: ClassId, transfer: &Work) -> (Vec<Weight>, Vec<(u32, Weight)>) {
        let Class { path, data, acks, .. } = &self.classes[class];
        let mut kernel = Vec::new();
        let mut weights = Vec::with_capacity(data.len() + acks.len());
        let wire_bytes = wire_bytes(transfer);
        let acks_of = self.ack_sizes(path, transfer);
        for (place, claim) in (0..).zip(data.iter().chain(acks)) {
            let (work, of_kernel) = self.work(claim.task, transfer);
            if of_kernel > Time::ZERO {
                kernel.push((place, weight(of_kernel, wire_bytes)));
            }
            let part = |weight: Weight, bytes: u64| {
                (u128::from(weight) * u128::from(bytes) / u128::from(wire_bytes)) as Weight
            };
            weights.push(
                claim.wire
                    + part(claim.frame, transfer.frame_bytes)
                    + part(claim.ack_wire, acks_of.wire_bytes)
                    + part(claim.ack_frame, acks_of.frame_bytes)
                    + weight(work, wire_bytes),
            );
        }
        (weights, kernel)
    }

    /// Returns the rate at which one of several kernel processors is full: all work for one
    /// connection is steered to one of them.
    fn of_one_processor(&self, class: ClassId, weights: &[Weight]) -> FlowRate {
        let n_kernel = u64::from(self.host.processors.n_kernel());
        if n_kernel == 1 {
            return UNLIMITED;
        }
        let is_shared =
            |task| matches!(task, Task::TakeAcks | Task::TakeData | Task::Forward { .. });
        let claims = self.classes[class].data.iter().zip(weights);
        let shared = claims.filter(|&(claim, &weight)| is_shared(claim.task) && weight > 0);
        let levels = shared.map(|(_, &weight)| level(CAPACITY as i128, weight * n_kernel));
        levels.min().unwrap_or(UNLIMITED)
    }

    /// Returns the processor time of a task (spread over all processors if they share it), and the
    /// part of it that the kernel does on the processor of the process.
    fn work(&self, task: Task, transfer: &Work) -> (Time, Time) {
        let processors = &self.host.processors;
        let shared = |work: Time| Time::from_ps(work.ps() / u64::from(processors.n_kernel()));
        match task {
            Task::Nothing => (Time::ZERO, Time::ZERO),
            Task::TakeAcks => (shared(transfer.take_acks), Time::ZERO),
            Task::TakeData => (shared(transfer.receive + transfer.make_acks), Time::ZERO),
            Task::Send if processors.are_apart() => (transfer.send, Time::ZERO),
            Task::Receive if processors.are_apart() => (transfer.read, Time::ZERO),
            Task::Send => (transfer.send + transfer.take_acks, transfer.take_acks),
            Task::Receive => {
                // Linux 2.0 acknowledges when the process reads.
                let is_by_process = matches!(self.host.tcp.ack_rule, AckRule::OnRead { .. });
                let acks = if is_by_process { Time::ZERO } else { transfer.make_acks };
                let all = transfer.receive + transfer.read + transfer.make_acks;
                (all, transfer.receive + acks)
            }
            Task::Forward { data, acks } => {
                let of = |is_there: bool, work: Time| if is_there { work } else { Time::ZERO };
                let work = of(data, transfer.forward) + of(acks, transfer.forward_acks);
                if processors.n_cpus == 1 { (work, work) } else { (shared(work), Time::ZERO) }
            }
        }
    }

    /// Returns whether the send buffer has room for a whole transfer beside the queued ones.
    pub fn fits(&self, profile: ProfileId, n_segments: u32, bytes: u64) -> bool {
        let own = self.get(profile);
        self.hold(n_segments + own.n_segments, bytes + own.bytes)
    }

    /// Returns whether the send buffer holds this much.
    pub fn hold(&self, n_segments: u32, bytes: u64) -> bool {
        match self.host.tcp.send_buffer {
            SendBuffer::Bytes(most) => bytes <= u64::from(most),
            counted => n_segments <= counted.most_segments(self.host.tcp.segment_bytes),
        }
    }

    /// Returns the volume of this kind of transfer that the send buffer holds.
    pub fn buffered(&self, profile: ProfileId) -> Volume {
        let own = self.get(profile);
        match self.host.tcp.send_buffer {
            SendBuffer::Bytes(most) => own.volume / u128::from(own.bytes.max(1)) * u128::from(most),
            counted => {
                let most = counted.most_segments(self.host.tcp.segment_bytes);
                own.volume / u128::from(own.n_segments.max(1)) * u128::from(most)
            }
        }
    }
}
