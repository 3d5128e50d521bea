"""Broadcast and barrier on hub and torus: predictions from point-to-point figures."""

from __future__ import annotations

from linkwright.papers import collective_runs as runs
from linkwright.papers.printed import Printed, printed_numbers
from linkwright.papers.study import Claim, Results, Study, mean_of
from linkwright.results import Result
from linkwright.views.figures import Figure

__all__ = ["collectives"]

_CLUSTERS = {"hub": "hub-16", "torus": "torus-4x4"}
_NODES = (2, 4, 8, 9, 12, 16)


def collectives() -> Study:
    """Return the study of collectives."""
    numbers = printed_numbers(__package__).table("collectives")
    return Study(
        experiments=tuple(runs.experiments(__package__, _CLUSTERS, _NODES)),
        claims=tuple(_claim(printed) for printed in numbers),
        figures=_figures,
    )


def _claim(printed: Printed) -> Claim:
    what, _, network = printed.row.partition("-")
    if what == "broadcast":
        return Claim(
            printed=printed,
            of=(runs.broadcast_name(network, 16),),
            # The torus' figure is printed for 4096 bytes, the hub's for no size.
            value=runs.throughput_at(4096) if network == "torus" else runs.best_throughput,
            group="broadcast",
            network=network,
        )
    return Claim(
        printed=printed,
        of=(runs.barrier_name("hub", 16), runs.barrier_name("torus", 16)),
        value=_ratio,
    )


def _ratio(hub: Result, torus: Result) -> float:
    return mean_of("time")(hub) / mean_of("time")(torus)


def _figures(results: Results) -> list[Figure]:
    return list(runs.figures(results, tuple(_CLUSTERS), _NODES))
