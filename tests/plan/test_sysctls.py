"""The kernel settings in a plan: which nodes have them, and the interfaces that they name.

Kernels under these settings are asked in tests/emulation.
"""

from __future__ import annotations

import numpy as np
import pytest
from tests.kinds import compiled, examples
from tests.plan.networks import network, rows

from linkwright.network import Network
from linkwright.plan import Facts, check


def settings(built: Network) -> dict[str, dict[str, str]]:
    """Return the settings of each node that has any."""
    found: dict[str, dict[str, str]] = {}
    for row in rows(Facts(built).tables["sysctl.csv"]):
        assert row["reason"]
        assert row["key"] not in found.setdefault(row["node"], {})
        found[row["node"]][row["key"]] = row["value"]
    return found


def relays(built: Network) -> set[str]:
    """Return the nodes inside the paths from every node to every address."""
    addresses = np.arange(len(built.addresses.node))
    sender, to = (grid.ravel() for grid in np.meshgrid(np.arange(built.n_nodes), addresses))
    is_other = built.addresses.node[to] != sender
    paths = built.core.paths(sender[is_other].astype(np.uint32), to[is_other].astype(np.uint32))
    inside = [
        paths.device[first + 1 : end - 1]
        for first, end in zip(paths.start[:-1], paths.start[1:], strict=True)
    ]
    nodes = np.unique(np.concatenate(inside)).tolist() if inside else []
    return {built.device_names[node] for node in nodes if node < built.n_nodes}


@pytest.mark.parametrize("name", examples(most_nodes=9))
def test_nodes_inside_paths_forward_and_no_others(name: str) -> None:
    built = compiled(examples(most_nodes=9)[name])
    found = settings(built)
    assert {node for node, keys in found.items() if "net.ipv4.ip_forward" in keys} == relays(built)


def test_both_families_forward() -> None:
    sections = {"addressing": {"ipv4": True, "ipv6": True}, "routing": {"fallback": True}}
    found = settings(network("ring", shape=[3], sections=sections))
    assert set(found) == {"n0", "n1", "n2"}
    for family, forward in (("ipv4", "ip_forward"), ("ipv6", "conf.all.forwarding")):
        for keys in found.values():
            assert keys[f"net.{family}.{forward}"] == "1"
            for nic in ("eth0", "eth1"):
                assert keys[f"net.{family}.conf.{nic}.ignore_routes_with_linkdown"] == "1"
    assert found["n0"]["net.ipv4.conf.eth1.rp_filter"] == "2"


def test_a_bond_is_named_as_the_kernel_names_it() -> None:
    sections = {"routing": {"fallback": True}}
    found = settings(network("bonded-dual-net", nodes=3, sections=sections))
    assert set(found["n0"]) == {"net.ipv4.conf.bond0.ignore_routes_with_linkdown"}


@pytest.mark.parametrize(("n", "has_more"), [(1025, False), (1026, True)])
def test_tables_of_neighbours_grow_with_the_segment(n: int, *, has_more: bool) -> None:
    found = settings(network("single-net", nodes=n))
    grown = {"net.ipv4.neigh.default.gc_thresh1": "2048"}
    assert (grown.items() <= found.get("n0000", {}).items()) == has_more


def test_a_network_without_relays_needs_nothing() -> None:
    assert settings(network("switch", nodes=4)) == {}


@pytest.mark.parametrize(("sides", "fallback", "is_long"), [(64, False, False), (140, False, True)])
def test_long_paths_have_a_larger_ttl(sides: int, fallback: bool, is_long: bool) -> None:
    sections = {"addressing": {"ipv4": True, "ipv6": True}, "routing": {"fallback": fallback}}
    found = settings(network("ring", shape=[sides], sections=sections))
    keys = {
        "net.ipv4.ip_default_ttl",
        "net.ipv6.conf.eth0.hop_limit",
        "net.ipv6.conf.eth1.hop_limit",
    }
    for of_node in found.values():
        assert {key: "255" for key in keys if is_long} == {
            key: value for key, value in of_node.items() if key in keys
        }


@pytest.mark.parametrize(("sides", "is_long"), [(40, False), (48, True)])
def test_a_packet_that_is_turned_back_at_a_cut_does_not_die(sides: int, is_long: bool) -> None:
    """On a ring of 48, one from n0 to n24 is forwarded 69 times if the last cable is cut."""
    built = network("ring", shape=[sides], sections={"routing": {"fallback": "by-interface"}})
    found = settings(built)
    assert all((keys.get("net.ipv4.ip_default_ttl") == "255") == is_long for keys in found.values())
    assert any(one.rule == "time-to-live" for one in check(built)) == is_long
