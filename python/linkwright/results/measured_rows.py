"""Measured rows that engines predict, and the parameters in which a prediction may differ."""

from __future__ import annotations

from linkwright.results.figures import ENGINE_FIGURES
from linkwright.results.schema import Row

__all__ = ["OF_EXCHANGES", "OF_MEASUREMENT", "OF_PATHS", "is_measured_figure"]

OF_MEASUREMENT = (*ENGINE_FIGURES, "loss", "processor_load")
"""Metrics that no engine predicts."""
OF_PATHS = ("path", "place", "twin", "node", "without", "log", "program")
"""Parameters that name a path."""
OF_EXCHANGES = ("repeats", "warm_up")
"""Parameters that change a prediction by nothing but the time that it takes."""


def is_measured_figure(row: Row) -> bool:
    """Return whether a row is a measurement of something that engines predict."""
    is_figure = row.metric not in OF_MEASUREMENT and "without" not in row.parameters
    return row.origin == "measured" and is_figure
