"""Curves of the plots that several papers draw."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from linkwright.papers.reading import by_size
from linkwright.results import Result
from linkwright.views.chart import Series

__all__ = ["curve", "curve_by_size"]


def curve(label: str, x: Iterable[float], y: Callable[[float], float]) -> Series:
    """Return a curve through the values of a function."""
    places = list(x)
    return Series(label, places, [y(place) for place in places])


def curve_by_size(label: str, result: Result, metric: str, scale: float) -> Series:
    """Return one metric of a run against the size of its messages."""
    found = by_size(result, metric)
    return Series(label, list(found), [value * scale for value in found.values()])
