//! Watching frames: an observer is told of every frame that a port sends or takes in, with the
//! options of its segment where it has any, and changes nothing.

use host::tcp::SegmentOptions;
use network::PortId;
use quantity::Time;

use crate::frame::Frame;

/// Told of every frame at every port.
pub trait Observer {
    /// `port` begins to send `frame` at `time`.
    fn sent(&mut self, time: Time, port: PortId, frame: &Frame, options: Option<&SegmentOptions>);

    /// `frame` has arrived at `port` at `time`: its last bit, or at a cut-through switch its first.
    fn received(
        &mut self,
        time: Time,
        port: PortId,
        frame: &Frame,
        options: Option<&SegmentOptions>,
    );
}

/// Watches nothing, at no cost.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoObserver;

impl Observer for NoObserver {
    #[inline]
    fn sent(&mut self, _: Time, _: PortId, _: &Frame, _: Option<&SegmentOptions>) {}

    #[inline]
    fn received(&mut self, _: Time, _: PortId, _: &Frame, _: Option<&SegmentOptions>) {}
}
