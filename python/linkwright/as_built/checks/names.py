"""Names of nodes that stand for addresses outside the plan, such as management addresses.

Jobs that are started by name then use that network, or wait forever.
"""

from __future__ import annotations

from collections.abc import Iterator

from linkwright.as_built.deviation import Deviation
from linkwright.as_built.matched import Matched, MatchedNode
from linkwright.as_built.planned import Planned

__all__ = ["check_names", "place_of"]


def check_names(planned: Planned, machines: Matched) -> Iterator[Deviation]:
    """Yield the findings about names, each once with all machines that resolve it so."""
    nodes = planned.nodes_by_name
    found: dict[tuple[str, str], list[str]] = {}
    for machine in machines.nodes.values():
        for name, addresses in machine.facts.names.items():
            node = nodes.get(name.lower())
            if node is not None and addresses and node != machine.name:
                first = addresses[0].partition("%")[0]
                if planned.addresses.get(first) != node:
                    found.setdefault((name, first), []).append(machine.name)
    for (name, address), on in found.items():
        node = nodes[name.lower()]
        wanted = ", ".join(planned.nodes[node].host.identities)
        yield Deviation(
            kind="wrong-name",
            node=on[0],
            planned=f"{name} = {wanted}",
            found=f"{name} = {address}",
            reason=f"on {', '.join(on)}, the name {name} stands for {address}, "
            f"{place_of(planned, machines, address)}",
            fix=f"write '{wanted.split(', ')[0]} {name}' into /etc/hosts: linkwright plan --for "
            "hosts",
        )


def place_of(planned: Planned, machines: Matched, address: str) -> str:
    """Return the place of an address, in words."""
    owner = planned.addresses.get(address)
    if owner is not None:
        return f"an address of {owner}"
    for machine in machines.nodes.values():
        for one in machine.facts.interfaces:
            if address in (each.partition("/")[0] for each in one.addresses):
                return f"which is {machine.name}:{one.name} outside the plan" + _is_management(
                    machine, address
                )
    return "which is not of the plan"


def _is_management(machine: MatchedNode, address: str) -> str:
    return ", its management address" if machine.plan.host.management == address else ""
