"""Errors of the compiled core with the names of nodes, the background and the faults of their run.

The core numbers the nodes and knows no background; both are put right here and nowhere else.
"""

from __future__ import annotations

import re

from linkwright.errors import RunError
from linkwright.results import Run

__all__ = ["named"]

_NODE = re.compile(r"\bnode (\d+)")
_STARVED = re.compile("wait for ever|gave up")
"""Ends of runs that a background brings about which takes all the time of the processors."""


def named(error: RunError, run: Run) -> RunError:
    """Return an error of the core, which numbers the nodes, as the user of a run reads it."""

    def name(node: re.Match[str]) -> str:
        return f"node {run.network.device_names[int(node[1])]}"

    message, hint = _NODE.sub(name, error.message), error.hint
    if run.faults:
        texts = ", ".join(fault.text for fault in run.faults)
        return RunError(
            f"{message}; the run has faults: {texts}",
            "let the part come back (up at TIME), unless a rank dies with it; `linkwright check` "
            "shows the failures that the design survives by itself",
        )
    if run.background is not None and _STARVED.search(error.message):
        leaves = f"that background {run.background.name} leaves the nodes time"
        hint += f", and {leaves}: give it a larger spacing_s"
    return RunError(message, hint)
