"""The NAS benchmarks on the switch, with this campaign's slower nodes.

The factor is read from one row, LU class B on two nodes: printed 46.09 Mflop/s where the torus of
the other campaign has 60.47 [NAS-97-025], [NAS-97-017], and where hardly anything is sent. That row
is calibrated, all others are predicted. The same runs at full speed show what the factor does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from linkwright.papers import npb_runs
from linkwright.papers.npb_runs import NpbRun, printed_runs
from linkwright.papers.printed import printed_numbers
from linkwright.papers.study import Experiment, Study, WordClaim, mean_of
from linkwright.papers.words import Words

__all__ = ["NODE_SPEED", "benchmarks", "without_factor"]

NODE_SPEED = 0.762
"""Of this campaign's nodes beside those of NAS-97-017."""
_FITTED = frozenset({"lu.B.2-switch"})

_CLUSTERS = {"switch": "switch-36"}
_SQUARES = (4, 9, 16, 25, 36)
_POWERS = (2, 4, 8, 16, 32)
_NODES = {"bt": _SQUARES, "sp": _SQUARES, "lu": _POWERS, "mg": _POWERS, "is": _POWERS}


def benchmarks() -> Study:
    """Return the study of the benchmarks on the switch."""
    printed = printed_runs(__package__)
    runs = [*printed, *_unprinted(printed)]
    return Study(
        experiments=_experiments(runs, NODE_SPEED),
        claims=tuple(npb_runs.runs_as_claims("NAS-97-025", "npb", runs, fitted=_FITTED)),
        figures=lambda results: [
            figure for size in ("A", "B") for figure in npb_runs.figures(runs, results, size)
        ],
    )


def without_factor() -> Study:
    """Return the printed runs with nodes at full speed, which count nowhere, and what the speed of
    the nodes says of one of them.
    """
    runs = printed_runs(__package__)
    left_out = "nodes at full speed: this campaign's were slower, whatever the network"
    claims = npb_runs.runs_as_claims("NAS-97-025", "npb-without-factor", runs, left_out=left_out)
    (fitted,) = (one for one in _experiments(runs, NODE_SPEED) if one.name in _FITTED)
    slower = replace(fitted, name=f"{fitted.name}-slower")
    words = printed_numbers(__package__).words("npb-without-factor")
    return Study(
        experiments=(*_experiments(runs, 1.0), slower),
        claims=tuple(claims),
        words=tuple(_communication(one, fitted.name, slower.name) for one in words),
    )


def _communication(words: Words, full: str, slower: str) -> WordClaim:
    """Return how the part of a run that is no computation is read from two speeds of the nodes."""

    def judged(numbers: Mapping[str, float]) -> float:
        full_s, slower_s = numbers.values()
        return 1.0 - (slower_s - full_s) / (1.0 / NODE_SPEED - 1.0) / full_s

    return WordClaim(
        words=words,
        of=(full, slower),
        numbers=lambda one, other: {
            "full speed": mean_of("time")(one),
            f"speed {NODE_SPEED}": mean_of("time")(other),
        },
        judged=judged,
        unit="s",
    )


def _experiments(runs: Iterable[NpbRun], node_speed: float) -> tuple[Experiment, ...]:
    return tuple(
        npb_runs.runs_as_experiments(__package__, list(runs), _CLUSTERS, node_speed=node_speed)
    )


def _unprinted(printed: Iterable[NpbRun]) -> list[NpbRun]:
    known = {run.name for run in printed}
    runs = [
        _run(benchmark, size, n, "switch")
        for benchmark, counts in _NODES.items()
        for n in counts
        for size in ("A", "B")
    ]
    return [run for run in runs if run.name not in known]


def _run(benchmark: str, problem_class: str, nodes: int, network: str) -> NpbRun:
    return NpbRun(
        benchmark=benchmark,
        problem_class=problem_class,
        nodes=nodes,
        layout="any",
        network=network,
    )
