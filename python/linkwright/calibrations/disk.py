"""The disk of a node: the optional section ``[disk]`` of a calibration.

Workloads that read or write files need it. ``crates/simulation/src/disk.rs`` models the disk.
"""

from __future__ import annotations

from linkwright.calibrations.kinds import Cost, Count, Frozen

__all__ = ["Disk"]


class Disk(Frozen):
    """A disk that serves one request after the other, and the cache in front of it."""

    access: Cost
    """Moving the head to another file: before a read that follows a write, and vice versa."""
    read: Cost
    """Read of uncached data, per request and per byte; the processor is free meanwhile."""
    write: Cost
    """Write to the disk, per request and per byte; the processor is free meanwhile."""
    copy_data: Cost | None = None
    """Processor time of a program's read or write: the copy, and the processor's part of the
    transfer. Default: none."""
    gather_bytes: Count
    """Size of one write to the disk, behind the program; less data wait in memory until they are
    flushed."""
