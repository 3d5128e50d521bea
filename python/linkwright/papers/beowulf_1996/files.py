"""The disk/net balance test: seven copies at once, some to the own disk, some to another node's.

No number of it is printed here, and its disks are estimates. Only the order of networks, and the
bottleneck (wires or disks), are meaningful.
"""

from __future__ import annotations

from functools import partial

from linkwright.papers.claims_file import claims_of
from linkwright.papers.curves import curve
from linkwright.papers.reading import Results, mean_of
from linkwright.papers.run_table import Experiment, RunTable
from linkwright.views.chart import Axis, Chart
from linkwright.views.plots import Plot
from linkwright.workloads import DiskNet

__all__ = ["disk_net"]

_CLUSTERS = ("single-net", "bonded-dual-net", "routed-mesh", "switched-mesh")
_MIXES = range(8)
_MEGABYTE = 1 << 20


def disk_net() -> RunTable:
    """Return the runs of file copies."""
    experiments = tuple(
        Experiment(
            name=f"{cluster}-{internode}",
            package=__package__,
            cluster=cluster,
            workload=DiskNet(pairs=7, internode=internode, file_bytes=(4 * _MEGABYTE,)),
            brief=DiskNet(pairs=7, internode=internode, file_bytes=(_MEGABYTE,)),
            placement="local-pairs" if cluster.endswith("mesh") else "row",
            seeds=3,
        )
        for cluster in _CLUSTERS
        for internode in _MIXES
    )
    return RunTable(
        experiments=experiments, claims=claims_of(__package__, "disk-net"), plots=_plots
    )


def _plots(results: Results) -> list[Plot]:
    def throughput(cluster: str, internode: float) -> float:
        return mean_of(results[f"{cluster}-{internode}"], "aggregate_throughput") / 1e6

    curves = tuple(curve(cluster, _MIXES, partial(throughput, cluster)) for cluster in _CLUSTERS)
    x, y = Axis("copies from node to node"), Axis("MB/s of all copies")
    chart = Chart("7 copies", x, y, curves)
    return [Plot("disk-net", "Disk and network: throughput against internode copies", (chart,))]
