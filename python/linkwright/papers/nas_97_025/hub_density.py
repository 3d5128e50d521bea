"""One to seven nodes on each hub behind the switch; density one is the switch alone.

Class A with this campaign's slower nodes. Of what is printed only the words are here.
"""

from __future__ import annotations

from linkwright.papers import npb_runs
from linkwright.papers.nas_97_025.benchmarks import NODE_SPEED
from linkwright.papers.npb_runs import NpbRun
from linkwright.papers.printed import printed_numbers
from linkwright.papers.shapes import largest_rise, last_over_first
from linkwright.papers.study import Results, Study, WordClaim, mean_of
from linkwright.papers.words import Words
from linkwright.results import Result
from linkwright.views.figures import Curve, Figure, Panel

__all__ = ["hub_density"]

_DENSITIES = range(1, 8)
_NODES = {"bt": 36, "sp": 36, "lu": 32, "mg": 32, "is": 32}
"""Nodes of each benchmark."""


def hub_density() -> Study:
    """Return the study of how many nodes may share a hub."""
    clusters = {f"density-{density}": f"density-{density}" for density in _DENSITIES}
    runs = [_run(benchmark, density) for benchmark in _NODES for density in _DENSITIES]
    experiments = npb_runs.runs_as_experiments(__package__, runs, clusters, node_speed=NODE_SPEED)
    return Study(
        experiments=tuple(experiments),
        words=tuple(
            _in_words(words) for words in printed_numbers(__package__).words("hub-density")
        ),
        figures=_figures,
    )


def _run(benchmark: str, density: int) -> NpbRun:
    return NpbRun(
        benchmark=benchmark,
        problem_class="A",
        nodes=_NODES[benchmark],
        layout="any",
        network=f"density-{density}",
    )


def _in_words(words: Words) -> WordClaim:
    if words.row == "no-rise":
        return WordClaim(
            words=words,
            of=tuple(name for benchmark in _NODES for name in _names(benchmark)),
            numbers=_best_rises,
            judged=lambda rises: max(rises.values()),
            unit="1",
        )
    return WordClaim(
        words=words,
        of=_names(words.row),
        numbers=_rates,
        judged=last_over_first,
        unit="op/s",
    )


def _names(benchmark: str) -> tuple[str, ...]:
    return tuple(_run(benchmark, density).name for density in _DENSITIES)


def _rates(*found: Result) -> dict[str, float]:
    return {
        f"{density} on a hub": _rate(result)
        for density, result in zip(_DENSITIES, found, strict=True)
    }


def _best_rises(*found: Result) -> dict[str, float]:
    """Return the best rise from one density to the next of each benchmark."""
    n = len(_DENSITIES)
    return {
        benchmark: largest_rise(_rates(*found[n * index : n * (index + 1)]))
        for index, benchmark in enumerate(_NODES)
    }


def _rate(result: Result) -> float:
    return mean_of("rate")(result)


def _figures(results: Results) -> list[Figure]:
    curves = tuple(
        Curve(
            f"{benchmark.upper()} A, {nodes} nodes",
            list(_DENSITIES),
            [_rate(results[_run(benchmark, density).name]) / 1e6 for density in _DENSITIES],
        )
        for benchmark, nodes in _NODES.items()
    )
    # IS counts keys, a hundredth of the others' operations.
    panel = Panel("hub density", "nodes on a hub", "Mflop/s of all nodes", curves, is_log_y=True)
    return [Figure("hub-density", "Rate against the nodes that share a hub", (panel,))]
