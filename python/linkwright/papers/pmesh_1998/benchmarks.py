"""The NAS benchmarks on the P-Mesh and on one Bay switch; the printed times are not here.

The single switch was measured in the campaign with slower nodes (see NAS-97-025), the P-Mesh in the
other; the labels of the plots tell them apart.
"""

from __future__ import annotations

from linkwright.papers import npb_runs
from linkwright.papers.further_runs import further
from linkwright.papers.nas_97_025.benchmarks import NODE_SPEED
from linkwright.papers.run_table import RunTable

__all__ = ["benchmarks"]

_SWITCH = f"switch, nodes at {NODE_SPEED}"
_CLUSTERS = {"p-mesh": "p-mesh-4x4", _SWITCH: "switch-16"}
_SPEEDS = {"p-mesh": 1.0, _SWITCH: NODE_SPEED}
_NODES = {"bt": (4, 9, 16), "sp": (4, 9, 16), "lu": (4, 8, 16), "ft": (8, 16), "mg": (4, 8, 16)}


def benchmarks() -> RunTable:
    """Return the runs of the benchmarks."""
    shapes = [(kind, n) for kind, counts in _NODES.items() for n in counts]
    experiments = tuple(
        experiment
        for network, speed in _SPEEDS.items()
        for experiment in npb_runs.experiments(
            __package__, npb_runs.class_a_and_b(shapes, [network]), _CLUSTERS, node_speed=speed
        )
    )
    runs = npb_runs.class_a_and_b(shapes, _CLUSTERS)
    return RunTable(
        experiments=experiments,
        further=tuple(
            one
            for network, speed in _SPEEDS.items()
            for one in further(__package__, {network: _CLUSTERS[network]}, runs, node_speed=speed)
        ),
        plots=lambda results: [npb_runs.plot(runs, results, size) for size in ("A", "B")],
    )
