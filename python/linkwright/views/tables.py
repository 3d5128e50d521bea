"""Tables for the terminal: their columns, and the format of numbers.

The columns of a comparison are in columns.py, a reproduction is in reproduction.py, and
fitting_table.py fits a table into a terminal.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.text import Text

from linkwright.views.columns import chosen_parts, comparison_columns, label
from linkwright.views.fitting_table import Cell, FittingTable, Heading
from linkwright.views.quantities import quantity, size

if TYPE_CHECKING:
    from linkwright.plan import Difference, Finding
    from linkwright.results import Result
    from linkwright.studies import ArchitectureComparison

__all__ = [
    "comparison_table",
    "difference_table",
    "findings_table",
    "listing_table",
    "result_table",
]

_COUNTS = ("add", "remove", "replace", "after")
_SEVERITY_STYLE = {"error": "bold red", "warning": "yellow", "info": "cyan"}


def comparison_table(comparison: ArchitectureComparison) -> RenderableType:
    """Return architectures side by side, and below them notes on some."""
    columns = comparison_columns(comparison)
    headings = [Heading("architecture")]
    headings += [Heading(f"{one.heading}\n{one.unit}".strip(), "right") for one in columns]
    rows = [
        [label(row), *(column.cell(row).text for column in columns)]
        for row in comparison.architectures
    ]
    heading = f"{comparison.engine} engine, calibration {comparison.calibration}"
    return Group(Text(heading), FittingTable(headings, rows), *map(Text, _notes(comparison)))


def _notes(comparison: ArchitectureComparison) -> Iterable[str]:
    for row in comparison.architectures:
        if row.chosen_parts:
            yield f"{label(row)}: parts chosen to fit: {chosen_parts(row)}"
        by_rule: dict[str, list[Finding]] = {}
        for finding in row.findings:
            if finding.severity != "info":
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
    headings = [
        Heading("severity"),
        Heading("place"),
        Heading("reason", wraps=True),
        Heading("fix", wraps=True),
    ]
    rows: list[list[Cell]] = [
        [Text(str(one.severity), _SEVERITY_STYLE[one.severity]), one.place, one.reason, one.fix]
        for one in findings
    ]
    return FittingTable(headings, rows, lines=True)


def result_table(result: Result) -> RenderableType:
    """Return rows of results, with the size of message or file, fault and bottleneck, if any."""
    optional = [name for name in ("fault", "bottleneck") if any(result.parameter(name))]
    shows_repeat = len(set(result.column("repeat"))) > 1
    headings = [
        Heading("workload", wraps=True),
        Heading("size", "right"),
        Heading("metric", wraps=True),
        Heading("value", "right"),
        Heading("origin"),
        *(Heading(name, wraps=True) for name in optional),
        *([Heading("repeat", "right")] if shows_repeat else []),
    ]
    rows = []
    for row in result.rows():
        sizes = row.parameters.get("size_bytes", row.parameters.get("file_bytes"))
        shown = "" if sizes is None or isinstance(sizes, list | tuple) else size(sizes)
        cells = [row.workload, shown, row.metric, quantity(row.value, row.unit), row.origin]
        cells += [str(row.parameters.get(name, "")) for name in optional]
        rows.append([*cells, *([str(row.repeat)] if shows_repeat else [])])
    return FittingTable(headings, rows)


def difference_table(difference: Difference) -> RenderableType:
    """Return the changes from one plan to another: every line except those of routes, then the
    number of changed routes per node.
    """
    lines = [
        [one.table, one.change, one.device, one.what, one.old, one.new]
        for one in difference.changes
        if one.table != "routes"
    ]
    headings = [Heading("node"), *(Heading(name, "right") for name in _COUNTS)]
    figures = [
        [one.node, *(str(figure) for figure in (one.add, one.remove, one.replace, one.routes))]
        for one in difference.route_counts
    ]
    counts = Group(Text("routes", "italic"), FittingTable(headings, figures))
    if not lines:
        return counts
    changed = listing_table(["table", "change", "device", "what", "old", "new"], lines)
    return Group(changed, counts)


def listing_table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> RenderableType:
    """Return a list of names with their descriptions."""
    first, *others = headings or [""]
    columns = [Heading(first), *(Heading(name, wraps=True) for name in others)]
    return FittingTable(columns, list(rows))
