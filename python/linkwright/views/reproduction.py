"""The answer of `linkwright reproduce`, paper table by paper table: printed numbers and ours, runs
without a printed number, and qualitative claims.

The reason for a tolerance or for an omission is given once below the numbers, with a mark at each
row that it concerns. fitting_table.py fits a table into a terminal; only names of rows and figures
wrap.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.constrain import Constrain
from rich.table import Table
from rich.text import Text

from linkwright.views.fitting_table import Cell, FittingTable, Heading
from linkwright.views.quantities import quantity, rounded
from linkwright.views.result_table import memory_remark

if TYPE_CHECKING:
    from linkwright.results import Result, Row

__all__ = ["reproduction_table"]

WIDTH = 80
"""Widest line, also on a wide terminal and in a file: prose is read here, not only figures."""

_QUICK = "quick: long runs were shortened; this is a sketch, not the prediction"

_VERDICT_STYLE = {
    "agrees": "green",
    "corrected": "cyan",
    "left out": "yellow",
    "differs": "bold red",
    "holds": "green",
    "does not hold": "bold red",
}


def reproduction_table(result: Result, further: Sequence[Sequence[str]] = ()) -> RenderableType:
    """Return the rows of a reproduction as tables, grouped by the paper's tables.

    Runs beyond print that can be predicted too are listed last: table, network, benchmark, classes
    and nodes of each.
    """
    by_study: dict[str, list[Row]] = {}
    for row in result.rows():
        by_study.setdefault(row.study, []).append(row)
    parts = [part for study, rows in by_study.items() for part in _of_study(study, rows)]
    if not parts:
        return Text("there is no printed or predicted number here")
    if further:
        parts.append(_further(further))
    is_quick = any(result.parameter("quick"))
    return Constrain(Group(*([Text(_QUICK, style="yellow")] if is_quick else []), *parts), WIDTH)


def _of_study(study: str, rows: Sequence[Row]) -> Iterator[RenderableType]:
    printed = [(row, ours) for row, ours in itertools.pairwise(rows) if row.origin == "printed"]
    shown = {id(row) for pair in printed for row in pair}
    others = [row for row in rows if id(row) not in shown]
    words = [row for row in others if "says" in row.parameters]
    alone = [row for row in others if "says" not in row.parameters]
    yield Text(study, style="bold")
    if printed:
        yield from _printed(printed)
    if alone:
        yield _alone(alone)
    if words:
        yield _words(words)


def _printed(rows: Sequence[tuple[Row, Row]]) -> Iterator[RenderableType]:
    headings = [Heading("row", wraps=True), Heading("figure", wraps=True)]
    headings += [Heading(name, "right") for name in ("printed", "ours", "error")]
    marks: dict[str, int] = {}
    records: list[list[Cell]] = []
    for printed, ours in rows:
        note = _note(ours.parameters)
        mark = f" [{marks.setdefault(note, len(marks) + 1)}]" if note else ""
        records.append(
            [
                str(ours.parameters.get("row", ours.design)),
                _figure(ours),
                quantity(printed.value, printed.unit),
                _with_spread(ours),
                _error(printed, ours),
                _verdict(ours).append(mark, style="default"),
            ]
        )
    yield FittingTable([*headings, Heading("verdict")], records)
    if marks:
        yield _notes(marks)


def _note(parameters: Mapping[str, object]) -> str:
    """Return the reason why a number is left out, or for its tolerance, and the tolerance."""
    if parameters.get("left_out"):
        return str(parameters["left_out"])
    if parameters.get("known"):
        return f"known: {parameters['known']}"
    reason = str(parameters.get("reason", ""))
    tolerance = parameters.get("tolerance")
    # A tolerance by the digits of a number differs for every row, and needs no words.
    allowed = f"within {rounded(100 * float(str(tolerance)))}%" if tolerance and reason else ""
    erratum = f"erratum {parameters['erratum']}" if parameters.get("erratum") else ""
    return ": ".join(part for part in (erratum, allowed, reason) if part)


def _notes(marks: Mapping[str, int]) -> RenderableType:
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column(justify="right", no_wrap=True)
    table.add_column(overflow="fold")
    for note, mark in marks.items():
        table.add_row(Text(f" [{mark}]"), Text(note))
    return Group(table, Text())


def _alone(rows: Sequence[Row]) -> RenderableType:
    headings = [Heading("without a printed number", wraps=True), Heading("figure", wraps=True)]
    headings += [Heading("ours", "right"), Heading("")]
    records = []
    for row in rows:
        name, value = str(row.parameters["row"]), _with_spread(row)
        records.append([name, _figure(row), value, memory_remark(row)])
    return FittingTable(headings, records)


def _further(runs: Sequence[Sequence[str]]) -> RenderableType:
    title = Text('beyond print, predicted on request, such as --also "bt.C.*"', style="bold")
    headings = [Heading("table", wraps=True), Heading("network", wraps=True)]
    headings += [Heading("run"), Heading("classes"), Heading("nodes", wraps=True)]
    return Group(title, FittingTable(headings, runs))


def _words(rows: Sequence[Row]) -> RenderableType:
    """Return each claim, below it the figure with its bounds, and the numbers behind it."""
    heading = "qualitative claims: the claim, the figure, and the numbers behind it"
    return FittingTable(
        [Heading(heading, wraps=True)], [[_in_words(row)] for row in rows], lines=True
    )


def _in_words(row: Row) -> Text:
    parameters = row.parameters
    read = ", ".join(
        f"{label} {quantity(value, parameters['numbers_unit'])}"
        for label, value in parameters["numbers"].items()
    )
    found = (
        Text(f"{parameters['row']}: ")
        .append_text(_verdict(row))
        .append(f"\n{parameters['says']}\n")
    )
    found.append(
        f"{parameters['figure']}: {_with_spread(row)} ({parameters['bounds']})\n", style="bold"
    )
    if parameters.get("known"):
        found.append(f"known: {parameters['known']}\n", style="yellow")
    return found.append(read, style="dim")


def _figure(row: Row) -> str:
    """Return the name of a figure, which may wrap between its words."""
    return row.metric.replace("_", " ")


def _verdict(row: Row) -> Text:
    verdict = str(row.parameters.get("verdict", ""))
    style = "yellow" if row.parameters.get("known") else _VERDICT_STYLE.get(verdict, "")
    return Text(verdict, style=style)


def _error(printed: Row, ours: Row) -> str:
    """Return the relative difference from the right value, which an erratum may give."""
    expected = float(ours.parameters.get("corrected", printed.value))
    if expected == 0.0:
        return ""
    error = 100 * (ours.value / expected - 1)
    # A value that rounds to zero has no sign.
    return f"{error:+.1f}%" if abs(error) >= 0.05 else "0.0%"


def _with_spread(row: Row) -> str:
    """Return a value, with its deviation in per cent if it is a mean over several seeds."""
    shown = quantity(row.value, row.unit)
    spread = row.parameters.get("spread")
    if spread is None or row.value == 0.0:
        return shown
    return f"{shown} ± {100 * spread / abs(row.value):.1f}%"
