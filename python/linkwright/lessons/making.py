"""A lesson becomes a page: its scenes are run and packed, its charts are computed.

Apart from the lessons, so that a list of them loads no engine.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from linkwright.engines import Observation, observe
from linkwright.lessons import lesson_named
from linkwright.lessons.scene import Scene
from linkwright.lessons.sources import SOURCES
from linkwright.progress import Report
from linkwright.views.lesson_page import PlayedScene, lesson_page

if TYPE_CHECKING:
    from linkwright.results import Manifest

__all__ = ["made_page"]


def made_page(name: str, manifest: Callable[[], Manifest], report: Report | None = None) -> str:
    """Return the page of a lesson.

    Parameters
    ----------
    name : str
        Name of the lesson.
    manifest : callable
        Returns the origin of the page, once all runs are made.
    report : callable, optional
        Called with the scenes made, their number, and the name of the next.

    Raises
    ------
    UsageError
        If the name is unknown.
    """
    lesson = lesson_named(name)
    scenes = []
    for index, scene in enumerate(lesson.scenes):
        if report is not None:
            report(index, len(lesson.scenes), scene.name)
        scenes.append(_made(scene))
    return lesson_page(
        name,
        title=lesson.title,
        question=lesson.question,
        scenes=scenes,
        metrics=lesson.metrics,
        charts=lesson.charts({scene.key: scene.result for scene in scenes}),
        sources=[(key, SOURCES[key]) for key in lesson.sources],
        manifest=manifest(),
    )


def _made(scene: Scene) -> PlayedScene:
    network, run, result = observe(scene.run, Observation(page=True)).played
    return PlayedScene(
        key=scene.key,
        name=scene.name,
        caption=scene.caption,
        network=network,
        run=run,
        result=result,
    )
