"""Ping-pong on the torus, hop by hop, and on the hub.

The hosts were fitted to the torus, so that its entries say how well the fit holds; the hub's, and
the shapes of the curves, are predicted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from linkwright.papers.entry import Basis
from linkwright.papers.printed import Printed, printed_numbers
from linkwright.papers.shapes import (
    Shape,
    first_over_largest_other,
    first_over_second,
    largest_fall,
    last_over_first,
)
from linkwright.papers.study import (
    WORST_PAIR,
    Claim,
    Experiment,
    Results,
    Study,
    WordClaim,
    by_setting,
    mean_of,
)
from linkwright.papers.words import Words
from linkwright.results import Result
from linkwright.views.figures import Curve, Figure, Panel
from linkwright.views.quantities import size
from linkwright.workloads import PingPong

__all__ = ["ping_pong"]

_PATHS = {
    "hub": ("hub-16", 1),
    "one-hop": ("torus-4x4", 1),
    "two-hops": ("torus-4x4", 2),
    "three-hops": ("torus-4x4", 6),
    "four-hops": ("torus-4x4", 10),
}
"""Cluster and receiver of each path from node 0."""
_WORST = {"hub": "hub", "four-hops": "torus"}
"""Network of which a path is the worst."""


def ping_pong() -> Study:
    """Return the study of messages between two nodes."""
    experiments = tuple(
        Experiment(name=name, package=__package__, cluster=cluster, workload=PingPong(dst=dst))
        for name, (cluster, dst) in _PATHS.items()
    )
    numbers = printed_numbers(__package__)
    return Study(
        experiments=experiments,
        claims=tuple(_claim(printed) for printed in numbers.table("ping-pong")),
        words=tuple(_in_words(words) for words in numbers.words("ping-pong")),
        figures=_figures,
    )


def _claim(printed: Printed) -> Claim:
    if printed.row == "further-hop":
        return Claim(
            printed=printed,
            of=("one-hop", "four-hops"),
            value=lambda one, four: (_latency(four) - _latency(one)) / 3,
            basis=Basis.CALIBRATED,
        )
    return Claim(
        printed=printed,
        of=(printed.row,),
        value=_latency if printed.metric == "latency" else _peak,
        basis=Basis.PREDICTED if printed.row == "hub" else Basis.CALIBRATED,
        group=WORST_PAIR if printed.row in _WORST else "",
        network=_WORST.get(printed.row, ""),
    )


def _in_words(words: Words) -> WordClaim:
    if words.row == "hub-is-one-hop":
        return WordClaim(
            words=words,
            of=("hub", "one-hop"),
            numbers=lambda hub, one: {"hub": _latency(hub), "one hop": _latency(one)},
            judged=first_over_second,
            unit="s",
        )
    paths, sizes, shape, choose = _SHAPES[words.row]
    return WordClaim(
        words=words,
        of=paths,
        numbers=lambda *found: _by_path_and_size(dict(zip(paths, found, strict=True)), sizes),
        judged=lambda numbers: choose(shape(one) for one in _path_by_path(numbers, len(sizes))),
        basis=Basis.CALIBRATED if words.row == "local-peak" else Basis.PREDICTED,
    )


_NEAR = ("hub", "one-hop")
_FAR = ("two-hops", "three-hops", "four-hops")
_CLIMB = tuple(1 << power for power in range(14, 21))
_AROUND_THE_PEAK = (8192, 4096, 16384)
_SHAPES: dict[str, tuple[tuple[str, ...], tuple[int, ...], Shape, Callable[..., float]]] = {
    "local-peak": (_NEAR, _AROUND_THE_PEAK, first_over_largest_other, min),
    "local-peak-far": (_FAR, _AROUND_THE_PEAK, first_over_largest_other, min),
    "slow-climb": (_NEAR + _FAR, (_CLIMB[0], _CLIMB[-1]), last_over_first, min),
    "steady-climb": (_NEAR, _CLIMB, largest_fall, max),
}
"""Paths and sizes that are looked at, the figure of each path, and which path counts."""


def _by_path_and_size(found: Results, sizes: Sequence[int]) -> dict[str, float]:
    return {
        f"{path} {size(at)}": mean_of("throughput", size_bytes=at)(result)
        for path, result in found.items()
        for at in sizes
    }


def _path_by_path(numbers: Mapping[str, float], n_sizes: int) -> Iterator[dict[str, float]]:
    pairs = list(numbers.items())
    for first in range(0, len(pairs), n_sizes):
        yield dict(pairs[first : first + n_sizes])


def _latency(result: Result) -> float:
    return mean_of("latency", size_bytes=1)(result)


def _peak(result: Result) -> float:
    return max(by_setting(result, "throughput").values())


def _figures(results: Results) -> list[Figure]:
    panels = (
        Panel(
            title="one way",
            x_label="size of the message (bytes)",
            y_label="time (µs)",
            curves=tuple(_curve(name, results[name], "latency", 1e6) for name in results),
            is_log_x=True,
            is_log_y=True,
        ),
        Panel(
            title="throughput",
            x_label="size of the message (bytes)",
            y_label="MB/s",
            curves=tuple(_curve(name, results[name], "throughput", 1e-6) for name in results),
            is_log_x=True,
        ),
    )
    return [Figure("ping-pong", "Time and throughput of one message between two nodes", panels)]


def _curve(name: str, result: Result, metric: str, scale: float) -> Curve:
    rows = result.filter(metric=metric)
    return Curve(name, rows.parameter("size_bytes"), (rows.values() * scale).tolist())
