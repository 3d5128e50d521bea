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
MOST_FLOWS = 2**32 - 1
OPTIONS = ("precision", "exact_flows")


def _simulate(run: Run, wanted: Observation = ROWS_ALONE) -> Outcome:
    """Run a workload once. No input is random."""
    precision, exact_flows = (run.options.get(name) for name in OPTIONS)
    _expect_in_range(precision, exact_flows)
    if exact_flows is None:
        exact_flows = MOST_EXACT_FLOWS if precision is None else 0
    bound = BOUND if precision is None else precision
    core_run = partial(_core.run_flow, precision=bound, most_exact=int(exact_flows))
    outcome = simulated(run, core_run, wanted)
    if precision is not None:
        return outcome
    is_exact = outcome.answer["figures"]["deferrals"] == 0
    made_with = {**run.options, "precision": 0.0 if is_exact else BOUND}
    return replace(outcome, run=replace(outcome.run, options=made_with))


def _expect_in_range(precision: float | None, exact_flows: float | None) -> None:
    if precision is not None and not 0 <= precision <= LARGEST_BOUND:
        raise UsageError(
            f"a precision of {precision} is not between 0 and {LARGEST_BOUND}",
            "0 is exact; 0.05 defers a rate update by up to 5 % of a transfer's time",
        )
    if exact_flows is not None and not (
        0 <= exact_flows <= MOST_FLOWS and int(exact_flows) == exact_flows
    ):
        raise UsageError(
            f"{exact_flows} exact flows are not a whole number from 0 to {MOST_FLOWS:,}",
            f"leave it out for {MOST_EXACT_FLOWS}",
        )


FLOW = Engine(name="flow", simulate=_simulate, options=OPTIONS)
