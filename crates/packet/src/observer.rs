//! Observers of a run: an observer gets a callback at every event on wires, hubs and hosts, and
//! cannot change the run. Callbacks that it leaves out compile to nothing.

use host::transport::EndpointId;
use network::{DeviceId, NodeId, PortId};
use quantity::Time;

use crate::arena::{Attached, FrameId};
use crate::frame::Frame;

/// The way of a frame over one wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flight {
    /// The port that sends.
    pub from: PortId,
    /// The port at the other end; `None` where a hub repeats the frame to all.
    pub to: Option<PortId>,
    /// The first bit leaves.
    pub start: Time,
    /// The last bit has left.
    pub sent: Time,
    /// The last bit has arrived.
    pub end: Time,
}

/// The reason why a frame is dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It found a queue full.
    QueueFull = 1,
    /// It found the receiver full.
    ReceiverFull = 2,
    /// A fault: on the wire, at a failed part, or its check sequence is wrong.
    Lost = 3,
    /// It collided too often.
    Collisions = 4,
    /// There is no route, or no node answered for the hardware address.
    NoRoute = 5,
}

/// A collision on a hub.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Collision {
    /// The hub, or the first one of several that are wired together.
    pub hub: DeviceId,
    /// The first station starts.
    pub start: Time,
    /// The medium is silent at all stations.
    pub end: Time,
    /// Number of stations that collided.
    pub n_stations: u32,
}

/// The kind of work on a processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// The process computes.
    Compute,
    /// Data are written or sent.
    Send,
    /// Data are received or read.
    Receive,
    /// A packet is relayed.
    Forward,
    /// An acknowledgement is made.
    Acknowledge,
    /// Other work of the kernel.
    Kernel,
}

/// The windows of a sender, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Windows {
    /// The congestion window.
    pub congestion: u64,
    /// Bytes sent and not acknowledged.
    pub in_flight: u64,
    /// Bytes that the receiver allows.
    pub limit: u64,
}

/// Declares the observer, and the observers made of others: one that may be there, and a pair.
macro_rules! observer {
    ($(
        $(#[$about:meta])*
        fn $name:ident($($argument:ident: $type:ty),*);
    )*) => {
        /// An observer of a run. By default it ignores everything.
        pub trait Observer {
            $(
                $(#[$about])*
                #[inline]
                fn $name(&mut self, $($argument: $type),*) {
                    let _ = ($($argument,)*);
                }
            )*
        }

        impl<O: Observer> Observer for Option<O> {
            $(
                #[inline]
                fn $name(&mut self, $($argument: $type),*) {
                    if let Some(observer) = self {
                        observer.$name($($argument),*);
                    }
                }
            )*
        }

        impl<A: Observer, B: Observer> Observer for (A, B) {
            $(
                #[inline]
                fn $name(&mut self, $($argument: $type),*) {
                    self.0.$name($($argument),*);
                    self.1.$name($($argument),*);
                }
            )*
        }
    };
}

observer! {
    /// Notes that `port` begins to send `frame` at `time`.
    fn sent(time: Time, port: PortId, frame: &Frame, attached: Attached<'_>);

    /// Notes that `frame` has arrived at `port` at `time`: its last bit, or at a cut-through switch
    /// its first.
    fn received(time: Time, port: PortId, frame: &Frame, attached: Attached<'_>);

    /// Notes that a frame is made, or copied from another one; its id may have been that of an
    /// earlier frame.
    fn made(id: FrameId, frame: &Frame, copied_from: Option<FrameId>);

    /// Notes that a frame joins the queue of a port.
    fn queued(time: Time, port: PortId, id: FrameId);

    /// Notes that a frame leaves a queue and crosses a wire, now or later.
    fn flies(id: FrameId, frame: &Frame, flight: Flight);

    /// Notes that a frame is dropped.
    fn dropped(time: Time, id: FrameId, frame: &Frame, fate: Fate);

    /// Notes a collision.
    fn collided(collision: Collision);

    /// Notes the work of a kernel, which holds a processor from one time to another.
    fn worked(node: NodeId, cpu: u32, span: (Time, Time), work: Work);

    /// Notes that a process begins a piece of work; kernel work that comes meanwhile delays it.
    fn began(time: Time, node: NodeId, work: Work);

    /// Notes that a process has done its piece of work.
    fn finished(time: Time, node: NodeId);

    /// Notes the windows of the sender at one end of a connection.
    fn windows(time: Time, end: EndpointId, windows: Windows);

    /// Notes a retransmission time-out at one end of a connection.
    fn timed_out(time: Time, end: EndpointId);
}

/// An observer that ignores everything, at no cost.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoObserver;

impl Observer for NoObserver {}
