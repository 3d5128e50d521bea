"""The answer of a comparison: the cheapest network that heals by itself, the fastest one, the price
of a switch, and the order of the networks.

Networks with fewer nodes than the others answer another question: they have no rank.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from linkwright.network import SWITCH
from linkwright.views.columns import MAIN_METRIC, is_smaller, label
from linkwright.views.quantities import quantity, rounded

if TYPE_CHECKING:
    from linkwright.comparison import Architecture, ArchitectureComparison

__all__ = ["ComparisonAnswer", "comparison_answer"]


@dataclass(frozen=True)
class ComparisonAnswer:
    """The answer of a comparison."""

    sentences: tuple[str, ...]
    named: tuple[int, ...]
    """The networks in the sentences, by their places in the comparison."""
    order: tuple[int, ...]
    """All networks, the fastest first; those without a time or a rank are last."""
    ranked_by: str
    """The time that orders them, in words; empty without one."""

    @property
    def text(self) -> str:
        """All sentences."""
        return " ".join(self.sentences)


def comparison_answer(comparison: ArchitectureComparison) -> ComparisonAnswer:
    """Return the answer of a comparison."""
    rows = comparison.architectures
    ranked = [at for at, row in enumerate(rows) if not is_smaller(row, comparison)]
    by, times = _times(comparison)
    timed = [at for at in ranked if times[at] is not None]
    order = sorted(
        range(len(rows)),
        key=lambda at: (at not in ranked, times[at] is None, times[at] or 0.0, _cost(rows[at])),
    )
    found = [*_sentences(rows, ranked, timed, times, by)] if len(ranked) > 1 else []
    named = dict.fromkeys(at for _, places in found for at in places)
    return ComparisonAnswer(
        tuple(text for text, _ in found), tuple(named), tuple(order), by if timed else ""
    )


Said = tuple[str, Sequence[int]]
"""A sentence, and the networks that it names."""


def _sentences(
    rows: Sequence[Architecture],
    ranked: Sequence[int],
    timed: Sequence[int],
    times: Sequence[float | None],
    by: str,
) -> Iterator[Said]:
    yield _cheapest(rows, ranked)
    if timed:
        fastest = min(timed, key=lambda at: (times[at], _cost(rows[at])))
        time = quantity(times[fastest] or 0.0, "s")
        text = f"Fastest: {label(rows[fastest])}, {time} per {by} at {_price(rows[fastest])}."
        yield text, [fastest]
    with_switch = [at for at in ranked if (rows[at].network.wiring.kind == SWITCH).any()]
    without = [at for at in ranked if at not in with_switch]
    if with_switch and without:
        dear, cheap = (min(some, key=lambda at: _cost(rows[at])) for some in (with_switch, without))
        more = _cost(rows[dear]) - _cost(rows[cheap])
        currency = rows[dear].properties.cost.currency
        how = f"{rounded(abs(more))} {currency} {'more' if more >= 0 else 'less'} per node"
        text = f"A switch costs {how}: {label(rows[dear])} beside {label(rows[cheap])}."
        yield text, [dear, cheap]


def _cheapest(rows: Sequence[Architecture], ranked: Sequence[int]) -> Said:
    """Return the cheapest network of the least harm by single failures."""
    outcomes = {at: rows[at].properties.outcomes for at in ranked}
    healing = [at for at in ranked if outcomes[at].heals == 1.0]
    surviving = [at for at in ranked if outcomes[at].survives == 1.0]
    words = "Cheapest that heals by itself after any single failure"
    if not healing and surviving:
        words = "None heals by itself; cheapest that new tables mend after any single failure"
    elif not healing:
        words = "Each can be cut off by one failure; cheapest"
    best = min(healing or surviving or ranked, key=lambda at: _cost(rows[at]))
    return f"{words}: {label(rows[best])}, {_price(rows[best])}.", [best]


def _times(comparison: ArchitectureComparison) -> tuple[str, list[float | None]]:
    """Return the first workload of all nodes and its time on each network; else the latency."""
    rows = comparison.architectures
    for workload in comparison.workloads:
        found = [row.intervals_of(workload).get(MAIN_METRIC) for row in rows]
        if any(found):
            return workload, [None if one is None else one.mean for one in found]
    ends = [row.latency_s for row in rows]
    return "message between the worst pair", [one.worst or one.best for one in ends]


def _cost(row: Architecture) -> float:
    return row.properties.cost.units_bought_per_node


def _price(row: Architecture) -> str:
    return f"{rounded(_cost(row))} {row.properties.cost.currency} per node"
