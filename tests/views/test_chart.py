"""Charts as data: colours by name, values for a page, and the table of all values.

The drawings are in test_plots.py and, in a browser, in tests/live.
"""

from __future__ import annotations

import json

from linkwright.views.chart import (
    Axis,
    Bars,
    Cells,
    Chart,
    Mark,
    Series,
    chart_data,
    chart_table,
    linked_places,
)

NODES, TIME = Axis("nodes"), Axis("time", "s", log=10)


def test_the_table_has_every_value() -> None:
    curves = (Series("a", (4, 8), (0.01, 1.0)), Series("b", (8,), (2.0,)))
    chart = Chart("", NODES, TIME, curves)
    assert chart_table(chart) == (["nodes", "a", "b"], [["4", "10 ms", "–"], ["8", "1 s", "2 s"]])


def test_a_value_leads_where_its_point_leads() -> None:
    curves = (Series("a", (4, 8), (1.0, 2.0)), Series("b", (8,), (2.0,), links={8: "eight"}))
    chart = Chart("", NODES, TIME, curves)
    assert linked_places(chart) == {(1, 2): "eight"}
    assert "links" not in chart_data(chart)["series"][0]
    assert chart_data(chart)["series"][1]["links"] == ["eight"]


def test_series_of_one_name_have_one_colour() -> None:
    curves = (
        Series("a", (1,), (1.0,)),
        Series("b", (1,), (1.0,)),
        Series("a", (1,), (1.0,), look="printed"),
        Series("c", (1,), (1.0,), colour=-1),
    )
    assert Chart("", NODES, TIME, curves).colours == [0, 1, 0, -1]


def test_a_page_gets_values_as_they_are_and_nothing_that_is_absent() -> None:
    bars = Bars("", [1.5, None], colours=[3, 1], low=[1.0, None], high=[2.0, None])
    chart = Chart("t", TIME, Axis(places=("a", "b")), (bars,), id="i", marks=(Mark(1.0),))
    data = json.loads(json.dumps(chart_data(chart), allow_nan=False))
    assert data["x"] == {"name": "time", "unit": "s", "log": 10, "places": []}
    assert data["y"]["places"] == ["a", "b"]
    [found] = data["series"]
    assert (found["kind"], found["colour"], found["values"]) == ("bars", 0, [1.5, None])
    assert (found["low"], found["colours"]) == ([1.0, None], [3, 1])
    assert not {"starts", "ends", "notes"} & set(found)
    assert data["marks"] == [{"value": 1.0, "axis": "x", "name": ""}]


def test_only_bars_side_by_side_need_a_key() -> None:
    places = Axis(places=("p",))
    one, other = Bars("one", [1.0]), Bars("other", [2.0])
    assert Chart("", TIME, places, (one,)).key == []
    assert Chart("", TIME, places, (one, other)).key == [("one", 0), ("other", 1)]
    assert Chart("", NODES, TIME, (Series("a", (1,), (1.0,)),)).key == []
    assert Chart("", places, places, (Cells([[1.0]], TIME),)).key == []
