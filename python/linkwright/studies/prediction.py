"""The predictions of one engine for one network: a ping-pong between the nearest and between the
farthest pair of nodes, and workloads on all of them; each run is handed out as it ends.

The same runs as those of a comparison (compare.py), which has many networks and one engine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from linkwright.engines import run
from linkwright.studies.jobs import jobs_of

if TYPE_CHECKING:
    from linkwright.network import Network
    from linkwright.progress import Report
    from linkwright.results import Result
    from linkwright.studies.comparison import Measured
    from linkwright.workloads import Workload

__all__ = ["predictions"]


def predictions(
    network: Network,
    workloads: Sequence[Workload],
    *,
    engine: str,
    calibration: str,
    seed: int = 1,
    progress: Report | None = None,
) -> Iterator[Measured]:
    """Yield the runs of workloads on a network, one run of each.

    Parameters
    ----------
    network : Network
        The compiled network.
    workloads : sequence of Workload
        Workloads to run.
    engine : str
        Name of the engine that runs them.
    calibration : str
        Name or TOML file of the constants of the hosts.
    seed : int
        Seed of every run.
    progress : callable, optional
        Called now and then; an exception that it raises ends the run.

    Raises
    ------
    LinkwrightError
        If a run fails.
    """

    def play(network: Network, workload: Workload) -> Result:
        return run(
            network,
            workload,
            engine=engine,
            calibration=calibration,
            seed=seed,
            repeats=1,
            progress=progress,
        )

    for job in jobs_of(network, workloads):
        yield job.measured(play)
