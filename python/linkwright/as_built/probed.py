"""The cables between the ports of a plan, found by frames that these ports send.

Only ports of the plan send and listen, so that no frame reaches another network of the machines.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from linkwright.as_built.matched import matched
from linkwright.as_built.planned import Planned
from linkwright.facts.probing import probe
from linkwright.progress import Report

if TYPE_CHECKING:
    from linkwright.facts import ClusterFacts
    from linkwright.machines import Machine
    from linkwright.network import Network

__all__ = ["probed"]


def probed(
    network: Network,
    machines: Sequence[Machine],
    facts: ClusterFacts,
    *,
    bring_up: bool = False,
    as_root: bool = False,
    report: Report = lambda *_: None,
) -> ClusterFacts:
    """Return the facts with the cables that a probe of the plan's ports finds.

    Parameters
    ----------
    network : Network
        The plan.
    machines : sequence of Machine
        Machines that are up.
    facts : ClusterFacts
        Their facts.
    bring_up, as_root, report
        As for `linkwright.facts.probing.probe`.

    Raises
    ------
    UsageError
        If no machine is a node of the plan.
    """
    nodes = matched(Planned(network), facts).nodes.values()
    ports = {node.facts.name: [found.name for _, found in node.ports] for node in nodes}
    return probe(machines, ports, facts, bring_up=bring_up, as_root=as_root, report=report)
