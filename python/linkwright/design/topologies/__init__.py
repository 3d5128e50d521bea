"""Topologies: one per file, registered here by kind.

A package outside registers its own under the entry point group `linkwright.topologies`.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import entry_points
from types import MappingProxyType
from typing import get_args

from linkwright.design.topologies.bonded_dual_net import BondedDualNet
from linkwright.design.topologies.closed_forms import ClosedForms
from linkwright.design.topologies.direct import Direct
from linkwright.design.topologies.fat_tree import FatTree
from linkwright.design.topologies.full_mesh import FullMesh
from linkwright.design.topologies.hub import Hub
from linkwright.design.topologies.hub_switch import HubSwitch
from linkwright.design.topologies.hypercube import Hypercube
from linkwright.design.topologies.hyperx import HyperX
from linkwright.design.topologies.mesh import Mesh
from linkwright.design.topologies.p_mesh import PMesh
from linkwright.design.topologies.ring import Ring
from linkwright.design.topologies.routed_mesh import RoutedMesh
from linkwright.design.topologies.single_net import SingleNet
from linkwright.design.topologies.stack_mesh import StackMesh
from linkwright.design.topologies.stack_ring import StackRing
from linkwright.design.topologies.switch import Switch
from linkwright.design.topologies.switched_mesh import BondedSwitchedMesh, SwitchedMesh
from linkwright.design.topologies.topology import Topology
from linkwright.design.topologies.torus import Torus
from linkwright.design.topologies.tree import Tree
from linkwright.design.topologies.wiring import Limits, Wiring

__all__ = ["TOPOLOGIES", "ClosedForms", "Limits", "Topology", "Wiring"]

_BUILT_IN: tuple[type[Topology], ...] = (
    Direct,
    Hub,
    SingleNet,
    Switch,
    HubSwitch,
    FullMesh,
    Torus,
    Ring,
    Hypercube,
    Mesh,
    Tree,
    FatTree,
    PMesh,
    HyperX,
    RoutedMesh,
    SwitchedMesh,
    BondedDualNet,
    BondedSwitchedMesh,
    StackRing,
    StackMesh,
)


def _registered() -> Mapping[str, type[Topology]]:
    found = entry_points(group="linkwright.topologies")
    classes = [*_BUILT_IN, *(point.load() for point in sorted(found, key=lambda one: one.name))]
    return MappingProxyType(
        {get_args(one.model_fields["kind"].annotation)[0]: one for one in classes}
    )


TOPOLOGIES: Mapping[str, type[Topology]] = _registered()
"""Kind -> class."""
