"""The flow engine: messages are flows that share resources, with one or a few events per message.

This file only passes names and numbers; the engine is in crates/flow.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from linkwright import _core
from linkwright.engines.engine import Engine, Outcome
from linkwright.engines.inputs import Run
from linkwright.engines.simulated import simulated
from linkwright.errors import UsageError
from linkwright.observations.observation import ROWS_ALONE, Observation

__all__ = ["FLOW"]

MOST_EXACT_FLOWS = 32
"""Default: shares are exact while no more messages drain at the same time."""
BOUND = 0.05
"""Default while more do: a rate update may be deferred by this fraction of a transfer's time."""
LARGEST_BOUND = 0.2


def _simulate(run: Run, wanted: Observation = ROWS_ALONE) -> Outcome:
    """Run a workload once. No input is random."""
    precision = run.options.get("precision")
    if precision is None:
        outcome = simulated(
            run, partial(_core.run_flow, precision=BOUND, most_exact=MOST_EXACT_FLOWS), wanted
        )
        is_exact = outcome.answer["figures"]["deferrals"] == 0
        made_with = {"precision": 0.0 if is_exact else BOUND}
        return replace(outcome, run=replace(outcome.run, options=made_with))
    if not 0 <= precision <= LARGEST_BOUND:
        raise UsageError(
            f"a precision of {precision} is not between 0 and {LARGEST_BOUND}",
            "0 is exact; 0.05 defers a rate update by up to 5 % of a transfer's time",
        )
    return simulated(run, partial(_core.run_flow, precision=precision), wanted)


FLOW = Engine(name="flow", simulate=_simulate, options=("precision",))
