"""Marks for connections of IPv6, and tables by source address: the rows of the plan, and findings.

Kernels under these plans are tried in tests/emulation and tests/exporters.
"""

from __future__ import annotations

from ipaddress import ip_address, ip_network

import pytest
from tests.exporters.machines import BOTH, SHARED
from tests.plan.networks import network, rows

from linkwright.design.cluster import Cluster
from linkwright.network import Network
from linkwright.network import compile as compile_network
from linkwright.plan import check, plan


def shared(sections: str = "") -> Network:
    """Return two nodes with two ports each on one switch."""
    return compile_network(Cluster.parse(f"name: t\n{SHARED}{sections}"))


@pytest.mark.parametrize("routing", [{"fallback": True}, {"fallback": "by-interface"}])
def test_all_nodes_mark_packets_to_every_address_of_ipv6(routing: dict[str, object]) -> None:
    sections = {"routing": routing, "addressing": {"ipv4": True, "ipv6": True}}
    files = plan(network("ring", shape=[5], sections=sections))
    marks = rows(files["marks.csv"])
    assert {row["node"] for row in marks} == {f"n{number}" for number in range(5)}
    destination = ip_network(marks[0]["destination"])
    known = [row["address"] for row in rows(files["interfaces.csv"]) if ":" in row["address"]]
    assert known
    assert all(ip_address(address) in destination for address in known)
    assert all(row["reason"] and row["mark"].startswith("0x") for row in marks)


@pytest.mark.parametrize(
    ("routing", "addressing"),
    [
        ({"fallback": True}, {"ipv4": True}),
        ({}, {"ipv4": True, "ipv6": True}),
        ({"daemon": "ospf"}, {"ipv4": True, "ipv6": True}),
    ],
)
def test_others_mark_nothing(routing: dict[str, object], addressing: dict[str, object]) -> None:
    sections = {"routing": routing, "addressing": addressing}
    built = network("ring", shape=[5], sections=sections)
    assert "marks.csv" not in plan(built)
    assert "marks" not in {one.rule for one in check(built)}


def test_check_says_that_connections_need_marks() -> None:
    sections = {"routing": {"fallback": True}, "addressing": {"ipv4": True, "ipv6": True}}
    found = {one.rule: one for one in check(network("ring", shape=[3], sections=sections))}
    assert "marks.csv" in found["marks"].fix


def test_each_port_on_a_segment_has_a_table_for_its_address() -> None:
    files = plan(shared())
    rules = [row for row in rows(files["rules.csv"]) if row["node"] == "a"]
    assert [(row["from_nic"], row["table"], row["from_address"]) for row in rules] == [
        ("", "2000", "10.0.0.1"),
        ("", "2001", "10.0.0.2"),
    ]
    routes = [row for row in rows(files["routes.csv"]) if row["node"] == "a" and row["table"]]
    assert {(row["table"], row["nic"], row["src"]) for row in routes} == {
        ("2000", "r0", "10.0.0.1"),
        ("2001", "r1", "10.0.0.2"),
    }
    assert {(row["destination"], row["via"]) for row in routes} == {
        ("10.0.0.0/29", ""),
        ("10.128.0.2/32", "10.0.0.4"),
    }


def test_both_families_have_tables_by_source() -> None:
    rules = rows(plan(shared(BOTH))["rules.csv"])
    assert sum(":" in row["from_address"] for row in rules) == len(rules) / 2 == 4


def test_ports_on_a_segment_answer_and_ask_for_themselves() -> None:
    settings = {
        (row["node"], row["key"]): row["value"] for row in rows(plan(shared())["sysctl.csv"])
    }
    for node in "ab":
        for port in ("r0", "r1"):
            assert settings[node, f"net.ipv4.conf.{port}.arp_ignore"] == "1"
            assert settings[node, f"net.ipv4.conf.{port}.arp_announce"] == "2"
            assert settings[node, f"net.ipv4.conf.{port}.rp_filter"] == "2"


def test_check_names_the_ports_that_share_a_segment() -> None:
    found = {one.rule: one for one in check(shared())}["shared-segment"]
    assert found.reason.startswith("r0 and r1 of a share a segment, as do ports of 1 other node")
    assert "shared-segment" not in {one.rule for one in check(network("switch", nodes=4))}
    bonded = network("bonded-dual-net", nodes=3)
    assert "shared-segment" not in {one.rule for one in check(bonded)}
