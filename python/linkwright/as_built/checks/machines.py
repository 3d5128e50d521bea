"""Machines that have no facts or are those of other nodes, machines that are no node, and NICs that
a machine lacks.
"""

from __future__ import annotations

from collections.abc import Iterator

from linkwright.as_built.deviation import Deviation
from linkwright.as_built.matched import Matched
from linkwright.as_built.planned import Planned
from linkwright.facts.unreached import NOT_REACHED, reason_and_remedy
from linkwright.plan.exporters.node_plan import CORRECT_HOSTS

__all__ = ["check_machines"]


def check_machines(planned: Planned, machines: Matched) -> Iterator[Deviation]:
    """Yield the findings about whole machines and missing interfaces."""
    for name in planned.nodes:
        if name in machines.mixed_up:
            yield Deviation(
                kind="wrong-machine", node=name, reason=machines.silent[name], fix=CORRECT_HOSTS
            )
        elif name in machines.silent:
            reason, remedy = reason_and_remedy(machines.silent[name])
            yield Deviation(
                kind="missing-machine",
                node=name,
                reason=reason if NOT_REACHED in reason else f"{name} is not compared: {reason}",
                fix=remedy or f"gather facts of {name} too: linkwright facts HOSTS -o facts.json",
            )
    for stranger in machines.strangers:
        yield Deviation(
            kind="other-machine",
            node=stranger.name,
            found=stranger.hostname or stranger.name,
            reason=f"the machine {stranger.name} is no node of the design",
            fix="name it after its node, or leave it out of the hosts",
        )
    for node in machines.nodes.values():
        for one in node.plan.interfaces:
            if one.name not in node.interfaces:
                yield Deviation(
                    kind="missing-interface",
                    node=node.name,
                    nic=one.name,
                    planned=", ".join(one.addresses) or None,
                    reason=f"{node.name} has no interface {one.name}",
                    fix=f"make {one.name}: load the files of the plan"
                    if not one.is_nic
                    else "install the NIC, or give its name or mac under 'nodes' of the design",
                )
