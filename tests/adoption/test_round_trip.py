"""Facts rendered from a plan are adopted as a design that gives this plan again: as a property of
networks of every kind, whatever the order of the machines and the names of their NICs.
"""

from __future__ import annotations

import json
import random

import pytest
from tests.as_built.rendered import facts_of
from tests.kinds import KINDS, PARTS, compiled, network

from linkwright.adoption import adopt
from linkwright.as_built import verify
from linkwright.design.cluster import Cluster
from linkwright.facts import ClusterFacts
from linkwright.network import Network
from linkwright.network import compile as compile_network
from linkwright.plan.exporters.network_plan import NetworkPlan

SEEN_AS = {
    "hub": "switch", "single-net": "switch", "hub-switch": "switch", "tree": "switch",
    "fat-tree": "switch", "hypercube": "torus", "routed-mesh": "p-mesh",
    "bonded-dual-net": "bonded-switches", "bonded-switched-mesh": "bonded-switches",
}  # fmt: skip
"""Kinds that have the segments of a simpler one, whose switches machines do not see."""
ROUTED = {name for name in KINDS if (network(name).wiring.is_routed_switch).any()}
"""Networks with switches that route, which are no machines with facts."""


def adopted(facts: ClusterFacts) -> Network:
    text = adopt(facts, catalogue=str(PARTS["catalogue"])).text
    return compile_network(Cluster.parse(text))


def addresses(network: Network) -> dict[str, set[tuple[str, tuple[str, ...]]]]:
    """Return the interfaces of each machine and their addresses."""
    return {
        node.host.name: {(one.name, one.addresses) for one in node.interfaces if one.addresses}
        for node in NetworkPlan(network).nodes()
    }


@pytest.mark.parametrize("name", [name for name in KINDS if name not in ROUTED])
def test_a_plan_is_adopted_as_itself(name: str) -> None:
    planned = network(name)
    facts = facts_of(planned).facts()
    found = adopted(facts)
    assert addresses(found) == addresses(planned)
    assert [one.reason for one in verify(found, facts).findings] == []
    if " " not in name:
        assert found.kind == SEEN_AS.get(planned.kind, planned.kind)


@pytest.mark.parametrize("name", ["torus", "p-mesh", "full-mesh", "mesh"])
def test_names_of_machines_and_nics_and_their_order_do_not_matter(name: str) -> None:
    planned = network(name)
    names = [f"box{number}" for number in range(planned.n_nodes)]
    nodes = {
        node: {
            "name": box,
            "nics": {f"eth{port}": {"name": f"lan{9 - port}"} for port in range(n_ports)},
        }
        for node, box, n_ports in zip(
            planned.device_names, names, planned.wiring.n_ports.tolist(), strict=False
        )
    }
    given = facts_of(compiled(KINDS[name], nodes=nodes)).given
    for machine in given["machines"]:
        machine["name"] = machine["hostname"]
    for cable in given["cables"]:
        box_of = dict(zip(planned.device_names, names, strict=False))
        cable["ends"] = [[box_of[node], port] for node, port in cable["ends"]]
    random.Random(7).shuffle(given["machines"])
    for machine in given["machines"]:
        machine["routes"] = []
    facts = ClusterFacts.parse(json.dumps(given))
    found = adopted(facts)
    assert found.kind == planned.kind
    kinds = {"wrong-address", "missing-address", "swapped-cable", "missing-cable", "extra-cable"}
    findings = verify(found, facts)
    assert findings.cabling.moves == ()
    assert not [one for one in findings.findings if one.kind in kinds]


def test_addresses_and_mtus_of_ones_own_are_kept() -> None:
    nodes = {
        "n0": {
            "address": "10.99.0.1",
            "nics": {"eth0": {"address": "192.168.10.1/24", "mtu": 1400}},
        },
        "n1": {"nics": {"eth1": {"address": "192.168.10.2/24"}}},
    }
    planned = compiled({"kind": "ring", "shape": [4]}, nodes=nodes)
    facts = facts_of(planned).facts()
    found = adopted(facts)
    assert found.kind == "ring"
    assert addresses(found) == addresses(planned)
    assert sorted(found.port_mtu.tolist()) == sorted(planned.port_mtu.tolist())
    assert verify(found, facts).findings == ()


def test_two_families_are_kept() -> None:
    bases = {"ipv4": "172.16.0.0/12", "ipv6": "fd00:aa::/48"}
    planned = compiled({"kind": "ring", "shape": [5]}, addressing=bases)
    facts = facts_of(planned).facts()
    assert addresses(adopted(facts)) == addresses(planned)


@pytest.mark.parametrize("fallback", [True, "by-interface"])
def test_backup_routes_are_adopted(fallback: bool | str) -> None:
    routing = {"fallback": fallback}
    planned = compiled({"kind": "ring", "shape": [5]}, routing=routing)
    facts = facts_of(planned).facts()
    assert verify(adopted(facts), facts).findings == ()
