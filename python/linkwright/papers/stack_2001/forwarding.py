"""What forwarding costs: throughput of what is forwarded, and time of the node that does it.

Two pairs share a forwarder on a ring with a forwarding-only node in each stage; where every node
forwards, two pairs of one stage have one each.
"""

from __future__ import annotations

from collections.abc import Mapping

from linkwright.papers.printed import printed_numbers
from linkwright.papers.shapes import first_over_second
from linkwright.papers.stack_2001.bystander import Bystander
from linkwright.papers.study import Experiment, Study, WordClaim, by_setting, mean_of
from linkwright.papers.words import Words
from linkwright.results import Result
from linkwright.views.quantities import size
from linkwright.workloads import Token

__all__ = ["MEDIUM", "forwarding", "mean_loss"]

MEDIUM = (4096, 8192, 16384, 32768)
"""What counts as a medium size, in bytes."""

_NETWORKS = {"switched": "star-8", "forwarded": "ring-5x2-forwarders"}
_TOKENS = {
    f"{network}-{pairs}": (cluster, pairs)
    for pairs in (1, 2)
    for network, cluster in _NETWORKS.items()
}
_PAIRS = "0,4,1,5"
"""Producer and consumer of two pairs: two stages apart on the ring."""
_BYSTANDERS = {"while it forwards": "0,4,2", "while another does": "0,4,3"}
"""The pair, and a node between them that computes."""


def forwarding() -> Study:
    """Return the study of pairs that share a forwarder, and of a forwarder that computes."""
    tokens = (
        Experiment(
            name=name,
            package=__package__,
            cluster=cluster,
            workload=Token(pairs=pairs, exchanges=100, runs=1, size_bytes=MEDIUM),
            placement=_PAIRS if pairs == 2 else _PAIRS[:3],
        )
        for name, (cluster, pairs) in _TOKENS.items()
    )
    bystanders = (
        Experiment(
            name=name,
            package=__package__,
            cluster="ring-5x2",
            workload=Bystander(),
            placement=placement,
        )
        for name, placement in _BYSTANDERS.items()
    )
    words = printed_numbers(__package__).words("forwarding")
    return Study(experiments=(*tokens, *bystanders), words=tuple(_in_words(one) for one in words))


def mean_loss(numbers: Mapping[str, float]) -> float:
    """Return the mean of what is lost; switched and forwarded throughputs in turn."""
    values = list(numbers.values())
    losses = [1.0 - after / before for before, after in zip(values[::2], values[1::2], strict=True)]
    return sum(losses) / len(losses)


def _in_words(words: Words) -> WordClaim:
    if words.row == "steals-time":
        return WordClaim(
            words=words,
            of=tuple(_BYSTANDERS),
            numbers=lambda *found: dict(zip(_BYSTANDERS, map(mean_of("time"), found), strict=True)),
            judged=first_over_second,
            unit="s",
        )
    return WordClaim(words=words, of=tuple(_TOKENS), numbers=_throughputs, judged=_loss_over_loss)


def _throughputs(*found: Result) -> dict[str, float]:
    """Return the throughput of each size: one pair, switched and forwarded, then two pairs."""
    by_size = [by_setting(result, "aggregate_throughput") for result in found]
    return {
        f"{name} {size(at)}": by_size[first + index][at]
        for first in (0, 2)
        for at in MEDIUM
        for index, name in enumerate(list(_TOKENS)[first : first + 2])
    }


def _loss_over_loss(numbers: Mapping[str, float]) -> float:
    pairs = list(numbers.items())
    one, two = dict(pairs[: len(pairs) // 2]), dict(pairs[len(pairs) // 2 :])
    return mean_loss(two) / mean_loss(one)
