"""Errors of the compiled core with the names of nodes, the background and the faults of their run.

The messages are in core_errors.toml; this file adds the facts that only the inputs of a run have.
"""

from __future__ import annotations

from linkwright.core_errors import named
from linkwright.engines.inputs import Run
from linkwright.errors import RunError

__all__ = ["explained"]

STARVED = ("run.Deadlock", "run.ConnectionLost")
"""Errors with another possible cause: a background that takes all processor time."""
TOO_LONG = "run.TooManyFrames"
"""The error of a run that is too long for its caller, whatever its faults."""


def explained(error: RunError, run: Run) -> RunError:
    """Return an error of the core with the names of the nodes, and the remedy for its run."""
    tags = run.workload.tag_names() if error.kind in STARVED else {}
    found = named(error, run.network.device_names, tags)
    if run.faults and found.kind != TOO_LONG:
        texts = ", ".join(fault.text for fault in run.faults)
        return RunError(
            f"{found.message}; the run has faults: {texts}",
            "let the part come back (up at TIME), unless a rank dies with it; `linkwright check` "
            "shows the failures after which all nodes reroute",
        )
    if run.background is not None and found.kind in STARVED:
        leaves = f"that background {run.background.name} leaves the nodes time"
        found.hint += f", and {leaves}: give it a larger spacing_s"
    return found
