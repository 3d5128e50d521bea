"""The disk/net balance test: seven copies at once, some to the own disk, some to another node's.

No number of it is here, and its disks are estimates, so that only the order of networks tells
something.
"""

from __future__ import annotations

from linkwright.papers.study import Experiment, Results, Study, mean_of
from linkwright.views.figures import Curve, Figure, Panel
from linkwright.workloads import DiskNet

__all__ = ["disk_net"]

_CLUSTERS = ("single-net", "bonded-dual-net", "routed-mesh", "switched-mesh")
_MIXES = range(8)
_MEGABYTE = 1 << 20


def disk_net() -> Study:
    """Return the study of file copies."""
    experiments = tuple(
        Experiment(
            name=f"{cluster}-{internode}",
            package=__package__,
            cluster=cluster,
            workload=DiskNet(pairs=7, internode=internode, file_bytes=(4 * _MEGABYTE,)),
            brief=DiskNet(pairs=7, internode=internode, file_bytes=(_MEGABYTE,)),
            placement="local-pairs" if cluster.endswith("mesh") else "row",
        )
        for cluster in _CLUSTERS
        for internode in _MIXES
    )
    return Study(experiments=experiments, figures=_figures)


def _figures(results: Results) -> list[Figure]:
    throughput = mean_of("aggregate_throughput")
    curves = tuple(
        Curve(
            cluster,
            list(_MIXES),
            [throughput(results[f"{cluster}-{internode}"]) / 1e6 for internode in _MIXES],
        )
        for cluster in _CLUSTERS
    )
    panel = Panel("7 copies", "copies from node to node", "MB/s of all copies", curves)
    return [Figure("disk-net", "Disk and network: throughput against internode copies", (panel,))]
