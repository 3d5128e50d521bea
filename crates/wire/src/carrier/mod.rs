//! The wires between real nodes: frames are read from the nodes' interfaces, moved through the link
//! layer of the packet engine in real time, and written to the interfaces that they reach.
//!
//! One thread does all of it. Events wait in the link layer's queue until they are due; the thread
//! sleeps until shortly before, then polls, because a sleep ends late.

mod lateness;
mod pace;
mod poll;

use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use network::PortId;
use nix::errno::Errno;
use nix::time::{ClockId, clock_gettime};
use nix::unistd::{read, write};
use packet::capture::port_of_mac;
use packet::{Effect, LinkLayer, Medium};
use quantity::{IdVec, OptionalId, Time};

use crate::error::WireError;
use crate::kernel::{Node, plug};
use lateness::Lateness;
pub use lateness::LatenessReport;
use pace::Pace;
use poll::Poll;

/// Frames in an interface's transmit queue above which its node is not asked for more.
pub const RING_FRAMES: u32 = 4;
/// Time before an event from which on the thread does not sleep.
const AWAKE: Duration = Duration::from_micros(30);
/// Longest time of a poll that does not sleep.
const AT_ONCE: Duration = Duration::from_micros(10);
/// The longest sleep, after which the thread looks whether it shall end.
const LONGEST_SLEEP: Duration = Duration::from_millis(10);
/// Frames read from one interface before others have their turn.
const FRAMES_PER_TURN: usize = 4;
/// Room for the longest frame.
const LONGEST_FRAME_BYTES: usize = 1 << 16;

quantity::id! {
    /// An interface that has cables.
    InterfaceId;
}

/// An interface of a node.
#[derive(Clone, Copy, Debug)]
struct Interface<'n> {
    tap: &'n OwnedFd,
    /// The first of its ports.
    port: PortId,
    /// True while its node is not asked for frames, because its queue is full.
    is_paused: bool,
}

/// The effort of wires that have ended.
#[derive(Clone, Copy, Debug)]
pub struct CarrierReport {
    /// The lateness of events.
    pub lateness: LatenessReport,
    /// Processor time, with the work of kernels on the frames that reached them.
    pub processor: Duration,
    /// Time of the network at which they ended.
    pub ended: Time,
}

/// Returns the processor time of the calling thread.
fn processor_time() -> nix::Result<Duration> {
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).map(Duration::from)
}

/// The wires of nodes that are up.
#[derive(Debug)]
pub struct Carrier<'a, 'n, M> {
    link: LinkLayer<'a, M>,
    interfaces: IdVec<InterfaceId, Interface<'n>>,
    of_port: IdVec<PortId, OptionalId<InterfaceId>>,
    poll: Poll,
    pace: Pace,
    lateness: Lateness,
    buffer: Vec<u8>,
}

impl<'a, 'n, M: Medium<'a>> Carrier<'a, 'n, M> {
    /// Prepares wires between nodes; `ports` gives the first port of each interface of each node,
    /// in their order, and none for an interface without a cable. Time starts now.
    ///
    /// # Errors
    /// When the machine has no descriptors left.
    pub fn new(
        link: LinkLayer<'a, M>,
        nodes: &'n [Node],
        ports: &[Vec<Option<PortId>>],
        dilation: f64,
    ) -> Result<Carrier<'a, 'n, M>, WireError> {
        let mut interfaces = IdVec::new();
        let mut of_port = IdVec::filled(OptionalId::none(), link.n_ports());
        for (node, ports) in nodes.iter().zip(ports) {
            for (tap, port) in node.taps.iter().zip(ports) {
                let (Some(tap), Some(port)) = (tap, *port) else { continue };
                let id: InterfaceId = interfaces.push(Interface { tap, port, is_paused: false });
                link.ports_of_interface(port).for_each(|port| of_port[port] = id.into());
            }
        }
        let poll = Poll::new(interfaces.len())?;
        for (id, interface) in interfaces.with_ids() {
            poll.watch(interface.tap, id.get() as usize)?;
            plug(interface.tap, link.has_carrier(interface.port))?;
        }
        Ok(Carrier {
            link,
            interfaces,
            of_port,
            poll,
            pace: Pace::new(dilation),
            lateness: Lateness::new(),
            buffer: vec![0; LONGEST_FRAME_BYTES],
        })
    }

    /// Moves frames until `ending` becomes true; returns the link layer as it is then.
    ///
    /// # Errors
    /// When an interface fails.
    pub fn run(
        mut self,
        ending: &AtomicBool,
    ) -> Result<(LinkLayer<'a, M>, CarrierReport), WireError> {
        let begin = processor_time()?;
        let mut polled = self.pace.now();
        while !ending.load(Ordering::Relaxed) {
            self.handle_due()?;
            let longest = self.sleep();
            let asked = self.pace.now();
            let ready = self.poll.wait(longest)?;
            let answered = self.pace.now();
            if !ready.is_empty() && self.pace.real(answered - asked) < AT_ONCE {
                // The frames may have come while this thread did other work.
                self.lateness.keep_waiting(polled, asked);
            }
            polled = answered;
            self.handle_due()?;
            for number in ready {
                self.read(InterfaceId::new(number as u32))?;
            }
        }
        let processor = processor_time()?.saturating_sub(begin);
        let (lateness, ended) = (self.lateness.report(), self.pace.now());
        Ok((self.link, CarrierReport { lateness, processor, ended }))
    }

    /// Returns the time to sleep until shortly before the next event.
    fn sleep(&mut self) -> Duration {
        let Some(next) = self.link.clock.events.next_time() else { return LONGEST_SLEEP };
        let left = self.pace.real(next.saturating_sub(self.pace.now()));
        left.saturating_sub(AWAKE).min(LONGEST_SLEEP)
    }

    /// Handles all events that are due.
    fn handle_due(&mut self) -> nix::Result<()> {
        loop {
            let now = self.pace.now();
            let Some(event) = self.link.clock.take_due(now) else { return Ok(()) };
            let due = self.link.clock.now;
            self.lateness.note(due, now, self.pace.real(now - due));
            match self.link.handle(event) {
                Effect::Nothing => {}
                Effect::Arrived(port, frame) => {
                    if let Some(contents) = self.link.take(port, frame) {
                        self.lateness.keep_waiting(due, now);
                        self.deliver(port, &contents)?;
                    }
                }
                Effect::Space(port) => self.offer_space(port)?,
                Effect::Changed(change) => {
                    for port in change.ports {
                        self.replug(port)?;
                    }
                }
            }
        }
    }

    /// Hands a frame to the node behind a port.
    fn deliver(&mut self, port: PortId, contents: &[u8]) -> nix::Result<()> {
        let Some(interface) = self.of_port[port].get() else { return Ok(()) };
        match write(self.interfaces[interface].tap, contents) {
            // An interface without carrier or memory loses the frame, as a real one does.
            Ok(_) | Err(Errno::EIO | Errno::ENOBUFS | Errno::ENOMEM | Errno::EAGAIN) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Asks a node for frames again, when the queue of its interface has room.
    fn offer_space(&mut self, port: PortId) -> nix::Result<()> {
        let Some(id) = self.of_port[port].get() else { return Ok(()) };
        let Interface { tap, port, is_paused } = self.interfaces[id];
        if is_paused && self.link.has_space(port, RING_FRAMES) {
            self.interfaces[id].is_paused = false;
            self.poll.pause(tap, id.get() as usize, false)?;
        }
        Ok(())
    }

    /// Gives an interface carrier, or takes it away, after a change of its links.
    fn replug(&mut self, port: PortId) -> nix::Result<()> {
        let Some(id) = self.of_port[port].get() else { return Ok(()) };
        let Interface { tap, port, .. } = self.interfaces[id];
        plug(tap, self.link.has_carrier(port))?;
        self.offer_space(port)
    }

    /// Reads frames of an interface while its queue has room.
    fn read(&mut self, id: InterfaceId) -> nix::Result<()> {
        let Interface { tap, port, .. } = self.interfaces[id];
        for _ in 0..FRAMES_PER_TURN {
            if !self.link.has_space(port, RING_FRAMES) {
                self.interfaces[id].is_paused = true;
                return self.poll.pause(tap, id.get() as usize, true);
            }
            let length = match read(tap, &mut self.buffer) {
                Ok(length) => length,
                Err(Errno::EAGAIN | Errno::EIO) => return Ok(()),
                Err(error) => return Err(error),
            };
            let frame = &self.buffer[..length];
            let target = frame.first_chunk().and_then(|&mac| port_of_mac(mac));
            let known = target.filter(|&target| self.of_port.get(target).is_some());
            self.link.transmit(port, known, frame.into());
        }
        Ok(())
    }
}
