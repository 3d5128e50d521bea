"""Leftovers of emulations: sandboxes that outlive the process that made them.

Namespaces and interfaces end with their processes, and a sandbox ends with its owner by two ways of
the kernel. One remains if both fail: if its first process is not told of the death of its parent,
and another process holds its standard input open. It is known by its command, which ends with the
name of its owner; no other process is touched.
"""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Leftover", "end_leftovers", "owner_name"]

PROC = Path("/proc")
INIT = "/linkwright/emulation/init.py"
"""End of the path of a sandbox's first process, also of another installation."""
OWNER = re.compile(r"linkwright-(\d+)-(\d+)")
"""Name of an owner: its process, and the time of its start, since numbers of processes are used
again.
"""
_BEGIN = 19
"""Place of the start among the words behind the name of a process in its state."""


@dataclass(frozen=True)
class Leftover:
    """A process that belonged to an emulation.

    Attributes
    ----------
    process : int
        Its number.
    owner : int
        Number of the process that made it, which has ended.
    """

    process: int
    owner: int


def owner_name() -> str:
    """Return the name that this process has as the owner of a sandbox."""
    return f"linkwright-{os.getpid()}-{_start(os.getpid())}"


def end_leftovers() -> list[Leftover]:
    """End the leftovers of this user, and return them."""
    return [found for process in _processes_of_user() if (found := _end(process))]


def _processes_of_user() -> Iterator[int]:
    for folder in PROC.glob("[0-9]*"):
        try:
            if folder.stat().st_uid == os.getuid():
                yield int(folder.name)
        except FileNotFoundError:
            continue


def _end(process: int) -> Leftover | None:
    """End a process if it is a leftover; its descriptor stands for no other process meanwhile."""
    try:
        descriptor = os.pidfd_open(process)
    except ProcessLookupError:
        return None
    try:
        words = (PROC / str(process) / "cmdline").read_bytes().decode(errors="replace").split("\0")
        is_init = len(words) > 2 and words[-3].endswith(INIT)
        owner = OWNER.fullmatch(words[-2]) if is_init else None
        if owner is None or _start(int(owner[1])) == int(owner[2]):
            return None
        signal.pidfd_send_signal(descriptor, signal.SIGKILL)
        return Leftover(process, int(owner[1]))
    except (FileNotFoundError, ProcessLookupError):
        return None
    finally:
        os.close(descriptor)


def _start(process: int) -> int | None:
    """Return the time at which a process was started, in ticks of the machine; None if it has
    ended.
    """
    try:
        state = (PROC / str(process) / "stat").read_text(encoding="utf-8", errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return None
    words = state.rpartition(")")[2].split()
    return None if words[0] in "ZX" else int(words[_BEGIN])
