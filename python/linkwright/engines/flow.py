"""The flow engine: messages as flows that share what they cross, an event or a few per message.

This file only carries names and numbers across; the engine is in crates/flow.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from linkwright import _core
from linkwright.calibrations import Calibration
from linkwright.engines.played import played
from linkwright.errors import UsageError
from linkwright.network import Network
from linkwright.placement import IN_ORDER
from linkwright.results import Result
from linkwright.workloads import Background, Workload

__all__ = ["play"]

MOST_EXACT_NODES = 2000
"""Nodes up to which shares are exact unless something else is asked for."""
BOUND = 0.05
"""By what part of a transfer's time shares may be late on more nodes than that: those it waits for,
and those it leaves.
"""
LARGEST_BOUND = 0.2


def play(
    network: Network,
    workload: Workload,
    calibration: Calibration,
    *,
    seed: int,
    repeat: int = 0,
    study: str = "",
    placement: str = IN_ORDER,
    background: Background | None = None,
    precision: float | None = None,
) -> tuple[Result, dict[str, Any]]:
    """Play a workload once; see `linkwright.engines.run`. Nothing in it is random."""
    if precision is None:
        precision = 0.0 if network.n_compute <= MOST_EXACT_NODES else BOUND
    if not 0 <= precision <= LARGEST_BOUND:
        raise UsageError(
            f"a precision of {precision} is not between 0 and {LARGEST_BOUND}",
            "0 is exact; 0.05 lets a change of shares be late by 5 % of a transfer's time",
        )
    return played(
        "flow",
        partial(_core.run_flow, precision=precision),
        network,
        workload,
        calibration,
        seed=seed,
        repeat=repeat,
        study=study,
        placement=placement,
        background=background,
        conditions={"precision": precision} if precision > 0 else None,
    )
