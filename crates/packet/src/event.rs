//! All that can happen in a run. Wires, hosts and faults push their own events; `model` hands each
//! event to its room.

use host::rx::{NapiId, RxQueueId};
use host::tcp::EndpointId;
use network::{NodeId, PortId};

use crate::arena::FrameId;
use crate::loss::LostFrame;

/// Something that happens at a time.
#[derive(Clone, Copy, Debug)]
pub enum Event {
    /// A frame has arrived at a port.
    Arrive { port: PortId, frame: FrameId },
    /// A frame is handed to what is plugged into a port.
    Offer { port: PortId, frame: FrameId },
    /// A frame is handed to the bond that a port belongs to.
    OfferToBond { port: PortId, frame: FrameId },
    /// A receive queue has waited for more frames long enough.
    Interrupt { queue: RxQueueId },
    /// A processor has done with what it took from a receive queue.
    Polled { context: NapiId },
    /// A contention on a hub is resolved.
    Decide { hub: u32 },
    /// A piece of process work may be over.
    JobEnd { node: NodeId },
    /// The acknowledgement timer of a connection may ring.
    AckTimer { endpoint: EndpointId },
    /// The queue of an interface may have room for connections that it holds back.
    TxSpace { port: PortId },
    /// The retransmission timer of a connection may ring.
    Timeout { endpoint: EndpointId },
    /// The last bit of a frame has left a port that can be stopped.
    Sent { port: PortId },
    /// The ring of an interface may be empty enough to lift a pause.
    PauseLifted { port: PortId },
    /// A process that sleeps may have something to do.
    Wake { node: NodeId },
    /// A process has slept long enough.
    SleepEnded { node: NodeId },
    /// The answer to a question for a hardware address is overdue, unless it has come.
    Unanswered { node: NodeId, neighbour: PortId },
    /// Links fail or return.
    Change,
    /// A frame is lost by a fault.
    Lost(LostFrame),
}
