"""The cheapest form of a topology: the switches that cost least, where the design leaves them open.

Only kinds whose logical switches can share a box have several forms (p-mesh). Kinds with a box per
switch buy the smallest size that holds its cables (plan/cost.py).
"""

from __future__ import annotations

import math

from linkwright.design.parts import SwitchPart
from linkwright.design.role_parts import RoleParts
from linkwright.design.topologies import Topology

__all__ = ["cheapest_form"]


def cheapest_form(topology: Topology, parts: RoleParts, *, front_end: bool) -> Topology:
    """Return the form of a topology whose switches cost least, the first of equals.

    A switch without VLANs is one segment, so the first form is taken. If none fits, the first is
    taken too, which the parts then refuse.

    Examples
    --------
    >>> from linkwright.design.kits import default_kit
    >>> from linkwright.design.topologies import TOPOLOGIES
    >>> mesh = TOPOLOGIES["p-mesh"].model_validate({"kind": "p-mesh", "shape": (4, 4)})
    >>> cheapest_form(mesh, default_kit("whitney-1998"), front_end=False).lines_per_switch
    4
    """
    forms, switch = list(topology.forms(parts.limits)), parts.switch
    if len(forms) == 1 or switch is None or not switch.vlans:
        return forms[0]
    return min(forms, key=lambda one: _price(one, switch, front_end=front_end))


def _price(topology: Topology, switch: SwitchPart, *, front_end: bool) -> float:
    """Return the price of the switches to buy; infinite if one has too few ports."""
    total = 0.0
    for n_ports, count in topology.switch_ports(front_end=front_end).items():
        size = switch.size_for(n_ports)
        total += math.inf if size is None else count * switch.price_of(size)
    return total
