//! What one transfer is on its path: how much it claims of what, and what it takes when nobody else
//! is there.
//!
//! On an idle path a transfer takes exactly what `simulation::path` says. Part of that is its
//! volume, which drains at a rate that others may share; the rest is latency, which nobody
//! shortens: stages that are filled, processors at the ends, acknowledgements that are waited for.
//! Profiles are worked out once for transfers that are alike.

use std::collections::BTreeMap;

use quantity::Time;
use simulation::path::{Bottleneck, Passage, Path, Writes, pace, passage, segments_per_ack};
use simulation::{AckRule, HostModel, SendBuffer};

use crate::claims::{Claim, Work};
use crate::units::{
    CAPACITY, Rate, UNLIMITED, Volume, Weight, carried, duration, level, rate, volume, weight,
};

/// Index of the connections that are alike.
pub(crate) type ClassId = u32;
/// Index of a profile.
pub(crate) type ProfileId = u32;

/// A header and what comes right behind it: segments that are noticed as one.
const SEGMENTS_AT_ONCE: u64 = 2;
/// Preamble and gap.
const BYTES_AROUND_A_FRAME: u64 = 20;

/// A transfer on its path.
#[derive(Clone, Debug)]
pub(crate) struct Profile {
    pub volume: Volume,
    /// The rate it does not exceed, whoever else is there.
    pub cap: Rate,
    /// Per claim of its class, data first.
    pub weights: Vec<Weight>,
    /// What of them the kernels of nodes do, by the place of the claim.
    pub kernel: Vec<(u32, Weight)>,
    /// How long it waits for its congestion window to open, before it drains.
    pub opening: Time,
    /// From the beginning until the receiving kernel has its first segment.
    pub reached: Time,
    /// From the beginning until it has all of it.
    taken: Time,
    /// Whether that comes so long before its last one that somebody may care.
    pub has_head: bool,
    /// From when its volume has drained until the receiving kernel has all of it.
    pub latency: Time,
    /// From then until a process has read all of it that has read it all the time, and one that
    /// finds all of it, or as much as there is room for, waiting.
    pub tail: Time,
    pub late_tail: Time,
    /// When the write returns where the send buffer holds all of it.
    pub written: Time,
    /// Otherwise it returns when so much is left to drain.
    pub left_when_written: Volume,
    /// Whether all but little of it leaves without an acknowledgement.
    pub is_burst: bool,
    pub n_segments: u32,
    pub bytes: u64,
    /// Mean length of its frames.
    pub frame_bytes: u32,
    pub congestion_window: u32,
}

/// Connections that differ in the names of their resources only.
#[derive(Debug)]
struct Class {
    path: Path,
    data: Vec<Claim>,
    acks: Vec<Claim>,
    /// The rate in its period where the window limits it; found when first wanted.
    window_cap: Option<Rate>,
    /// How long an acknowledgement is on its way back; found when first wanted.
    way_back: Option<Time>,
}

/// The sizes of a transfer.
#[derive(Clone, Copy, Debug, Default)]
struct Sizes {
    n_segments: u64,
    frame_bytes: u64,
    n_acks: u64,
    ack_bytes: u64,
    n_writes: u64,
    /// Work of the processors, acknowledgements included.
    send: Time,
    send_kernel: Time,
    receive: Time,
    receive_kernel: Time,
    forward: Time,
    ack_forward: Time,
}

impl Sizes {
    fn wire_bytes(&self) -> u64 {
        self.frame_bytes + BYTES_AROUND_A_FRAME * self.n_segments
    }

    fn ack_wire_bytes(&self) -> u64 {
        (self.ack_bytes + BYTES_AROUND_A_FRAME) * self.n_acks
    }
}

type ClassKey = (Path, Vec<Claim>, Vec<Claim>);

/// All classes and profiles that have been met.
#[derive(Debug)]
pub(crate) struct Profiles {
    host: HostModel,
    classes: Vec<Class>,
    class_of: BTreeMap<ClassKey, ClassId>,
    profiles: Vec<Profile>,
    profile_of: BTreeMap<(ClassId, Writes, u32), ProfileId>,
}

impl Profiles {
    pub fn new(host: &HostModel) -> Profiles {
        Profiles {
            host: *host,
            classes: Vec::new(),
            class_of: BTreeMap::new(),
            profiles: Vec::new(),
            profile_of: BTreeMap::new(),
        }
    }

    /// Returns the class of connections with this path and these claims.
    pub fn class(&mut self, path: Path, data: Vec<Claim>, acks: Vec<Claim>) -> ClassId {
        let key = (path, data, acks);
        if let Some(&class) = self.class_of.get(&key) {
            return class;
        }
        let class = self.classes.len() as ClassId;
        let (path, data, acks) = key.clone();
        self.classes.push(Class { path, data, acks, window_cap: None, way_back: None });
        self.class_of.insert(key, class);
        class
    }

    /// Returns a profile.
    #[inline]
    pub fn get(&self, profile: ProfileId) -> &Profile {
        &self.profiles[profile as usize]
    }

    /// Returns the profile of a transfer.
    pub fn find(&mut self, class: ClassId, writes: Writes, congestion_window: u32) -> ProfileId {
        let key = (class, writes, congestion_window);
        if let Some(&profile) = self.profile_of.get(&key) {
            return profile;
        }
        let profile = self.work_out(class, writes, congestion_window);
        self.profiles.push(profile);
        let id = self.profiles.len() as ProfileId - 1;
        self.profile_of.insert(key, id);
        id
    }

    /// Returns the payload of a full segment.
    pub fn segment_bytes(&self, class: ClassId) -> u32 {
        self.host.tcp.largest_payload(self.classes[class as usize].path.is_v6())
    }

    /// Returns how much can come on a connection while nothing of it is read.
    pub fn most_unread(&self, class: ClassId) -> u64 {
        u64::from(self.host.tcp.most_unread(self.segment_bytes(class)))
    }

    /// Returns the volume of a full window of a transfer's kind.
    pub fn window(&self, class: ClassId, profile: ProfileId) -> Volume {
        let Profile { volume, bytes, .. } = self.get(profile);
        let window = self.host.tcp.window(0, self.segment_bytes(class));
        volume / Volume::from(*bytes) * Volume::from(window)
    }

    /// Returns how long a word of the receiver is on its way to the sender, given the class of the
    /// connection the other way.
    pub fn way_back(&mut self, back: ClassId) -> Time {
        if let Some(way) = self.classes[back as usize].way_back {
            return way;
        }
        let word = Writes { header: 0, body: 1 };
        let word = passage(&self.classes[back as usize].path, &self.host, word, 1);
        let way = word.taken.saturating_sub(word.departed);
        self.classes[back as usize].way_back = Some(way);
        way
    }

    fn work_out(&mut self, class: ClassId, writes: Writes, window: u32) -> Profile {
        let passage = passage(&self.classes[class as usize].path, &self.host, writes, window);
        let sizes = self.sizes(writes, self.classes[class as usize].path.is_v6());
        let (weights, kernel) = self.weights(class, &sizes);
        let n_data = self.classes[class as usize].data.len();
        let full = CAPACITY as i128;
        // A flow whose acknowledgements alone fill what they cross goes no faster than that.
        let ack_cap = weights[n_data..].iter().filter(|&&w| w > 0).map(|&w| level(full, w)).min();
        let cap = self.window_cap(class, writes).min(ack_cap.unwrap_or(UNLIMITED));
        let alone = weights[..n_data].iter().filter(|&&w| w > 0).map(|&w| level(full, w)).min();
        let alone = alone.unwrap_or(UNLIMITED).min(cap);
        let Passage { written, reached, taken, read, congestion_window, .. } = passage;
        let opening = taken.saturating_sub(self.taken_warm(class, writes, window).unwrap_or(taken));
        let open = taken.saturating_sub(opening);
        // The gap behind the last frame takes the wire's time and not the transfer's.
        let volume = volume(sizes.wire_bytes()).min(carried(alone, open));
        let draining = duration(volume, alone).unwrap_or(Time::MAX);
        let tail = read.saturating_sub(taken);
        Profile {
            volume,
            cap,
            weights,
            kernel,
            opening,
            reached,
            has_head: sizes.n_segments > SEGMENTS_AT_ONCE,
            taken,
            latency: open.saturating_sub(draining),
            tail,
            late_tail: tail.max(self.reading(writes)),
            written,
            left_when_written: volume
                .saturating_sub(carried(alone, written.saturating_sub(opening))),
            is_burst: sizes.n_segments <= 2 * u64::from(window.min(self.most_in_flight())),
            n_segments: sizes.n_segments as u32,
            bytes: writes.bytes(),
            frame_bytes: (sizes.frame_bytes / sizes.n_segments.max(1)) as u32,
            // What is still to be acknowledged opens it further before it is next wanted.
            congestion_window: congestion_window.max((window + 1).min(self.most_in_flight())),
        }
    }

    /// Returns when a transfer would be there whose congestion window is open; `None` where it is.
    fn taken_warm(&mut self, class: ClassId, writes: Writes, window: u32) -> Option<Time> {
        let open = self.most_in_flight();
        (window < open).then(|| {
            let warm = self.find(class, writes, open);
            self.get(warm).taken
        })
    }

    fn most_in_flight(&self) -> u32 {
        let tcp = &self.host.tcp;
        tcp.window(0, tcp.segment_bytes) / tcp.segment_bytes + 2
    }

    /// Returns the rate that the window allows a transfer of several windows.
    fn window_cap(&mut self, id: ClassId, writes: Writes) -> Rate {
        let tcp = &self.host.tcp;
        let class = &self.classes[id as usize];
        let is_v6 = class.path.is_v6();
        let segment = tcp.largest_payload(is_v6);
        if writes.bytes() <= 2 * u64::from(tcp.window(0, segment)) {
            return UNLIMITED;
        }
        if let Some(cap) = class.window_cap {
            return cap;
        }
        let pace = pace(&class.path, &self.host);
        let cap = match pace.bottleneck {
            Bottleneck::Window => {
                let writes = Writes { header: 0, body: pace.bytes };
                rate(self.sizes(writes, is_v6).wire_bytes(), pace.period)
            }
            _ => UNLIMITED,
        };
        self.classes[id as usize].window_cap = Some(cap);
        cap
    }

    fn sizes(&self, writes: Writes, is_v6: bool) -> Sizes {
        let HostModel { costs, tcp, .. } = &self.host;
        let segment = u64::from(tcp.largest_payload(is_v6));
        let mut sizes = Sizes::default();
        for write in [u64::from(writes.header), writes.body].into_iter().filter(|&of| of > 0) {
            sizes.n_writes += 1;
            for (payload, n) in [(segment, write / segment), (write % segment, 1)] {
                if payload > 0 && n > 0 {
                    self.add_segments(&mut sizes, (payload, n), is_v6);
                }
            }
        }
        let (ack_ip_bytes, ack_bytes) = self.host.tcp.frame_sizes(0, is_v6);
        let n_acks = sizes.n_segments / segments_per_ack(&self.host, segment as u32);
        sizes.n_acks = n_acks;
        sizes.ack_bytes = u64::from(ack_bytes);
        sizes.send += costs.write_call * sizes.n_writes + costs.take_ack * n_acks;
        sizes.send_kernel = costs.take_ack * n_acks;
        sizes.receive += costs.make_ack * n_acks;
        if !matches!(tcp.ack_rule, AckRule::OnRead { .. }) {
            sizes.receive_kernel += costs.make_ack * n_acks;
        }
        sizes.ack_forward = costs.forward.of(u64::from(ack_ip_bytes)) * n_acks;
        sizes
    }

    fn add_segments(&self, sizes: &mut Sizes, (payload, n): (u64, u64), is_v6: bool) {
        let costs = &self.host.costs;
        let (ip_bytes, frame_bytes) = self.host.tcp.frame_sizes(payload as u32, is_v6);
        sizes.n_segments += n;
        sizes.frame_bytes += u64::from(frame_bytes) * n;
        sizes.send += (costs.send_fixed + costs.send_copy.of(payload)) * n;
        sizes.receive += (costs.receive.of(payload) + costs.read.of(payload)) * n;
        sizes.receive_kernel += costs.receive.of(payload) * n;
        sizes.forward += costs.forward.of(u64::from(ip_bytes)) * n;
    }

    /// Returns how long a process reads that finds all of a transfer waiting, or as much of it as
    /// there is room for.
    fn reading(&self, writes: Writes) -> Time {
        let tcp = &self.host.tcp;
        let segment = u64::from(tcp.segment_bytes);
        let waiting = writes.bytes().min(u64::from(tcp.most_unread(tcp.segment_bytes)));
        let header = u64::from(u32::from(writes.header > 0));
        let read = self.host.costs.read;
        let (n, last) = (waiting / segment, waiting % segment);
        let rest = if last > 0 { read.of(last) } else { Time::ZERO };
        read.of(segment) * n + rest + read.of(0) * header
    }

    fn weights(&self, class: ClassId, sizes: &Sizes) -> (Vec<Weight>, Vec<(u32, Weight)>) {
        let Class { data, acks, .. } = &self.classes[class as usize];
        let mut kernel = Vec::new();
        let mut weights = Vec::with_capacity(data.len() + acks.len());
        let wire_bytes = sizes.wire_bytes();
        for (place, claim) in (0..).zip(data.iter().chain(acks)) {
            let (work, of_kernel) = work(claim.work, sizes);
            if of_kernel > Time::ZERO {
                kernel.push((place, weight(of_kernel, wire_bytes)));
            }
            let part = |weight: Weight, bytes: u64| {
                (u128::from(weight) * u128::from(bytes) / u128::from(wire_bytes)) as Weight
            };
            weights.push(
                claim.wire
                    + part(claim.frame, sizes.frame_bytes)
                    + part(claim.ack_wire, sizes.ack_wire_bytes())
                    + part(claim.ack_frame, sizes.ack_bytes * sizes.n_acks)
                    + weight(work, wire_bytes),
            );
        }
        (weights, kernel)
    }

    /// Returns whether the send buffer takes a transfer whole, beside what waits there.
    pub fn fits(&self, profile: ProfileId, n_segments: u32, bytes: u64) -> bool {
        let own = self.get(profile);
        match self.host.tcp.send_buffer {
            SendBuffer::Segments(most) => n_segments + own.n_segments <= most,
            SendBuffer::Bytes(most) => bytes + own.bytes <= u64::from(most),
        }
    }

    /// Returns how much of a transfer's kind the send buffer holds.
    pub fn buffered(&self, profile: ProfileId) -> Volume {
        let own = self.get(profile);
        match self.host.tcp.send_buffer {
            SendBuffer::Segments(most) => {
                own.volume / u128::from(own.n_segments.max(1)) * u128::from(most)
            }
            SendBuffer::Bytes(most) => own.volume / u128::from(own.bytes.max(1)) * u128::from(most),
        }
    }
}

/// Returns the work of a processor and what of it the kernel does.
fn work(work: Work, sizes: &Sizes) -> (Time, Time) {
    match work {
        Work::Nothing => (Time::ZERO, Time::ZERO),
        Work::Send => (sizes.send, sizes.send_kernel),
        Work::Receive => (sizes.receive, sizes.receive_kernel),
        Work::Forward { data, acks } => {
            let of = |is_there: bool, work: Time| if is_there { work } else { Time::ZERO };
            let work = of(data, sizes.forward) + of(acks, sizes.ack_forward);
            (work, work)
        }
    }
}
