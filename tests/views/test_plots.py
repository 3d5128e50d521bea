"""Charts as files: every curve is visible, and the axes have plain numbers.

Matplotlib writes each text of a drawing as a comment beside its outlines.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Literal

import pytest

from linkwright.views.chart import Axis, Boxes, Cells, Chart, Mark, Series
from linkwright.views.plots import Plot, name_axis

pytest.importorskip("matplotlib", reason="figures are drawn by Matplotlib")


def plotted(*curves: Series, log: Literal[0, 10] = 0) -> Plot:
    return Plot("f", "", (Chart("p", Axis("nodes"), Axis("time (ms)", log=log), curves),))


def drawn(*curves: Series, log: Literal[0, 10] = 0) -> str:
    return plotted(*curves, log=log).svg()


def test_curves_that_coincide_differ_in_their_dashes() -> None:
    one, two = Series("hub", (2, 4), (1, 2)), Series("torus", (2, 4), (1, 2))
    dashed = [part.count("stroke-dasharray") for part in (drawn(one), drawn(one, two))]
    assert dashed[1] > dashed[0]


def test_a_logarithmic_axis_has_plain_numbers() -> None:
    text = drawn(Series("hub", (2, 16), (0.2, 2.4)), log=10)
    for number in ("0.2", "0.5", "1", "2"):
        assert f"<!-- {number} -->" in text
    assert "times" not in text


def test_what_is_counted_has_no_halves() -> None:
    text = drawn(Series("hub", (2, 4), (10.0, 20.0)))
    assert all(f"<!-- {number} -->" in text for number in (2, 3, 4))
    assert "<!-- 2.5 -->" not in text


def test_many_curves_have_their_names_beside_their_ends_and_none_covers_another() -> None:
    curves = [Series(f"network {i}", (2, 4), (1.0, 2 + 0.001 * i)) for i in range(20)]
    [axes] = plotted(*curves).figure().axes
    assert axes.get_legend() is None
    heights = sorted(text.get_position()[1] for text in axes.texts)
    assert {text.get_text() for text in axes.texts} == {curve.name for curve in curves}
    assert min(b - a for a, b in pairwise(heights)) > 0.04
    assert 0 <= heights[0] < heights[-1] <= 1


def test_few_curves_have_a_legend() -> None:
    [axes] = plotted(Series("hub", (2, 4), (1, 2))).figure().axes
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["hub"]


def test_printed_points_have_the_colour_of_their_curve() -> None:
    curves = (Series("hub", (2, 4), (1, 2)), Series("hub", (2,), (1.1,), look="printed"))
    [axes] = plotted(*curves).figure().axes
    curve, printed = axes.get_lines()
    assert curve.get_color() == printed.get_color()
    assert printed.get_label() == "hub, printed"
    assert (printed.get_marker(), printed.get_linestyle()) == ("x", "None")


@pytest.mark.parametrize(
    ("ends", "log", "texts"),
    [
        ((0.0, 4e-4), 0, ["0", "100", "200", "300", "400"]),
        (
            (1.1e-3, 1.2),
            10,
            ["0.002", "0.005", "0.01", "0.02", "0.05", "0.1", "0.2", "0.5", "1"],
        ),
        ((1.0, 2e6), 10, ["1", "10", "100", "1,000", "10,000", "100,000", "1,000,000"]),
    ],
)
def test_an_axis_is_numbered_in_its_unit(
    ends: tuple[float, float], log: Literal[0, 10], texts: list[str]
) -> None:
    chart = Chart("", Axis("mean_time", "s", log=log), Axis(), (Series("", ends, (1, 2)),))
    [axes] = Plot("f", "", (chart,), size=(4, 3)).figure().axes
    axes.set_xlim(*ends)
    name_axis(axes.xaxis, chart.x)
    assert axes.get_xlabel() == ("mean time (s)" if log else "mean time (µs)")
    show = axes.xaxis.get_major_formatter()
    places = [one for one in axes.xaxis.get_majorticklocs() if ends[0] <= one <= ends[1]]
    assert [show(one, 0) for one in places] == texts


def test_sizes_are_powers_of_two() -> None:
    chart = Chart("", Axis("message size", "B", log=2), Axis(), (Series("", (1, 4096), (1, 2)),))
    [axes] = Plot("f", "", (chart,)).figure().axes
    assert axes.get_xlabel() == "message size"
    assert axes.xaxis.get_major_formatter()(4096, 0) == "4 KiB"


def test_boxes_have_their_quartiles_and_all_values_beyond_the_whiskers() -> None:
    boxes = Boxes("", [(1, 2, 3, 4, 5), (2, 2, 2, 2, 2)], [(0, 9.0)])
    chart = Chart("", Axis(places=("a", "b")), Axis("time", "s"), (boxes,))
    [axes] = Plot("f", "", (chart,)).figure().axes
    heights = [list(line.get_ydata()) for line in axes.get_lines()]
    assert [3, 3] in heights
    assert [9.0] in heights
    assert [tick.get_text() for tick in axes.get_xticklabels()] == ["a", "b"]


def test_cells_show_their_values_and_hatch_those_without() -> None:
    cells = Cells([[1e-3, None]], Axis("time", "s"), "no value: 1 cell")
    chart = Chart("", Axis(places=("a", "b")), Axis(places=("c",)), (cells,))
    axes, scale = Plot("f", "", (chart,)).figure().axes
    assert [text.get_text() for text in axes.texts] == ["1 ms"]
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["no value: 1 cell"]
    assert scale.get_ylabel() == "time (ms)"


def test_marks_are_lines_with_their_names() -> None:
    chart = Chart(
        "",
        Axis(),
        Axis(),
        (Series("", (0, 1), (0, 1), look="steps"),),
        marks=(Mark(0.5, name="m"),),
    )
    [axes] = Plot("f", "", (chart,)).figure().axes
    assert [list(line.get_xdata()) for line in axes.get_lines()][-1] == [0.5, 0.5]
    assert [text.get_text() for text in axes.texts] == ["m"]
