"""The token test: pairs of nodes on a private wire, or on wires that a switch connects.

The hosts were fitted to one number of it, the local-wire peak; all others are predictions. Both
directions count, the only reading that fits a segment of 10 Mb/s.
"""

from __future__ import annotations

from functools import partial

from linkwright.papers.claims_file import claims_of
from linkwright.papers.curves import curve, curve_by_size
from linkwright.papers.reading import Results, by_size
from linkwright.papers.run_table import Experiment, RunTable
from linkwright.views.chart import Axis, Chart
from linkwright.views.plots import Plot
from linkwright.workloads import Token

__all__ = ["token"]

_RUNS = {
    "local-wire": ("switched-mesh", "local-pairs"),
    "remote-wire": ("switched-mesh", "remote-pairs"),
    "routed-local": ("routed-mesh", "local-pairs"),
    "routed-remote": ("routed-mesh", "remote-pairs"),
    "dual-net": ("bonded-dual-net", "row"),
    "bonded-mesh": ("bonded-switched-mesh", "local-pairs"),
    "single-net": ("single-net", "row"),
}
"""Cluster and placement of each tested path."""
_PAIRS = range(1, 8)
_PEAK_BYTES = 8192
_SEEDS = 3
"""Number of seeds: on buses, the winner after a collision is random."""


def token() -> RunTable:
    """Return the runs of tokens."""
    experiments = tuple(
        Experiment(
            name=f"{what}-{pairs}",
            package=__package__,
            cluster=cluster,
            workload=Token(pairs=pairs, exchanges=200),
            brief=Token(pairs=pairs, exchanges=20, runs=1),
            placement=placement,
            seeds=_SEEDS,
        )
        for what, (cluster, placement) in _RUNS.items()
        for pairs in _PAIRS
    )
    return RunTable(experiments=experiments, claims=claims_of(__package__, "token"), plots=_plots)


def _plots(results: Results) -> list[Plot]:
    def at_peak(what: str, pairs: float) -> float:
        return by_size(results[f"{what}-{pairs}"], throughput)[_PEAK_BYTES] / 1e6

    throughput, most = "aggregate_throughput", max(_PAIRS)
    sizes = [curve_by_size(what, results[f"{what}-{most}"], throughput, 1e-6) for what in _RUNS]
    by_pairs = [curve(what, _PAIRS, partial(at_peak, what)) for what in _RUNS]
    label = "MB/s, both directions"
    panels = (
        Chart("7 pairs", Axis("size of the token (bytes)", log=2), Axis(label), tuple(sizes)),
        Chart("8 KB", Axis("pairs"), Axis(label), tuple(by_pairs)),
    )
    return [Plot("token", "Token test: throughput of all pairs against size and pairs", panels)]
