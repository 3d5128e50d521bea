"""The printed numbers of printed.toml in base units.

Only read and scaled here; what they are held against stands in table_3.py and text.py.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

PAPER = "PMESH-1998"


@dataclass(frozen=True)
class Metric:
    """How the paper prints a quantity: base unit, worth of the paper's unit, decimals shown."""

    unit: str
    scale: float
    decimals: int

    @property
    def digit(self) -> float:
        """What one step of the last printed digit is worth in the base unit."""
        return self.scale * 10.0**-self.decimals


@dataclass(frozen=True)
class Printed:
    """One printed number; values in the metric's base unit."""

    row: str
    metric: str
    printed: float
    corrected: float | None
    tolerance: float
    erratum: str
    reason: str


@cache
def metrics() -> dict[str, Metric]:
    """Return every quantity that the paper prints."""
    return {name: Metric(**fields) for name, fields in _document()["metrics"].items()}


@cache
def printed(section: str) -> tuple[Printed, ...]:
    """Return the numbers of one section of printed.toml, in its order."""
    return tuple(
        _number(row, metric, fields)
        for row, numbers in _document()[section].items()
        for metric, fields in numbers.items()
    )


def _number(row: str, metric: str, fields: dict[str, Any]) -> Printed:
    scale = metrics()[metric].scale
    corrected = fields.get("corrected")
    return Printed(
        row=row,
        metric=metric,
        printed=fields["printed"] * scale,
        corrected=None if corrected is None else corrected * scale,
        tolerance=fields.get("tolerance", 0.0),
        erratum=fields.get("erratum", ""),
        reason=fields.get("reason", ""),
    )


@cache
def _document() -> dict[str, Any]:
    text = (resources.files(__package__) / "printed.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)
