"""Addresses and MTUs of the `nodes` section that are refused: the key, the rule and the remedy.

The laws of accepted ones are in tests/laws.
"""

from __future__ import annotations

from typing import Any

import pytest
from tests.kinds import compiled

from linkwright.errors import DesignError
from linkwright.plan import check

RING = {"kind": "ring", "shape": [4]}
SWITCH = {"kind": "switch", "nodes": 3}
BONDED = {"kind": "bonded-dual-net", "nodes": 3}


def link(first: str, second: str) -> dict[str, Any]:
    """Return the section of the cable from n0 to n1."""
    return {
        "n0": {"nics": {"eth0": {"address": first}}},
        "n1": {"nics": {"eth1": {"address": second}}},
    }


def lan(*addresses: str) -> dict[str, Any]:
    """Return the section of three nodes on a switch."""
    return {f"n{n}": {"nics": {"eth0": {"address": one}}} for n, one in enumerate(addresses)}


WRONG: dict[str, tuple[dict[str, Any], dict[str, Any], str, str]] = {
    "no address": (RING, link("x", "y"), "eth0.address': 'x' is no address", "10.1.0.1/24"),
    "no length": (RING, link("10.1.0.1", "10.1.0.2/24"), "has no prefix length", "10.1.0.1/24"),
    "a zone": (RING, link("fd00::1%eth0/64", "fd00::2/64"), "has a zone", "give one"),
    "group": (RING, link("224.0.0.1/24", "224.0.0.2/24"), "for groups", "private"),
    "first of the subnet": (RING, link("10.1.0.0/24", "10.1.0.2/24"), "first or last", "10.1.0.1/"),
    "another subnet": (
        RING, link("10.1.0.1/24", "10.2.0.2/24"),
        "n0:eth0 is in 10.1.0.0/24, and n1:eth1 on the same link is in 10.2.0.0/24", "n1:eth1",
    ),
    "another length": (
        RING, link("10.1.0.1/24", "10.1.0.2/25"), "on the same link is in 10.1.0.0/25", "n1:eth1",
    ),
    "one end only": (
        RING, {"n0": link("10.1.0.1/24", "")["n0"]}, "by the address scheme", "'address' of 10.1.0",
    ),
    "twice": (RING, link("10.1.0.1/24", "10.1.0.1/24"), "both have 10.1.0.1", "another address"),
    "overlap with the scheme": (
        RING, link("10.99.0.1/8", "10.99.0.2/8"),
        "overlaps .* of .*, by the address scheme, but share no link", "another base prefix",
    ),
    "one subnet on two links": (
        RING,
        link("10.1.0.1/24", "10.1.0.2/24")
        | {"n2": {"nics": {"eth0": {"address": "10.1.0.3/24"}}},
           "n3": {"nics": {"eth1": {"address": "10.1.0.4/24"}}}},
        "are both in 10.1.0.0/24, but share no link", "subnet of its own",
    ),
    "a subnet in another": (
        RING,
        link("192.168.0.1/16", "192.168.0.2/16")
        | {"n2": {"nics": {"eth0": {"address": "192.168.1.1/24"}}},
           "n3": {"nics": {"eth1": {"address": "192.168.1.2/24"}}}},
        "192.168.1.0/24 of n2:eth0 overlaps 192.168.0.0/16 of n", "subnet of its own",
    ),
    "two of a family": (
        RING, {"n0": {"nics": {"eth0": {"address": ["10.1.0.1/24", "10.1.0.2/24"]}}}},
        "two addresses of IPv4", "keep one",
    ),
    "family": (RING, link("fd00::1/64", "fd00::2/64"), "IPv6, which the design", "ipv6: true"),
    "identity in a subnet": (
        RING, {"n0": {"address": "10.0.0.1"}}, "10.0.0.1", "'addressing' another base",
    ),
    "identity with a subnet": (
        RING, {"n0": {"address": "10.9.0.1/24"}}, "on the loopback, where", "write 10.9.0.1",
    ),
    "identity of no NIC": (
        SWITCH, {"n0": {"address": "10.9.0.1"}}, "10.9.0.1 is not", "identities: loopback",
    ),
    "broadcast on a LAN": (
        SWITCH, lan("10.1.0.255/24", "10.1.0.1/24", "10.1.0.2/24"), "first or last", "10.1.0.1/24",
    ),
    "a LAN of two subnets": (
        SWITCH, lan("10.1.0.1/24", "10.1.0.2/24", "10.1.1.3/24"), "n2:eth0 on the same", "10.1.0.0",
    ),
    "behind the first of a bond": (
        BONDED, {"n0": {"nics": {"eth1": {"address": "10.1.0.1/24"}}}},
        "n0:eth1 is no interface", "first NIC of the bond",
    ),
    "no NIC": (RING, {"n0": {"nics": {"eth7": {"mtu": 1400}}}}, "no NIC 'eth7'", "eth0"),
    "two MTUs": (
        RING,
        {"n0": {"nics": {"eth0": {"mtu": 1400}}}, "n1": {"nics": {"eth1": {"mtu": 1300}}}},
        "'nodes.n1.nics.eth1.mtu' is 1300, 'nodes.n0.nics.eth0.mtu' on the same link is 1400",
        "both the same",
    ),
    "MTU of a part": (
        RING, {"n0": {"nics": {"eth0": {"mtu": 9000}}}}, "mtu' is 9000, nic .* 1500", "at most",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_value_is_refused_with_its_key_rule_and_remedy(case: str) -> None:
    topology, nodes, rule, remedy = WRONG[case]
    with pytest.raises(DesignError, match=rule) as error:
        compiled(topology, nodes=nodes)
    assert "nodes." in error.value.message
    assert remedy in (error.value.hint or "")


def test_a_node_can_choose_its_identity_among_its_nics() -> None:
    own = {f"n{n}": {"nics": {}} for n in range(3)}
    pairs = [
        ("n0", "eth0", "n1", "eth1"),
        ("n1", "eth0", "n2", "eth1"),
        ("n2", "eth0", "n0", "eth1"),
    ]
    for number, (a, a_nic, b, b_nic) in enumerate(pairs):
        own[a]["nics"][a_nic] = {"address": f"10.{number}.0.1/24"}
        own[b]["nics"][b_nic] = {"address": f"10.{number}.0.2/24"}
    ring = {"kind": "ring", "shape": [3]}
    addressing = {"scheme": "per-segment"}
    first = compiled(ring, addressing=addressing, nodes=own)
    assert [str(first.addresses.ip[row].ip) for row in first.addresses.identity] == [
        "10.0.0.1", "10.1.0.1", "10.2.0.1",
    ]  # fmt: skip
    nodes = {**own, "n1": {**own["n1"], "address": "10.0.0.2"}}
    chosen = compiled(ring, addressing=addressing, nodes=nodes)
    assert str(chosen.addresses.ip[chosen.addresses.identity[1]].ip) == "10.0.0.2"
    assert not [one for one in check(chosen) if one.severity == "error"]


def test_a_node_that_forwards_between_links_with_different_mtus_is_found() -> None:
    uniform = compiled(RING, mtu=1400)
    mixed = compiled(RING, nodes={"n0": {"nics": {"eth0": {"mtu": 1400}}}})
    found = [one for one in check(mixed) if one.rule == "mtu-differs"]
    assert [one.place for one in found] == ["n0"]
    assert "(and 1 more node)" in found[0].reason
    assert mixed.mtu == 1400
    assert not [one for one in check(uniform) if one.rule == "mtu-differs"]
