"""The disk/net balance test: seven copies at once, some to the own disk, some to another node's.

No number of it is here, and its disks are estimates, so that only the order of networks and the
question whether wires or disks bound them tell something.
"""

from __future__ import annotations

from collections.abc import Mapping

from linkwright.papers.printed import printed_numbers
from linkwright.papers.study import Experiment, Results, Study, WordClaim, mean_of
from linkwright.papers.words import Words
from linkwright.views.figures import Curve, Figure, Panel
from linkwright.workloads import DiskNet

__all__ = ["disk_net"]

_MESHES = ("routed-mesh", "switched-mesh")
_CLUSTERS = ("single-net", "bonded-dual-net", *_MESHES)
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
            seeds=3,
        )
        for cluster in _CLUSTERS
        for internode in _MIXES
    )
    words = printed_numbers(__package__).words("disk-net")
    return Study(
        experiments=experiments,
        words=tuple(_in_words(one) for one in words),
        figures=_figures,
    )


def _in_words(words: Words) -> WordClaim:
    """Compare all copies across the network with none of them."""
    clusters = _MESHES if words.row == "meshes-balance" else ("single-net",)
    names = [f"{cluster}-{internode}" for cluster in clusters for internode in (7, 0)]
    return WordClaim(
        words=words,
        of=tuple(names),
        numbers=lambda *found: dict(
            zip(names, map(mean_of("aggregate_throughput"), found), strict=True)
        ),
        judged=_least_part_kept,
    )


def _least_part_kept(numbers: Mapping[str, float]) -> float:
    values = list(numbers.values())
    return min(across / alone for across, alone in zip(values[::2], values[1::2], strict=True))


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
