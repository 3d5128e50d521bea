"""The analytic engine: every transfer takes its time on an idle path; ranks share nothing.

This file only passes names and numbers; the engine is in crates/analytic.
"""

from __future__ import annotations

from linkwright import _core
from linkwright.engines.engine import Engine, Outcome
from linkwright.engines.simulated import simulated
from linkwright.results import Run

__all__ = ["ANALYTIC"]


def _simulate(run: Run) -> Outcome:
    """Run a workload once; the seed changes nothing."""
    return simulated(run, _core.run_analytic)


ANALYTIC = Engine(name="analytic", simulate=_simulate, shares_links=False)
