"""Switches that route: those that a drawing calls routers, and those whose cables form a loop.

Switches that bridge cannot form a loop, so that the leaves and spines of a drawing route. Where all
stations of a drawing are routers, they are nodes: nodes forward, and a network has two at least.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from linkwright.design.importers.drawing import Drawing

__all__ = ["with_routers"]

_FEWEST_NODES = 2


def with_routers(drawing: Drawing) -> Drawing:
    """Return a drawing with routers where bridging is impossible, and with two nodes at least if it
    has routers, each with a remark.
    """
    kinds = drawing.kinds
    if Counter(kinds.values())["node"] < _FEWEST_NODES and "router" in kinds.values():
        routers = [name for name, kind in kinds.items() if kind == "router"]
        return _changed(
            drawing, routers, "node", "routers are nodes, because a network needs two nodes"
        )
    looped = _on_loops(drawing)
    if not looped:
        return drawing
    return _changed(drawing, looped, "router", "switches whose cables form a loop route")


def _changed(drawing: Drawing, names: list[str], kind: str, remark: str) -> Drawing:
    first = drawing.devices[names[0]].place
    devices = {
        name: replace(one, kind=kind) if name in set(names) else one
        for name, one in drawing.devices.items()
    }
    said = f"{remark}: {len(names)}, the first is {names[0]} of {first}"
    return replace(drawing, devices=devices, remarks=(*drawing.remarks, said))


def _on_loops(drawing: Drawing) -> list[str]:
    """Return the switches on loops of switches, or between two of them: those that stay when a
    switch with a single neighbour among switches is taken away again and again.
    """
    kinds = drawing.kinds
    beside: dict[str, list[str]] = {name: [] for name, kind in kinds.items() if kind == "switch"}
    for cable in drawing.cables:
        a, b = cable.a.device, cable.b.device
        if a in beside and b in beside:
            beside[a].append(b)
            beside[b].append(a)
    degree = {name: len(own) for name, own in beside.items()}
    bare = [name for name, number in degree.items() if number <= 1]
    for name in bare:
        for other in beside[name]:
            degree[other] -= 1
            if degree[other] == 1:
                bare.append(other)
        degree[name] = 0
    return [name for name in beside if degree[name] > 1]
