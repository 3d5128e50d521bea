"""Standard input, output and error: all open, and able to hold any text.

If the encoding of a terminal or pipe lacks a character, the nearest available one is written, or a
question mark. Files are always UTF-8 (linkwright.files).
"""

from __future__ import annotations

import codecs
import io
import json
import os
import re
import signal
import sys

__all__ = ["escaped", "outlive_readers", "prepare_streams", "visible"]

_DESCRIPTORS = ((0, os.O_RDONLY), (1, os.O_RDONLY), (2, os.O_WRONLY))
"""Flags for opening a closed descriptor on the null device: writing to standard output fails, as on
a closed one; text for standard error is lost.
"""

_NEAREST = {"µ": "u", "–": "-", "×": "x", "·": "."}
"""Characters of tables and remarks -> ASCII characters of the same width."""


def prepare_streams() -> None:
    """Open the descriptors that the caller closed, so that no file gets their numbers."""
    for descriptor, flags in _DESCRIPTORS:
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, flags)  # takes the lowest free number
    sys.stdout = sys.stdout or os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = sys.stderr or os.fdopen(2, "w", encoding="utf-8", closefd=False)
    codecs.register_error("nearest", _nearest)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="nearest")


def _nearest(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    missing = error.object[error.start : error.end]
    return "".join(_NEAREST.get(character, "?") for character in missing), error.end


def escaped(text: str, encoding: str) -> str:
    r"""Return text that an encoding can hold, if necessary with JSON escapes beyond ASCII.

    Examples
    --------
    >>> escaped("µs", "utf-8"), escaped("µs", "ascii")
    ('µs', '\\u00b5s')
    """
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return re.sub(r"[^\x00-\x7f]", lambda found: json.dumps(found[0])[1:-1], text)
    return text


def visible(text: str) -> str:
    r"""Return text with its control characters escaped, except for line ends and tabs.

    Examples
    --------
    >>> visible("a\x1b[2Jb")
    'a\\x1b[2Jb'
    """
    return re.sub(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", lambda c: f"\\x{ord(c[0]):02x}", text)


def outlive_readers() -> None:
    """Let a pipe without a reader be an error that is handled, for commands with workers or with
    connections to machines.
    """
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)
