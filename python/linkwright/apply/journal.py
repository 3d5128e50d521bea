"""The journal of a machine, the folder /var/lib/linkwright: read and written under a lock.

It runs by itself on the machine, in one program (`program.py`). The folder has

- `before.json`, the state before the first plan, as long as a plan is applied;
- `under-way.json`, the state before a change that is not confirmed yet, with its end;
- `last.json`, the same of the last change that is confirmed;
- `keeper.py`, the program: `python3 /var/lib/linkwright/keeper.py undo` needs nothing else.

A journal without files of an earlier start of the machine is void: the start has taken all of it
back.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from linkwright.apply.placed import sync_folder
from linkwright.apply.present import StepError

FOLDER = Path("/var/lib/linkwright")
BEFORE = FOLDER / "before.json"
UNDER_WAY = FOLDER / "under-way.json"
LAST = FOLDER / "last.json"
KEEPER = FOLDER / "keeper.py"
LOCK_S = 60.0


@contextlib.contextmanager
def locked() -> Iterator[None]:
    """Hold the lock of the journal; an empty journal is removed at the end."""
    deadline = time.monotonic() + LOCK_S
    while True:
        descriptor = attempted()
        if descriptor is not None:
            break
        if time.monotonic() > deadline:
            raise StepError("another program changes this machine at the moment")
        time.sleep(0.05)
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            if not UNDER_WAY.exists() and not BEFORE.exists():
                shutil.rmtree(FOLDER)
        os.close(descriptor)


def attempted() -> int | None:
    """Return the descriptor of the locked folder; None if another program is before this one."""
    try:
        FOLDER.mkdir(0o700, parents=True, exist_ok=True)
        descriptor = os.open(FOLDER, os.O_RDONLY | os.O_DIRECTORY)
    except FileNotFoundError:
        # Another program has removed the empty folder.
        return None
    except OSError as error:
        raise StepError(f"{FOLDER} cannot be made: {error.strerror}") from None
    with contextlib.suppress(OSError):
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        # The folder may have been removed before it was locked.
        if os.path.samestat(os.fstat(descriptor), FOLDER.stat()):
            return descriptor
    os.close(descriptor)
    return None


def saved(path: Path) -> Any:
    """Return a part of the journal; None if it is not there, or void."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        return found if found["boot"] == boot() or found["scope"].get("files") else None
    except FileNotFoundError:
        return None
    except (KeyError, TypeError, ValueError):
        raise StepError(f"{path} is damaged: see what it has, and remove {FOLDER}") from None


def forget(*paths: Path) -> None:
    """Remove parts of the journal."""
    for path in paths:
        with contextlib.suppress(FileNotFoundError):
            path.unlink()


def write(path: Path, text: str, mode: int = 0o600) -> None:
    """Write a file of the journal completely or not at all, also if the machine loses its power."""
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("w", encoding="utf-8") as file:
            os.fchmod(file.fileno(), mode)
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
        sync_folder(path.parent)
    except OSError as error:
        with contextlib.suppress(OSError):
            part.unlink()
        raise StepError(f"{path} cannot be written: {error.strerror}") from None


def save(path: Path, value: Any) -> None:
    """Write a part of the journal."""
    write(path, json.dumps(value))


def boot() -> str:
    """Return the number of this start of the machine."""
    return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="utf-8").strip()


def now_s() -> float:
    """Return the seconds since the machine has started, those of its sleep included."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)
