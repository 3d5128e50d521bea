"""Up to 36 nodes on one stack of hubs: more than the sixteen of NAS-97-017.

The runs on hubs were at full speed, as LU B on four nodes shows; those on the switch had slower
nodes. Only a few passes of the benchmarks are run: their times on such a full medium hardly settle,
and only an order is claimed.
"""

from __future__ import annotations

from linkwright.papers import collective_runs, npb_runs
from linkwright.papers.claims_file import claims_of
from linkwright.papers.further_runs import further
from linkwright.papers.npb_runs import BRIEF_PASSES, NpbRun
from linkwright.papers.run_table import RunTable

__all__ = ["one_hub"]

_CLUSTERS = {"hub": "hub-36", "switch": "switch-36"}
_NODES = (16, 25, 36)
_BENCHMARKS = {"sp": (36, 16), "is": (32, 16)}
"""Number of nodes, many and few."""


def one_hub() -> RunTable:
    """Return the runs on more nodes than one hub supports."""
    runs = [
        NpbRun(benchmark=benchmark, problem_class="A", nodes=n, network="hub")
        for benchmark, counts in _BENCHMARKS.items()
        for n in counts
    ]
    return RunTable(
        experiments=(
            *collective_runs.experiments(__package__, _CLUSTERS, _NODES),
            *npb_runs.experiments(__package__, runs, _CLUSTERS, passes=BRIEF_PASSES),
        ),
        further=further(__package__, {"hub": _CLUSTERS["hub"]}, runs),
        claims=claims_of(__package__, "one-hub"),
        plots=lambda results: collective_runs.plots(results, list(_CLUSTERS), _NODES),
    )
