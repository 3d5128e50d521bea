"""The NAS benchmarks on the switch, with this campaign's slower nodes.

The factor is read from one row, LU class B on two nodes, which send hardly anything: printed 46.09
Mflop/s, and 60.47 on the torus of the other campaign [NAS-97-025], [NAS-97-017]. That row is
calibrated, all others are predicted. The same runs at full speed show the effect of the factor.
"""

from __future__ import annotations

from dataclasses import replace

from linkwright.papers import npb_runs
from linkwright.papers.claims_file import claims_of
from linkwright.papers.further_runs import further
from linkwright.papers.run_table import RunTable

__all__ = ["NODE_SPEED", "benchmarks", "without_factor"]

NODE_SPEED = 0.762
"""Speed of this campaign's nodes relative to those of NAS-97-017."""
_FITTED = "lu.B.2-switch"

_CLUSTERS = {"switch": "switch-36"}
_SQUARES = (4, 9, 16, 25, 36)
_POWERS = (2, 4, 8, 16, 32)
_NODES = {"bt": _SQUARES, "sp": _SQUARES, "lu": _POWERS, "mg": _POWERS, "is": _POWERS}


def benchmarks() -> RunTable:
    """Return the runs of the benchmarks on the switch."""
    printed = npb_runs.printed_runs(__package__)
    shapes = [(kind, n) for kind, counts in _NODES.items() for n in counts]
    runs = npb_runs.class_a_and_b(shapes, _CLUSTERS, printed)
    return RunTable(
        experiments=npb_runs.experiments(__package__, runs, _CLUSTERS, node_speed=NODE_SPEED),
        further=further(__package__, _CLUSTERS, runs, node_speed=NODE_SPEED),
        claims=npb_runs.claims("NAS-97-025", "npb", printed, fitted=_FITTED),
        plots=lambda results: [npb_runs.plot(runs, results, size) for size in ("A", "B")],
    )


def without_factor() -> RunTable:
    """Return the printed runs with nodes at full speed, which do not count, and the fitted one with
    slower nodes beside them.
    """
    runs, table = npb_runs.printed_runs(__package__), "npb-without-factor"
    left_out = "nodes at full speed: this campaign's were slower on any network"
    fitted = [run for run in runs if run.name == _FITTED]
    slower = npb_runs.experiments(__package__, fitted, _CLUSTERS, node_speed=NODE_SPEED)
    return RunTable(
        experiments=(
            *npb_runs.experiments(__package__, runs, _CLUSTERS),
            *(replace(one, name=f"{one.name}-slower") for one in slower),
        ),
        claims=(
            *npb_runs.claims("NAS-97-025", table, runs, left_out=left_out),
            *claims_of(__package__, table),
        ),
    )
