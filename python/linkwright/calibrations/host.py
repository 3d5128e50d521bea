"""Processors and interfaces of a host: the sections ``[host]`` and ``[queues]`` of a calibration.

``crates/host`` models them (``cpus.rs``, ``rx``, ``tso.rs``), and
docs/design/processors-and-interfaces.md describes them. An option that a file leaves out is off.
"""

from __future__ import annotations

from typing import Literal

from pydantic import model_validator

from linkwright.calibrations.kinds import Cost, Count, Flag, Frozen

__all__ = ["HostCosts", "InterfaceQueues", "Steering"]

MOST_CPUS = 1024
MOST_TOGETHER_BYTES = 65_536
"""Largest size of an IP packet."""


class Steering(Frozen):
    """The processor that does the kernel's work on a received frame."""

    value: Literal["one", "flow-hash", "process-cpu"]
    origin: str


class HostCosts(Frozen):
    """Processor time of the kernel and of the process, and the number of processors."""

    write_call: Cost
    """A write system call."""
    send: Cost
    """A segment sent: the fixed part when it is passed to the interface, the part per byte of
    payload when the process writes it."""
    receive: Cost
    """A received data frame, from the interface through IP and TCP, per byte of payload."""
    read: Cost
    """A segment read by the process, per byte of payload."""
    make_ack: Cost
    """Making an acknowledgement without data."""
    take_ack: Cost
    """Processing a received acknowledgement without data."""
    forward: Cost
    """Forwarding an IP packet, per byte of it."""
    interrupt: Cost | None = None
    """An interrupt for received frames, if `receive` does not include one per frame."""
    receive_frame: Cost | None = None
    """Taking a frame from the interface; the other costs then count once per merged segment
    (GRO)."""
    send_frame: Cost | None = None
    """Each frame after the first of a large segment (TSO). A node that forwards without TSO cuts
    merged packets itself, and each frame costs another `forward`."""
    sent: Cost | None = None
    """The interrupt at the end of each frame sent, if other costs do not include it."""
    cpus: Count | None = None
    """Processors of a node; one runs the process. Default: 1."""
    receive_queues: Count | None = None
    """Number of receive queues, each served by one processor. Default: 1."""
    steering: Steering | None = None
    """Choice of the receive queue: `one` for all frames, `flow-hash` (RSS), or `process-cpu` of the
    receiving process, with a hash for forwarded packets (RFS)."""

    @model_validator(mode="after")
    def _has_processors(self) -> HostCosts:
        cpus = self.cpus.value if self.cpus else 1
        queues = self.receive_queues.value if self.receive_queues else 1
        if not 1 <= cpus <= MOST_CPUS:
            raise ValueError(f"cpus cannot be {cpus}; give 1 to {MOST_CPUS}")
        if not 1 <= queues <= cpus:
            raise ValueError(
                f"receive_queues cannot be {queues} on {cpus} cpus, each of which serves one; give "
                f"1 to {cpus}, or more cpus"
            )
        return self


class InterfaceQueues(Frozen):
    """Queues and offloads of an interface."""

    transmit_frames: Count
    """Frames that may wait to be sent: the driver's ring and the kernel's queue together."""
    receive_frames: Count
    """Received frames that may wait for the processor, in each receive queue."""
    interrupt_hold_us: Count | None = None
    """Time for which an interrupt waits for more frames (`rx-usecs` of ethtool)."""
    interrupt_frames: Count | None = None
    """Number of frames that ends this wait (`rx-frames` of ethtool)."""
    tso_bytes: Count | None = None
    """Largest payload passed to the interface at once, which cuts it into segments (TSO)."""
    gro_bytes: Count | None = None
    """Largest payload of consecutive segments that TCP receives as one (GRO)."""
    mark_above_frames: Count | None = None
    """Length in frames above which a queue in front of a full-duplex link, in an interface or a
    switch, marks packets that allow it (ECN). Default: 0, which means never."""
    pauses_backoff: Flag | None = None
    """Whether the back-off of an interface on a hub counts only while the medium is silent (DEC
    21140, CSR6 bit 5). Only the packet engine models it."""
    avoids_capture: Flag | None = None
    """Whether an interface on a hub that has sent the last frame waits two slots after the first
    collision of the next, and none after the second (DEC 21140, CSR6 bit 17). Only the packet
    engine models it."""
    sends_singly: Flag | None = None
    """Whether the driver hands the interface one frame at a time, so that the next one waits for
    `host.sent`. Links with flow control do not wait."""
    copied_frame_bytes: Count = Count(value=200, origin="source: rx_copybreak of tulip 0.78")
    """Length of the longest received frame that the driver copies to a buffer of its length; longer
    ones stay in a full-size buffer. It counts under the window rule `half-of-memory`."""

    @model_validator(mode="after")
    def _fits(self) -> InterfaceQueues:
        for name in ("transmit_frames", "receive_frames"):
            if getattr(self, name).value == 0:
                raise ValueError(f"{name} of zero lets no frame through; give 1 or more")
        for name, count in (("tso_bytes", self.tso_bytes), ("gro_bytes", self.gro_bytes)):
            if count and count.value > MOST_TOGETHER_BYTES:
                raise ValueError(
                    f"{name} of {count.value} are more than an IP packet; give "
                    f"{MOST_TOGETHER_BYTES} or less"
                )
        return self
