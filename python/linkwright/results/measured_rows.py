"""Measured rows that engines predict, and the parameters in which a prediction may differ."""

from __future__ import annotations

from collections.abc import Iterable

from linkwright.errors import UsageError, shown
from linkwright.results.figures import ENGINE_FIGURES
from linkwright.results.schema import Row

__all__ = ["OF_EXCHANGES", "OF_MEASUREMENT", "OF_PATHS", "expect_sound", "is_measured_figure"]

OF_MEASUREMENT = (*ENGINE_FIGURES, "loss", "processor_load")
"""Metrics that no engine predicts."""
OF_PATHS = ("path", "place", "twin", "node", "without", "log", "program")
"""Parameters that name a path."""
OF_EXCHANGES = ("repeats", "warm_up")
"""Parameters that change a prediction by nothing but the time that it takes."""

LEAST, MOST = 1e-12, 1e18
"""Range of values, in base units."""
POSITIVE = ("s", "B/s")
"""Units of values that are not zero."""
POINT_TO_POINT = "ping-pong"
"""Workload whose figures have a size and ends."""
NUMBERS, MOST_NUMBER = ("size_bytes", "src", "dst"), 1 << 40
"""Parameters that are whole numbers, and the largest one."""


def is_measured_figure(row: Row) -> bool:
    """Return whether a row is a measurement of something that engines predict."""
    is_figure = row.metric not in OF_MEASUREMENT and "without" not in row.parameters
    return row.origin == "measured" and is_figure


def expect_sound(rows: Iterable[Row]) -> None:
    """Check that measured figures have values, sizes and ends that a measurement can have.

    Raises
    ------
    UsageError
        If one has not.
    """
    for row in filter(is_measured_figure, rows):
        if not (LEAST if row.unit in POSITIVE else 0) <= row.value <= MOST:
            raise _unsound(row, "value", row.value)
        for name in NUMBERS:
            needed = None if row.workload == POINT_TO_POINT else 0
            given = row.parameters.get(name, needed)
            if type(given) is not int or not 0 <= given <= MOST_NUMBER:
                raise _unsound(row, name, given)


def _unsound(row: Row, name: str, value: object) -> UsageError:
    return UsageError(
        f"a measured {shown(row.metric)} of {shown(row.workload)} has the {name} {shown(value)}",
        "give rows as linkwright measure writes them",
    )
