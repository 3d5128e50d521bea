"""Accuracy of predictions: errors by table and network, and the worst rows.

The error of an entry is ours over the right printed value, less one. Entries of runs that paged do
not count; they are listed. Networks are ranked by their values within a group, also
across papers; a pair counts if the printed values differ by more than five per cent. Qualitative
claims follow the numbers of their table.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from linkwright.papers.claim import Basis, Verdict
from linkwright.papers.entry import Entry
from linkwright.papers.reproduction import Reproduction
from linkwright.views.quantities import quantity

__all__ = ["Accuracy", "accuracy", "accuracy_page", "pairs_in_order"]

DISTINCT = 0.05
"""Relative difference of printed values above which their order is meaningful."""


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
    """Pairs of networks in the printed order."""
    pairs: int
    """Pairs whose printed values differ enough."""
    inside: int
    """Printed values in our interval."""
    intervals: int
    """Entries with an interval: over several seeds, or draws."""
    worst: Entry


def accuracy(reproduction: Reproduction) -> list[Accuracy]:
    """Return the accuracy of every table that rests on runs, all networks first, then each."""
    return [
        line
        for table, found in reproduction.numbers.items()
        for basis in (Basis.CALIBRATED, Basis.PREDICTED)
        for line in _lines(table, basis, [one for one in found if _counts(one, basis)])
    ]


def pairs_in_order(entries: Sequence[Entry]) -> tuple[int, int]:
    """Return the number of pairs of networks in the printed order, and of all pairs.

    Examples
    --------
    >>> pairs_in_order([])
    (0, 0)
    """
    pairs = _distinct_pairs(entries)
    return sum(_is_in_order(*pair) for pair in pairs), len(pairs)


def _distinct_pairs(entries: Sequence[Entry]) -> list[tuple[Entry, Entry]]:
    """Return the pairs of networks whose printed values differ enough."""
    groups: dict[str, list[Entry]] = {}
    for entry in entries:
        if entry.claim.group:
            groups.setdefault(f"{entry.claim.group} {entry.claim.metric}", []).append(entry)
    return [
        (a, b)
        for group in groups.values()
        for a, b in itertools.combinations(group, 2)
        if a.claim.network != b.claim.network and _are_distinct(a.claim.expected, b.claim.expected)
    ]


def _are_distinct(a: float, b: float) -> bool:
    return abs(a - b) > DISTINCT * min(a, b)


def _is_in_order(a: Entry, b: Entry) -> bool:
    return (a.claim.expected - b.claim.expected) * (a.ours - b.ours) > 0


def accuracy_page(reproduction: Reproduction, plots: Iterable[tuple[str, str]]) -> str:
    """Return the page as Markdown.

    Parameters
    ----------
    reproduction : Reproduction
        The reproduction to describe.
    plots : iterable of (str, str)
        File and caption of every plot.
    """
    lines = [*_summary(accuracy(reproduction))]
    lines += ["\n## Qualitative claims\n", *_words_summary(reproduction.qualitative)]
    lines += ["\n## Order of networks\n", *_orders(reproduction)]
    for table in reproduction.run_tables:
        found, words = reproduction.numbers[table], reproduction.qualitative[table]
        if found or words:
            lines += [f"\n## {table}\n", *_rows(found)]
            lines += [""] if found and words else []
            lines += _words_rows(words)
    lines += [
        "\n## Figures\n",
        *(f"![{caption}]({file})\n\n{caption}.\n" for file, caption in plots),
    ]
    return "\n".join(lines).rstrip() + "\n"


def _counts(entry: Entry, basis: Basis) -> bool:
    return entry.claim.basis is basis and not entry.left_out


def _lines(table: str, basis: Basis, entries: list[Entry]) -> Iterator[Accuracy]:
    if not entries:
        return
    yield _line(table, "all", basis, entries)
    networks = list(dict.fromkeys(one.claim.network for one in entries if one.claim.network))
    if len(networks) > 1 and len(networks) < len(entries):
        for network in networks:
            own = [entry for entry in entries if entry.claim.network == network]
            yield _line(table, network, basis, own)


def _line(table: str, network: str, basis: Basis, entries: list[Entry]) -> Accuracy:
    errors = np.array([entry.error for entry in entries])
    in_order, pairs = pairs_in_order(entries)
    inside = [entry.is_inside for entry in entries if entry.is_inside is not None]
    return Accuracy(
        table=table,
        network=network,
        basis=basis,
        n=len(entries),
        mean_absolute=float(np.abs(errors).mean()),
        bias=float(errors.mean()),
        in_order=in_order,
        pairs=pairs,
        inside=sum(inside),
        intervals=len(inside),
        worst=entries[int(np.abs(errors).argmax())],
    )


def _summary(lines: Sequence[Accuracy]) -> Iterator[str]:
    columns = ("table", "network", "basis", "n", "mean error", "bias", "print inside")
    yield f"| {' | '.join(columns)} | pairs in order | worst row |"
    yield f"|{'---|' * len(columns)}---|---|"
    for line in lines:
        inside = f"{line.inside} of {line.intervals}" if line.intervals else ""
        order = f"{line.in_order} of {line.pairs}" if line.pairs else ""
        worst = f"{line.worst.claim.row} {line.worst.claim.metric} {line.worst.error:+.1%}"
        yield (
            f"| {line.table} | {line.network} | {line.basis} | {line.n} | "
            f"{line.mean_absolute:.1%} | {line.bias:+.1%} | {inside} | {order} | {worst} |"
        )


def _words_summary(words: Mapping[str, Sequence[Entry]]) -> Iterator[str]:
    yield "| table | claims | holds | does not hold |"
    yield "|---|---|---|---|"
    for table, found in words.items():
        if found:
            fails = [one.claim.row for one in found if one.verdict is Verdict.FAILS]
            yield f"| {table} | {len(found)} | {len(found) - len(fails)} | {', '.join(fails)} |"


def _orders(reproduction: Reproduction) -> Iterator[str]:
    """Yield the pairs of networks by their workload, over all papers."""
    kinds: dict[str, list[tuple[Entry, Entry]]] = {}
    counted = [
        entry for found in reproduction.numbers.values() for entry in found if not entry.left_out
    ]
    for pair in _distinct_pairs(counted):
        kinds.setdefault(pair[0].claim.group.partition(".")[0], []).append(pair)
    yield "| workload | pairs | in order | out of order: printed, ours |"
    yield "|---|---|---|---|"
    for kind, pairs in kinds.items():
        wrong = [pair for pair in pairs if not _is_in_order(*pair)]
        shown = "; ".join(
            f"{a.claim.row} and {b.claim.row}: {a.claim.expected:.4g} and {b.claim.expected:.4g}, "
            f"{a.ours:.4g} and {b.ours:.4g}"
            for a, b in wrong
        )
        yield f"| {kind} | {len(pairs)} | {len(pairs) - len(wrong)} | {shown} |"


def _words_rows(words: Sequence[Entry]) -> Iterator[str]:
    if not words:
        return
    yield "| row | claim | figure | ours | bounds | verdict | numbers | reason |"
    yield "|---|---|---|---|---|---|---|---|"
    for one in words:
        claim = one.claim
        read = ", ".join(
            f"{label} {quantity(value, one.numbers_unit)}" for label, value in one.numbers.items()
        )
        yield (
            f"| {claim.row} | {claim.says} | {claim.figure} | {_with_spread(one)} | "
            f"{claim.bounds} | {one.verdict} | {read} | {claim.reason} |"
        )


def _with_spread(entry: Entry) -> str:
    """Return ours, with the deviation if it is a mean over several seeds."""
    return f"{entry.ours:.4g}" + (f" ± {entry.spread:.2g}" if entry.spread else "")


def _interval(entry: Entry) -> str:
    """Return the interval of ours, and whether print is inside."""
    if entry.interval is None:
        return ""
    place = "inside" if entry.is_inside else "outside"
    return f"{entry.interval.low:.4g} to {entry.interval.high:.4g}: {place}"


def _rows(entries: Sequence[Entry]) -> Iterator[str]:
    if not entries:
        return
    columns = ("row", "figure", "printed", "ours", "90 % interval, print", "error", "allowed")
    yield f"| {' | '.join(columns)} | verdict | why left out |"
    yield f"|{'---|' * len(columns)}---|---|"
    for entry in entries:
        claim = entry.claim
        printed = f"{claim.printed:.4g}"
        if claim.corrected is not None:
            printed += f" (right: {claim.corrected:.4g})"
        yield (
            f"| {claim.row} | {claim.metric} ({claim.unit}) | {printed} | {_with_spread(entry)} | "
            f"{_interval(entry)} | {entry.error:+.1%} | {claim.tolerance:.0%} | {entry.verdict} | "
            f"{entry.left_out} |"
        )
