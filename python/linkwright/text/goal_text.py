"""GOAL text, the trace format of LogGOPSim [LOGGOPSIM]: the steps that a text gives.

The core reads it; here the door is put into words. `linkwright.program.goal_text` writes a program
in the same format.
"""

from __future__ import annotations

import re
from typing import Any

from numpy.typing import NDArray

from linkwright import _core

__all__ = ["number_of_ranks", "read_goal"]

_HEAD = re.compile(rb"(?:\s|//[^\n]*\n|/\*.*?\*/)*num_ranks[ \t]*(\d+)", re.DOTALL)


def number_of_ranks(text: bytes) -> int:
    """Return how many ranks a GOAL text is for, from its first line alone if that is in order.

    Raises
    ------
    UsageError
        When the text is not in order at all.

    Examples
    --------
    >>> number_of_ranks(b"num_ranks 2 // and so on")
    2
    """
    head = _HEAD.match(text)
    return int(head[1]) if head else _core.read_goal(text)[0]


def read_goal(text: bytes) -> dict[str, NDArray[Any]]:
    r"""Return the steps of a GOAL text: the columns of `workloads.steps.Steps` by name.

    Each rank's tasks stand in the order in which one process does them: it starts what it may, and
    waits for a send or receive only when nothing else is left and something requires it.

    Raises
    ------
    UsageError
        When the text is not GOAL, or its tasks can never be done; the message names the line.

    Examples
    --------
    >>> steps = read_goal(b"num_ranks 1\nrank 0 {\ncalc 250\n}")
    >>> steps["compute_s"].tolist()
    [2.5e-07]
    """
    return _core.read_goal(text)[1]
