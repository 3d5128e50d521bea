"""Up to 36 nodes on one stack of hubs: what comes beyond the sixteen of NAS-97-017.

Of the benchmarks a few passes are played in any case: their times on so full a medium hardly
settle, and only an order is asked for.
"""

from __future__ import annotations

from linkwright.papers import collective_runs as runs
from linkwright.papers import npb_runs
from linkwright.papers.nas_97_025.benchmarks import NODE_SPEED
from linkwright.papers.npb_runs import BRIEF_PASSES, NpbRun
from linkwright.papers.printed import printed_numbers
from linkwright.papers.shapes import first_over_second
from linkwright.papers.study import Results, Study, WordClaim, mean_of
from linkwright.papers.words import Words
from linkwright.results import Result
from linkwright.views.figures import Figure

__all__ = ["one_hub"]

_CLUSTERS = {"hub": "hub-36", "switch": "switch-36"}
_NODES = (16, 25, 36)
_BENCHMARKS = {"sp": (36, 16), "is": (32, 16)}
"""Many nodes and few."""


def one_hub() -> Study:
    """Return the study of more nodes than one hub bears."""
    benchmarks = npb_runs.runs_as_experiments(
        __package__,
        [_run(benchmark, n) for benchmark, counts in _BENCHMARKS.items() for n in counts],
        _CLUSTERS,
        node_speed=NODE_SPEED,
        passes=BRIEF_PASSES,
    )
    return Study(
        experiments=(*runs.experiments(__package__, _CLUSTERS, _NODES), *benchmarks),
        words=tuple(_in_words(words) for words in printed_numbers(__package__).words("one-hub")),
        figures=_figures,
    )


def _run(benchmark: str, nodes: int) -> NpbRun:
    return NpbRun(benchmark=benchmark, problem_class="A", nodes=nodes, layout="any", network="hub")


def _in_words(words: Words) -> WordClaim:
    if words.row == "barrier":
        barriers = {
            f"{network} {n}": runs.barrier_name(network, n)
            for network in _CLUSTERS
            for n in (36, 16)
        }
        return WordClaim(
            words=words,
            of=tuple(barriers.values()),
            numbers=lambda *found: dict(zip(barriers, map(mean_of("time"), found), strict=True)),
            judged=lambda of: (of["hub 36"] / of["hub 16"]) / (of["switch 36"] / of["switch 16"]),
            unit="s",
        )
    if words.row == "broadcast":
        return WordClaim(
            words=words,
            of=(runs.broadcast_name("hub", 36), runs.broadcast_name("hub", 16)),
            numbers=lambda many, few: {
                "36 nodes": runs.best_throughput(many),
                "16 nodes": runs.best_throughput(few),
            },
            judged=first_over_second,
        )
    counts = _BENCHMARKS[words.row]
    return WordClaim(
        words=words,
        of=tuple(_run(words.row, n).name for n in counts),
        numbers=lambda *found: _rates(counts, found),
        judged=first_over_second,
        unit="op/s",
    )


def _rates(counts: tuple[int, ...], found: tuple[Result, ...]) -> dict[str, float]:
    rates = map(mean_of("rate"), found)
    return {f"{n} nodes": rate for n, rate in zip(counts, rates, strict=True)}


def _figures(results: Results) -> list[Figure]:
    return list(runs.figures(results, tuple(_CLUSTERS), _NODES))
