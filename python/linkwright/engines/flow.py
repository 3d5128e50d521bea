"""The flow engine: messages are flows that share resources, with one or a few events per message.

This file only passes names and numbers; the engine is in crates/flow.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from linkwright import _core
from linkwright.engines.engine import Engine, Outcome
from linkwright.engines.simulated import simulated
from linkwright.errors import UsageError
from linkwright.results import Run

__all__ = ["FLOW"]

MOST_EXACT_NODES = 2000
"""Nodes up to which shares are exact by default."""
BOUND = 0.05
"""Default on more nodes: a rate update may be deferred by this fraction of a transfer's time."""
LARGEST_BOUND = 0.2


def _simulate(run: Run) -> Outcome:
    """Run a workload once. No input is random."""
    precision = run.precision
    if precision is None:
        precision = 0.0 if run.network.n_compute <= MOST_EXACT_NODES else BOUND
    if not 0 <= precision <= LARGEST_BOUND:
        raise UsageError(
            f"a precision of {precision} is not between 0 and {LARGEST_BOUND}",
            "0 is exact; 0.05 defers a rate update by up to 5 % of a transfer's time",
        )
    core_run = partial(_core.run_flow, precision=precision)
    return simulated(replace(run, precision=precision), core_run)


FLOW = Engine(name="flow", simulate=_simulate, has_precision=True)
