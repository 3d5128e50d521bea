"""Tables for the terminal: what stands in which column, and how a number is written.

Text from files is never read as markup. The columns of a comparison are in columns.py.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich import box
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from linkwright.plan import Finding, Severity
from linkwright.views.columns import comparison_columns, label
from linkwright.views.quantities import quantity, size

if TYPE_CHECKING:
    from linkwright.plan import Difference
    from linkwright.results import Result, Row
    from linkwright.studies import Comparison

__all__ = [
    "comparison_table",
    "difference_table",
    "findings_table",
    "listing_table",
    "reproduction_table",
    "result_table",
]

COLUMN_GAP = 3
"""Columns of the terminal between two columns of a table."""
EDGES = 2
"""Columns of the terminal that the two edges of a table take."""

_SEVERITY_STYLE = {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.INFO: "cyan"}

_VERDICT_STYLE = {
    "agrees": "green",
    "corrected": "cyan",
    "left out": "yellow",
    "differs": "bold red",
    "holds": "green",
    "does not hold": "bold red",
}


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
        if row.reason:
            yield f"{label(row)}: not built: {row.reason}"
        by_rule: dict[str, list[Finding]] = {}
        for finding in row.findings:
            if finding.severity is not Severity.INFO:
                by_rule.setdefault(finding.rule, []).append(finding)
        for findings in by_rule.values():
            yield f"{label(row)}: {findings[0].severity}: {findings[0].reason}" + _others(findings)


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
    """Return rows of results, with message size, fault and bottleneck where they have one."""
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
        sizes = row.parameters.get("size_bytes")
        shown = "" if sizes is None or isinstance(sizes, list | tuple) else size(sizes)
        cells = [row.workload, shown, row.metric, quantity(row.value, row.unit), row.origin]
        cells += [str(row.parameters.get(name, "")) for name in told]
        cells += [str(row.repeat)] if shows_repeat else []
        table.add_row(*map(Text, cells))
    return table


def reproduction_table(result: Result) -> RenderableType:
    """Return printed numbers beside ours, what was run without a number to set beside it, and what
    papers say in words.
    """
    rows = result.rows()
    printed = [(row, ours) for row, ours in itertools.pairwise(rows) if row.origin == "printed"]
    beside = {id(row) for pair in printed for row in pair}
    others = [row for row in rows if id(row) not in beside]
    words = [row for row in others if "says" in row.parameters]
    alone = [row for row in others if "says" not in row.parameters]
    parts = [
        *([_printed_table(printed)] if printed else []),
        *([_alone_table(alone)] if alone else []),
        *([_words_table(words)] if words else []),
    ]
    return Group(*parts) if parts else Text("nothing is printed or predicted here")


def _printed_table(rows: Sequence[tuple[Row, Row]]) -> RenderableType:
    table = _table(None)
    for heading in ("paper", "row", "figure"):
        table.add_column(heading, no_wrap=True)
    for heading in ("printed", "ours"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("verdict", no_wrap=True)
    table.add_column("note", overflow="fold")
    for printed, ours in rows:
        said = ours.parameters
        erratum = f"erratum {said['erratum']}" if said.get("erratum") else ""
        cells = [
            ours.study,
            str(said.get("row", ours.design)),
            ours.metric,
            quantity(printed.value, printed.unit),
            _with_spread(ours),
        ]
        note = said.get("left_out") or "; ".join(
            text for text in (erratum, str(said.get("reason", ""))) if text
        )
        table.add_row(*map(Text, cells), _verdict(ours), Text(note))
    return table


def _alone_table(rows: Sequence[Row]) -> RenderableType:
    table = _table("runs without a printed number here")
    for heading in ("paper", "run", "figure"):
        table.add_column(heading, no_wrap=True)
    table.add_column("ours", justify="right", no_wrap=True)
    table.add_column("note", overflow="fold")
    for row in rows:
        note = "exceeds a node's memory" if row.parameters.get("exceeds_memory") else ""
        cells = [row.study, str(row.parameters["row"]), row.metric, _with_spread(row), note]
        table.add_row(*map(Text, cells))
    return table


def _words_table(rows: Sequence[Row]) -> RenderableType:
    """Return what is said, below it the figure with its bounds, and what that was read from."""
    table = _table("words and what we find", show_lines=True)
    table.add_column("paper", no_wrap=True)
    table.add_column("what is said, the figure, and what it is read from", overflow="fold")
    table.add_column("verdict", no_wrap=True)
    for row in rows:
        said = row.parameters
        read = ", ".join(
            f"{label} {quantity(value, said['numbers_unit'])}"
            for label, value in said["numbers"].items()
        )
        found = Text(f"{said['says']}\n")
        found.append(f"{said['figure']}: {_with_spread(row)} ({said['bounds']})\n", style="bold")
        found.append(read, style="dim")
        table.add_row(Text(f"{row.study}\n{said['row']}"), found, _verdict(row))
    return table


def _verdict(row: Row) -> Text:
    verdict = str(row.parameters.get("verdict", ""))
    return Text(verdict, style=_VERDICT_STYLE.get(verdict, ""))


def _with_spread(row: Row) -> str:
    """Return a value, and its deviation where it is the mean over several seeds."""
    shown = quantity(row.value, row.unit)
    spread = row.parameters.get("spread")
    return shown if spread is None else f"{shown} ± {quantity(spread, row.unit)}"


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
