"""Machines with unnumbered ports beside their plan, and adopted: with the address of the machine on
each port, and without any.
"""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from tests.adoption.permuted import permuted_facts
from tests.as_built.rendered import Rendered, facts_of
from tests.kinds import PARTS, compiled

from linkwright.adoption import adopt
from linkwright.as_built import verify
from linkwright.design.cluster import Cluster
from linkwright.facts import ClusterFacts
from linkwright.network import Network
from linkwright.network import compile as compile_network

RING = {"kind": "ring", "shape": [5]}
UNNUMBERED = {"scheme": "unnumbered"}
ONE = {
    "n0": {"nics": {"eth0": {"unnumbered": True}}},
    "n1": {"nics": {"eth1": {"unnumbered": True}}},
}


def all_cables() -> Network:
    return compiled(RING, addressing=UNNUMBERED, routing={"fallback": True})


def one_cable() -> Network:
    return compiled(RING, addressing={"scheme": "per-link"}, nodes=ONE)


def two_families() -> Network:
    addressing = {**UNNUMBERED, "ipv4": True, "ipv6": True}
    return compiled(RING, addressing=addressing, routing={"fallback": "by-interface"})


def bare(rendered: Rendered) -> Rendered:
    """Take the borrowed addresses away."""
    for machine in rendered.given["machines"]:
        for one in machine["interfaces"]:
            if one["kind"] == "ether":
                one["addresses"] = [each for each in one["addresses"] if "/32" not in each]
    return rendered


def through_itself(rendered: Rendered) -> Rendered:
    """Write routes on the link as routes by the neighbour itself, as `onlink` allows."""
    for machine in rendered.given["machines"]:
        for one in machine["routes"]:
            if one.get("protocol") == "static" and "/" not in one["dst"]:
                one.setdefault("gateway", one["dst"])
    return rendered


FORMS = [lambda rendered: rendered, bare, through_itself]


@pytest.mark.parametrize("form", FORMS, ids=["borrowed", "bare", "through-itself"])
@pytest.mark.parametrize("network", [all_cables, one_cable, two_families])
def test_each_form_is_as_planned_and_is_adopted(
    network: Callable[[], Network], form: Callable[[Rendered], Rendered]
) -> None:
    rendered = form(facts_of(network()))
    assert [one.reason for one in rendered.verify().findings] == []
    found = adopt(rendered.facts(), catalogue=str(PARTS["catalogue"]))
    assert "kind: ring" in found.text
    assert found.text.count("unnumbered") == (2 if network is one_cable else 1)
    adopted = compile_network(Cluster.parse(found.text))
    assert [one.reason for one in verify(adopted, rendered.facts()).findings] == []


def test_names_and_order_do_not_matter() -> None:
    topology = {"kind": "torus", "shape": [3, 3]}
    facts = permuted_facts(topology, seed=5, addressing=UNNUMBERED, routing={"fallback": True})
    found = adopt(facts, catalogue=str(PARTS["catalogue"]))
    assert "scheme: unnumbered" in found.text
    assert "kind: torus" in found.text
    assert verify(compile_network(Cluster.parse(found.text)), facts).findings == ()


def test_an_address_of_its_own_on_an_unnumbered_port_is_found() -> None:
    rendered = facts_of(all_cables())
    rendered.interface("n0", "eth0")["addresses"] = ["10.55.0.1/24"]
    found = {(one.kind, one.nic) for one in rendered.verify().findings}
    assert found == {("missing-address", "eth0"), ("extra-address", "eth0")}


def test_a_port_with_the_address_of_another_machine_is_found() -> None:
    rendered = facts_of(all_cables())
    other = rendered.interface("n1", "eth0")["addresses"]
    rendered.interface("n0", "eth0")["addresses"] = list(other)
    assert "duplicate-address" in {one.kind for one in rendered.verify().findings}


def test_bare_cables_without_routes_get_the_addresses_of_a_scheme() -> None:
    rendered = bare(facts_of(one_cable()))
    for machine in rendered.given["machines"]:
        machine["routes"] = []
    text = json.dumps(rendered.given)
    found = adopt(ClusterFacts.parse(text), catalogue=str(PARTS["catalogue"]))
    assert "unnumbered" not in found.text
    compile_network(Cluster.parse(found.text))
