"""The disk of a node: the section ``[disk]`` of a calibration, which may be left out.

Workloads that read or write files need it. What the disk does with these numbers is in
``crates/simulation/src/disk.rs``.
"""

from __future__ import annotations

from linkwright.calibrations.kinds import Cost, Count, Frozen

__all__ = ["Disk"]


class Disk(Frozen):
    """A disk that serves one request after the other, and the cache in front of it."""

    access: Cost
    """Moving the head to another file: before a read that follows a write, and the other way."""
    read: Cost
    """Reading what is in no cache, per request and per byte; the processor is free meanwhile."""
    write: Cost
    """Writing to the disk, per request and per byte; the processor is free meanwhile."""
    copy_data: Cost | None = None
    """Processor time of a read or a write of a program: the copy, and what of the transfer the
    processor does itself. None unless given."""
    gather_bytes: Count
    """How much is written in one go, behind the program; less waits in memory until it is
    flushed."""
