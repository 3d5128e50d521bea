"""The analytic engine: every transfer in its time on an idle path, nothing shared between ranks.

This file only carries names and numbers across; the engine is in crates/analytic.
"""

from __future__ import annotations

from typing import Any

from linkwright import _core
from linkwright.calibrations import Calibration
from linkwright.engines.played import played
from linkwright.network import Network
from linkwright.placement import IN_ORDER
from linkwright.results import Result
from linkwright.workloads import Workload

__all__ = ["play"]


def play(
    network: Network,
    workload: Workload,
    calibration: Calibration,
    *,
    seed: int,
    repeat: int = 0,
    study: str = "",
    placement: str = IN_ORDER,
) -> tuple[Result, dict[str, Any]]:
    """Play a workload once; see `linkwright.engines.run`. The seed changes nothing."""
    return played(
        "analytic",
        _core.run_analytic,
        network,
        workload,
        calibration,
        seed=seed,
        repeat=repeat,
        study=study,
        placement=placement,
    )
