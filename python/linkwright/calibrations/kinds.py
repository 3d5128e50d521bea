"""The kinds of constants: each is a number or a choice with its origin.

The meaning of each constant is given below its name in its section; the reference page of
calibrations is made from there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from pydantic import ConfigDict, Field

from linkwright.records.plain_numbers import NumpySettings

__all__ = [
    "MOST",
    "Cost",
    "Count",
    "Flag",
    "Frozen",
    "Quantity",
    "Threshold",
    "numbers",
    "without_costs",
]


MOST = 1e18
"""The largest figure: an exabyte, or operations per second of all computers of the world."""


class Frozen(NumpySettings):
    """A table of a calibration: immutable, unknown keys refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class Cost(Frozen):
    """Processor time: a fixed part and a part per byte, in microseconds."""

    us: float = Field(strict=True, ge=0, le=1e6)
    us_per_byte: float = Field(strict=True, default=0.0, ge=0, le=1e3)
    origin: str

    @property
    def value(self) -> tuple[float, float]:
        """Microseconds, and microseconds per byte."""
        return (self.us, self.us_per_byte)


class Count(Frozen):
    """A whole number in the unit of the field's name: bytes, frames, segments or microseconds."""

    value: int = Field(strict=True, ge=0, lt=2**32)
    origin: str


class Threshold(Frozen):
    """A size of messages, in bytes, at which a behaviour begins; 2**53 for never."""

    value: int = Field(strict=True, ge=0, le=2**53)
    origin: str


class Quantity(Frozen):
    """A measured or printed figure in the unit of the field's name."""

    value: float = Field(strict=True, ge=0, le=MOST)
    origin: str


class Flag(Frozen):
    """A yes or no."""

    value: bool
    origin: str


Section = TypeVar("Section", bound=Frozen)


def numbers(section: Frozen) -> Iterator[tuple[str, object]]:
    """Yield the name and the value of each constant of a section, None for one that is off."""
    for name, constant in vars(section).items():
        yield name, None if constant is None else constant.value


def without_costs(section: Section) -> Section:
    """Return a section whose costs are zero."""
    nothing = Cost(us=0.0, origin="definition")
    costs = {name: nothing for name, constant in section if isinstance(constant, Cost)}
    return section.model_copy(update=costs)
