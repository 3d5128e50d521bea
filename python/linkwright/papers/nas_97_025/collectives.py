"""Broadcast and barrier on the switch, with those of NAS-97-017's torus beside them.

Predictions from point-to-point figures.
"""

from __future__ import annotations

from linkwright.papers import collective_runs, nas_97_017
from linkwright.papers.claims_file import claims_of
from linkwright.papers.run_table import RunTable

__all__ = ["collectives"]

_CLUSTERS = {"switch": "switch-36"}
_NODES = (2, 4, 8, 9, 16, 25, 36)


def collectives() -> RunTable:
    """Return the runs of collectives."""
    torus = collective_runs.experiments(nas_97_017.__name__, {"torus": "torus-4x4"}, (16,))
    return RunTable(
        experiments=(*collective_runs.experiments(__package__, _CLUSTERS, _NODES), *torus),
        claims=claims_of(__package__, "collectives"),
        plots=lambda results: collective_runs.plots(results, list(_CLUSTERS), _NODES),
    )
