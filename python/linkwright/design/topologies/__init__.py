"""Topologies: one per file, registered here by kind.

An outside package registers its own under the entry point group `linkwright.topologies`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import get_args

from linkwright.design.topologies.closed_forms import ClosedForms
from linkwright.design.topologies.topology import Topology
from linkwright.design.topologies.wiring import Limits, Wiring
from linkwright.registry import Registry

__all__ = ["TOPOLOGIES", "ClosedForms", "Limits", "Topology", "Wiring"]


class _Topologies(Registry[type[Topology]]):
    """The kinds of Linkwright, then those of outside packages."""

    @cached_property
    def _outside(self) -> dict[str, type[Topology]]:
        from importlib.metadata import entry_points

        found = sorted(entry_points(group="linkwright.topologies"), key=lambda one: one.name)
        classes = [point.load() for point in found]
        return {get_args(one.model_fields["kind"].annotation)[0]: one for one in classes}

    def __getitem__(self, name: str) -> type[Topology]:
        return super().__getitem__(name) if super().__contains__(name) else self._outside[name]

    def __iter__(self) -> Iterator[str]:
        yield from super().__iter__()
        yield from self._outside

    def __len__(self) -> int:
        return super().__len__() + len(self._outside)

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or name in self._outside


TOPOLOGIES = _Topologies(
    __name__,
    {
        "direct": "direct:Direct",
        "hub": "hub:Hub",
        "single-net": "single_net:SingleNet",
        "switch": "switch:Switch",
        "hub-switch": "hub_switch:HubSwitch",
        "full-mesh": "full_mesh:FullMesh",
        "torus": "torus:Torus",
        "ring": "ring:Ring",
        "hypercube": "hypercube:Hypercube",
        "mesh": "mesh:Mesh",
        "tree": "tree:Tree",
        "fat-tree": "fat_tree:FatTree",
        "p-mesh": "p_mesh:PMesh",
        "hyperx": "hyperx:HyperX",
        "routed-mesh": "routed_mesh:RoutedMesh",
        "switched-mesh": "switched_mesh:SwitchedMesh",
        "bonded-dual-net": "bonded_dual_net:BondedDualNet",
        "bonded-switches": "bonded_switches:BondedSwitches",
        "bonded-switched-mesh": "switched_mesh:BondedSwitchedMesh",
        "stack-ring": "stack_ring:StackRing",
        "stack-mesh": "stack_mesh:StackMesh",
        "custom": "custom:Custom",
    },
)
"""Kind -> class."""
