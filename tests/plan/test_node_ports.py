"""Ports of nodes in the answers: `check`, the compiler, the comparison and the bill agree.

The rules that fill a node are tested with the design, in test_node_nics.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from tests.plan.networks import rows

from linkwright.comparison import compare
from linkwright.design.cluster import Cluster
from linkwright.design.parts import NicPart, NodePart, catalogue
from linkwright.errors import DesignError
from linkwright.network import Network
from linkwright.network import compile as compile_network
from linkwright.plan import Severity, check, planned, price

NOW = catalogue("ethernet-2026").parts

CABLES = {"rj45": "cat-6a", "sfp": "dac-25g", "qsfp": "dac-400g", "usb-c": "thunderbolt-5-cable"}


def built(
    topology: Mapping[str, Any], parts: Mapping[str, Any], *, lenient: bool = False, **rest: Any
) -> Network:
    fields = {"topology": topology, "parts": {"catalogue": "ethernet-2026", **parts}, **rest}
    return compile_network(Cluster.from_fields(fields), may_lack_ports=lenient)


def errors(network: Network) -> list[tuple[str, str]]:
    found = check(network)
    return [(one.rule, one.reason) for one in found if one.severity is Severity.ERROR]


def bill(network: Network) -> dict[str, tuple[str, float, float]]:
    """Return item, quantity and price of one of each NIC of bom.csv, by part."""
    return {
        row["part"]: (row["item"], float(row["quantity"]), float(row["unit_price"]))
        for row in rows(planned(network).files["bom.csv"])
        if "NIC" in row["item"]
    }


OWN = [
    pytest.param(node.key, row.nic.key, id=f"{node.key} {row.nic.key}")
    for node in NOW.values()
    if isinstance(node, NodePart)
    for row in node.built_in
]


@pytest.mark.parametrize(("machine", "nic"), OWN)
def test_a_full_mesh_of_the_ports_that_a_machine_has_and_one_node_more(
    machine: str, nic: str
) -> None:
    node, part = NOW[machine], NOW[nic]
    assert isinstance(node, NodePart)
    assert isinstance(part, NicPart)
    [own] = [row for row in node.built_in if row.nic.key == nic]
    faster = [row for row in node.built_in if row.nic.serves(part) and row is not own]
    n_ports = sum(row.count * row.nic.ports for row in [own, *faster])
    parts = {"node": machine, "nic": nic, "cable": CABLES[str(part.connector)]}
    fits = built({"kind": "full-mesh", "nodes": n_ports + 1}, parts)
    assert errors(fits) == []
    assert all(each == 0 and item == "built-in NIC" for item, _, each in bill(fits).values())
    n_nics = sum(row.count for row in [own, *faster])
    assert sum(count for _, count, _ in bill(fits).values()) == n_nics * (n_ports + 1)
    beyond = {"kind": "full-mesh", "nodes": n_ports + 2}
    [(rule, reason)] = errors(built(beyond, parts, lenient=True))
    assert rule == "nic-slots"
    assert f"needs {n_ports + 1} ports of '{nic}'" not in reason, "all nodes are in one finding"
    assert f"node 'n0' and {n_ports + 1} more need {n_ports + 1} port" in reason
    assert f"machine '{machine}' has {n_ports} built in and no free slot" in reason or node.slots
    with pytest.raises(DesignError, match=f"node 'n0' needs {n_ports + 1} port"):
        built(beyond, parts)


def test_the_comparison_says_the_same() -> None:
    parts = {"catalogue": "ethernet-2026", "node": "dgx-spark", "nic": "nic-dgx-spark"}
    fields = {"parts": {**parts, "cable": "dac-200g"}}
    designs = [
        Cluster.from_fields(
            {**fields, "name": f"of-{n}", "topology": {"kind": "full-mesh", "nodes": n}}
        )
        for n in (3, 4)
    ]
    found = compare(designs=designs)
    assert [one.name for one in found.architectures] == ["of-3"]
    [left] = found.left_out
    assert "needs 3 ports" in left.reason
    assert "2 built in and no free slot" in left.reason


@pytest.mark.parametrize(("front_end", "fits"), [(False, True), (True, False)])
def test_the_port_for_a_front_end_counts(front_end: bool, fits: bool) -> None:
    parts = {"node": "mini-pc", "nic": "usb4", "cable": "usb4-cable"}
    ring = built({"kind": "ring", "shape": [3]}, parts, lenient=True, front_end=front_end)
    assert (errors(ring) == []) == fits


def test_a_free_slot_does_not_help_a_nic_that_is_no_card() -> None:
    parts = {"node": "desktop-pc", "nic": "nic-dgx-spark", "cable": "dac-200g"}
    with pytest.raises(DesignError, match="this NIC is no card") as error:
        built({"kind": "direct"}, parts)
    assert "a NIC that is a card" in error.value.hint


MIXED = {"built_in": {"nic-25g-dual": 1}, "slots": [{"bus": "pcie", "lanes": 8, "generation": 3}]}
"""A machine with two ports of 25 GbE and a slot for a card with two more."""


def test_built_in_ports_are_free_and_the_rest_are_cards() -> None:
    parts = {"node": MIXED, "nic": "nic-25g-dual", "cable": "dac-25g"}
    torus = built({"kind": "torus", "shape": [3, 3]}, parts)
    assert errors(torus) == []
    found = planned(torus).files["bom.csv"]
    counts = {row["item"]: row for row in rows(found) if row["part"] == "nic-25g-dual"}
    assert {item: (row["quantity"], row["unit_price"]) for item, row in counts.items()} == {
        "NIC": ("9", "65.00"),
        "built-in NIC": ("9", "0.00"),
    }
    cost = price(torus)
    assert cost.ports_used_per_node == pytest.approx(65)
    assert cost.units_bought_per_node == pytest.approx(65 + 2 * 20)
    with pytest.raises(DesignError, match="has 2 built in and slots for 2 more"):
        built({"kind": "torus", "shape": [3, 3, 3]}, parts)


def test_a_faster_port_of_the_machine_serves_a_slower_nic() -> None:
    parts = {
        "node": "mini-workstation",
        "nic": "nic-2-5g",
        "cable": "cat-6a",
        "switch": "switch-2-5g",
    }
    star = built({"kind": "switch", "nodes": 4}, parts)
    assert bill(star) == {"nic-2-5g-onboard": ("built-in NIC", 4, 0)}
    ring = built({"kind": "ring", "shape": [4]}, parts)
    assert sorted(bill(ring)) == ["nic-10g-onboard", "nic-2-5g-onboard"]
    mesh = built({"kind": "torus", "shape": [3, 3]}, parts)
    assert bill(mesh)["nic-2-5g"] == ("NIC", 2 * 9, 15)


def test_a_price_file_does_not_charge_built_in_nics(tmp_path: Any) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text("[prices.usb4]\nprice = 25\ndate = 2026-11-01\n", encoding="utf-8")
    parts = {"node": "mini-pc", "nic": "usb4", "cable": "usb4-cable", "prices": str(prices)}
    ring = built({"kind": "ring", "shape": [3]}, parts)
    assert bill(ring) == {"usb4": ("built-in NIC", 6, 0)}
    assert price(ring).ports_used_per_node == 0


def test_nodes_of_a_graph_have_machines_of_their_own() -> None:
    graph = {
        "kind": "custom",
        "nodes": {
            "box": {"part": "mini-workstation", "nics": {"a": "nic-25g-dual", "b": "nic-25g-dual"}},
            "pc": {"part": "desktop-pc", "nics": {"a": "nic-25g-dual", "b": "nic-25g-dual"}},
        },
        "cables": [["box:a", "pc:a"], ["box:b", "pc:b"]],
    }
    pair = built(graph, {"cable": "dac-25g"})
    assert errors(pair) == []
    assert bill(pair) == {
        "nic-25g-dual": ("NIC", 1, 65),
        "nic-25g-onboard": ("built-in NIC", 1, 0),
    }


def test_the_own_nic_of_a_design_can_be_built_in() -> None:
    nic = {"name": "ports of our board", "rate_mbps": 10000, "connector": "sfp", "bus": "none"}
    node = {"name": "our board", "built_in": {"own-nic": 3}, "slots": []}
    mesh = built({"kind": "full-mesh", "nodes": 4}, {"node": node, "nic": nic})
    assert bill(mesh) == {"own-nic": ("built-in NIC", 12, 0)}
    with pytest.raises(DesignError, match="has 3 built in and no free slot"):
        built({"kind": "full-mesh", "nodes": 5}, {"node": node, "nic": nic})


@pytest.mark.parametrize(("number", "fits"), [(1, False), (2, True), (None, True)])
def test_max_nics_counts_any_nic(number: int | None, fits: bool) -> None:
    """Designs without a list of what a machine has count its ports as NICs that fit."""
    parts = {"node": {"max_nics": number}, "nic": "usb4", "cable": "usb4-cable"}
    ring = built({"kind": "ring", "shape": [3]}, parts, lenient=True)
    assert (errors(ring) == []) == fits


def test_a_slot_that_is_slower_than_its_card_is_said() -> None:
    node = {"slots": [{"bus": "pcie", "lanes": 8, "generation": 3}]}
    parts = {"node": node, "nic": "nic-40g-dual", "cable": "dac-40g"}
    ring = built({"kind": "ring", "shape": [3]}, parts)
    [reason] = [one.reason for one in check(ring) if one.rule == "bus-rate"]
    assert "have 80 Gb/s, its slot carries 63 each way" in reason
    pair = built({"kind": "direct"}, parts)
    assert not [one for one in check(pair) if one.rule == "bus-rate"], "one port is in use"
