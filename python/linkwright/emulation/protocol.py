"""The protocol of rank processes, version 1: messages on pipes, a line of JSON and bytes each.

In order, between the program that asks for a run (A) and the first of the processes (B):

1. A: `{"job": {...}}`, the fields of `rank_processes.Job` but its program, then the bytes of a
   packed run (crate `page`), whose first program is executed;
2. B: `{"said": "ready"}`, when all ranks are connected;
3. A: `{"start_s": T}`, in seconds of the machine's monotonic clock;
4. B: `{"said": [...]}`, the answer of each awaited rank: `mark`, `rank` and `time_s` of its marks,
   `figures` and `waited_s`.

B says `{"error": {...}}` in place of any answer. Every line has `version`, and `bytes`,
the number of bytes after it. Another version is refused, not guessed at.
"""

from __future__ import annotations

import json
from typing import IO, Any

import numpy as np

from linkwright import errors
from linkwright.errors import LinkwrightError, RunError

__all__ = ["VERSION", "expected", "say"]

VERSION = 1


def say(stream: IO[bytes], word: str, value: object, packed: bytes = b"") -> None:
    """Write a message: a word with its value, and bytes.

    Parameters
    ----------
    stream : binary file
        The pipe to the other side.
    word : str
        Name of the value in the message; "said" for an answer.
    value : object
        A JSON value, or an exception, which is written as an error.
    packed : bytes
        Bytes after the line.
    """
    if isinstance(value, Exception):
        word, value = "error", _described(value)
    message = {"version": VERSION, word: value, "bytes": len(packed)}
    stream.write(json.dumps(message, default=_plain).encode() + b"\n" + packed)
    stream.flush()


def expected(stream: IO[bytes], word: str) -> tuple[Any, bytes]:
    """Return the value of a word in the next message, and the bytes after it.

    Raises
    ------
    LinkwrightError
        If the other side says an error.
    RunError
        If it has ended, or speaks another version.
    """
    line = stream.readline()
    if not line:
        raise RunError(
            "the processes of the ranks have ended without an answer",
            "look for a lack of memory, and start the run again",
        )
    message = json.loads(line)
    if message["version"] != VERSION:
        raise RunError(
            f"the processes of the ranks speak version {message['version']} of their protocol, "
            f"not {VERSION}",
            "install the same version of Linkwright on all machines",
        )
    if "error" in message:
        raise _error(message["error"])
    return message[word], stream.read(message["bytes"])


def _described(error: Exception) -> dict[str, Any]:
    """Return an error as JSON values."""
    if not isinstance(error, LinkwrightError):
        return {"fault": f"{type(error).__name__}: {error}"}
    return {
        "class": type(error).__name__,
        "message": error.message,
        "hint": error.hint,
        "kind": error.kind,
        "numbers": dict(error.numbers),
    }


def _error(described: dict[str, Any]) -> Exception:
    if "fault" in described:
        return RuntimeError(described["fault"])
    kind: type[LinkwrightError] = getattr(errors, described["class"])
    error = kind(described["message"], described["hint"])
    error.kind, error.numbers = described["kind"], described["numbers"]
    return error


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} is no JSON value")
