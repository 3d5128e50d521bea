"""Tables for the terminal: their columns, and the format of numbers.

The columns of a comparison are in columns.py, a reproduction is in reproduction.py, and
fitting_table.py fits a table into a terminal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.text import Text

from linkwright.views.columns import Cell as ComparisonCell
from linkwright.views.columns import chosen_parts, comparison_columns, label
from linkwright.views.fitting_table import Cell, FittingTable, Heading
from linkwright.views.quantities import quantity, size

if TYPE_CHECKING:
    from linkwright.comparison import ArchitectureComparison
    from linkwright.plan import Difference, Finding
    from linkwright.results import Result, Row

__all__ = [
    "SEVERITY_STYLE",
    "comparison_table",
    "difference_table",
    "findings_table",
    "listing_table",
    "memory_remark",
    "result_table",
]

_COUNTS = ("add", "remove", "replace", "after")
SEVERITY_STYLE = {"error": "bold red", "warning": "yellow", "info": "cyan"}
"""Style of each severity of findings."""


def comparison_table(comparison: ArchitectureComparison) -> RenderableType:
    """Return architectures side by side, and below them notes on some."""
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
    return Group(Text(heading), FittingTable(headings, rows), *map(Text, _notes(comparison)))


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


_OPTIONAL = ("library", "algorithm", "fault", "bottleneck")
"""Parameters that have a column in a table of results where any row has them."""


def result_table(result: Result) -> RenderableType:
    """Return rows of results, with the size of message or file, fault and bottleneck, if any, and
    with design and engine if there are several.

    Runs with several seeds are one row, with the mean and the range of their values; runs that draw
    constants of the hosts too, with the mean and the interval of further runs.
    """
    from linkwright.results import interval_of  # NumPy, which other tables do not need

    optional = [name for name in _OPTIONAL if any(result.parameter(name))]
    shows_memory = any(result.parameter("exceeds_memory"))
    n_runs = len(set(result.column("repeat")))
    is_drawn = any(result.parameter("draw"))
    runs = "draws" if is_drawn else "runs"
    apart = [name for name in ("design", "engine") if len(set(result.column(name))) > 1]
    headings = [
        *(Heading(name, wraps=True) for name in apart),
        Heading("workload", wraps=True),
        Heading("size", "right"),
        Heading("metric", wraps=True),
        Heading("value" if n_runs == 1 else f"mean of\n{n_runs} {runs}", "right"),
        *([Heading("90% interval" if is_drawn else "min..max", "right")] if n_runs > 1 else []),
        Heading("origin"),
        *(Heading(name, wraps=True) for name in optional),
        *([Heading("remark", wraps=True)] if shows_memory else []),
    ]
    rows = []
    for alike in _by_repeat(result):
        row, values = alike[0], [one.value for one in alike]
        sizes = row.parameters.get("size_bytes", row.parameters.get("file_bytes"))
        shown = "" if sizes is None or isinstance(sizes, list | tuple) else size(sizes)
        found = interval_of(values)
        least, most = (found.low, found.high) if is_drawn else (min(values), max(values))
        cells = [*(str(getattr(row, name)) for name in apart), row.workload, shown]
        cells += [row.metric, quantity(found.mean, row.unit)]
        cells += [_range(least, most, row.unit)] if n_runs > 1 else []
        cells += [row.origin, *(str(row.parameters.get(name, "")) for name in optional)]
        rows.append([*cells, *([memory_remark(row)] if shows_memory else [])])
    return FittingTable(headings, rows)


def _by_repeat(result: Result) -> Iterable[list[Row]]:
    """Return the rows of a result, those that differ in their repeat together.

    The k-th row of a metric and size in one repeat belongs to the k-th of any other.
    """
    found: dict[tuple[object, ...], list[Row]] = {}
    seen: Counter[tuple[object, ...]] = Counter()
    for row in result.rows():
        about = (row.study, row.design, row.engine, row.workload, row.metric)
        key = (*about, str(row.parameters.get("size_bytes")), row.origin)
        found.setdefault((*key, seen[*key, row.repeat]), []).append(row)
        seen[*key, row.repeat] += 1
    return found.values()


def _range(low: float, high: float, unit: str) -> str:
    """Return two values as a range, or nothing if they are alike."""
    least, most = quantity(low, unit), quantity(high, unit)
    return "" if least == most else f"{least}..{most}"


def memory_remark(row: Row) -> str:
    """Return the words for a run whose ranks exceed the memory of a node; empty for any other."""
    return "exceeds a node's memory" if row.parameters.get("exceeds_memory") else ""


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
