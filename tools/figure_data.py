"""Figures of the pages as data: kept in git as JSON, drawn when the pages are built.

A figure whose runs take long is made once, by `make papers`; its curves are written here with the
date, six significant digits to a number and a line to a curve, so that a change of one curve is one
line of a diff. Results do not depend on the machine, so none is named.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from linkwright.views.chart import Axis, Chart, Series
from linkwright.views.plots import Plot

__all__ = ["figure_text", "read_figure"]


def figure_text(figure: Plot, made: str) -> str:
    """Return a figure as JSON, with the date on which its curves were computed."""
    head = {"made": made, "name": figure.name, "caption": figure.caption}
    assert all(len(one.curves) == len(one.series) for one in figure.panels), "curves only"
    panels = ",\n".join(map(_panel_text, figure.panels))
    return f'{json.dumps(head)[:-1]}, "panels": [\n{panels}\n]}}\n'


def read_figure(path: Path) -> Plot:
    """Return the figure that a file holds."""
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return Plot(found["name"], found["caption"], tuple(map(_panel, found["panels"])))


def _panel(panel: dict[str, Any]) -> Chart:
    return Chart(
        panel["title"],
        Axis(panel["x_label"], log=2 if panel["is_log_x"] else 0),
        Axis(panel["y_label"], log=10 if panel["is_log_y"] else 0),
        tuple(
            Series(
                curve["label"],
                curve["x"],
                curve["y"],
                look="printed" if curve["is_printed"] else "line",
            )
            for curve in panel["curves"]
        ),
    )


def _panel_text(panel: Chart) -> str:
    head = {
        "title": panel.title,
        "x_label": panel.x.name,
        "y_label": panel.y.name,
        "is_log_x": bool(panel.x.log),
        "is_log_y": bool(panel.y.log),
    }
    curves = ",\n  ".join(map(_curve_text, panel.curves))
    return f' {json.dumps(head)[:-1]}, "curves": [\n  {curves}\n ]}}'


def _curve_text(curve: Series) -> str:
    numbers = {"x": _rounded(curve.x), "y": _rounded(curve.y)}
    is_printed = curve.look == "printed"
    return json.dumps({"label": curve.name} | numbers | {"is_printed": is_printed})


def _rounded(numbers: Sequence[float]) -> list[float]:
    """Return numbers to six significant digits, whole ones without a point."""
    rounded = [float(f"{number:.6g}") for number in numbers]
    return [int(number) if number.is_integer() else number for number in rounded]
