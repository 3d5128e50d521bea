"""A fitted calibration as tables, and as one record for other programs.

Constants are in the units of their names, everything else is in base units.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.text import Text

from linkwright.views.fitting_table import Cell, FittingTable, Heading
from linkwright.views.quantities import quantity, size

if TYPE_CHECKING:
    from linkwright.fit.calibrate import Fit
    from linkwright.fit.point_to_point import TargetCheck

__all__ = ["CURVE_HEADINGS", "calibration_table", "fit_record"]

CURVE_HEADINGS = (
    "path", "metric", "size_bytes", "target", "predicted", "error", "tolerance", "origin",
)  # fmt: skip
"""Headings of the targets as CSV, which are also their keys in JSON."""

_UNITS = {"latency": "s", "throughput": "B/s", "ratio": "1"}


def calibration_table(fit: Fit) -> RenderableType:
    """Return targets, constants and correlations, and sentences on the fixed combinations."""
    n_targets = len(fit.comparisons)
    heading = f"{fit.calibration.name}: {len(fit.constants)} constants from {n_targets} targets"
    values = ", ".join(f"{value:.3g}" for value in fit.identifiability.singular_values)
    parts: list[RenderableType] = [Text(heading), _targets(fit), _constants(fit)]
    if len(fit.constants) > 1:
        parts += [Text("correlations"), _correlations(fit)]
    parts.append(Text(f"singular values of the Jacobian: {values}"))
    return Group(*parts, *(Text(f"- {line}") for line in fit.identifiability.sentences()))


def fit_record(fit: Fit) -> dict[str, Any]:
    """Return a whole fit as JSON values; times in seconds, but constants in their own units."""
    known = fit.identifiability
    return {
        "calibration": fit.calibration.name,
        "targets": [
            dict(zip(CURVE_HEADINGS, _values(one), strict=True)) for one in fit.comparisons
        ],
        "constants": [
            {
                "constant": one.constant,
                "start": one.start,
                "value": one.value,
                "standard_error": one.standard_error,
                "interval": list(one.interval),
                "origin": one.origin,
            }
            for one in fit.constants
        ],
        "correlations": known.correlations.tolist(),
        "singular_values": known.singular_values.tolist(),
        "combinations": [
            {"weights": dict(one.weights), "standard_error": one.standard_error}
            for one in known.combinations
        ],
        "identifiability": list(known.sentences()),
    }


def _values(one: TargetCheck) -> tuple[Any, ...]:
    figures = (one.target, one.predicted, one.error, one.tolerance)
    return (one.path, one.metric, one.size_bytes, *figures, one.origin)


def _targets(fit: Fit) -> FittingTable:
    headings = [Heading("path", wraps=True), Heading("metric"), Heading("size", "right")]
    headings += [Heading(name, "right") for name in ("target", "fitted", "error", "tolerance")]
    rows: list[list[Cell]] = []
    for one in fit.comparisons:
        unit = _UNITS[one.metric]
        style = "" if abs(one.error) <= one.tolerance else "bold red"
        rows.append(
            [
                *(one.path, one.metric, size(one.size_bytes)),
                *(quantity(value, unit) for value in (one.target, one.predicted)),
                Text(f"{one.error:+.1%}", style=style),
                f"{one.tolerance:.0%}",
            ]
        )
    return FittingTable(headings, rows)


def _constants(fit: Fit) -> FittingTable:
    headings = [Heading("", "right"), Heading("constant"), Heading("start", "right")]
    headings += [Heading(name, "right") for name in ("fitted", "standard error", "90 % interval")]
    rows = [
        [
            *(f"{place}", one.constant, f"{one.start:g}", f"{one.value:g}"),
            f"{one.standard_error:.1%}",
            "{:.3g} to {:.3g}".format(*one.interval),
        ]
        for place, one in enumerate(fit.constants, start=1)
    ]
    return FittingTable(headings, rows)


def _correlations(fit: Fit) -> FittingTable:
    """Return the lower half of the matrix; rows and columns have the numbers of the constants."""
    numbers = [str(place + 1) for place in range(len(fit.constants))]
    headings = [Heading(number, "right") for number in ("", *numbers)]
    rows = [
        [
            numbers[place],
            *(f"{value:.2f}" if column <= place else "" for column, value in enumerate(row)),
        ]
        for place, row in enumerate(fit.identifiability.correlations)
    ]
    return FittingTable(headings, rows)
