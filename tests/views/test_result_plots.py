"""Plots of results and comparisons: their curves, bars, units and files.

Matplotlib writes each text of a drawing as a comment beside its outlines.
"""

from __future__ import annotations

import sys
from base64 import b64decode
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import Any

import pytest
from tests.views.sample import comparison, of_draws

import linkwright
from linkwright.results import Result
from linkwright.views.chart import Axis, Bars, Chart
from linkwright.views.plots import Plot

pytest.importorskip("matplotlib", reason="plots are drawn by Matplotlib")


def test_a_metric_against_sizes_is_a_curve_in_display_units() -> None:
    found = comparison().architectures[0].runs_of("ping-pong")[0].result.plot()
    latency, throughput = found.panels
    assert latency.curves[0].x == (1, 4096, 65536)
    assert latency.curves[0].y == pytest.approx([1.001e-4, 5.096e-4, 6.6536e-3])
    axes = Plot("p", "", (latency, throughput)).figure().axes
    assert [one.get_ylabel() for one in axes] == ["latency (ms)", "throughput (MB/s)"]


def test_engines_have_a_curve_each() -> None:
    one = comparison().architectures[0].runs_of("ping-pong")[0].result
    both = [replace(row, engine=engine) for engine in ("flow", "packet") for row in one.rows()]
    panel = Result.from_rows(both).plot("latency").panels[0]
    assert [curve.name for curve in panel.curves] == ["flow", "packet"]


def test_repeats_are_a_mean() -> None:
    row = comparison().architectures[0].runs_of("barrier")[0].result.rows()[0]
    twice = [replace(row, repeat=repeat, value=value) for repeat, value in ((0, 1.0), (1, 2.0))]
    panel = Result.from_rows(twice).plot().panels[0]
    assert (panel.y.places, panel.bars[0].values) == (("barrier",), [1.5])
    assert panel.x.unit == "s"


def test_figures_of_the_engine_are_drawn_if_they_are_named() -> None:
    ring = linkwright.compile(linkwright.Cluster.parse("topology: {kind: ring, shape: [4]}"))
    barrier = linkwright.workloads.parse("barrier")
    result = linkwright.run(ring, barrier, engine="analytic")
    assert [panel.title for panel in result.plot().panels] == ["time"]
    assert [panel.title for panel in result.plot("events").panels] == ["events"]


@pytest.mark.parametrize(
    ("result", "metric", "words"),
    [
        (Result.from_rows([]), None, "no workload"),
        (Result.from_rows([]), "latency", "no metric 'latency'"),
    ],
)
def test_nothing_to_show_is_told(result: Result, metric: str | None, words: str) -> None:
    with pytest.raises(linkwright.UsageError, match=words):
        result.plot(metric)


def test_a_comparison_has_the_charts_of_its_page() -> None:
    found = comparison().plot()
    assert [len(panel.bars) for panel in found.panels] == [0] * 2 + [1] * 4
    assert len(found.panels[0].curves) == 7
    assert found.panels[-1].title == "Barrier: time"
    assert len(of_draws().plot().panels) == len(found.panels)


def test_a_comparison_without_runs_is_told() -> None:
    rows = tuple(replace(row, measured=()) for row in comparison().architectures)
    with pytest.raises(linkwright.UsageError, match="no workload ran"):
        comparison(architectures=rows, workloads=()).plot()


def bars(**values: float) -> Chart:
    return Chart("b", Axis("", "s"), Axis(places=tuple(values)), (Bars("", [*values.values()]),))


def test_bars_stand_in_their_order_and_far_apart_ones_are_logarithmic() -> None:
    axes = Plot("b", "", (bars(fast=1.0, slow=90.0),)).figure().axes[0]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["fast", "slow"]
    assert axes.yaxis_inverted()
    assert axes.get_xscale() == "log"
    axes = Plot("b", "", (bars(fast=1.0, slow=9.0),)).figure().axes[0]
    assert axes.get_xscale() == "linear"


def test_a_notebook_shows_a_plot_and_a_file_keeps_it(tmp_path: Path) -> None:
    plot: Any = comparison().plot()
    plot.save(tmp_path / "plot.svg")
    saved = (tmp_path / "plot.svg").read_bytes()
    shown = plot._repr_html_()
    assert b"<svg" in saved
    assert b64decode(shown.partition("base64,")[2].partition('"')[0]) == saved
    assert f'alt="{escape(repr(plot)[1:-1])}"' in shown
    assert len(repr(plot).splitlines()) == 1
    with pytest.raises(linkwright.UsageError, match="no SVG file"):
        plot.save(tmp_path / "plot.png")


def test_a_missing_matplotlib_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    plot = comparison().plot()
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(linkwright.CapabilityError, match="pip install matplotlib"):
        plot.svg()
