"""The axes over which a claim is read, such as networks and message sizes, and their points.

In TOML an axis is a list of values, or a table of values by label; a value that is a table sets
several names at once. reading.py reads the number at each point.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from string import Formatter
from typing import Annotated, Any, NamedTuple

from pydantic import BeforeValidator

from linkwright.views.quantities import size

__all__ = ["Axes", "Point", "names_in", "points"]


class Point(NamedTuple):
    """One value of every axis."""

    label: str
    """Label of the number; equal for points that are reduced to one."""
    experiment: str
    parameters: Mapping[str, Any]
    """Parameters that rows of the experiment must have; a list matches any of its members."""


def _labelled(axes: Any) -> Any:
    """Return each axis as a table by label of the names that its values set."""
    for given in axes.values() if isinstance(axes, Mapping) else [None]:
        if not isinstance(given, list | Mapping) or not given:
            raise ValueError("an axis is a list or a table of values; write over.NAME = [ ... ]")
    return {axis: dict(_values(axis, given)) for axis, given in axes.items()}


def _values(axis: str, given: Any) -> Iterator[tuple[str, Mapping[str, Any]]]:
    shown = size if axis.endswith("_bytes") else str
    values = given if isinstance(given, Mapping) else {shown(value): value for value in given}
    for label, value in values.items():
        yield label, value if isinstance(value, Mapping) else {axis: value}


Axes = Annotated[dict[str, dict[str, dict[str, Any]]], BeforeValidator(_labelled)]
"""By axis, outermost first, and by label: the value of every name that is set there."""


def names_in(template: str) -> set[str]:
    """Return the names in braces.

    Examples
    --------
    >>> sorted(names_in("{kind}.A.16-{network}"))
    ['kind', 'network']
    """
    return {name for _, name, *_ in Formatter().parse(template) if name is not None}


def points(axes: Axes, experiment: str, at: Mapping[str, Any], label: str) -> list[Point]:
    """Return the points of some axes, the innermost axis varying fastest.

    Parameters
    ----------
    axes : Axes
        Empty for a single point.
    experiment, label : str
        Templates in which a name in braces is replaced by a value, or by its label.
    at : mapping of str to any
        Parameters of every point.

    Examples
    --------
    >>> axes = {"hops": {"near": {"hops": 1}}, "size": {"8 B": {"size": 8}, "9 B": {"size": 9}}}
    >>> points(axes, "ring-{hops}", {}, "")[1]
    Point(label='near 9 B', experiment='ring-1', parameters={'size': 9})
    """
    named = names_in(experiment)
    label = label or " ".join(f"{{{axis}}}" for axis in axes)
    found = []
    for chosen in product(*(values.items() for values in axes.values())):
        values = {name: value for _, names in chosen for name, value in names.items()}
        labels = dict(zip(axes, (text for text, _ in chosen), strict=True))
        parameters = {name: value for name, value in values.items() if name not in named}
        found.append(
            Point(label.format(**labels), experiment.format(**values), {**at, **parameters})
        )
    return found
