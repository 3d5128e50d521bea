"""One lesson: a title, its scenes, and charts over more runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from linkwright.lessons.scene import Scene
from linkwright.results import Result
from linkwright.views.chart import Chart

__all__ = ["Lesson"]


@dataclass(frozen=True, kw_only=True)
class Lesson:
    """One lesson."""

    title: str
    question: str
    """The question that it answers, in one sentence."""
    scenes: Sequence[Scene]
    metrics: Sequence[str]
    """The figures of the scenes that the page compares."""
    charts: Callable[[Mapping[str, Result]], Sequence[Chart]]
    """Makes the charts from the results of the scenes by key, and from runs of its own."""
    sources: Sequence[str]
    """Keys of the sources."""
