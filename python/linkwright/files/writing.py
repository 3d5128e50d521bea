"""Writing: a file holds either all of its new content or its old content.

The data go into a new file next to the target, which then replaces the target. That file is locked
while its writer lives, so that the next writer in the same folder can recognise and remove the
leftovers of a killed one.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import re
import stat
import sys
from collections.abc import Iterable
from pathlib import Path

from linkwright.errors import OutputError, shown_path
from linkwright.files.claims import claimed
from linkwright.files.owned import expect_foreign

__all__ = ["check_writable", "lock", "remove_leftovers", "utf8", "write_atomically"]

_MAX_NAME_TRIES = 100
_NAME_BYTES = 100
"""Bytes of the target's name in the name of the temporary file."""
_MARK = "linkwright-"
_LEFTOVER = re.compile(rf"\..+\.{_MARK}[0-9a-f]{{8}}\.part", re.DOTALL)


def write_atomically(path: str | os.PathLike[str], data: str | bytes | Iterable[str]) -> None:
    """Write a file so that it holds either all of `data` or its old content.

    Pipes, devices and, for `-` on the command line, standard output are written directly; symbolic
    links are followed.

    Parameters
    ----------
    path : path-like
        The file; its folder must exist.
    data : str, bytes, or iterable of str
        Its content, or the pieces of it; text becomes UTF-8.

    Raises
    ------
    OutputError
        If the file cannot be written; no leftovers remain.
    """
    pieces = (data,) if isinstance(data, str | bytes) else data
    content = (utf8(piece) if isinstance(piece, str) else piece for piece in pieces)
    if claimed().is_stream(path):
        # An error of standard output is reported as that of any other output to it.
        sys.stdout.flush()
        sys.stdout.buffer.writelines(content)
        sys.stdout.buffer.flush()
        return
    try:
        target = Path(os.path.realpath(path))
        if _is_replaceable(target):
            remove_leftovers(target.parent)
            _replace(target, content)
        else:
            held = claimed().held(path)
            with os.fdopen(held, "wb") if held is not None else target.open("wb") as file:
                file.writelines(content)
    except OSError as error:
        raise _output_error(path, error) from error


def check_writable(path: Path) -> None:
    """Claim an output of the running command, and refuse one that cannot be written later.

    A named pipe is opened at once: without a reader the command would work and then wait forever.

    Raises
    ------
    OutputError
        If the folder of the file is missing or read-only, or the path is a folder, a read-only
        file, or a pipe that no program reads.
    UsageError
        If it is an input or another output of the command, or one of the files of a study.
    """
    if claimed().is_stream(path):
        claimed().write(path)
        return
    target = Path(os.path.realpath(path))
    try:
        target.parent.is_dir() and target.exists()
    except OSError as error:
        raise _output_error(path, error) from None
    if target.is_dir():
        raise OutputError(f"{shown_path(path)} is a folder", "give the name of a file")
    if not target.parent.is_dir():
        raise OutputError(
            f"{shown_path(path)} cannot be written: there is no folder {shown_path(target.parent)}",
            "create it first",
        )
    if target.exists() and not os.access(target, os.W_OK):
        raise OutputError(f"{shown_path(path)} is read-only", "choose another file with -o")
    expect_foreign(target, path)
    claimed().write(path)
    if target.is_fifo():
        _hold_pipe(path)
    elif not target.exists() or target.is_file():
        _check_folder(path, target.parent)


def utf8(text: str) -> bytes:
    """Return text as UTF-8; bytes of file names that are not text become question marks."""
    return text.encode("utf-8", errors="replace")


def lock(descriptor: int) -> bool:
    """Lock an open file or folder until it is closed; return whether no other process locks it."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        # On a file system without locks every process may have its own.
        return error.errno not in (errno.EAGAIN, errno.EACCES)
    return True


def _hold_pipe(path: Path) -> None:
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_NONBLOCK)
    except OSError as error:
        if error.errno != errno.ENXIO:
            raise _output_error(path, error) from None
        raise OutputError(
            f"{shown_path(path)} is a pipe that no program reads",
            "start its reader first, or name a file",
        ) from None
    os.set_blocking(descriptor, True)
    claimed().hold(path, descriptor)


def _check_folder(path: Path, folder: Path) -> None:
    """Refuse a folder in which no file can be created; the attempt leaves no file."""
    try:
        remove_leftovers(folder)
        partial, descriptor = _create_partial(folder / path.name)
        os.close(descriptor)
        partial.unlink()
    except OSError as error:
        raise OutputError(
            f"{shown_path(path)} cannot be written: {error.strerror}",
            "choose another folder with -o",
        ) from None


def _is_replaceable(target: Path) -> bool:
    """Return whether a new file may replace the target; not if that is a pipe or device."""
    try:
        mode = target.stat().st_mode
    except FileNotFoundError:
        return True
    return stat.S_ISREG(mode)


def _replace(target: Path, content: Iterable[bytes]) -> None:
    partial, descriptor = _create_partial(target)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.writelines(content)
            file.flush()
            os.fsync(file.fileno())
            partial.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            partial.unlink()
        raise


def _create_partial(target: Path) -> tuple[Path, int]:
    """Return a new, empty, locked file next to `target`, with the rights that new files get."""
    for _ in range(_MAX_NAME_TRIES):
        name = os.fsdecode(os.fsencode(target.name)[:_NAME_BYTES])
        partial = target.with_name(f".{name}.{_MARK}{os.urandom(4).hex()}.part")
        try:
            descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        except FileExistsError:
            continue
        # Until it is locked, another writer of the same target may remove it as a leftover.
        if lock(descriptor) and os.fstat(descriptor).st_nlink:
            return partial, descriptor
        os.close(descriptor)
    raise FileExistsError("every name next to it is in use")


def remove_leftovers(folder: Path) -> None:
    """Remove the leftovers of killed writers of files in a folder."""
    with os.scandir(folder) as entries:
        names = [entry.name for entry in entries if _LEFTOVER.fullmatch(entry.name)]
    for name in names:
        _remove_unlocked(folder / name)


def _remove_unlocked(path: Path) -> None:
    with contextlib.suppress(OSError):
        descriptor = os.open(path, os.O_WRONLY | os.O_NOFOLLOW)
        try:
            if lock(descriptor):
                path.unlink()
        finally:
            os.close(descriptor)


_REMEDIES: dict[type[OSError], str] = {
    FileNotFoundError: "create the folder first, or choose another",
    NotADirectoryError: "a part of the path is a file: choose another path",
    IsADirectoryError: "it is a folder: give the name of a file",
    PermissionError: "choose a folder you may write to",
}


def _output_error(path: str | os.PathLike[str], error: OSError) -> OutputError:
    remedy = _REMEDIES.get(type(error), "choose a path on a disk with room that can be written")
    if error.errno == errno.ENAMETOOLONG:
        remedy = "choose a path with shorter names"
    return OutputError(f"{shown_path(path)} cannot be written: {error.strerror or error}", remedy)
