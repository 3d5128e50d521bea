"""Ports of the plan in bridges, and circles of bridges and cables, in which frames run forever.

A switch of the plan is a bridge too. Spanning trees are not looked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from linkwright.as_built.deviation import Deviation
from linkwright.as_built.matched import Matched
from linkwright.as_built.moves import Joined
from linkwright.as_built.planned import Planned

__all__ = ["bridged_ports", "check_bridges"]

Port = tuple[str, str]


def bridged_ports(machines: Matched) -> Mapping[Port, str]:
    """Return the bridge of each port of the plan that is in one."""
    found = {}
    for node in machines.nodes.values():
        bridges = {one.name for one in node.facts.interfaces if one.kind == "bridge"}
        known = {one.name for one in node.facts.interfaces}
        for planned, interface in node.ports:
            master = interface.master
            is_bond = bool(planned.bond) and master == planned.bond
            if master and not is_bond and (master in bridges or master not in known):
                found[node.name, planned.name] = master
    return found


def check_bridges(planned: Planned, machines: Matched) -> Iterator[Deviation]:
    """Yield the findings about bridges."""
    bridged = bridged_ports(machines)
    for (node, nic), master in bridged.items():
        yield Deviation(
            kind="bridged-port",
            node=node,
            nic=nic,
            planned="no bridge",
            found=master,
            reason=f"{node}:{nic} is a port of the bridge {master}, so that its own address and "
            "routes do not work",
            fix=f"ip link set dev {nic} nomaster, and take it out of {master} in its file",
        )
    yield from _loops(planned, bridged)


def _loops(planned: Planned, bridged: Mapping[Port, str]) -> Iterator[Deviation]:
    """Yield the cables that close a circle of bridges."""
    group: dict[Port, Port] = {}

    def top(one: Port) -> Port:
        while group.setdefault(one, one) != one:
            one = group[one]
        return one

    for cable in planned.cables:
        ends = [_domain(cable, end_number, bridged) for end_number in (0, 1)]
        if None in ends:
            continue
        a, b = (top(end) for end in ends if end is not None)
        if a == b:
            nodes = sorted({node for node, _ in bridged})
            yield Deviation(
                kind="bridge-loop",
                node=next(end.node for end in cable.ends if not end.place),
                nic=next(end.port for end in cable.ends if not end.place),
                cable=cable.name,
                planned="no bridges",
                found=f"bridges on {', '.join(nodes)}",
                reason=f"cable {cable.name} closes a circle of bridges on {', '.join(nodes)}: a "
                "broadcast runs round it forever",
                fix="take the ports of the plan out of their bridges",
            )
        else:
            group[a] = b


def _domain(cable: Joined, number: int, bridged: Mapping[Port, str]) -> Port | None:
    """Return the bridge or switch at an end of a cable; None for a port that does not bridge."""
    end = cable.ends[number]
    if end.place:
        return ("", end.place)
    bridge = bridged.get((end.node, end.port))
    return None if bridge is None else (end.node, bridge)
