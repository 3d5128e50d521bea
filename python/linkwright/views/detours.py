"""Pairs of nodes that take another way after a failure, with rate and latency before and after: a
table for the terminal, and the data of the page, which follows any failure by itself.

Failures with equal effects are one row, named by the first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.text import Text

from linkwright.comparison.detours import Detour, Detours, HopTimes, step_times
from linkwright.records.plain_numbers import significant
from linkwright.views.fitting_table import FittingTable, Heading
from linkwright.views.quantities import changed, quantity, rate

if TYPE_CHECKING:
    from linkwright.network import Network
    from linkwright.plan import FailureProof
    from linkwright.plan.resilience import FailureImpact

__all__ = ["detours_table", "step_data"]

MOST_LISTED = 5
"""Number of groups of failures that are listed."""

_Alike = tuple["FailureImpact", Sequence[Detour], int]
"""A failure, its pairs, and the number of failures like it."""


def detours_table(proof: FailureProof, found: Detours) -> RenderableType:
    """Return the worst pair of each failure, worst failure first; nothing where none reroutes."""
    n_missing = sum(bool(one.n_rerouted) for one in proof.impacts) - len(found)
    if not found and not n_missing:
        return Group()
    groups = _groups(proof, found)
    parts: list[RenderableType] = [_table(groups[:MOST_LISTED])] if groups else []
    if len(groups) > MOST_LISTED:
        parts.append(Text(f"and {len(groups) - MOST_LISTED} kinds of failures with less effect"))
    if n_missing:
        parts.append(
            Text(
                f"Rate and latency after {n_missing:,} more failures that heal were not computed; "
                "the page (-o FILE.html) shows them for each."
            )
        )
    return Group(*parts)


def _groups(proof: FailureProof, found: Detours) -> list[_Alike]:
    """Return failures of equal effects together; a NIC has the effect of its cable."""
    alike: dict[tuple[Any, ...], _Alike] = {}
    for at, pairs in sorted(found.items()):
        impact = proof.impacts[at]
        if impact.kind == "nic" or not pairs:
            continue
        key = (impact.kind, len(pairs), pairs[0].before, pairs[0].after)
        first, its_pairs, n = alike.get(key, (impact, pairs, 0))
        alike[key] = (first, its_pairs, n + 1)
    return sorted(alike.values(), key=lambda one: one[1][0].harm, reverse=True)


def _table(groups: Sequence[_Alike]) -> FittingTable:
    headings = [
        Heading("another way after failure of", wraps=True),
        Heading("pairs", "right"),
        Heading("worst pair"),
        Heading("rate"),
        Heading("latency"),
    ]
    return FittingTable(headings, [_row(*group) for group in groups])


def _row(impact: FailureImpact, pairs: Sequence[Detour], n_alike: int) -> list[str]:
    worst = pairs[0]
    name = f"{impact.kind} {impact.name}" + (f" and {n_alike - 1} like it" if n_alike > 1 else "")
    before, after = worst.before, worst.after
    latency = "–"
    if before.latency_s is not None and after.latency_s is not None:
        latency = changed(before.latency_s, after.latency_s, lambda value: quantity(value, "s"))
    rates = changed(before.rate_bps, after.rate_bps, rate)
    return [name, str(len(pairs)), " – ".join(worst.nodes), rates, latency]


def step_data(network: Network, times: HopTimes | None) -> dict[str, Any]:
    """Return rates and times of cables and devices; `Steps` in frontend/src/check/figures.ts."""
    steps = step_times(network, times)

    def seconds(values: Any) -> list[float]:
        return [significant(float(value), 6) for value in values]

    return {
        "rate_bps": network.cable_rate_bps.tolist(),
        "has_times": times is not None,
        "base_s": significant(steps.base_s, 6),
        "delay_s": seconds(steps.delay_s),
        "serial_s": seconds(steps.serial_s),
        "relay_s": seconds(steps.relay_s),
        "stores": steps.stores.tolist(),
        "forwards": steps.forwards.tolist(),
        "first_forward_s": significant(steps.first_forward_s, 6),
    }
