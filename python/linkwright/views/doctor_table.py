"""The diagnosis of a cluster in a terminal: the answer, problems in order, numbers by prediction.

Texts of machines are shown as they are, and never read as markup.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.text import Text

from linkwright.text.csv_text import csv_text
from linkwright.views.fitting_table import Cell, FittingTable, Heading

if TYPE_CHECKING:
    from linkwright.doctor import Diagnosis, Number

__all__ = ["doctor_csv", "doctor_table", "number_texts"]

PROBLEM_COLUMNS = ("order", "place", "problem", "certainty", "next_step")
AS_PREDICTED = (0.95, 1.05)
"""Shares of a prediction that are no news."""
NUMBER_HEADINGS = ("path", "place", "measured", "predicted", "normal?")


def doctor_table(diagnosis: Diagnosis) -> RenderableType:
    """Return the answer in one sentence, then problems in their order, then numbers."""
    return Group(*_parts(diagnosis))


def _parts(diagnosis: Diagnosis) -> Iterator[RenderableType]:
    yield Text(diagnosis.answer)
    if diagnosis.problems:
        headings = [
            Heading("order"),
            Heading("place"),
            Heading("problem", wraps=True),
            Heading("certainty"),
            Heading("next step", wraps=True),
        ]
        rows: list[list[Cell]] = [
            [str(number), one.place, one.problem, one.certainty, one.next_step]
            for number, one in enumerate(diagnosis.problems, 1)
        ]
        yield FittingTable(headings, rows, lines=True)
    if diagnosis.numbers:
        numbers: list[list[Cell]] = [list(number_texts(one)) for one in diagnosis.numbers]
        yield FittingTable([Heading(name) for name in NUMBER_HEADINGS], numbers)
    for sentence in diagnosis.left_out:
        yield Text(f"Not measured: {sentence}")


def number_texts(one: Number) -> tuple[str, str, str, str, str]:
    """Return a number as the texts of a row."""
    predicted = "unknown" if one.predicted is None else _text(one.predicted, one.unit)
    answer = {True: "yes", False: "no", None: "unknown"}[one.is_normal]
    if one.share is not None and not AS_PREDICTED[0] < one.share < AS_PREDICTED[1]:
        answer += f", {one.share:,.0f} times" if one.share >= 10 else f", {one.share:.2g} times"
    return one.kind, one.place, _text(one.measured, one.unit), predicted, answer


def _text(value: float, unit: str) -> str:
    return f"{value * 1e6:.0f} us" if unit == "s" else f"{value / 1e9:.3g} Gb/s"


def doctor_csv(diagnosis: Diagnosis) -> str:
    """Return the problems as CSV, one a line."""
    rows = [
        [number, one.place, one.problem, one.certainty, one.next_step]
        for number, one in enumerate(diagnosis.problems, 1)
    ]
    return csv_text(PROBLEM_COLUMNS, rows)
