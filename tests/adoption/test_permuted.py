"""Machines of every kind of network are adopted as they are, whatever the names and the order of
machines and ports: `verify` finds nothing.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.adoption.permuted import permuted_facts
from tests.kinds import KINDS, PARTS, compiled, network

from linkwright.adoption import Adopted, adopt
from linkwright.as_built import verify
from linkwright.design.cluster import Cluster
from linkwright.facts import ClusterFacts
from linkwright.network import Network
from linkwright.network import compile as compile_network

NAMES = [
    name
    for name in KINDS
    if not network(name).wiring.is_routed_switch.any() and not name.startswith("custom")
]
HARD = ("torus shape=(2, 3)", "p-mesh shape=(2, 3, 2)", "stack-ring", "switched-mesh")
"""Kinds with many ties, which are tried with and without backups, under both sorts of names."""
AFTER = Path("examples/four-boxes-after.json")


def adopted(facts: ClusterFacts, folder: Path) -> tuple[Adopted, Network]:
    found = adopt(facts, catalogue=str(PARTS["catalogue"]), routes_file="routes.csv")
    (folder / "routes.csv").write_text(found.routes)
    return found, compile_network(Cluster.parse(found.text, folder))


def expect_clean(facts: ClusterFacts, folder: Path) -> None:
    _, network = adopted(facts, folder)
    assert [one.reason for one in verify(network, facts).findings] == []


@pytest.mark.parametrize("number", range(len(NAMES)), ids=NAMES)
def test_verify_finds_nothing_in_an_adopted_network(number: int, tmp_path: Path) -> None:
    sections = {"routing": {"fallback": True}} if number % 2 else {}
    box = ("box", "n")[number // 2 % 2]
    facts = permuted_facts(KINDS[NAMES[number]], seed=number, box=box, **sections)
    expect_clean(facts, tmp_path)


@pytest.mark.parametrize(("fallback", "box"), [(False, "n"), (True, "box")])
@pytest.mark.parametrize("name", HARD)
def test_neither_do_ties_of_routes_show(
    name: str, fallback: bool, box: str, tmp_path: Path
) -> None:
    facts = permuted_facts(KINDS[name], seed=3, box=box, routing={"fallback": fallback})
    expect_clean(facts, tmp_path)


def test_a_ring_whose_machines_have_the_names_of_its_nodes_is_a_ring() -> None:
    found = adopt(ClusterFacts.load(AFTER))
    assert "topology: {kind: ring, shape: [4]}" in found.text
    assert not found.routes
    assert "{name:" not in found.text
    facts = ClusterFacts.load(AFTER)
    assert verify(compile_network(Cluster.parse(found.text)), facts).findings == ()


def test_routes_that_no_scheme_has_are_a_table(tmp_path: Path) -> None:
    facts = permuted_facts(KINDS["torus"], seed=3, box="n")
    found, network = adopted(facts, tmp_path)
    assert network.routing == "explicit"
    assert any("remove 'routing'" in remark for remark in found.remarks)
    without = adopt(facts, catalogue=str(PARTS["catalogue"]))
    assert not without.routes
    assert any("not kept: routes" in remark for remark in without.remarks)


def test_routes_that_a_table_leaves_out_are_said(tmp_path: Path) -> None:
    facts = permuted_facts(KINDS["torus"], seed=3, box="n")
    first, *others = facts.machines
    routed = next(one for one in first.routes if one.gateway)
    foreign = replace(routed, dst="203.0.113.0/24")
    more = replace(facts, machines=(replace(first, routes=(*first.routes, foreign)), *others))
    found, network = adopted(more, tmp_path)
    assert network.routing == "explicit"
    assert "203.0.113.0" not in found.routes
    assert any(
        "not kept: routes of the machines, of which 1 differ" in one for one in found.remarks
    )


def test_routes_that_lose_packets_are_left_to_the_scheme(tmp_path: Path) -> None:
    facts = permuted_facts({"kind": "ring", "shape": [5]}, seed=1)
    text = facts_without_routes_of(facts, "box2")
    found, network = adopted(text, tmp_path)
    assert not found.routes
    assert network.routing != "explicit"


def facts_without_routes_of(facts: ClusterFacts, name: str) -> ClusterFacts:
    import json

    given = facts.to_json()
    for machine in given["machines"]:
        if machine["name"] == name:
            machine["routes"] = [
                one
                for one in machine["routes"]
                if not one.get("gateway") or one["dst"] == "default"
            ]
    return ClusterFacts.parse(json.dumps(given))


@pytest.mark.parametrize(("nodes", "duplex", "kind"), [(2, None, "switch"), (3, "half", "hub")])
def test_a_shared_segment_is_a_switch_or_a_hub(nodes: int, duplex: str | None, kind: str) -> None:
    import json

    facts = permuted_facts({"kind": "switch", "nodes": nodes}, seed=1).to_json()
    for machine in facts["machines"]:
        for one in machine["interfaces"]:
            one["duplex"] = duplex
    given = ClusterFacts.parse(json.dumps(facts))
    found = adopt(given, catalogue=str(PARTS["catalogue"]))
    assert f"kind: {kind}, nodes: {nodes}" in found.text
    of_today = adopt(given)
    assert f"kind: switch, nodes: {nodes}" in of_today.text
    assert (kind == "hub") == any("no hub" in remark for remark in of_today.remarks)


def test_a_switch_for_two_of_three_machines_is_a_switch() -> None:
    topology = {
        "kind": "custom",
        "nodes": {
            "a": {"nics": {"eth0": None}},
            "b": {"nics": {"eth0": None, "eth1": None}},
            "c": {"nics": {"eth0": None}},
        },
        "switches": {"s": None},
        "cables": [["a:eth0", "b:eth0"], ["b:eth1", "s"], ["c:eth0", "s"]],
    }
    base = compiled(topology)
    from tests.as_built.rendered import facts_of

    facts = facts_of(base).facts()
    found = compile_network(Cluster.parse(adopt(facts, catalogue="whitney-1998").text))
    assert [name for name in found.device_names if name.startswith("switch")] == ["switch0"]
    assert verify(found, facts).findings == ()
