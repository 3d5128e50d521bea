"""GOAL text, the trace format of LogGOPSim [LOGGOPSIM], read into steps.

The core parses it. `linkwright.program.goal_text` writes a program in the same format.
"""

from __future__ import annotations

import re
from typing import Any

from numpy.typing import NDArray

from linkwright import _core

__all__ = ["number_of_ranks", "read_goal"]

_HEAD = re.compile(rb"(?:\s|//[^\n]*\n|/\*.*?\*/)*num_ranks[ \t]*(\d+)", re.DOTALL)


def number_of_ranks(text: bytes) -> int:
    """Return the number of ranks of a GOAL text, from its first line alone if that is valid.

    Raises
    ------
    UsageError
        If the text is not valid.

    Examples
    --------
    >>> number_of_ranks(b"num_ranks 2 // and so on")
    2
    """
    head = _HEAD.match(text)
    return int(head[1]) if head else _core.read_goal(text)[0]


def read_goal(text: bytes) -> dict[str, NDArray[Any]]:
    r"""Return the steps of a GOAL text: the columns of `workloads.steps.Steps` by name.

    The tasks of each rank are in the order in which one process executes them: it starts every task
    that it may, and waits for a send or receive only if no other task is left and one requires it.

    Raises
    ------
    UsageError
        If the text is not GOAL, or its tasks can never finish; the message names the line.

    Examples
    --------
    >>> steps = read_goal(b"num_ranks 1\nrank 0 {\ncalc 250\n}")
    >>> steps["compute_s"].tolist()
    [2.5e-07]
    """
    return _core.read_goal(text)[1]
