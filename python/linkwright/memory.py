"""Free memory, and a refusal of work that needs more.

Large work is estimated before it begins: an allocation that fails in the compiled core ends the
process, and one that succeeds may end another process. The caller supplies the estimate.
"""

from __future__ import annotations

import resource
from pathlib import Path
from typing import NamedTuple

from linkwright.errors import CapabilityError

__all__ = ["Room", "expect_room", "free_room"]

_PROC = Path("/proc")
_CGROUPS = Path("/sys/fs/cgroup")
_UNLIMITED = 1 << 60
"""Bytes at or above which a limit of a control group means no limit."""
_LEAST_CHECKED = 50_000_000
"""Bytes below which the files of the kernel are not read."""


class Room(NamedTuple):
    """Free memory."""

    n_bytes: float
    """Free bytes; infinite if unknown."""
    why: str
    """The limit that bounds it."""


def expect_room(thing: str, n_bytes: float, what_for: str) -> None:
    """Check by an estimate that some work fits in memory.

    Parameters
    ----------
    thing : str
        The design or run that needs the memory, with its size.
    n_bytes : float
        Estimated need.
    what_for : str
        The tables that need it.

    Raises
    ------
    CapabilityError
        If less is free; the message gives the need and the free memory.
    """
    if n_bytes < _LEAST_CHECKED:
        return
    room = free_room()
    if n_bytes > room.n_bytes:
        raise CapabilityError(
            f"{thing} needs about {_shown(n_bytes)} for {what_for}; "
            f"{_shown(max(room.n_bytes, 0))} are free here, by {room.why}",
            "choose a smaller design, or a machine or limit with more memory",
        )


def free_room() -> Room:
    """Return the memory that this process can still get: the smallest amount any limit leaves."""
    return min(_address_space(), _control_group(), _machine())


def _address_space() -> Room:
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    used = _kilobytes("self/status", "VmSize:")
    if limit == resource.RLIM_INFINITY or used is None:
        return Room(float("inf"), "no limit")
    return Room(limit - used, "the limit of address space (ulimit -v)")


def _machine() -> Room:
    free = _kilobytes("meminfo", "MemAvailable:")
    return Room(float("inf") if free is None else free, "the memory of this machine")


def _control_group() -> Room:
    """Return the memory left by the control group of this process and the groups above it."""
    free = float("inf")
    for line in _text(_PROC / "self" / "cgroup").splitlines():
        _, controllers, path = line.split(":", 2)
        names = ("memory.max", "memory.current")
        root = _CGROUPS
        if controllers:
            if "memory" not in controllers.split(","):
                continue
            names, root = ("memory.limit_in_bytes", "memory.usage_in_bytes"), _CGROUPS / "memory"
        folder = root / path.lstrip("/")
        for group in (folder, *folder.parents):
            limit, used = (_text(group / name).strip() for name in names)
            if limit.isdigit() and used.isdigit() and int(limit) < _UNLIMITED:
                free = min(free, int(limit) - int(used) + _reclaimable(group))
            if group == root:
                break
    return Room(free, "the limit of the control group")


def _reclaimable(group: Path) -> int:
    """Return the bytes of a group that are file cache, which the kernel frees on demand."""
    figures = dict(line.split(maxsplit=1) for line in _text(group / "memory.stat").splitlines())
    return int(figures.get("total_inactive_file", figures.get("inactive_file", 0)))


def _kilobytes(file: str, key: str) -> int | None:
    """Return a figure of the kernel in bytes, None if it is missing."""
    for line in _text(_PROC / file).splitlines():
        if line.startswith(key):
            return int(line.split()[1]) * 1024
    return None


def _text(file: Path) -> str:
    try:
        return file.read_text()
    except OSError:
        return ""


def _shown(n_bytes: float) -> str:
    return f"{n_bytes / 1e9:.1f} GB" if n_bytes >= 1e9 else f"{n_bytes / 1e6:.0f} MB"
