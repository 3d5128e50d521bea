"""Plots of curves: every curve is visible, and the axes have plain numbers.

Matplotlib writes each text of a drawing as a comment beside its outlines.
"""

from __future__ import annotations

from itertools import pairwise

import pytest

from linkwright.views.curve_plots import Curve, Panel, Plot

pytest.importorskip("matplotlib", reason="figures are drawn by Matplotlib")


def drawn(*curves: Curve, is_log_y: bool = False) -> str:
    return Plot("f", "", (Panel("p", "nodes", "time (ms)", curves, is_log_y=is_log_y),)).svg()


def test_curves_that_coincide_differ_in_their_dashes() -> None:
    one, two = Curve("hub", (2, 4), (1, 2)), Curve("torus", (2, 4), (1, 2))
    dashed = [part.count("stroke-dasharray") for part in (drawn(one), drawn(one, two))]
    assert dashed[1] > dashed[0]


def test_a_logarithmic_axis_has_plain_numbers() -> None:
    text = drawn(Curve("hub", (2, 16), (0.2, 2.4)), is_log_y=True)
    for number in ("0.2", "0.5", "1", "2"):
        assert f"<!-- {number} -->" in text
    assert "times" not in text


def test_what_is_counted_has_no_halves() -> None:
    text = drawn(Curve("hub", (2, 4), (10.0, 20.0)))
    assert all(f"<!-- {number} -->" in text for number in (2, 3, 4))
    assert "<!-- 2.5 -->" not in text


def test_many_curves_have_their_names_beside_their_ends_and_none_covers_another() -> None:
    curves = [Curve(f"network {i}", (2, 4), (1.0, 2 + 0.001 * i)) for i in range(20)]
    plot = Plot("f", "", (Panel("p", "nodes", "time (ms)", tuple(curves)),))
    [axes] = plot.figure().axes
    assert axes.get_legend() is None
    heights = sorted(text.get_position()[1] for text in axes.texts)
    assert {text.get_text() for text in axes.texts} == {curve.label for curve in curves}
    assert min(b - a for a, b in pairwise(heights)) > 0.04
    assert 0 <= heights[0] < heights[-1] <= 1


def test_few_curves_have_a_legend() -> None:
    plot = Plot("f", "", (Panel("p", "nodes", "time", (Curve("hub", (2, 4), (1, 2)),)),))
    [axes] = plot.figure().axes
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["hub"]
