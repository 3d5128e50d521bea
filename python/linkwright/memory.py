"""Memory that is free, and a refusal of work that needs more.

What is large is estimated before it is asked for: an allocation that fails in the compiled core
ends the process, and one that does not may end another. Who does the work knows what it needs.
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
"""Bytes from which a limit of a control group stands for none."""
_LEAST_CHECKED = 50_000_000
"""Bytes below which the files of the kernel are not read."""


class Room(NamedTuple):
    """Free memory."""

    n_bytes: float
    """Infinite where nothing is known."""
    why: str
    """What bounds it."""


def expect_room(thing: str, n_bytes: float, what_for: str) -> None:
    """Check that there is room for something, by an estimate.

    Parameters
    ----------
    thing : str
        Which design or run needs the memory, with its size.
    n_bytes : float
        How much it needs, by estimate.
    what_for : str
        Which tables it is for.

    Raises
    ------
    CapabilityError
        When less is free; the message says how much is needed, and how much there is.
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
    """Return the memory that this process can still get: the least that any limit leaves."""
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
    """Return what the control group of this process, and those above it, leave."""
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
    """Return how much of what a group uses is cache of files that the kernel gives up on demand."""
    figures = dict(line.split(maxsplit=1) for line in _text(group / "memory.stat").splitlines())
    return int(figures.get("total_inactive_file", figures.get("inactive_file", 0)))


def _kilobytes(file: str, key: str) -> int | None:
    """Return a figure of the kernel in bytes, None where there is none."""
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
