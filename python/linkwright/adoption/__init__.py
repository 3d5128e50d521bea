"""A design from machines that are cabled already: their shape, names, addresses and MTUs.

The design is of the known kind whose segments the machines have, else of kind `custom`. It is read
and built once more before it is returned, so that no other command refuses it.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from itertools import islice

from linkwright.adoption.kept import kept_values
from linkwright.adoption.routed import most_alike
from linkwright.adoption.shapes import known_shapes
from linkwright.adoption.sighted import Sighted, sighted
from linkwright.adoption.writing import custom_design, shaped_design
from linkwright.design.cluster import Cluster
from linkwright.errors import CapabilityError, expect_kind
from linkwright.facts import ClusterFacts
from linkwright.network import compile as compile_network

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
    designs = [
        (written, shape.node_of)
        for shape in islice(known_shapes(fabric), MOST_SHAPES)
        if (written := shaped_design(fabric, kept, shape, name=name, catalogue=catalogue))
    ]
    found = most_alike(fabric, designs)
    if found is None:
        _expect_no_bonds(fabric)
        custom = custom_design(fabric, kept, name=name, catalogue=catalogue)
        same = {machine: machine for machine in fabric.machines}
        found = most_alike(fabric, [(custom, same)])
        if found is None:
            compile_network(Cluster.parse(custom.text))
    assert found is not None, "a design that is refused says so when it is built"
    return Adopted(found.text, (*remarks, *found.remarks))


def _expect_no_bonds(fabric: Sighted) -> None:
    for machine, bonds in fabric.bonds.items():
        for bond, members in bonds.items():
            raise CapabilityError(
                f"{machine}: {bond} joins {', '.join(members)}, and the machines are not one of "
                "the kinds with bonds",
                "take the bond apart, or plug every machine into the same two switches",
            )
