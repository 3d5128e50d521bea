"""How near predictions come to what is printed: errors by table and network, and the worst rows.

The error of an entry is ours over the right printed value, less one. Entries that a node's memory
excludes count nowhere; they are listed. Networks are put in order by their values within a group;
a pair counts where the printed values differ by more than five per cent.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from linkwright.papers.entry import Basis, Entry
from linkwright.papers.reproduction import Reproduction

__all__ = ["Accuracy", "accuracy", "accuracy_page", "pairs_in_order"]

TELLING = 0.05
"""Relative difference of printed values from which on their order means something."""


@dataclass(frozen=True, kw_only=True)
class Accuracy:
    """The errors of some entries."""

    table: str
    """Paper and table."""
    network: str
    """Network, "all" for every network of the table."""
    basis: Basis
    n: int
    mean_absolute: float
    """Mean of the absolute relative errors."""
    bias: float
    """Mean of the relative errors."""
    in_order: int
    """Pairs of networks that stand in the printed order."""
    pairs: int
    """Pairs whose printed values differ enough."""
    worst: Entry


def accuracy(reproduction: Reproduction) -> list[Accuracy]:
    """Return the accuracy of every table that rests on runs, all networks first, then each."""
    return [
        line
        for table, found in reproduction.entries.items()
        for basis in (Basis.CALIBRATED, Basis.PREDICTED)
        for line in _lines(table, basis, [one for one in found if _counts(one, basis)])
    ]


def pairs_in_order(entries: Sequence[Entry]) -> tuple[int, int]:
    """Return how many pairs of networks stand in the printed order, and of how many.

    Examples
    --------
    >>> pairs_in_order([])
    (0, 0)
    """
    groups: dict[str, list[Entry]] = {}
    for entry in entries:
        if entry.group:
            groups.setdefault(f"{entry.group} {entry.metric}", []).append(entry)
    telling = [
        (a.expected - b.expected) * (a.ours - b.ours) > 0
        for group in groups.values()
        for a, b in itertools.combinations(group, 2)
        if a.network != b.network
        and abs(a.expected - b.expected) > TELLING * min(a.expected, b.expected)
    ]
    return sum(telling), len(telling)


def accuracy_page(reproduction: Reproduction, figures: Iterable[tuple[str, str]]) -> str:
    """Return the page as Markdown.

    Parameters
    ----------
    reproduction : Reproduction
        What was run.
    figures : iterable of (str, str)
        File and caption of every figure.
    """
    lines = [*_summary(accuracy(reproduction))]
    for table, found in reproduction.entries.items():
        if table in reproduction.studies and found:
            lines += [f"\n## {table}\n", *_rows(found)]
    lines += [
        "\n## Figures\n",
        *(f"![{caption}]({file})\n\n{caption}.\n" for file, caption in figures),
    ]
    return "\n".join(lines).rstrip() + "\n"


def _counts(entry: Entry, basis: Basis) -> bool:
    return entry.basis is basis and not entry.left_out


def _lines(table: str, basis: Basis, entries: list[Entry]) -> Iterator[Accuracy]:
    if not entries:
        return
    yield _line(table, "all", basis, entries)
    networks = list(dict.fromkeys(entry.network for entry in entries if entry.network))
    if len(networks) > 1 and len(networks) < len(entries):
        for network in networks:
            own = [entry for entry in entries if entry.network == network]
            yield _line(table, network, basis, own)


def _line(table: str, network: str, basis: Basis, entries: list[Entry]) -> Accuracy:
    errors = np.array([entry.error for entry in entries])
    in_order, pairs = pairs_in_order(entries)
    return Accuracy(
        table=table,
        network=network,
        basis=basis,
        n=len(entries),
        mean_absolute=float(np.abs(errors).mean()),
        bias=float(errors.mean()),
        in_order=in_order,
        pairs=pairs,
        worst=entries[int(np.abs(errors).argmax())],
    )


def _summary(lines: Sequence[Accuracy]) -> Iterator[str]:
    yield "| table | network | basis | n | mean error | bias | pairs in order | worst row |"
    yield "|---|---|---|---|---|---|---|---|"
    for line in lines:
        order = f"{line.in_order} of {line.pairs}" if line.pairs else ""
        worst = f"{line.worst.row} {line.worst.metric} {line.worst.error:+.1%}"
        yield (
            f"| {line.table} | {line.network} | {line.basis} | {line.n} | "
            f"{line.mean_absolute:.1%} | {line.bias:+.1%} | {order} | {worst} |"
        )


def _rows(entries: Sequence[Entry]) -> Iterator[str]:
    yield "| row | figure | printed | ours | error | allowed | verdict | why left out |"
    yield "|---|---|---|---|---|---|---|---|"
    for entry in entries:
        printed = f"{entry.printed:.4g}"
        if entry.corrected is not None:
            printed += f" (right: {entry.corrected:.4g})"
        yield (
            f"| {entry.row} | {entry.metric} ({entry.unit}) | {printed} | {entry.ours:.4g} | "
            f"{entry.error:+.1%} | {entry.tolerance:.0%} | {entry.verdict} | {entry.left_out} |"
        )
