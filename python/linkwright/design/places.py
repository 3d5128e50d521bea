"""The `places` section of a design: positions of devices in metres, for the lengths of cables."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Annotated

from pydantic import Field

from linkwright.errors import DesignError, shown, unknown_name

__all__ = ["SLACK_M", "Place", "cable_length_m", "places_of"]

_Metres = Annotated[float, Field(ge=-10_000, le=10_000, allow_inf_nan=False)]
Place = Annotated[tuple[_Metres, ...], Field(min_length=2, max_length=3)]
"""Metres along two or three axes, for example along the shelf and upwards."""

SLACK_M = 0.5
"""Added to every cable, for the way out of and into the boxes. An estimate."""


def places_of(
    section: Mapping[str, tuple[float, ...]] | None, names: Sequence[str]
) -> dict[int, tuple[float, ...]]:
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
    found = {number[name]: place for name, place in (section or {}).items()}
    if len({len(place) for place in found.values()}) > 1:
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
