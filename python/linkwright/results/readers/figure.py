"""A figure of a log, and the form of a reader.

Values are in base units; the program that measured is among the settings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

__all__ = ["MOST", "Figure", "Reader", "columns_of", "number", "ping_pong"]


LEAST, MOST = 1e-12, 1e18
"""Range of figures in logs, in whatever unit; others are no measurement."""


@dataclass(frozen=True)
class Figure:
    """A figure.

    Attributes
    ----------
    workload : str
        Workload that measures the same, or a name of its own.
    metric, unit : str
    value : float
        In base units.
    parameters : mapping
        Settings of the workload for this figure.
    """

    workload: str
    metric: str
    value: float
    unit: str
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def by(self, program: str) -> Figure:
        """Return the figure with the program that measured it."""
        return replace(self, parameters={**self.parameters, "program": program})


@dataclass(frozen=True)
class Reader:
    """A reader of the logs of one program.

    Attributes
    ----------
    is_own : callable
        Returns whether a text is a log of the program.
    read : callable
        Returns the figures of a text, given the name of its file too.
    """

    is_own: Callable[[str], bool]
    read: Callable[[str, str], list[Figure]]


def ping_pong(size_bytes: int, latency_s: float) -> list[Figure]:
    """Return both figures of a message that takes half a round trip of this time."""
    about = {"size_bytes": size_bytes}
    found = [Figure("ping-pong", "latency", latency_s, "s", about)]
    if size_bytes:
        found.append(Figure("ping-pong", "throughput", size_bytes / latency_s, "B/s", about))
    return found


def columns_of(text: str, n_least: int) -> Iterator[Sequence[str]]:
    """Yield the words of each line that begins with a whole number and has enough words."""
    for line in text.splitlines():
        words = line.split()
        if len(words) >= n_least and words[0].isdecimal() and len(words[0]) < 16:
            yield words


def number(word: str) -> float | None:
    """Return a positive number of a measurement; None for any other word."""
    try:
        found = float(word)
    except ValueError:
        return None
    return found if LEAST <= found <= MOST else None
