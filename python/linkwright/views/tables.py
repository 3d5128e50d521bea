"""Tables for the terminal: what stands in which column, and how a number is written.

Text from files is never read as markup. The columns of a comparison are in columns.py, a
reproduction is in reproduction.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich import box
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from linkwright.plan import Finding, Severity
from linkwright.views.columns import chosen_parts, comparison_columns, label
from linkwright.views.quantities import quantity, size

if TYPE_CHECKING:
    from linkwright.plan import Difference
    from linkwright.results import Result
    from linkwright.studies import Comparison

__all__ = [
    "comparison_table",
    "difference_table",
    "findings_table",
    "listing_table",
    "result_table",
]

COLUMN_GAP = 3
"""Columns of the terminal between two columns of a table."""
EDGES = 2
"""Columns of the terminal that the two edges of a table take."""

_SEVERITY_STYLE = {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.INFO: "cyan"}


def comparison_table(comparison: Comparison) -> RenderableType:
    """Return architectures side by side, and below them what there is to say about some.

    A terminal that is too narrow gets the columns in several tables, one below the other.
    """
    return _ComparisonTable(comparison)


class _ComparisonTable:
    def __init__(self, comparison: Comparison) -> None:
        self._comparison = comparison
        rows = comparison.architectures
        self._names = ["architecture", *map(label, rows)]
        self._columns = [
            [f"{column.heading}\n{column.unit}".strip(), *(column.cell(row).text for row in rows)]
            for column in comparison_columns(comparison)
        ]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        comparison = self._comparison
        yield Text(f"{comparison.engine} engine, calibration {comparison.calibration}")
        room = options.max_width - _width(self._names) - EDGES
        for columns in self._fitting(room):
            table = _table(None)
            table.add_column(self._names[0], no_wrap=True)
            for column, width in zip(columns, _widths(columns, room), strict=True):
                table.add_column(Text(column[0]), justify="right", width=width)
            for index, name in enumerate(self._names[1:], start=1):
                table.add_row(*(Text(text) for text in (name, *(one[index] for one in columns))))
            yield table
        yield from map(Text, _notes(comparison))

    def _fitting(self, width: int) -> Iterable[list[list[str]]]:
        """Yield the columns in groups that fit beside the names."""
        group: list[list[str]] = []
        left = width
        for column in self._columns:
            left -= COLUMN_GAP + _width(column)
            if left < 0 and group:
                yield group
                group, left = [], width - COLUMN_GAP - _width(column)
            group.append(column)
        yield group


def _width(column: Sequence[str]) -> int:
    """Return the room of a column: its heading may wrap between words, its cells may not."""
    return max(_longest_word(column[0]), *map(len, column[1:]))


def _widths(columns: Sequence[Sequence[str]], room: int) -> list[int]:
    """Return the widths of columns that fit: headings wrap as little as there is room, the widest
    first.
    """
    least = [_width(column) for column in columns]
    wanted = [max(map(len, column[0].splitlines())) for column in columns]
    for most in range(max(wanted), 0, -1):
        widths = [max(low, min(high, most)) for low, high in zip(least, wanted, strict=True)]
        if sum(widths) + COLUMN_GAP * len(widths) <= room:
            return widths
    return least


def _longest_word(text: str) -> int:
    return max(map(len, text.split()))


def _notes(comparison: Comparison) -> Iterable[str]:
    for row in comparison.architectures:
        if row.chosen_parts:
            yield f"{label(row)}: parts chosen to fit: {chosen_parts(row)}"
        by_rule: dict[str, list[Finding]] = {}
        for finding in row.findings:
            if finding.severity is not Severity.INFO:
                by_rule.setdefault(finding.rule, []).append(finding)
        for findings in by_rule.values():
            yield f"{label(row)}: {findings[0].severity}: {findings[0].reason}" + _others(findings)

    for one in comparison.left_out:
        yield f"{one.name}: left out: {one.reason}"


def _others(findings: Sequence[Finding]) -> str:
    return f" (and {len(findings) - 1} more like it)" if len(findings) > 1 else ""


def findings_table(findings: Sequence[Finding]) -> RenderableType:
    """Return findings, one per row."""
    if not findings:
        return Text("nothing found")
    table = _table(None, show_lines=True)
    for heading in ("severity", "place", "reason", "fix"):
        table.add_column(heading, overflow="fold")
    for finding in findings:
        severity = Text(str(finding.severity), style=_SEVERITY_STYLE[finding.severity])
        table.add_row(severity, Text(finding.place), Text(finding.reason), Text(finding.fix))
    return table


def result_table(result: Result) -> RenderableType:
    """Return rows of results, with the size of message or file, fault and bottleneck, if any."""
    table = _table(None)
    table.add_column("workload", no_wrap=True)
    table.add_column("size", justify="right", no_wrap=True)
    table.add_column("metric", no_wrap=True)
    table.add_column("value", justify="right", no_wrap=True)
    table.add_column("origin", no_wrap=True)
    told = [name for name in ("fault", "bottleneck") if any(result.parameter(name))]
    for name in told:
        table.add_column(name, overflow="fold")
    shows_repeat = len(set(result.column("repeat"))) > 1
    if shows_repeat:
        table.add_column("repeat", justify="right")
    for row in result.rows():
        sizes = row.parameters.get("size_bytes", row.parameters.get("file_bytes"))
        shown = "" if sizes is None or isinstance(sizes, list | tuple) else size(sizes)
        cells = [row.workload, shown, row.metric, quantity(row.value, row.unit), row.origin]
        cells += [str(row.parameters.get(name, "")) for name in told]
        cells += [str(row.repeat)] if shows_repeat else []
        table.add_row(*map(Text, cells))
    return table


def difference_table(difference: Difference) -> RenderableType:
    """Return what changes from one plan to another: every line but those of routes, then how many
    routes change on each node.
    """
    lines = [
        [one.table, one.change, one.device, one.what, one.old, one.new]
        for one in difference.changes
        if one.table != "routes"
    ]
    counts = _table("routes")
    counts.add_column("node", no_wrap=True)
    for heading in ("add", "remove", "replace", "after"):
        counts.add_column(heading, justify="right", no_wrap=True)
    for one in difference.route_counts:
        figures = (one.add, one.remove, one.replace, one.routes)
        counts.add_row(Text(one.node), *(Text(str(figure)) for figure in figures))
    if not lines:
        return counts
    headings = ["table", "change", "device", "what", "old", "new"]
    return Group(listing_table(headings, lines), counts)


def listing_table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> RenderableType:
    """Return a plain list of things with what they are."""
    table = _table(None)
    for index, heading in enumerate(headings):
        table.add_column(heading, no_wrap=index == 0, overflow="fold")
    for row in rows:
        table.add_row(*map(Text, row))
    return table


def _table(title: str | None, *, show_lines: bool = False) -> Table:
    return Table(
        title=Text(title) if title else None,
        title_justify="left",
        box=box.SIMPLE_HEAD,
        show_lines=show_lines,
        pad_edge=False,
        header_style="bold",
    )
