"""A figure of a study with the numbers that it shows: charts, as SVG or PNG, or as a page with the
charts and their table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from linkwright.version import VERSION
from linkwright.views.chart import Chart, chart_data
from linkwright.views.frame import page
from linkwright.views.plots import Plot

__all__ = ["StudyFigure", "is_number"]


@dataclass(frozen=True)
class StudyFigure:
    """Charts with the numbers that they show."""

    title: str
    charts: tuple[Chart, ...]
    headings: Sequence[str]
    rows: Sequence[Sequence[Any]]
    size: tuple[float, float]
    """Width and height of a chart in inches, in a file."""

    @property
    def plot(self) -> Plot:
        """The charts as Matplotlib draws them."""
        return Plot("plot", self.title, self.charts, size=self.size)

    def svg(self) -> str:
        """Return the figure as SVG; the same bytes for the same numbers.

        Raises
        ------
        CapabilityError
            If Matplotlib is missing.
        """
        return self.plot.svg()

    def png(self) -> bytes:
        """Return the figure as PNG.

        Raises
        ------
        CapabilityError
            If Matplotlib is missing.
        """
        return self.plot.png()

    def page(self, question: str) -> str:
        """Return a page with the figure and its table, which needs no network."""
        charts = [replace(chart, id=f"chart-{place}") for place, chart in enumerate(self.charts)]
        return page(
            "study.html.j2",
            styles=("study.css",),
            scripts=("figures.js",),
            facts=[],
            version=VERSION,
            title=self.title,
            question=question,
            charts=charts,
            chart_data=list(map(chart_data, charts)),
            headings=self.headings,
            numeric=[all(map(is_number, column)) for column in zip(*self.rows, strict=True)],
            rows=[[_shown(cell) for cell in row] for row in self.rows],
        )


def is_number(cell: Any) -> bool:
    """Return whether the value of a column is a number, or none."""
    return cell is None or (isinstance(cell, int | float) and not isinstance(cell, bool))


def _shown(cell: Any) -> str:
    if cell is None:
        return "–"
    return f"{cell:.6g}" if isinstance(cell, float) else str(cell)
