"""A network as a graph of its own has the devices, ports, cables and bill of its kind."""

from __future__ import annotations

from typing import Any

import pytest
from tests.kinds import KINDS, PARTS

from linkwright.design.cluster import Cluster
from linkwright.errors import UsageError
from linkwright.network import Network
from linkwright.network import compile as compile_design
from linkwright.plan import Facts
from linkwright.plan.by_hand import fields_by_hand

OTHERS = {
    *("tree", "fat-tree", "p-mesh", "stack-ring"),
    *("bonded-dual-net", "bonded-switches", "bonded-switched-mesh"),
    ("switch nodes=6,nfs_switch=True", True),
    ("switched-mesh", True),
}
"""Kinds with a stack, a chassis, bonds, forwarders, several paths, or two cables of a front end."""
SIMPLE = {"stack-ring stages=3,nodes_per_stage=1"}
"""Examples of these kinds without any."""


def compiled(topology: dict[str, Any], *, front_end: bool) -> Network:
    fields = {"name": "x", "topology": topology, "parts": PARTS, "front_end": front_end}
    return compile_design(Cluster.from_fields(fields))


def cables(network: Network) -> list[list[str]]:
    """Return the names of both ends of each cable, without the front end's."""
    both = zip(network.wiring.cable_a.tolist(), network.wiring.cable_b.tolist(), strict=True)
    return sorted(
        sorted(f"{network.device_names[d]}:{network.port_name(d, p)}" for d, p in ends)
        for ends in both
        if network.front_end not in (ends[0][0], ends[1][0])
    )


@pytest.mark.parametrize("front_end", [False, True])
@pytest.mark.parametrize("name", [one for one in KINDS if not one.startswith("custom")])
def test_a_network_by_hand_is_the_same(name: str, front_end: bool) -> None:
    before = compiled(KINDS[name], front_end=front_end)
    is_other = name.split()[0] in OTHERS and name not in SIMPLE
    if is_other or (name, front_end) in OTHERS:
        with pytest.raises(UsageError, match="cannot be drawn by hand: it"):
            fields_by_hand(before)
        return
    fields = fields_by_hand(before)
    after = compiled(fields, front_end=front_end)
    assert sorted(after.device_names) == sorted(before.device_names)
    assert cables(after) == cables(before)
    bill = [(line.part, line.quantity) for line in Facts(before).cost.units_bought]
    assert [(line.part, line.quantity) for line in Facts(after).cost.units_bought] == bill
    assert after.n_compute == before.n_compute
