"""The token test: pairs of nodes on a wire of their own, or on wires that a switch joins.

The hosts were fitted to one number of it, the local-wire peak; all others are predictions. Both
directions count, the only reading that fits a segment of 10 Mb/s.
"""

from __future__ import annotations

from linkwright.papers.beowulf_1996.token_words import (
    PAIRS,
    token_name,
    token_throughput,
    token_words,
)
from linkwright.papers.entry import Basis
from linkwright.papers.printed import Printed, printed_numbers
from linkwright.papers.study import Claim, Experiment, Results, Study, by_setting
from linkwright.results import Result
from linkwright.views.figures import Curve, Figure, Panel
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
"""Cluster and placement by what is tested."""
_SEEDS = 3
"""Buses know chance: who waits how long after a collision."""


def token() -> Study:
    """Return the study of tokens."""
    experiments = tuple(
        Experiment(
            name=token_name(what, pairs),
            package=__package__,
            cluster=cluster,
            workload=Token(pairs=pairs, exchanges=200),
            brief=Token(pairs=pairs, exchanges=20, runs=1),
            placement=placement,
            seeds=_SEEDS,
        )
        for what, (cluster, placement) in _RUNS.items()
        for pairs in PAIRS
    )
    numbers = printed_numbers(__package__)
    return Study(
        experiments=experiments,
        claims=tuple(_claim(printed) for printed in numbers.table("token")),
        words=tuple(token_words(words) for words in numbers.words("token")),
        figures=_figures,
    )


def _ratio(above: Result, below: Result) -> float:
    return token_throughput(above) / token_throughput(below)


def _claim(printed: Printed) -> Claim:
    if printed.row == "local-wire":
        local = (token_name("local-wire"),)
        return Claim(printed=printed, of=local, value=token_throughput, basis=Basis.CALIBRATED)
    of = {
        "local-wire-over-dual-net": ("local-wire", "dual-net"),
        "remote-wire-over-dual-net": ("remote-wire", "dual-net"),
        "bonded-over-switched-mesh": ("bonded-mesh", "local-wire"),
    }[printed.row]
    return Claim(printed=printed, of=tuple(token_name(what) for what in of), value=_ratio)


def _figures(results: Results) -> list[Figure]:
    by_size = tuple(_by_size(what, results[token_name(what)]) for what in _RUNS)
    by_pairs = tuple(
        Curve(
            what, list(PAIRS), [token_throughput(results[token_name(what, n)]) / 1e6 for n in PAIRS]
        )
        for what in _RUNS
    )
    label = "MB/s, both directions"
    panels = (
        Panel("7 pairs", "size of the token (bytes)", label, by_size, is_log_x=True),
        Panel("8 KB", "pairs", label, by_pairs),
    )
    return [Figure("token", "Token test: throughput of all pairs against size and pairs", panels)]


def _by_size(what: str, result: Result) -> Curve:
    found = by_setting(result, "aggregate_throughput")
    return Curve(what, list(found), [value / 1e6 for value in found.values()])
