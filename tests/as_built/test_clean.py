"""Machines that are as planned give no finding, whatever the network."""

from __future__ import annotations

import pytest
from tests.as_built.rendered import facts_of
from tests.kinds import KINDS, compiled, network

from linkwright.design.cluster import Cluster
from linkwright.network import compile as compile_network

EXAMPLES = ("home-ring", "whitney-16", "usb4-ring-and-lan")
SECTIONS = {
    "by interface": ({"kind": "ring", "shape": [6]}, {"routing": {"fallback": "by-interface"}}),
    "backup routes": ({"kind": "ring", "shape": [4]}, {"routing": {"fallback": True}}),
    "IPv6": ({"kind": "torus", "shape": [3, 3]}, {"addressing": {"ipv6": "fd00:10::/48"}}),
}


@pytest.mark.parametrize("name", KINDS)
def test_every_kind_is_silent(name: str) -> None:
    verdict = facts_of(network(name)).verify()
    assert [one.reason for one in verdict.findings] == []
    assert verdict.cabling.moves == ()


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_are_silent(name: str) -> None:
    found = facts_of(compile_network(Cluster.load(f"examples/{name}.yaml"))).verify()
    assert [one.reason for one in found.findings] == []
    assert "is as planned" in found.answer


@pytest.mark.parametrize("name", SECTIONS)
def test_other_routes_are_silent(name: str) -> None:
    topology, sections = SECTIONS[name]
    found = facts_of(compiled(topology, **sections)).verify()
    assert [one.reason for one in found.findings] == []


@pytest.mark.parametrize("name", KINDS)
def test_two_plugs_in_each_other_s_port_are_found_in_every_kind(name: str) -> None:
    facts = facts_of(network(name))
    sure = [one["ends"] for one in facts.given["cables"] if one["certainty"] == "sure"]
    shared = [one["ends"] for one in facts.given["cables"] if one["certainty"] == "shared"]
    pairs = sure if len(sure) > 1 else shared
    if len(pairs) < 2:
        assert len({*facts.verify().cabling.given}) == len(facts.planned.cables)
        return
    first, second = pairs[:2]
    first[0], second[1] = second[1], first[0]
    verdict = facts.verify()
    assert {one.kind for one in verdict.findings} & {"swapped-cable", "wrong-port"}
    assert len(verdict.cabling.moves) == 2
