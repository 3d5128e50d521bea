"""Reading: regular files and pipes, up to a stated size.

A device such as /dev/zero has no end, and a file of gigabytes in place of a line is a mistake: both
are refused before they fill the memory.
"""

from __future__ import annotations

import io
import os
import stat
import time
from pathlib import Path

from linkwright.errors import LinkwrightError, UsageError, shown_path
from linkwright.files.claims import claimed
from linkwright.files.fence import check_inside

__all__ = ["MEBIBYTE", "named", "read_bytes", "read_text"]

MEBIBYTE = 1 << 20

PATIENCE_S = 0.5
"""Time for which a named pipe may be without a program that writes to it."""
_BETWEEN_LOOKS_S = 0.01


def read_bytes(
    path: str | os.PathLike[str],
    what: str,
    *,
    most_bytes: int,
    hint: str,
    error: type[LinkwrightError] = UsageError,
) -> bytes:
    """Return the content of a regular file or of a pipe.

    Parameters
    ----------
    path : path-like
        The file.
    what : str
        Its role in the message, such as "price file"; may be empty.
    most_bytes : int
        Largest size to read.
    hint : str
        The remedy if it cannot be read.
    error : type
        Class of the error that is raised.

    Raises
    ------
    LinkwrightError
        `error`, if the file cannot be read, is neither a file nor a pipe that a program writes to,
        is too large, or lies outside of the folder that reading is confined to.
    UsageError
        If the file is an output of the same command.
    """
    name = named(what, path)
    if not os.fspath(path):
        raise error(f"{name} cannot be read: a file has a name", hint)
    if "\0" in os.fspath(path):
        raise error(f"{name} cannot be read: no name has a null character", hint)
    if claimed().is_stream(path):
        return _standard_input(name, most_bytes, hint, error)
    check_inside(path, name, error)
    claimed().read(path)
    try:
        if _is_device(Path(path)):
            raise error(f"{name} is a device: only files and pipes are read", hint)
        data = _content(Path(path), most_bytes + 1)
    except _NoWriterError:
        raise error(
            f"{name} is a pipe that no program writes to", "start its writer first, or name a file"
        ) from None
    except OSError as failure:
        raise error(f"{name} cannot be read: {failure.strerror or failure}", hint) from None
    if len(data) > most_bytes:
        raise error(f"{name} is larger than {most_bytes // MEBIBYTE} MiB", hint)
    return data


def read_text(
    path: str | os.PathLike[str],
    what: str,
    *,
    most_bytes: int = MEBIBYTE,
    hint: str,
    error: type[LinkwrightError] = UsageError,
) -> str:
    """Return the UTF-8 text in a file, without a byte order mark; parameters as for `read_bytes`.

    Raises
    ------
    LinkwrightError
        Also if it is not text; the message gives the place.
    """
    data = read_bytes(path, what, most_bytes=most_bytes, hint=hint, error=error)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as failure:
        lines = data[: failure.start].decode("utf-8", errors="replace").split("\n")
        place = f"line {len(lines)}, column {len(lines[-1]) + 1}"
        byte = data[failure.start]
        raise error(
            f"{named(what, path)} is not text: byte 0x{byte:02x} at {place}", hint
        ) from None


class _NoWriterError(Exception):
    """A named pipe has no writer: reading it would never end."""


def _content(path: Path, most_bytes: int) -> bytes:
    """Return the content of a file, or of a pipe once it has a writer."""
    # The pipe of a shell's <(COMMAND) is in no folder, and its writer may have ended.
    if not path.is_fifo() or not Path(os.path.realpath(path)).exists():
        with path.open("rb") as file:
            return file.read(most_bytes)
    with io.FileIO(os.open(path, os.O_RDONLY | os.O_NONBLOCK)) as pipe:
        start = _begun(pipe)
        os.set_blocking(pipe.fileno(), True)
        with io.BufferedReader(pipe) as rest:
            return start + rest.read(most_bytes - len(start))


def _begun(pipe: io.FileIO) -> bytes:
    """Return the first byte of a pipe, or nothing if it has a writer that has written nothing."""
    end_s = time.monotonic() + PATIENCE_S
    while (start := pipe.read(1)) == b"":
        if time.monotonic() > end_s:
            raise _NoWriterError
        time.sleep(_BETWEEN_LOOKS_S)
    return start or b""


def _standard_input(name: str, most_bytes: int, hint: str, error: type[LinkwrightError]) -> bytes:
    """Return the content of standard input, also if it was read before."""
    claims = claimed()
    if claims.standard_input is None:
        try:
            with open(0, "rb", closefd=False) as file:
                claims.standard_input = file.read(most_bytes + 1)
        except OSError as failure:
            raise error(f"{name} cannot be read: {failure.strerror or failure}", hint) from None
    if len(claims.standard_input) > most_bytes:
        raise error(f"{name} is larger than {most_bytes // MEBIBYTE} MiB", hint)
    return claims.standard_input


def named(what: str, path: str | os.PathLike[str]) -> str:
    """Return the name of an input for messages: its role, and its path or standard input."""
    is_stream = claimed().is_stream(path)
    return f"{what} {'on standard input' if is_stream else shown_path(path)}".lstrip()


def _is_device(path: Path) -> bool:
    mode = path.stat().st_mode
    return stat.S_ISCHR(mode) or stat.S_ISBLK(mode)
