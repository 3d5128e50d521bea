"""Charts of pages as SVG: points in their places, names apart, links to scenes, text escaped.

The drawing is read as XML, which also proves that it is well formed.
"""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from linkwright.views.curve_plots import Curve
from linkwright.views.line_chart import Chart, line_chart, table_of, ticks


def drawn(**given: object) -> ET.Element:
    """Return the drawing of a chart of two curves that end close to each other."""
    values: dict[str, object] = {
        "title": "Time",
        "x_label": "nodes",
        "y_label": "time",
        "y_unit": "s",
        "curves": (Curve("one", (4, 8), (0.01, 1.0)), Curve("<b>two", (4, 8), (0.02, 1.01))),
    }
    return ET.fromstring(line_chart(Chart(**(values | given))))


def test_points_are_where_their_values_are() -> None:
    circles = drawn(is_log_y=True).findall(".//circle")
    x, y = ([float(circle.attrib[name]) for circle in circles] for name in ("cx", "cy"))
    assert x[0] == x[2] < x[1] == x[3]
    assert y[0] > y[2] > y[1] > y[3]


def test_names_of_curves_do_not_touch_and_are_escaped() -> None:
    names = [text for text in drawn().iter("text") if "name" in text.attrib["class"]]
    assert sorted(str(name.text) for name in names) == ["<b>two", "one"]
    heights = sorted(float(name.attrib["y"]) for name in names)
    assert heights[1] - heights[0] >= 15


def test_a_point_leads_to_its_scene() -> None:
    [link] = drawn(scenes={("one", 8): "eight"}).findall(".//a")
    assert link.attrib["href"] == "#eight"
    assert link.attrib["aria-label"] == "Play one, 8: 1 s"


@pytest.mark.parametrize(
    ("least", "most", "is_log", "found"),
    [
        (0, 3.2, False, [0, 1, 2, 3]),
        (0, 408, False, [0, 100, 200, 300, 400]),
        (0.015, 0.04, True, [0.01, 0.02, 0.05]),
        (0.01, 1, True, [0.01, 0.1, 1]),
    ],
)
def test_ticks_are_round(least: float, most: float, is_log: bool, found: list[float]) -> None:
    assert ticks(least, most, is_log=is_log) == pytest.approx(found)


def test_the_table_has_every_value() -> None:
    chart = Chart(
        title="",
        x_label="nodes",
        y_label="time",
        y_unit="s",
        curves=(Curve("a", (4, 8), (0.01, 1.0)), Curve("b", (8,), (2.0,))),
    )
    assert table_of(chart) == (["nodes", "a", "b"], [["4", "10 ms", "–"], ["8", "1 s", "2 s"]])
