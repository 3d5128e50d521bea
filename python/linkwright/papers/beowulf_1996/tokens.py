"""The token test: pairs of nodes on a wire of their own, or on wires that a switch joins.

The hosts were fitted to one number of it, the local-wire peak; all others are predictions. Both
directions count, the only reading that fits a segment of 10 Mb/s.
"""

from __future__ import annotations

from linkwright.papers.entry import Basis
from linkwright.papers.printed import Printed, printed_numbers
from linkwright.papers.study import Claim, Experiment, Results, Study, mean_of
from linkwright.results import Result
from linkwright.views.figures import Curve, Figure, Panel
from linkwright.workloads import Token

__all__ = ["token"]

_PAIRS = range(1, 8)
_RUNS = {
    "local-wire": ("switched-mesh", "local-pairs"),
    "remote-wire": ("switched-mesh", "remote-pairs"),
    "routed-local": ("routed-mesh", "local-pairs"),
    "routed-remote": ("routed-mesh", "remote-pairs"),
    "dual-net": ("bonded-dual-net", "row"),
    "bonded-mesh": ("bonded-switched-mesh", "local-pairs"),
    "single-net": ("single-net", "row"),
}
"""Cluster and placement by what is tested."""
_PEAK = 8192
_KILOBYTE = 1024


def token() -> Study:
    """Return the study of tokens."""
    experiments = tuple(
        Experiment(
            name=_name(what, pairs),
            package=__package__,
            cluster=cluster,
            workload=Token(pairs=pairs, exchanges=200),
            brief=Token(pairs=pairs, exchanges=20, runs=1),
            placement=placement,
        )
        for what, (cluster, placement) in _RUNS.items()
        for pairs in _PAIRS
    )
    claims = tuple(_claim(printed) for printed in printed_numbers(__package__).table("token"))
    return Study(experiments=experiments, claims=claims, figures=_figures)


def _name(what: str, pairs: int = 7) -> str:
    return f"{what}-{pairs}"


def _throughput(result: Result, size_bytes: int = _PEAK) -> float:
    return mean_of("aggregate_throughput", size_bytes=size_bytes)(result)


def _ratio(above: Result, below: Result) -> float:
    return _throughput(above) / _throughput(below)


def _claim(printed: Printed) -> Claim:
    if printed.row == "local-wire":
        local = (_name("local-wire"),)
        return Claim(printed=printed, of=local, value=_throughput, basis=Basis.CALIBRATED)
    if printed.row == "two-over-one-kilobyte":
        return Claim(
            printed=printed,
            of=(_name("local-wire"),),
            value=lambda result: (
                _throughput(result, 2 * _KILOBYTE) / _throughput(result, _KILOBYTE)
            ),
        )
    of = {
        "local-wire-over-dual-net": ("local-wire", "dual-net"),
        "remote-wire-over-dual-net": ("remote-wire", "dual-net"),
        "bonded-over-switched-mesh": ("bonded-mesh", "local-wire"),
    }[printed.row]
    return Claim(printed=printed, of=tuple(_name(what) for what in of), value=_ratio)


def _figures(results: Results) -> list[Figure]:
    by_size = tuple(_by_size(what, results[_name(what)]) for what in _RUNS)
    by_pairs = tuple(
        Curve(what, list(_PAIRS), [_throughput(results[_name(what, n)]) / 1e6 for n in _PAIRS])
        for what in _RUNS
    )
    label = "MB/s, both directions"
    panels = (
        Panel("7 pairs", "size of the token (bytes)", label, by_size, is_log_x=True),
        Panel("8 KB", "pairs", label, by_pairs),
    )
    return [Figure("token", "Token test: throughput of all pairs against size and pairs", panels)]


def _by_size(what: str, result: Result) -> Curve:
    rows = result.filter(metric="aggregate_throughput")
    return Curve(what, rows.parameter("size_bytes"), (rows.values() / 1e6).tolist())
