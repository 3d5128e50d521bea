"""A design from machines that are cabled already: their shape, names, addresses and MTUs.

The design is of the known kind whose segments the machines have, else of kind `custom`. It is read
and built once more before it is returned, so that no other command refuses it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, replace
from itertools import islice

from linkwright.adoption.kept import Kept, kept_values
from linkwright.adoption.numbering import best_numbered, natural_order
from linkwright.adoption.routed import built, most_alike, with_backups
from linkwright.adoption.shapes import known_shapes
from linkwright.adoption.sighted import Sighted, sighted
from linkwright.adoption.tables import with_own_routes
from linkwright.adoption.writing import Written, custom_design, shaped_design
from linkwright.design.cluster import Cluster
from linkwright.design.parts import catalogue as parts_of
from linkwright.errors import CapabilityError, expect_kind
from linkwright.facts import ClusterFacts
from linkwright.network import compile as compile_network

__all__ = ["Adopted", "adopt"]

MOST_SHAPES = 8
"""Shapes with the same segments that are compared by their routes."""
MOST_NUMBERINGS = 3
"""Numberings of the nodes of a shape that are built, of those that are compared."""
NOT_ROUTED = (
    "not kept: routes of the machines, of which {n} differ from those of the design; `verify` "
    "lists them"
)
NO_HUB = (
    "ports with half duplex are on a switch in the design: {catalogue} has no hub, as whitney-1998 "
    "does (--catalogue)"
)
OWN_ROUTES = (
    "the routes are a table, {file}, since no scheme has them; remove 'routing' from the design to "
    "let it choose the routes"
)


@dataclass(frozen=True)
class Adopted:
    """A design.

    Attributes
    ----------
    text : str
        Text of its file.
    remarks : tuple of str
        Things that it leaves out.
    routes : str
        Text of the table of routes that it names; empty if a scheme has the routes.
    """

    text: str
    remarks: tuple[str, ...]
    routes: str = ""


def adopt(
    facts: ClusterFacts,
    *,
    name: str = "adopted",
    catalogue: str = "ethernet-2026",
    leave_out: Set[str] = frozenset(),
    routes_file: str = "",
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
    routes_file : str
        Name of a file beside the design for routes that no scheme has. Default: none, so that a
        remark tells of them.

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
    has_hubs = "hub" in parts_of(catalogue).defaults
    fabric = replace(sighted(facts, leave_out), has_hubs=has_hubs)
    kept = kept_values(fabric)
    remarks = (*fabric.remarks, *kept.remarks)
    if not has_hubs and any(map(fabric.is_half, range(len(fabric.segments)))):
        remarks = (*remarks, NO_HUB.format(catalogue=catalogue))
    found = most_alike(fabric, _shaped(fabric, kept, name=name, catalogue=catalogue))
    if found is None:
        _expect_no_bonds(fabric)
        custom = custom_design(fabric, kept, name=name, catalogue=catalogue)
        same = {machine: machine for machine in fabric.machines}
        found = most_alike(fabric, [(custom, same)])
        if found is None:
            compile_network(Cluster.parse(custom.text))
    assert found is not None, "a design that is refused says so when it is built"
    routes = ""
    if routes_file:
        found, routes = with_own_routes(fabric, found, routes_file)
    if found.n_different:
        remarks = (*remarks, NOT_ROUTED.format(n=found.n_different))
    if routes:
        remarks = (*remarks, OWN_ROUTES.format(file=routes_file))
    return Adopted(found.written.text, (*remarks, *found.written.remarks), routes)


def _shaped(
    fabric: Sighted, kept: Kept, *, name: str, catalogue: str
) -> Iterator[tuple[Written, Mapping[str, str]]]:
    """Yield designs of known shapes, and the node of each machine."""
    order = natural_order(fabric, kept)
    for shapes in islice(known_shapes(fabric, order), MOST_SHAPES):
        first = shaped_design(fabric, kept, shapes[0], name=name, catalogue=catalogue)
        if first is None:
            continue
        *_, most = with_backups(fabric, first)
        network = built(most) or built(first)
        if network is None:
            continue
        for shape in best_numbered(fabric, kept, shapes, network)[:MOST_NUMBERINGS]:
            written = shaped_design(fabric, kept, shape, name=name, catalogue=catalogue)
            if written:
                yield written, shape.node_of


def _expect_no_bonds(fabric: Sighted) -> None:
    for machine, bonds in fabric.bonds.items():
        for bond, members in bonds.items():
            raise CapabilityError(
                f"{machine}: {bond} joins {', '.join(members)}, and the machines are not one of "
                "the kinds with bonds",
                "take the bond apart, or plug every machine into the same two switches",
            )
