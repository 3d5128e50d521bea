"""The files that one command reads and writes, so that it never overwrites its own input.

The command line opens a set of claims around each command. Every file that `reading` opens is noted
there, and every output is claimed before the work begins; the second use of the same file is
refused. A program that uses the package as a library opens no claims and may overwrite its inputs.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path

from linkwright.errors import UsageError, shown_path

__all__ = ["STREAM", "Claims", "claimed"]

STREAM = "-"
"""Name of standard input or output on the command line."""

_Identity = tuple[int, int] | str
"""Device and number of a file, equal for all links to it; its real path until it exists."""


@dataclass
class Claims:
    """The files of one command."""

    _inputs: dict[_Identity, str] = field(default_factory=dict)
    _outputs: dict[_Identity, str] = field(default_factory=dict)
    _pipes: dict[_Identity, int] = field(default_factory=dict)
    has_streams: bool = False
    """Whether `-` names standard input and output, as on the command line."""
    standard_input: bytes | None = None
    """Content of standard input once it has been read: it is there only once."""

    @staticmethod
    @contextmanager
    def opened() -> Iterator[Claims]:
        """Note the files used inside the block, also by threads that copy the context."""
        claims = Claims(has_streams=True)
        token = _CURRENT.set(claims)
        try:
            yield claims
        finally:
            _CURRENT.reset(token)

    def is_stream(self, path: str | os.PathLike[str]) -> bool:
        """Return whether a path names standard input or output."""
        return self.has_streams and os.fspath(path) == STREAM

    def read(self, path: str | os.PathLike[str]) -> None:
        """Note an input.

        Raises
        ------
        UsageError
            If the same file is an output.
        """
        if self.is_stream(path):
            return
        identity = _identity(path)
        if identity in self._outputs:
            raise _overwritten(path)
        self._inputs[identity] = os.fspath(path)

    def write(self, path: str | os.PathLike[str]) -> None:
        """Claim an output; several options may share a pipe or a device.

        Raises
        ------
        UsageError
            If the same file is an input or another output.
        """
        identity = STREAM if self.is_stream(path) else _identity(path)
        if identity != STREAM and _is_stream(path):
            return
        if identity in self._inputs:
            raise _overwritten(path)
        if identity in self._outputs:
            name = "standard output" if identity == STREAM else shown_path(path)
            raise UsageError(
                f"{name} is the output of two options: each needs its own file",
                "choose another name for one of them",
            )
        self._outputs[identity] = os.fspath(path)

    def hold(self, path: str | os.PathLike[str], descriptor: int) -> None:
        """Keep a named pipe open until it is written: its reader ends without a writer."""
        self._pipes[_identity(path)] = descriptor

    def held(self, path: str | os.PathLike[str]) -> int | None:
        """Return the open descriptor of a named pipe, once; the caller closes it."""
        return self._pipes.pop(_identity(path), None)


_CURRENT: ContextVar[Claims | None] = ContextVar("claims", default=None)


def claimed() -> Claims:
    """Return the claims of the running command, or new, empty ones."""
    return _CURRENT.get() or Claims()


def _identity(path: str | os.PathLike[str]) -> _Identity:
    try:
        found = os.stat(path)  # noqa: PTH116 - the path may be a descriptor's
    except (OSError, ValueError):
        return os.path.realpath(path)
    return (found.st_dev, found.st_ino)


def _is_stream(path: str | os.PathLike[str]) -> bool:
    target = Path(path)
    return target.exists() and not target.is_file() and not target.is_dir()


def _overwritten(path: str | os.PathLike[str]) -> UsageError:
    return UsageError(
        f"{shown_path(path)} is an input of this command and would be overwritten by its output",
        "choose another file for the output",
    )
