"""GOAL, the trace format of LogGOPSim [LOGGOPSIM], read into steps from text or its binary form.

The core parses it. `linkwright.program.goal_text` writes a program in the same format.
"""

from __future__ import annotations

import re
from typing import Any

from numpy.typing import NDArray

from linkwright import _core

__all__ = ["number_of_ranks", "read_goal"]

_MAGIC = (4223).to_bytes(8, "little")
_HEAD = re.compile(rb"(?:\s|//[^\n]*\n|/\*.*?\*/)*num_ranks[ \t]*(\d+)", re.DOTALL)


def number_of_ranks(text: bytes) -> int:
    """Return the number of ranks of a GOAL file, from its beginning alone if that is valid.

    Raises
    ------
    UsageError
        If the text is not valid.

    Examples
    --------
    >>> number_of_ranks(b"num_ranks 2 // and so on")
    2
    """
    if text.startswith(_MAGIC) and len(text) >= len(_MAGIC) + 4:
        return int.from_bytes(text[len(_MAGIC) : len(_MAGIC) + 4], "little")
    head = _HEAD.match(text)
    return int(head[1]) if head else _core.read_goal(text)[0]


def read_goal(text: bytes) -> dict[str, NDArray[Any]]:
    r"""Return the steps of a GOAL file: the columns of `workloads.steps.Steps` by name.

    A rank whose tasks can run in one order only is one process. The tasks of any other run as soon
    as their requirements are met, in streams.

    Raises
    ------
    UsageError
        If the file is not GOAL, or its messages do not pair up; the message names the line.

    Examples
    --------
    >>> steps = read_goal(b"num_ranks 1\nrank 0 {\ncalc 250\n}")
    >>> steps["compute_s"].tolist()
    [2.5e-07]
    """
    return _core.read_goal(text)[1]
