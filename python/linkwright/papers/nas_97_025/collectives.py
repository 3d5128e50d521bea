"""Broadcast and barrier on the switch, with those of NAS-97-017's torus beside them.

Predictions from point-to-point figures.
"""

from __future__ import annotations

from collections.abc import Callable

from linkwright.papers import collective_runs as runs
from linkwright.papers import nas_97_017
from linkwright.papers.printed import Printed, printed_numbers
from linkwright.papers.shapes import first_over_second
from linkwright.papers.study import Claim, Results, Study, WordClaim, mean_of
from linkwright.papers.words import Words
from linkwright.results import Result
from linkwright.views.figures import Figure

__all__ = ["collectives"]

_CLUSTERS = {"switch": "switch-36"}
_NODES = (2, 4, 8, 9, 16, 25, 36)
_TORUS = "torus"


def collectives() -> Study:
    """Return the study of collectives."""
    torus = runs.experiments(nas_97_017.__name__, {_TORUS: "torus-4x4"}, (16,))
    numbers = printed_numbers(__package__)
    return Study(
        experiments=(*runs.experiments(__package__, _CLUSTERS, _NODES), *torus),
        claims=tuple(_claim(printed) for printed in numbers.table("collectives")),
        words=tuple(_in_words(words) for words in numbers.words("collectives")),
        figures=_figures,
    )


def _claim(printed: Printed) -> Claim:
    if printed.row == "broadcast-36-over-16":
        return _ratio(printed, (_broadcast(36), _broadcast(16)), runs.best_throughput)
    if printed.row == "broadcast-torus-over-switch":
        return _ratio(printed, _BOTH, runs.throughput_at(4096))
    nodes = int(printed.row.removeprefix("broadcast-"))
    # At 16 nodes the switch stands beside hub and torus of NAS-97-017.
    return Claim(
        printed=printed,
        of=(_broadcast(nodes),),
        value=runs.best_throughput,
        group="broadcast" if nodes == 16 else "",
        network="switch",
    )


def _ratio(printed: Printed, of: tuple[str, ...], value: Callable[[Result], float]) -> Claim:
    return Claim(printed=printed, of=of, value=lambda above, below: value(above) / value(below))


def _in_words(words: Words) -> WordClaim:
    if words.row == "switch-poor":
        return WordClaim(
            words=words,
            of=(_broadcast(16),),
            numbers=runs.poor_and_best,
            judged=first_over_second,
        )
    if words.row == "torus-over-switch":
        return _torus_and_switch(words, _BOTH, runs.best_throughput, "B/s")
    barriers = tuple(runs.barrier_name(network, 16) for network in (_TORUS, "switch"))
    return _torus_and_switch(words, barriers, mean_of("time"), "s")


def _torus_and_switch(
    words: Words, of: tuple[str, ...], value: Callable[[Result], float], unit: str
) -> WordClaim:
    return WordClaim(
        words=words,
        of=of,
        numbers=lambda torus, switch: {"torus": value(torus), "switch": value(switch)},
        judged=first_over_second,
        unit=unit,
    )


def _broadcast(nodes: int) -> str:
    return runs.broadcast_name("switch", nodes)


_BOTH = (runs.broadcast_name(_TORUS, 16), _broadcast(16))


def _figures(results: Results) -> list[Figure]:
    return list(runs.figures(results, tuple(_CLUSTERS), _NODES))
