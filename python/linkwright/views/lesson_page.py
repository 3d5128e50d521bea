"""The page of a lesson: a text with computed figures and charts beside a run that plays.

The page has several runs, its scenes; the part that plays is that of `play_page`, once. The frame
is templates/play.html.j2, each text a file in templates/lessons.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from linkwright.errors import UsageError
from linkwright.records.read_only import ArrayRecord
from linkwright.views.chart import Chart, chart_data, chart_table, linked_places
from linkwright.views.frame import page
from linkwright.views.inventory import inventory
from linkwright.views.play_page import played
from linkwright.views.provenance import command_text
from linkwright.views.quantities import quantity, rounded

if TYPE_CHECKING:
    from linkwright.engines.played import PackedRun
    from linkwright.network import Network
    from linkwright.results import Manifest, Result, Row

__all__ = ["PlayedScene", "lesson_page"]


class PlayedScene(ArrayRecord):
    """One run of a lesson, made."""

    key: str
    """Its place in the page, as in a link."""
    name: str
    caption: str
    """One sentence: what there is to see."""
    network: Network
    run: PackedRun
    result: Result

    def row(self, metric: str) -> Row:
        """Return the row of a metric.

        Raises
        ------
        UsageError
            If the run has none, or several.
        """
        found = self.result.filter(metric=metric).rows()
        if len(found) != 1:
            raise UsageError(
                f"the run {self.name} has {len(found)} rows of {metric}",
                "name a metric of which it has one",
            )
        return found[0]


class Figures:
    """The figures of the scenes, as texts ask for them.

    Parameters
    ----------
    scenes : sequence of PlayedScene
        The scenes.
    """

    def __init__(self, scenes: Sequence[PlayedScene]) -> None:
        self._scenes = {scene.key: scene for scene in scenes}

    def figure(self, key: str, metric: str) -> str:
        """Return a figure of a scene with its unit."""
        row = self._scenes[key].row(metric)
        return quantity(row.value, row.unit)

    def share(self, key: str, metric: str) -> str:
        """Return a figure of a scene in per cent."""
        return f"{rounded(100 * self._scenes[key].row(metric).value)} %"

    def ratio(self, key: str, other: str, metric: str) -> str:
        """Return how many times the figure of another scene one is."""
        value, base = (self._scenes[one].row(metric).value for one in (key, other))
        return rounded(value / base, digits=2)


def lesson_page(
    name: str,
    *,
    title: str,
    question: str,
    scenes: Sequence[PlayedScene],
    metrics: Sequence[str],
    charts: Sequence[Chart],
    sources: Sequence[tuple[str, str]],
    manifest: Manifest,
) -> str:
    """Return the HTML page of a lesson.

    Parameters
    ----------
    name : str
        The file of its text in templates/lessons, without suffixes.
    title, question : str
        The title, and the question that it answers.
    scenes : sequence of PlayedScene
        Its runs; the first is played unless the address names another.
    metrics : sequence of str
        The figures of the scenes that a table compares.
    charts : sequence of Chart
        Its charts, whose points may lead to scenes.
    sources : sequence of (str, str)
        Key and citation of each source.
    manifest : Manifest
        The origin: command, versions, times.
    """
    figures = Figures(scenes)
    shown = [_scene(scene) for scene in scenes]
    named = [replace(chart, id=f"chart-{place}") for place, chart in enumerate(charts)]
    return page(
        "lesson.html.j2",
        styles=("play.css", "lesson.css"),
        scripts=("figures.js", "play.js"),
        title=title,
        facts=[],
        question=question,
        text=f"lessons/{name}.html.j2",
        figure=figures.figure,
        share=figures.share,
        ratio=figures.ratio,
        scenes=shown,
        compared=_compared(scenes, metrics),
        charts=[(chart, *chart_table(chart), linked_places(chart)) for chart in named],
        chart_data=[chart_data(chart) for chart in named],
        sources=sources,
        provenance=[
            ("command", command_text(manifest)),
            ("Linkwright", manifest.version),
            ("Python", manifest.python),
            ("finished", f"{manifest.finished:%Y-%m-%d %H:%M:%S %Z}"),
        ],
        version=manifest.version,
        **shown[0]["played"],
    )


def _scene(scene: PlayedScene) -> dict[str, Any]:
    row = scene.result.rows()[0]
    facts = [
        f"{scene.network.kind}, {inventory(scene.network)}",
        f"hosts {row.calibration}",
        f"workload {row.workload}",
        f"seed {scene.run.seed}",
    ]
    return {
        "key": scene.key,
        "name": scene.name,
        "caption": scene.caption,
        "facts": "; ".join(facts),
        "played": played(scene.network, scene.run, scene.result),
    }


def _compared(
    scenes: Sequence[PlayedScene], metrics: Sequence[str]
) -> tuple[list[str], list[tuple[str, str, list[str]]]]:
    """Return the metrics that scenes have, and the key, name and figures of each scene."""
    found = [{row.metric: row for row in scene.result.rows()} for scene in scenes]
    heads = [metric for metric in metrics if any(metric in rows for rows in found)]
    lines = [
        (
            scene.key,
            scene.name,
            [quantity(rows[one].value, rows[one].unit) if one in rows else "–" for one in heads],
        )
        for scene, rows in zip(scenes, found, strict=True)
    ]
    return heads, lines
