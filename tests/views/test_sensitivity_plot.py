"""The figure of a sensitivity analysis: its bars are its numbers, and it is the same each time.

The analysis itself is in tests/study.
"""

from __future__ import annotations

from typing import Any

import pytest
from tests.views.html import outside_references

from linkwright.errors import UsageError
from linkwright.study.sensitivities import Analysis, Sensitivity
from linkwright.views.sensitivity_plot import MOST_PANELS, sensitivity_figure

FIGURES: dict[str, list[dict[str, Any]]] = {
    "morris": [
        {"mu_star": 5e-6, "mu_star_conf": 1e-6, "sigma": 2e-6, "mu": -5e-6},
        {"mu_star": 1e-6, "mu_star_conf": 0.0, "sigma": 0.0, "mu": 1e-6},
    ],
    "sobol": [
        {"S1": 0.7, "S1_conf": 0.1, "ST": 0.9, "ST_conf": 0.2},
        {"S1": 0.1, "S1_conf": 0.1, "ST": 0.3, "ST_conf": 0.2},
    ],
    "tornado": [
        {"lowest": "hub", "highest": "switch", "low": 3e-3, "high": 1e-3, "effect": -2e-3},
        {"lowest": 1.0, "highest": 2.0, "low": 1.5e-3, "high": 1.5e-3, "effect": 0.0},
    ],
}
LENGTHS = {"morris": [5e-6, 1e-6], "sobol": [0.7, 0.1, 0.9, 0.3], "tornado": [-2e-3, 0.0]}


def found(method: str, n_analyses: int = 1) -> Sensitivity:
    effects = dict(zip(["first axis", "second axis"], FIGURES[method], strict=True))
    analyses = [
        Analysis((f"engine {number}",), 2e-3, effects, 0.0, ()) for number in range(n_analyses)
    ]
    names = tuple(FIGURES[method][0])
    return Sensitivity(method, "time", "s", ("engine",), names, analyses, ())


@pytest.mark.parametrize("method", list(FIGURES))
def test_bars_are_as_long_as_the_figures(method: str) -> None:
    figure = sensitivity_figure(found(method, 2))
    panels = figure.plot.figure().axes
    assert [panel.get_title() for panel in panels] == ["engine 0", "engine 1"]
    bars = [bar.get_width() for bar in panels[0].patches]
    assert bars == pytest.approx(LENGTHS[method])
    names = [tick.get_text() for tick in panels[0].get_yticklabels()]
    assert names == ["first axis", "second axis"]
    assert panels[0].yaxis_inverted()
    assert len(figure.rows) == 4


def test_a_tornado_has_the_values_at_its_ends() -> None:
    panel = sensitivity_figure(found("tornado")).plot.figure().axes[0]
    assert [(one.get_text(), one.xy[0]) for one in panel.texts] == [("hub", 3e-3), ("switch", 1e-3)]


@pytest.mark.parametrize(
    ("method", "name"),
    [
        ("tornado", "time (ms)"),
        ("morris", "effect on time (µs)"),
        ("sobol", "share of the variance of time"),
    ],
)
def test_an_axis_has_one_unit(method: str, name: str) -> None:
    axis = sensitivity_figure(found(method)).plot.figure().axes[0].xaxis
    assert axis.get_label_text() == name
    values = [float(axis.get_major_formatter()(place, 0)) for place in axis.get_majorticklocs()]
    assert max(values) >= 1 or method == "sobol"
    assert len(set(values)) == len(values)


@pytest.mark.parametrize("method", list(FIGURES))
def test_the_same_numbers_are_the_same_bytes(method: str) -> None:
    first, second = (sensitivity_figure(found(method)) for _ in range(2))
    assert first.svg() == second.svg()
    assert first.png() == second.png()
    page = first.page("Which?")
    assert ">Which?</p>" in page
    assert outside_references(page) == []
    table = page.partition("Numbers</h2>")[2].partition("</table>")[0]
    assert table.count("<tr>") == 1 + 2


def test_too_many_analyses_are_refused() -> None:
    with pytest.raises(UsageError, match="more than a figure shows"):
        sensitivity_figure(found("sobol", MOST_PANELS + 1))
