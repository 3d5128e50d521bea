"""Figures of the pages as data: kept in git as JSON, drawn when the pages are built.

A figure whose runs take long is made once, by `make papers`; its curves are written here with the
date, six significant digits to a number and a line to a curve, so that a change of one curve is one
line of a diff. Results do not depend on the machine, so none is named.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from linkwright.views.curve_plots import Curve, Panel, Plot

__all__ = ["figure_text", "read_figure"]


def figure_text(figure: Plot, made: str) -> str:
    """Return a figure as JSON, with the date on which its curves were computed."""
    head = {"made": made, "name": figure.name, "caption": figure.caption}
    curves = [panel for panel in figure.panels if isinstance(panel, Panel)]
    assert len(curves) == len(figure.panels), "figures of papers have curves only"
    panels = ",\n".join(map(_panel_text, curves))
    return f'{json.dumps(head)[:-1]}, "panels": [\n{panels}\n]}}\n'


def read_figure(path: Path) -> Plot:
    """Return the figure that a file holds."""
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    panels = tuple(
        Panel(**panel | {"curves": tuple(Curve(**curve) for curve in panel["curves"])})
        for panel in found["panels"]
    )
    return Plot(found["name"], found["caption"], panels)


def _panel_text(panel: Panel) -> str:
    head = {name: value for name, value in vars(panel).items() if name != "curves"}
    curves = ",\n  ".join(_curve_text(curve) for curve in panel.curves)
    return f' {json.dumps(head)[:-1]}, "curves": [\n  {curves}\n ]}}'


def _curve_text(curve: Curve) -> str:
    numbers = {"x": _rounded(curve.x), "y": _rounded(curve.y)}
    return json.dumps(dataclasses.asdict(curve) | numbers)


def _rounded(numbers: Sequence[float]) -> list[float]:
    """Return numbers to six significant digits, whole ones without a point."""
    rounded = [float(f"{number:.6g}") for number in numbers]
    return [int(number) if number.is_integer() else number for number in rounded]
