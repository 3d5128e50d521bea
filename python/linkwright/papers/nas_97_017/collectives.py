"""Broadcast and barrier on hub and torus: predictions from point-to-point figures.

The hub's figures are means over several seeds.
"""

from __future__ import annotations

from linkwright.papers import collective_runs
from linkwright.papers.claims_file import claims_of
from linkwright.papers.run_table import RunTable

__all__ = ["collectives"]

_CLUSTERS = {"hub": "hub-16", "torus": "torus-4x4"}
_NODES = (2, 4, 8, 9, 12, 16)


def collectives() -> RunTable:
    """Return the runs of collectives."""
    return RunTable(
        experiments=tuple(collective_runs.experiments(__package__, _CLUSTERS, _NODES)),
        claims=claims_of(__package__, "collectives"),
        plots=lambda results: collective_runs.plots(results, list(_CLUSTERS), _NODES),
    )
