"""The flow engine: messages as flows that share what they cross, an event or a few per message.

This file only carries names and numbers across; the engine is in crates/flow.
"""

from __future__ import annotations

from linkwright import _core
from linkwright.calibrations import Calibration
from linkwright.engines.played import played
from linkwright.network import Network
from linkwright.results import Result
from linkwright.workloads import Workload

__all__ = ["run"]


def run(
    network: Network,
    workload: Workload,
    calibration: Calibration,
    *,
    seed: int,
    repeat: int = 0,
    study: str = "",
) -> Result:
    """Play a workload once; see `linkwright.engines.run`. Nothing in it is random."""
    play = _core.run_flow
    return played(
        "flow", play, network, workload, calibration, seed=seed, repeat=repeat, study=study
    )[0]
