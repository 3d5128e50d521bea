//! Observers of frames: an observer sees every frame that a port sends or receives, with
//! everything that is kept beside it, and changes nothing.

use network::PortId;
use quantity::Time;

use crate::arena::Attached;
use crate::frame::Frame;

/// An observer of every frame at every port.
pub trait Observer {
    /// Notes that `port` begins to send `frame` at `time`.
    fn sent(&mut self, time: Time, port: PortId, frame: &Frame, attached: Attached<'_>);

    /// Notes that `frame` has arrived at `port` at `time`: its last bit, or at a cut-through switch
    /// its first.
    fn received(&mut self, time: Time, port: PortId, frame: &Frame, attached: Attached<'_>);
}

/// An observer that ignores every frame, at no cost.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoObserver;

impl Observer for NoObserver {
    #[inline]
    fn sent(&mut self, _: Time, _: PortId, _: &Frame, _: Attached<'_>) {}

    #[inline]
    fn received(&mut self, _: Time, _: PortId, _: &Frame, _: Attached<'_>) {}
}

impl<O: Observer> Observer for Option<O> {
    fn sent(&mut self, time: Time, port: PortId, frame: &Frame, attached: Attached<'_>) {
        if let Some(observer) = self {
            observer.sent(time, port, frame, attached);
        }
    }

    fn received(&mut self, time: Time, port: PortId, frame: &Frame, attached: Attached<'_>) {
        if let Some(observer) = self {
            observer.received(time, port, frame, attached);
        }
    }
}

impl<A: Observer, B: Observer> Observer for (A, B) {
    fn sent(&mut self, time: Time, port: PortId, frame: &Frame, attached: Attached<'_>) {
        self.0.sent(time, port, frame, attached);
        self.1.sent(time, port, frame, attached);
    }

    fn received(&mut self, time: Time, port: PortId, frame: &Frame, attached: Attached<'_>) {
        self.0.received(time, port, frame, attached);
        self.1.received(time, port, frame, attached);
    }
}
