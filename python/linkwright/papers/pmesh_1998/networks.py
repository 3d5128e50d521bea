"""Hub, torus, switches and P-Mesh beside each other: the same benchmarks on the same nodes.

The papers measured them in campaigns whose nodes differ in speed; here all nodes have the
calibrated one, so that what differs is the network. Messages go between the worst pair of each.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from linkwright.papers import nas_97_017, nas_97_025, npb_runs
from linkwright.papers.npb_runs import NpbRun
from linkwright.papers.printed import printed_numbers
from linkwright.papers.shapes import between, spread_of
from linkwright.papers.study import Experiment, Study, WordClaim, by_setting, mean_of
from linkwright.papers.words import Words
from linkwright.results import Result
from linkwright.workloads import PingPong

__all__ = ["networks"]

_CLUSTERS = {
    "hub": (nas_97_017.__name__, "hub-16"),
    "torus": (nas_97_017.__name__, "torus-4x4"),
    "p-mesh": (__package__, "p-mesh-4x4"),
    "switch": (__package__, "switch-16"),
    "catalyst": (nas_97_025.__name__, "switch-36"),
}
_FARTHEST = {"switch": 1, "p-mesh": 5, "torus": 10}
"""Receiver of a message from node 0, from the nearest network to the farthest."""
_GRIDS = ("bt", "sp", "lu", "mg")
_BENCHMARKS = (*_GRIDS, "ft", "is")
_NODES = 16


def networks() -> Study:
    """Return the study of the networks."""
    messages = (
        Experiment(
            name=_message(network),
            package=_CLUSTERS[network][0],
            cluster=_CLUSTERS[network][1],
            workload=PingPong(dst=dst),
        )
        for network, dst in _FARTHEST.items()
    )
    benchmarks = (
        experiment
        for network, (package, cluster) in _CLUSTERS.items()
        for experiment in npb_runs.runs_as_experiments(
            package, [_run(kind, network) for kind in _BENCHMARKS], {network: cluster}
        )
    )
    words = printed_numbers(__package__).words("networks")
    return Study(experiments=(*messages, *benchmarks), words=tuple(_in_words(one) for one in words))


def _message(network: str) -> str:
    return f"message-{network}"


def _run(benchmark: str, network: str) -> NpbRun:
    return NpbRun(
        benchmark=benchmark, problem_class="A", nodes=_NODES, layout="any", network=network
    )


def _in_words(words: Words) -> WordClaim:
    three = tuple(_FARTHEST)
    match words.row:
        case "latency":
            return _of_messages(words, mean_of("latency", size_bytes=1), "s")
        case "throughput":
            return _of_messages(words, _peak, "B/s")
        case "one-level":
            return _of_rates(words, _GRIDS, three, spread_of)
        case "hub-last":
            return _of_rates(words, _BENCHMARKS, tuple(_CLUSTERS), _first_over_slowest_other)
    return _of_rates(words, (words.row,), three, between)


def _of_messages(words: Words, value: Callable[[Result], float], unit: str) -> WordClaim:
    return WordClaim(
        words=words,
        of=tuple(map(_message, _FARTHEST)),
        numbers=lambda *found: dict(zip(_FARTHEST, map(value, found), strict=True)),
        judged=between,
        unit=unit,
    )


def _of_rates(
    words: Words,
    benchmarks: tuple[str, ...],
    names: tuple[str, ...],
    figure: Callable[[Mapping[str, float]], float],
) -> WordClaim:
    """Judge the worst of some benchmarks by a figure of its rates on some networks."""
    runs = {f"{kind} {name}": _run(kind, name) for kind in benchmarks for name in names}

    def judged(numbers: Mapping[str, float]) -> float:
        return max(
            figure({name: numbers[f"{kind} {name}"] for name in names}) for kind in benchmarks
        )

    return WordClaim(
        words=words,
        of=tuple(run.name for run in runs.values()),
        numbers=lambda *found: dict(zip(runs, map(mean_of("rate"), found), strict=True)),
        judged=judged,
        unit="op/s",
    )


def _first_over_slowest_other(rates: Mapping[str, float]) -> float:
    first, *others = rates.values()
    return first / min(others)


def _peak(result: Result) -> float:
    return max(by_setting(result, "throughput").values())
