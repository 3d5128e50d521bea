"""The cost of networks, by the ports in use and by the whole units a buyer must order.

Prices are those of whitney-1998, so that the papers' figures can be read off.
"""

from __future__ import annotations

from typing import Any

import pytest
from tests.plan.networks import NO_SLOT_LIMIT, network

from linkwright.errors import PlanError
from linkwright.plan import price
from linkwright.plan.cost import n_nics

# Prices of whitney-1998: NIC 30, hub port 50, switch port 150, gigabit port 2500, cable 5.
CASES: list[tuple[dict[str, Any], float, float]] = [
    ({"kind": "direct"}, 30, 30 + 5 / 2),
    ({"kind": "hub", "nodes": 16}, 80, 30 + 50 + 5),
    ({"kind": "hub", "nodes": 17}, 80, 30 + 24 * 50 / 17 + 5),
    ({"kind": "switch", "nodes": 16}, 180, 30 + 150 + 5),
    ({"kind": "full-mesh", "nodes": 4}, 90, 90 + 6 * 5 / 4),
    ({"kind": "torus", "shape": [4, 4]}, 120, 120 + 2 * 5),
    ({"kind": "p-mesh", "shape": [4, 4], "lines_per_switch": 4}, 360, 360 + 10),
    # Each line of four on a switch of its own: eight switches of 16 ports.
    ({"kind": "p-mesh", "shape": [4, 4], "lines_per_switch": 1}, 360, 60 + 8 * 16 * 150 / 16 + 10),
    # Two leaves with eight nodes each pay their uplinks by the 24 nodes that a leaf has room for;
    # to buy are two leaves of 24 ports, four uplink ports in them and a root of six ports.
    (
        {"kind": "tree", "nodes": 16},
        180 + 4 / 24 * 2500,
        30 + 5 + (2 * 24 * 150 + (4 + 6) * 2500 + 4 * 5) / 16,
    ),
    (
        {"kind": "tree", "leaves": 32, "nodes_per_leaf": 24, "uplinks": 2, "roots": 2},
        180 + 4 / 24 * 2500,
        180 + 4 / 24 * 2500 + 5 * (768 + 64) / 768,
    ),
]


@pytest.mark.parametrize(("fields", "ports_used", "units_bought"), CASES)
def test_both_ways_per_node(fields: dict[str, Any], ports_used: float, units_bought: float) -> None:
    cost = price(network(**fields))
    assert cost.ports_used_per_node == pytest.approx(ports_used)
    assert cost.units_bought_per_node == pytest.approx(units_bought)
    assert cost.currency == "USD"


# Prices of ethernet-2026: a NIC of two ports 93, of one 46, a switch of eight ports 360, cable 12.
WITH_TWO_PORTS: list[tuple[dict[str, Any], float, float]] = [
    ({"kind": "torus", "shape": [3]}, 93, 93 + 12),
    ({"kind": "torus", "shape": [3, 3]}, 2 * 93, 2 * 93 + 2 * 12),
    ({"kind": "mesh", "shape": [3]}, 93 * 4 / 2 / 3, 93 + 12 * 2 / 3),
    ({"kind": "switch", "nodes": 4}, 93 / 2 + 360 / 8, 93 + 360 / 4 + 12),
]


@pytest.mark.parametrize(("fields", "ports_used", "units_bought"), WITH_TWO_PORTS)
def test_a_nic_of_two_ports_is_bought_whole(
    fields: dict[str, Any], ports_used: float, units_bought: float
) -> None:
    parts = {"catalogue": "ethernet-2026", "nic": "nic-10g-dual"}
    cost = price(network(**fields, sections={"parts": parts}))
    assert cost.ports_used_per_node == pytest.approx(ports_used)
    assert cost.units_bought_per_node == pytest.approx(units_bought)


def test_the_front_end_has_cards_of_its_own() -> None:
    parts = {"catalogue": "ethernet-2026", "nic": "nic-10g-dual"}
    served = network("torus", shape=[3], sections={"parts": parts, "front_end": True})
    assert n_nics(served) == 2 + 1 + 1 + 1


def test_roles_add_up_to_the_whole() -> None:
    cost = price(network("tree", leaves=4, nodes_per_leaf=8))
    used, bought = (sum(values) for values in zip(*cost.per_role().values(), strict=True))
    assert used == pytest.approx(cost.ports_used_per_node)
    assert bought == pytest.approx(cost.units_bought_per_node)


def test_the_front_end_is_bought_but_not_counted_by_ports() -> None:
    alone = price(network("hub", nodes=16))
    served = price(network("hub", nodes=16, sections={"front_end": True}))
    assert served.ports_used == alone.ports_used
    quantity = {line.item: line.quantity for line in served.units_bought}
    assert quantity == {"NIC": 17, "hub, 24 ports": 1, "cable, straight": 17}


def test_a_price_can_be_overridden() -> None:
    parts = {"nic": {"price": 50, "date": "1997-06-01"}}
    cost = price(network("direct", sections={"parts": parts}))
    assert cost.ports_used_per_node == 50
    assert str(cost.ports_used[0].price_date) == "1997-06-01"


def test_two_currencies_are_refused() -> None:
    parts = {"nic": {"price": 50, "date": "1997-06-01", "currency": "EUR"}}
    with pytest.raises(PlanError, match="EUR and USD"):
        price(network("hub", nodes=2, sections={"parts": parts}))


@pytest.mark.parametrize("n_nodes", [2, 3, 8])
def test_a_full_mesh_is_all_nics(n_nodes: int) -> None:
    cost = price(network("full-mesh", nodes=n_nodes, sections=NO_SLOT_LIMIT))
    assert cost.ports_used_per_node == 30 * (n_nodes - 1)
