"""Lines of a grid whose boxes are buses: every row and every column a segment of its own.

What the routed mesh and the switched meshes share [BEOWULF-1996]. A bus of cable and taps behaves
as a repeater does, so each is built as a hub; one with more stations than a hub has ports is a
stack of hubs.
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
        When the design has no hub.
    """
    return Boxes(
        part_role="hub",
        stem=each.stem,
        coordinates=each.coordinates(),
        stack_units=bus_units(n_ports, limits),
    )


def bus_units(n_ports: int, limits: Limits) -> int:
    """Return the hubs of the smallest stack with so many ports.

    Raises
    ------
    DesignError
        When the design has no hub.
    """
    require_ports(
        role="hub", needed=1, available=limits.hub_ports, thing="a bus per line", remedy=""
    )
    assert limits.hub_ports is not None
    return -(-n_ports // limits.hub_ports)
