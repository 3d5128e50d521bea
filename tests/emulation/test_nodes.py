"""Nodes as tables for their kernels, and as they come up."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from linkwright.design.cluster import Cluster
from linkwright.design.topologies import Limits, Wiring
from linkwright.design.topologies.bonded_dual_net import BondedDualNet
from linkwright.emulation.kernels import Kernels
from linkwright.network import compile as compile_network


def test_bonds_of_a_node_have_the_names_of_the_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four buses are two bonds of two NICs each; no kind of network has more than one per node."""
    build = BondedDualNet.build

    def halved(topology: BondedDualNet, limits: Limits, *, front_end: bool = False) -> Wiring:
        whole = build(topology, limits, front_end=front_end)
        bonds = [(node, first, 2) for node, _, _ in whole.bonds.tolist() for first in (0, 2)]
        return replace(whole, bonds=np.array(bonds, dtype=np.uint32))

    monkeypatch.setattr(BondedDualNet, "build", halved)
    design = "name: t\ntopology: {kind: bonded-dual-net, nodes: 3, buses: 4}\n"
    table = Kernels(compile_network(Cluster.parse(design))).table
    assert table.interface_name == ["bond0", "bond1"] * 3
