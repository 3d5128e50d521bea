"""Processors and interfaces of a host: the sections ``[host]`` and ``[queues]`` of a calibration.

What hosts do with them is in ``crates/host`` (``cpus.rs``, ``rx``, ``tso.rs``) and described in
docs/design/processors-and-interfaces.md. Options that a file may leave out are off then.
"""

from __future__ import annotations

from typing import Literal

from pydantic import model_validator

from linkwright.calibrations.kinds import Cost, Count, Frozen

__all__ = ["HostCosts", "InterfaceQueues", "Steering"]

MOST_CPUS = 1024
MOST_TOGETHER_BYTES = 65_536
"""An IP packet holds no more."""


class Steering(Frozen):
    """Which processor does the kernel's work on a received frame."""

    value: Literal["one", "flow-hash", "process-cpu"]
    origin: str


class HostCosts(Frozen):
    """Processor time of the kernel and of the process, and the processors that spend it."""

    write_call: Cost
    """A write system call."""
    send: Cost
    """A segment sent: fixed when it goes to the interface, per byte of payload when the process
    writes it."""
    receive: Cost
    """A frame with data taken from the interface through IP and TCP, per byte of payload."""
    read: Cost
    """A segment read by the process, per byte of payload."""
    make_ack: Cost
    """Making an acknowledgement without data."""
    take_ack: Cost
    """Taking an acknowledgement without data."""
    forward: Cost
    """Relaying an IP packet, per byte of it."""
    interrupt: Cost | None = None
    """An interrupt for received frames, where `receive` does not contain one for each."""
    receive_frame: Cost | None = None
    """Taking a frame from the interface, whatever becomes of it; the other costs then count once
    for the segments that are put together."""
    send_frame: Cost | None = None
    """Each frame after the first of those that leave as one."""
    cpus: Count | None = None
    """Processors of a node; one runs the process. One unless given."""
    receive_queues: Count | None = None
    """Processors that received frames are spread over. One unless given."""
    steering: Steering | None = None
    """How: `one` takes all, by `flow-hash`, or to the `process-cpu` of the process that they are
    for and by hash what is relayed."""

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
    """Frames that an interface keeps, and what it spares the processor."""

    transmit_frames: Count
    """Frames that wait to be sent: the driver's ring and the kernel's queue together."""
    receive_frames: Count
    """Frames that have arrived and wait for the processor, in each receive queue."""
    interrupt_hold_us: Count | None = None
    """How long an interrupt waits for more frames (`rx-usecs` of ethtool)."""
    interrupt_frames: Count | None = None
    """Frames at which it waits no longer (`rx-frames` of ethtool)."""
    tso_bytes: Count | None = None
    """Most payload that goes to the interface as one, which cuts it into segments (TSO)."""
    gro_bytes: Count | None = None
    """Most payload of segments in order that TCP takes as one (GRO)."""
    mark_above_frames: Count | None = None
    """A queue in front of a full-duplex link, of an interface or a switch, that holds more frames
    than this marks those that may be marked (ECN); 0, or nothing, for never."""

    @model_validator(mode="after")
    def _fits(self) -> InterfaceQueues:
        for name in ("transmit_frames", "receive_frames"):
            if getattr(self, name).value == 0:
                raise ValueError(f"{name} of zero let no frame through; give 1 or more")
        for name, count in (("tso_bytes", self.tso_bytes), ("gro_bytes", self.gro_bytes)):
            if count and count.value > MOST_TOGETHER_BYTES:
                raise ValueError(
                    f"{name} of {count.value} are more than an IP packet; give "
                    f"{MOST_TOGETHER_BYTES} or less"
                )
        return self
