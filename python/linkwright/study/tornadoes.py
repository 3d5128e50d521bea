"""A tornado: the metric when one axis goes from its lowest to its highest value, others at their
first.

It needs no sampling of its own: a grid has these points, and a study of one axis at a time has no
others. It shows no interaction of axes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from linkwright.errors import UsageError
from linkwright.results.interval import ROUNDING
from linkwright.study.columns import cell
from linkwright.study.sampling import values_of
from linkwright.study.study_file import Values

__all__ = ["TORNADO_FIGURES", "first_cells", "tornado"]

TORNADO_FIGURES = ("lowest", "highest", "low", "high", "effect")

Cells = tuple[Any, ...]
"""Values of all axes of a point."""


def tornado(
    axes: Mapping[str, Values], kinds: Sequence[str], means: Mapping[Cells, float]
) -> dict[str, dict[str, Any]]:
    """Return the lowest and highest value of each axis, the metric there, and its change.

    Values that are no numbers have no order: of such an axis, the values with the least and the
    most of the metric are taken.

    Parameters
    ----------
    axes : mapping of str to Values
    kinds : sequence of str
        Type of the column of each axis.
    means : mapping of tuple to float
        The metric by the cells of a point.

    Raises
    ------
    UsageError
        If a point is missing.

    Examples
    --------
    >>> tornado({"a": [2, 1, 3]}, ["int"], {(1,): 10.0, (2,): 20.0, (3,): 40.0})
    {'a': {'lowest': 1, 'highest': 3, 'low': 10.0, 'high': 40.0, 'effect': 30.0}}
    """
    first = first_cells(axes, kinds)
    if first not in means:
        raise UsageError(
            "a tornado needs the point with the first values of all axes, which is left out",
            "change 'leave_out' or the order of the values",
        )
    found = {}
    for place, (axis, kind) in enumerate(zip(axes, kinds, strict=True)):
        along = {
            one: means[_put(first, place, one)]
            for one in _cells(axes[axis], kind)
            if _put(first, place, one) in means
        }
        is_ordered = all(isinstance(one, int | float) for one in along) and kind != "bool"
        order = sorted(along) if is_ordered else sorted(along, key=lambda one: along[one])
        low, high = along[order[0]], along[order[-1]]
        effect = 0.0 if math.isclose(low, high, rel_tol=ROUNDING) else high - low
        figures = (order[0], order[-1], low, high, effect)
        found[axis] = dict(zip(TORNADO_FIGURES, figures, strict=True))
    return found


def first_cells(axes: Mapping[str, Values], kinds: Sequence[str]) -> Cells:
    """Return the cells of the point with the first values of all axes."""
    return tuple(_cells(one, kind)[0] for one, kind in zip(axes.values(), kinds, strict=True))


def _cells(values: Values, kind: str) -> list[Any]:
    return [cell(one, kind) for one in values_of(values)]


def _put(cells: Cells, place: int, one: Any) -> Cells:
    return (*cells[:place], one, *cells[place + 1 :])
