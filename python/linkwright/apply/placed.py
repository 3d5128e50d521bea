"""Files of a scope on a machine: read, written completely or not at all, and removed.

It runs by itself on the machine, in one program (`program.py`). The value of a place is None, or a
file, a link or a folder with its owner and mode; files have the digest of their content, and in the
journal their content too. A file is written beside its place under a name that no manager reads.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import os
import stat
from pathlib import Path
from typing import Any

from linkwright.apply.present import StepError

MOST_OF_FILE = 1 << 20
PLACES = (
    "/etc/linkwright",
    "/etc/netplan",
    "/etc/network/interfaces.d",
    "/etc/NetworkManager",
    "/etc/sysctl.d",
    "/etc/systemd/network",
    "/etc/systemd/system",
    "/run/systemd/network",
    "/run/linkwright.undo",
)
"""Folders that the files of a plan are in, and the one file in none of them."""


def files(scope: dict[str, Any]) -> dict[str, Any]:
    """Return the values of the places of a scope."""
    return {path: value_of(path) for path in scope.get("files", [])}


def generated(scope: dict[str, Any]) -> dict[str, Any]:
    """Return the values of the places that a manager writes for the plan."""
    return {path: value_of(path) for path in scope.get("generated", [])}


def value_of(path: str, *, is_kept: bool = False) -> dict[str, Any] | None:
    """Return the value of a place, with the content of a file if it is kept."""
    expect_place(path)
    place = Path(path)
    try:
        about = place.lstat()
        if stat.S_ISLNK(about.st_mode):
            return {"kind": "link", "target": str(place.readlink())}
        value = {"mode": stat.S_IMODE(about.st_mode), "uid": about.st_uid, "gid": about.st_gid}
        if stat.S_ISDIR(about.st_mode):
            return {"kind": "folder", **value}
        if not stat.S_ISREG(about.st_mode) or about.st_size > MOST_OF_FILE:
            raise StepError(f"{path} is no file below {MOST_OF_FILE:,} bytes")
        content = place.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise StepError(f"{path} cannot be read: {error.strerror}") from None
    found = {"kind": "file", **value, "sha256": hashlib.sha256(content).hexdigest()}
    return {**found, "content": base64.b64encode(content).decode()} if is_kept else found


def expect_place(path: str) -> None:
    """Expect a place to be one that a plan may have."""
    is_within = any(path == one or path.startswith(f"{one}/") for one in PLACES)
    if not is_within or os.path.normpath(path) != path:
        raise StepError(f"{path} is no place for a file of a plan")


def with_contents(values: dict[str, Any]) -> dict[str, Any]:
    """Return values of places with the contents of files, for the journal."""
    return {path: value and value_of(path, is_kept=True) for path, value in values.items()}


def is_same(value: dict[str, Any] | None, other: dict[str, Any] | None) -> bool:
    """Return whether two values of a place are the same; a folder may have any owner and mode."""
    if value is None or other is None:
        return value is other
    if value["kind"] == other["kind"] == "folder":
        return True
    return {**value, "content": 0} == {**other, "content": 0}


def set_files(values: dict[str, Any], failed: Any) -> None:
    """Give places their values, folders before what is in them."""
    for path in sorted(values):
        _attempt(path, values[path], failed, _put)
    for path in sorted(values, reverse=True):
        _attempt(path, values[path], failed, _remove)


def _attempt(path: str, value: dict[str, Any] | None, failed: Any, deed: Any) -> None:
    expect_place(path)
    try:
        discard(part_of(path))
        deed(path, value)
    except OSError as error:
        failed(f"{path} cannot be changed: {error.strerror}")


def discard(part: Path) -> None:
    """Remove what an attempt that was cut off has left."""
    with contextlib.suppress(FileNotFoundError, NotADirectoryError):
        if part.is_dir() and not part.is_symlink():
            part.rmdir()
        else:
            part.unlink()


def part_of(path: str) -> Path:
    """Return the place at which a file is written before it has its own."""
    place = Path(path)
    return place.with_name(f".{place.name}.linkwright")


def _put(path: str, value: dict[str, Any] | None) -> None:
    """Write a file, a link or a folder; it is there completely or not at all."""
    if value is None or is_same(value, value_of(path)):
        return
    part = part_of(path)
    if value["kind"] == "folder":
        part.mkdir(0o700)
        os.chown(part, value["uid"], value["gid"])
        part.chmod(value["mode"])
    elif value["kind"] == "link":
        part.symlink_to(value["target"])
    else:
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            os.fchown(descriptor, value["uid"], value["gid"])
            os.fchmod(descriptor, value["mode"])
            file.write(base64.b64decode(value["content"]))
            file.flush()
            os.fsync(descriptor)
    part.replace(path)
    sync_folder(part.parent)


def _remove(path: str, value: dict[str, Any] | None) -> None:
    """Remove what a place without a value has; a folder stays that others use."""
    place = Path(path)
    if value is not None or value_of(path) is None:
        return
    if place.is_dir() and not place.is_symlink():
        if any(place.iterdir()):
            return
        place.rmdir()
    else:
        place.unlink()
    sync_folder(place.parent)


def sync_folder(folder: Path) -> None:
    """Keep the names in a folder, also if the machine loses its power."""
    descriptor = os.open(folder, os.O_RDONLY)
    os.fsync(descriptor)
    os.close(descriptor)
