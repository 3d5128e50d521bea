//! The events of a run. Wires, hosts and faults push their own; `model` hands each to its owner.

use host::rx::{NapiId, RxQueueId};
use host::transport::EndpointId;
use network::{NodeId, PortId};
use program::{Rank, StreamId};

use crate::arena::FrameId;
use crate::ids::{HubId, ProcessId};
use crate::loss::LostFrame;

/// Something that happens at a time.
#[derive(Clone, Copy, Debug)]
pub enum Event {
    /// A frame has arrived at a port.
    Arrive { port: PortId, frame: FrameId },
    /// A frame joins the transmit queue of a port.
    Offer { port: PortId, frame: FrameId },
    /// A frame joins the transmit queue of a bond, named by one of its ports.
    OfferToBond { port: PortId, frame: FrameId },
    /// The interrupt of a receive queue is due, after the time it waits for more frames.
    Interrupt { queue: RxQueueId },
    /// A processor has finished the batch that it took from a receive queue.
    Polled { context: NapiId },
    /// A contention on a hub is resolved.
    Decide { hub: HubId },
    /// A piece of process work may be over.
    JobEnd { process: ProcessId },
    /// The acknowledgement timer of a connection may fire.
    AckTimer { endpoint: EndpointId },
    /// The queue of an interface may have room for connections that it holds back.
    TxSpace { port: PortId },
    /// The retransmission timer of a connection may fire.
    Timeout { endpoint: EndpointId },
    /// The last bit of a frame has left a port that PAUSE frames can stop.
    Sent { port: PortId },
    /// A node has sent a frame whole.
    HasSent { port: PortId },
    /// The receive ring of an interface may be empty enough to lift a pause.
    PauseLifted { port: PortId },
    /// A sleeping process may have something to do at its socket.
    Wake { node: NodeId },
    /// A process has slept long enough.
    SleepEnded { process: ProcessId },
    /// A transfer from one process to another of its node has arrived.
    HandedOver { from: Rank },
    /// The timer of a stream has run down.
    TimerEnded { rank: Rank, stream: StreamId },
    /// The reply timer of an ARP or ND request has expired.
    Unanswered { node: NodeId, neighbour: PortId },
    /// Links fail or return.
    Change,
    /// A frame is lost by a fault.
    Lost(LostFrame),
}
