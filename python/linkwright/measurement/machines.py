"""Machines that are up as the nodes of a network, with the addresses and interfaces of its plan.

The facts of the machines decide which of them is which node.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from linkwright.as_built.matched import Matched, MatchedNode, matched
from linkwright.as_built.planned import Planned
from linkwright.facts import ClusterFacts
from linkwright.hardware.fleet import Fleet, Place, fleet_of
from linkwright.machines import Machine
from linkwright.network import Network

__all__ = ["Site", "nics_of", "site"]


@dataclass(frozen=True, eq=False)
class Site:
    """A cluster that is up.

    Attributes
    ----------
    network : Network
    planned : Planned
    matched : Matched
        The facts of its machines as nodes.
    fleet : Fleet
        The nodes with their programs.
    """

    network: Network
    planned: Planned
    matched: Matched
    fleet: Fleet


@contextmanager
def site(network: Network, machines: Sequence[Machine], facts: ClusterFacts) -> Iterator[Site]:
    """Provide a cluster that is up; its programs end with the block.

    Parameters
    ----------
    network : Network
        The plan.
    machines : sequence of Machine
    facts : ClusterFacts
        Their facts.

    Raises
    ------
    UsageError
        If no machine of the facts is a node of the network.
    """
    planned = Planned(network)
    found = matched(planned, facts)
    places = list(_places(found, machines))
    with fleet_of(places) as fleet:
        missing = {**found.silent, **_without_address(found, places), **fleet.missing}
        yield Site(network, planned, found, Fleet(fleet.places, fleet.agents, missing))


def _places(found: Matched, machines: Sequence[Machine]) -> Iterator[Place]:
    """Yield the nodes that have the address of the plan."""
    machine_of = {found.node_of.get(one.name, ""): one for one in machines}
    for name, node in found.nodes.items():
        own = {text.partition("/")[0] for one in node.facts.interfaces for text in one.addresses}
        address = next((one for one in node.plan.host.identities if one in own), None)
        if address is not None and name in machine_of:
            yield Place(name, machine_of[name], address, nics_of(node))


def nics_of(node: MatchedNode) -> tuple[str, ...]:
    """Return the interfaces of the fabric: those of the plan, bonds in the place of their NICs."""
    bonds = {one.name for one in node.plan.interfaces if one.members}
    return (
        *(one.name for planned, one in node.ports if not planned.bond),
        *(one.name for planned, one in node.interfaces.items() if planned in bonds),
    )


def _without_address(found: Matched, places: Sequence[Place]) -> dict[str, str]:
    reason = "no interface has the address of the plan"
    return {name: reason for name in found.nodes if name not in {one.name for one in places}}
