"""NetPIPE and HPL: runs to which the hosts were fitted, and predictions for other networks.

Latencies and the star's HPL time are calibrated; the other rows of the HPL table are not here, and
are predicted without a number beside them.
"""

from __future__ import annotations

from linkwright import workloads
from linkwright.papers.claims_file import claims_of
from linkwright.papers.curves import curve_by_size
from linkwright.papers.reading import Results, by_size
from linkwright.papers.run_table import Experiment, RunTable
from linkwright.views.chart import Axis, Chart, Series
from linkwright.views.plots import Plot

__all__ = ["hpl", "netpipe"]

_PATHS = {"direct": ("direct", 1), "one-switch": ("star-8", 1), "forwarded": ("ring-5x2", 4)}
"""Cluster and receiver of each path from node 0."""
_HPL = {"star": "star-8", "stack-ring": "ring-4x2"}


def netpipe() -> RunTable:
    """Return the runs of one stream of blocks."""
    experiments = tuple(
        Experiment(
            name=name,
            package=__package__,
            cluster=cluster,
            workload=workloads.parse("netpipe", {"dst": str(dst)}),
        )
        for name, (cluster, dst) in _PATHS.items()
    )
    return RunTable(experiments=experiments, claims=claims_of(__package__, "netpipe"), plots=_plots)


def hpl() -> RunTable:
    """Return the runs of the linear solver on eight nodes, N = 10000, NB = 64, 1 x 8."""
    settings = {"n": "10000", "nb": "64", "p": "1", "q": "8"}
    experiments = tuple(
        Experiment(
            name=name,
            package=__package__,
            cluster=cluster,
            workload=workloads.parse("hpl", settings),
        )
        for name, cluster in _HPL.items()
    )
    return RunTable(experiments=experiments, claims=claims_of(__package__, "hpl"))


def _plots(results: Results) -> list[Plot]:
    throughput = [curve_by_size(name, results[name], "throughput", 1e-6) for name in _PATHS]
    signature = [
        Series(
            name,
            [time_s * 1e6 for time_s in by_size(results[name], "time").values()],
            [rate / 1e6 for rate in by_size(results[name], "throughput").values()],
        )
        for name in _PATHS
    ]
    panels = (
        Chart("throughput", Axis("block (bytes)", log=2), Axis("MB/s"), tuple(throughput)),
        Chart("signature", Axis("time of a block (µs)", log=2), Axis("MB/s"), tuple(signature)),
    )
    return [Plot("netpipe", "NetPIPE: throughput against the block and against its time", panels)]
