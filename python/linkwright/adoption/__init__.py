"""A design from machines that are cabled already: their shape, names, addresses and MTUs.

The design is of the known kind whose segments the machines have, else of kind `custom`. It is read
and built once more before it is returned, so that no other command refuses it.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from itertools import islice
from operator import itemgetter

from linkwright.adoption.kept import kept_values
from linkwright.adoption.shapes import Shape, known_shapes
from linkwright.adoption.sighted import Sighted, sighted
from linkwright.adoption.writing import Written, custom_design, shaped_design
from linkwright.design.cluster import Cluster
from linkwright.errors import CapabilityError, DesignError, expect_kind
from linkwright.facts import ClusterFacts
from linkwright.network import Network
from linkwright.network import compile as compile_network
from linkwright.plan.exporters.network_plan import NetworkPlan

__all__ = ["Adopted", "adopt"]

MOST_SHAPES = 8
"""Shapes with the same segments that are compared by their routes."""


@dataclass(frozen=True)
class Adopted:
    """A design as text, and remarks on what it leaves out."""

    text: str
    remarks: tuple[str, ...]


def adopt(
    facts: ClusterFacts,
    *,
    name: str = "adopted",
    catalogue: str = "ethernet-2026",
    leave_out: Set[str] = frozenset(),
) -> Adopted:
    """Return the design of machines that are cabled.

    Parameters
    ----------
    facts : ClusterFacts
        Facts of all machines.
    name : str
        Name of the design.
    catalogue : str
        Catalogue of its parts, of which those with the rates of the ports are taken.
    leave_out : set of str
        Names of interfaces that are not of the fabric.

    Raises
    ------
    UsageError
        If the facts do not show all cables.
    DesignError
        If a name cannot be that of a machine or a NIC, or there is no such catalogue.
    CapabilityError
        If the machines have bonds in no known shape.
    """
    expect_kind("adopt", facts, ClusterFacts)
    fabric = sighted(facts, leave_out)
    kept = kept_values(fabric)
    remarks = (*fabric.remarks, *kept.remarks)
    fitting: list[tuple[int, Written]] = []
    for shape in islice(known_shapes(fabric), MOST_SHAPES):
        written = shaped_design(fabric, kept, shape, name=name, catalogue=catalogue)
        network = written and _built(written)
        if written and network:
            fitting.append((_foreign_routes(network, fabric, shape), written))
    if fitting:
        _, written = min(fitting, key=itemgetter(0))
    else:
        _expect_no_bonds(fabric)
        written = custom_design(fabric, kept, name=name, catalogue=catalogue)
        compile_network(Cluster.parse(written.text))
    return Adopted(written.text, (*remarks, *written.remarks))


def _built(written: Written) -> Network | None:
    try:
        return compile_network(Cluster.parse(written.text))
    except DesignError:
        return None


def _foreign_routes(network: Network, fabric: Sighted, shape: Shape) -> int:
    """Return the number of routes of a plan that the machines do not have: several shapes can have
    the same segments, and the routes tell which one was meant.
    """
    plan = NetworkPlan(network)
    machine_of = {node: machine for machine, node in shape.node_of.items()}
    n_foreign = 0
    for node in plan.nodes():
        there = {
            (route.dst.partition("/")[0], route.gateway or "", route.dev)
            for route in fabric.machines[machine_of[node.node]].routes
        }
        own = {(one.destination.partition("/")[0], one.via, one.interface) for one in node.routes}
        n_foreign += len(own - there)
    return n_foreign


def _expect_no_bonds(fabric: Sighted) -> None:
    for machine, bonds in fabric.bonds.items():
        for bond, members in bonds.items():
            raise CapabilityError(
                f"{machine}: {bond} joins {', '.join(members)}, and the machines are not one of "
                "the kinds with bonds",
                "take the bond apart, or plug every machine into the same two switches",
            )
