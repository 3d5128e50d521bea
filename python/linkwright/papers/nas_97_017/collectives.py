"""Broadcast and barrier on hub and torus: predictions from point-to-point figures.

The hub's figures are means over several seeds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from linkwright.papers import collective_runs as runs
from linkwright.papers.printed import Printed, printed_numbers
from linkwright.papers.shapes import (
    Shape,
    first_over_largest_other,
    first_over_second,
    largest_fall,
)
from linkwright.papers.study import Claim, Results, Study, WordClaim, mean_of
from linkwright.papers.words import Words
from linkwright.results import Result
from linkwright.views.figures import Figure

__all__ = ["collectives"]

_CLUSTERS = {"hub": "hub-16", "torus": "torus-4x4"}
_NODES = (2, 4, 8, 9, 12, 16)


def collectives() -> Study:
    """Return the study of collectives."""
    numbers = printed_numbers(__package__)
    return Study(
        experiments=tuple(runs.experiments(__package__, _CLUSTERS, _NODES)),
        claims=tuple(_claim(printed) for printed in numbers.table("collectives")),
        words=tuple(_in_words(words) for words in numbers.words("collectives")),
        figures=_figures,
    )


def _claim(printed: Printed) -> Claim:
    what, _, network = printed.row.partition("-")
    if what == "broadcast":
        return Claim(
            printed=printed,
            of=(runs.broadcast_name(network, 16),),
            # The torus' figure is printed for 4096 bytes, the hub's for no size.
            value=runs.throughput_at(4096) if network == "torus" else runs.best_throughput,
            group="broadcast",
            network=network,
        )
    return Claim(
        printed=printed,
        of=(runs.barrier_name("hub", 16), runs.barrier_name("torus", 16)),
        value=_ratio,
    )


def _in_words(words: Words) -> WordClaim:
    if words.row == "barrier-grows-on-hub":
        meetings = [runs.barrier_name(network, n) for n in (16, 4) for network in _CLUSTERS]
        return WordClaim(
            words=words,
            of=tuple(meetings),
            numbers=lambda *found: dict(
                zip(meetings, [mean_of("time")(one) for one in found], strict=True)
            ),
            judged=_ratio_of_ratios,
            unit="s",
        )
    network, _, what = words.row.partition("-")
    numbers, judged = _SHAPES[what]
    return WordClaim(
        words=words, of=(runs.broadcast_name(network, 16),), numbers=numbers, judged=judged
    )


def _before_the_long_protocol(result: Result) -> dict[str, float]:
    return runs.throughput_by_size(result, 512, 8192)


def _best_size_first(result: Result) -> dict[str, float]:
    return {"4 KiB": runs.throughput_at(4096)(result)} | runs.throughput_by_size(result, 1024)


_SHAPES: dict[str, tuple[Callable[[Result], dict[str, float]], Shape]] = {
    "irregular": (_before_the_long_protocol, largest_fall),
    "regular": (_before_the_long_protocol, largest_fall),
    "poor": (runs.poor_and_best, first_over_second),
    "best-size": (_best_size_first, first_over_largest_other),
}
"""What is looked at, and its figure."""


def _ratio_of_ratios(numbers: Mapping[str, float]) -> float:
    many_hub, many_torus, few_hub, few_torus = numbers.values()
    return (many_hub / many_torus) / (few_hub / few_torus)


def _ratio(hub: Result, torus: Result) -> float:
    return mean_of("time")(hub) / mean_of("time")(torus)


def _figures(results: Results) -> list[Figure]:
    return list(runs.figures(results, tuple(_CLUSTERS), _NODES))
