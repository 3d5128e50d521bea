"""The `places` section of a design: positions of devices in metres, for the lengths of cables, and
positions in the drawing.

A position in metres is a fact about a room, one in the drawing is a choice of its reader: no length
of a cable follows from it, and it is no part of a design's digest.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Annotated

from pydantic import ConfigDict, Discriminator, Field, Tag, model_validator

from linkwright.errors import DesignError, shown, unknown_name
from linkwright.records.plain_numbers import NumpySettings

__all__ = ["SLACK_M", "DevicePlace", "Place", "cable_length_m", "places_of"]

_Metres = Annotated[float, Field(ge=-10_000, le=10_000, allow_inf_nan=False)]
_InRoom = Annotated[tuple[_Metres, ...], Field(min_length=2, max_length=3)]
"""Metres along two or three axes, for example along the shelf and upwards."""

_Points = Annotated[float, Field(ge=-100_000, le=100_000, allow_inf_nan=False)]


class DevicePlace(NumpySettings):
    """The place of a device in the drawing, in the room, or in both."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    metres: _InRoom | None = None
    """Metres along two or three axes. Default: no place in the room."""
    drawn: Annotated[tuple[_Points, ...], Field(min_length=2, max_length=2)] | None = None
    """Points to the right and downwards in the drawing. Default: the layout of the topology."""

    @model_validator(mode="after")
    def _check_any(self) -> DevicePlace:
        if self.metres is None and self.drawn is None:
            raise DesignError(
                "'places': a place has neither 'metres' nor 'drawn'", "give one, or leave it out"
            )
        return self


def _form(value: object) -> str:
    """Return the form of a place, in which alone a mistake is explained."""
    return DevicePlace.__name__ if isinstance(value, Mapping | DevicePlace) else "metres"


Place = Annotated[
    Annotated[_InRoom, Tag("metres")] | Annotated[DevicePlace, Tag(DevicePlace.__name__)],
    Discriminator(_form),
]
"""Metres, or a map with `metres` and `drawn`."""

Section = Mapping[str, tuple[float, ...] | DevicePlace]

SLACK_M = 0.5
"""Added to every cable, for the way out of and into the boxes. An estimate."""


def places_of(section: Section | None, names: Sequence[str]) -> dict[int, DevicePlace]:
    """Return the places that a design gives, by device.

    Raises
    ------
    DesignError
        If a device is unknown, or some places have two axes and others three.
    """
    number = {name: device for device, name in enumerate(names)}
    for name in section or {}:
        if name not in number:
            raise DesignError(
                f"'places': the design has no device {shown(name)}", unknown_name(name, number)
            )
    found = {
        number[name]: place if isinstance(place, DevicePlace) else DevicePlace(metres=place)
        for name, place in (section or {}).items()
    }
    if len({len(place.metres) for place in found.values() if place.metres}) > 1:
        raise DesignError(
            "'places': some have two numbers and others three", "give each device the same axes"
        )
    return dict(sorted(found.items()))


def cable_length_m(a: Sequence[float], b: Sequence[float]) -> float:
    """Return the length of a cable between two places, rounded up to 0.1 m.

    Cables run along shelves and racks, not across: the distances along the axes are added.

    Examples
    --------
    >>> cable_length_m((0, 0), (0.6, 0.3))
    1.4
    """
    along = sum(abs(one - other) for one, other in zip(a, b, strict=True))
    return math.ceil(round(10 * (along + SLACK_M), 6)) / 10
