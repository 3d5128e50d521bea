"""The analytic engine: every transfer takes its time on an idle path; ranks share nothing.

This file only passes names and numbers; the engine is in crates/analytic.
"""

from __future__ import annotations

from linkwright import _core
from linkwright.engines.engine import Engine, Outcome
from linkwright.engines.inputs import Run
from linkwright.engines.simulated import simulated
from linkwright.observations.observation import ROWS_ALONE, Observation

__all__ = ["ANALYTIC"]


def _simulate(run: Run, wanted: Observation = ROWS_ALONE) -> Outcome:
    """Run a workload once; the seed changes nothing."""
    return simulated(run, _core.run_analytic, wanted)


ANALYTIC = Engine(name="analytic", simulate=_simulate, shares_links=False)
