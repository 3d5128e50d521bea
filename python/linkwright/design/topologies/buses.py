"""Buses as the lines of a grid: every row and every column is a segment of its own.

The routed mesh and the switched meshes share this [BEOWULF-1996]. A bus of cable and taps behaves
like a repeater, so each is built as a hub; a bus with more stations than a hub has ports is a stack
of hubs.
"""

from __future__ import annotations

from linkwright.design.topologies.lines import Dimension
from linkwright.design.topologies.wiring import Boxes, Limits, require_ports

__all__ = ["bus_boxes", "bus_units"]


def bus_boxes(each: Dimension, n_ports: int, limits: Limits) -> Boxes:
    """Return the buses of a dimension, each with room for `n_ports` stations.

    Raises
    ------
    DesignError
        If the design has no hub.
    """
    return Boxes(
        part_role="hub",
        stem=each.stem,
        coordinates=each.coordinates(),
        stack_units=bus_units(n_ports, limits),
    )


def bus_units(n_ports: int, limits: Limits) -> int:
    """Return the number of hubs in the smallest stack with `n_ports` ports.

    Raises
    ------
    DesignError
        If the design has no hub.
    """
    require_ports(
        role="hub", needed=1, available=limits.hub_ports, thing="a bus per line", remedy=""
    )
    assert limits.hub_ports is not None
    return -(-n_ports // limits.hub_ports)
