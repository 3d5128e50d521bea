"""Tables for the terminal: their columns, and the format of numbers.

The columns of a comparison are in columns.py, results are in result_table.py, a reproduction is in
reproduction.py, and fitting_table.py fits a table into a terminal.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.text import Text

from linkwright.views.columns import Cell as ComparisonCell
from linkwright.views.columns import chosen_parts, comparison_columns, label
from linkwright.views.comparison_answer import comparison_answer
from linkwright.views.fitting_table import Cell, FittingTable, Heading

if TYPE_CHECKING:
    from linkwright.comparison import ArchitectureComparison
    from linkwright.plan import Difference, Finding

__all__ = [
    "SEVERITY_STYLE",
    "comparison_table",
    "difference_table",
    "findings_table",
    "listing_table",
]

_COUNTS = ("add", "remove", "replace", "after")
SEVERITY_STYLE = {"error": "bold red", "warning": "yellow", "info": "cyan"}
"""Style of each severity of findings."""


def comparison_table(comparison: ArchitectureComparison) -> RenderableType:
    """Return the answer of a comparison, architectures side by side, and notes on some."""
    columns = comparison_columns(comparison)
    headings = [Heading("architecture")]
    headings += [Heading(f"{one.heading}\n{one.unit}".strip(), "right") for one in columns]
    rows = [
        [label(row), *(_lines(column.cell(row)) for column in columns)]
        for row in comparison.architectures
    ]
    heading = f"{comparison.engine} engine, calibration {comparison.calibration}"
    if comparison.draws:
        heading += f", means and 90 % intervals of {comparison.draws} draws"
    answer = [Text(one, "bold") for one in comparison_answer(comparison).sentences]
    return Group(
        *answer, Text(heading), FittingTable(headings, rows), *map(Text, _notes(comparison))
    )


def _lines(cell: ComparisonCell) -> str:
    """Return the text of a cell, with its interval below."""
    return f"{cell.text}\n{cell.interval}".strip()


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
        [Text(str(one.severity), SEVERITY_STYLE[one.severity]), one.place, one.reason, one.fix]
        for one in findings
    ]
    return FittingTable(headings, rows, lines=True)


def difference_table(difference: Difference) -> RenderableType:
    """Return the changes from one plan to another: every line except those of routes, then the
    number of changed routes per node; or a sentence if there are none.
    """
    if not difference.changes:
        return Text("The plans are the same: nothing to change.")
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
