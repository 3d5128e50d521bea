"""Broadcast and barrier on the switch, with the torus' barrier of NAS-97-017 beside it.

Predictions from point-to-point figures.
"""

from __future__ import annotations

from linkwright.papers import collective_runs as runs
from linkwright.papers import nas_97_017
from linkwright.papers.printed import Printed, printed_numbers
from linkwright.papers.study import Claim, Experiment, Results, Study, mean_of
from linkwright.results import Result
from linkwright.views.figures import Figure
from linkwright.workloads import Barrier

__all__ = ["collectives"]

_CLUSTERS = {"switch": "switch-36"}
_NODES = (2, 4, 8, 9, 16, 25, 36)
_TORUS = "barrier-torus-16"


def collectives() -> Study:
    """Return the study of collectives."""
    torus = Experiment(
        name=_TORUS,
        package=nas_97_017.__name__,
        cluster="torus-4x4",
        workload=Barrier(ranks=16, repeats=200),
    )
    numbers = printed_numbers(__package__).table("collectives")
    return Study(
        experiments=(*runs.experiments(__package__, _CLUSTERS, _NODES), torus),
        claims=tuple(_claim(printed) for printed in numbers),
        figures=_figures,
    )


def _claim(printed: Printed) -> Claim:
    what, _, rest = printed.row.partition("-")
    if what == "broadcast":
        name = runs.broadcast_name("switch", int(rest))
        return Claim(printed=printed, of=(name,), value=runs.best_throughput)
    return Claim(printed=printed, of=(_TORUS, runs.barrier_name("switch", 16)), value=_ratio)


def _ratio(torus: Result, switch: Result) -> float:
    return mean_of("time")(torus) / mean_of("time")(switch)


def _figures(results: Results) -> list[Figure]:
    return list(runs.figures(results, tuple(_CLUSTERS), _NODES))
