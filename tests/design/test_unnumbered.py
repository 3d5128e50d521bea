"""Ports that borrow the address of their node: their form, their proofs, and designs in which they
have nothing to borrow.

Emulations of them are in tests/emulation, real managers in tests/exporters.
"""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from tests.kinds import compiled

from linkwright.design.cluster import Cluster
from linkwright.errors import CapabilityError, DesignError
from linkwright.network import Network
from linkwright.network import compile as compile_network
from linkwright.nodes.routes import relays_of
from linkwright.plan import check, export, plan
from linkwright.plan.finding import Severity

RING = {"kind": "ring", "shape": [4]}
FALLBACK = {"fallback": True}
BOTH = {"scheme": "unnumbered", "ipv4": "10.99.0.0/24", "ipv6": "fd00:1::/48"}


def ring(**addressing: object) -> Network:
    return compiled(RING, addressing={"scheme": "unnumbered", **addressing}, routing=FALLBACK)


def errors(network: Network) -> list[str]:
    return [one.reason for one in check(network) if one.severity is Severity.ERROR]


def test_ports_have_the_address_of_their_node_and_identities_stay() -> None:
    numbered = compiled(RING, addressing={"scheme": "per-link"})
    network = ring()
    assert network.addresses.is_borrowed.sum() == 8
    for ip, node, port in zip(
        network.addresses.ip, network.addresses.node, network.addresses.port, strict=True
    ):
        assert ip.network.prefixlen == 32
        assert ip == network.addresses.ip[network.addresses.identity[node]]
        assert port >= -1
    first = [network.addresses.ip[row] for row in network.addresses.identity]
    assert first == [numbered.addresses.ip[row] for row in numbered.addresses.identity]


def test_two_nodes_on_a_hub_are_the_ends_of_a_link_too() -> None:
    topology = {"kind": "stack-mesh", "shape": [1, 4], "nodes_per_group": 1}
    network = compiled(topology, addressing={"scheme": "unnumbered"})
    routes = csv.DictReader(plan(network)["routes.csv"].splitlines())
    gateways = [row["via"] for row in routes if row["node"] == "n0"]
    assert gateways == ["", "10.128.0.2", ""]


def test_ipv6_stays_numbered() -> None:
    network = compiled(RING, addressing=BOTH)
    borrowed = network.addresses.is_borrowed
    assert not (borrowed & network.addresses.is_v6).any()
    assert {ip.network.prefixlen for ip in network.addresses.ip if ip.version == 6} == {127, 128}
    assert errors(network) == []


@pytest.mark.parametrize("fallback", [False, True, "by-interface"])
@pytest.mark.parametrize("shape", [[4], [3, 3]])
def test_unnumbered_networks_are_proved_like_numbered_ones(
    shape: list[int], fallback: bool | str
) -> None:
    kind = {"kind": "torus", "shape": shape}
    routing = {"fallback": fallback}
    first = check(compiled(kind, addressing={"scheme": "per-link"}, routing=routing))
    second = check(compiled(kind, addressing={"scheme": "unnumbered"}, routing=routing))
    assert [(one.rule, one.severity) for one in first] == [
        (one.rule, one.severity) for one in second
    ]


def test_one_cable_can_be_unnumbered() -> None:
    nodes = {"n0": {"nics": {"eth0": {"unnumbered": True}}},
             "n1": {"nics": {"eth1": {"unnumbered": True}}}}  # fmt: skip
    network = compiled(RING, addressing={"scheme": "per-link"}, nodes=nodes)
    assert network.addresses.is_borrowed.sum() == 2
    assert errors(network) == []


def test_routes_name_the_node_at_the_other_end() -> None:
    files = plan(ring(ipv4="10.99.0.0/24"))
    rows = list(csv.DictReader(files["routes.csv"].splitlines()))
    own = [row for row in rows if row["node"] == "n0"]
    direct = {row["destination"]: row["nic"] for row in own if not row["via"]}
    assert direct == {"10.99.0.130/32": "eth0", "10.99.0.132/32": "eth1"}
    assert {row["via"] for row in own if row["via"]} == {"10.99.0.130", "10.99.0.132"}
    interfaces = list(csv.DictReader(files["interfaces.csv"].splitlines()))
    assert {
        (row["address"], row["prefix_length"]) for row in interfaces if row["node"] == "n0"
    } == {("10.99.0.129", "32")}


def test_the_table_of_a_plan_is_a_table_of_ones_own(tmp_path: Path) -> None:
    first = plan(ring(ipv4="10.99.0.0/24"))["routes.csv"]
    (tmp_path / "own.csv").write_text(first)
    text = (
        "topology: {kind: ring, shape: [4]}\n"
        "parts: {catalogue: whitney-1998, node: {slots: null}}\n"
        "addressing: {scheme: unnumbered, ipv4: 10.99.0.0/24}\n"
        "routing: {scheme: explicit, table: own.csv}\n"
    )
    network = compile_network(Cluster.parse(text, tmp_path))
    assert network.core.reachability().n_unreachable == 0
    assert plan(network)["routes.csv"] == first
    assert errors(network) == []


@pytest.mark.parametrize("fallback", [False, True, "by-interface"])
def test_nodes_have_the_settings_of_numbered_ones(fallback: bool | str) -> None:
    """Among them forwarding: the nodes of gateways relay packets."""
    routing = {"fallback": fallback}
    numbered, unnumbered = (
        compiled(RING, addressing={"scheme": scheme}, routing=routing)
        for scheme in ("per-link", "unnumbered")
    )
    settings = plan(unnumbered)["sysctl.csv"]
    assert settings == plan(numbered)["sysctl.csv"]
    assert settings.count("ip_forward") == 4
    found = relays_of(unnumbered, with_fallback=bool(fallback))
    assert found.tolist() == numbered.core.relays(with_fallback=bool(fallback)).tolist()


WORDS = {
    "ip": ("up.sh", "via 10.99.0.130 dev eth0 metric 1 src 10.99.0.129 onlink"),
    "ifupdown2": ("linkwright", "via 10.99.0.130 dev eth0 metric 1 src 10.99.0.129 onlink"),
    "networkd": ("10-linkwright-eth0.network", "GatewayOnLink=yes"),
    "netplan": ("60-linkwright.yaml", "on-link: true"),
    "networkmanager": ("linkwright-eth0.nmconnection", "src=10.99.0.129,onlink=true"),
    "frr": ("frr.conf", "ip route 10.99.0.131/32 10.99.0.130 eth0 1 onlink"),
}


@pytest.mark.parametrize("target", WORDS)
def test_files_say_that_the_gateway_is_on_the_link(target: str) -> None:
    name, words = WORDS[target]
    files = export(ring(ipv4="10.99.0.0/24"), [target]).files
    found = [text for path, text in files.items() if "n0/" in path and path.endswith(name)]
    assert words in str(found[0])


def test_netlab_is_refused_by_name() -> None:
    with pytest.raises(CapabilityError, match="unnumbered ports"):
        export(ring(), ["netlab"])


NIC = "'nodes.n0.nics.eth0.unnumbered'"
REFUSED = [
    ({"n0": {"nics": {"eth0": {"unnumbered": True}}}}, RING, {}, "n1:eth1, is numbered"),
    (
        {"n0": {"nics": {"eth0": {"unnumbered": True, "address": "10.1.0.1/24"}}}},
        RING,
        {},
        "n0:eth0 is unnumbered, and has no address of IPv4",
    ),
    (
        {"n0": {"nics": {"eth0": {"unnumbered": True}}}},
        {"kind": "switch", "nodes": 3},
        {"identities": "loopback"},
        "shares its link with 2 others",
    ),
    (
        {"n0": {"nics": {"eth0": {"unnumbered": True}}}},
        {"kind": "switch", "nodes": 3},
        {},
        "the design has none there",
    ),
    (
        {"n0": {"nics": {"eth0": {"unnumbered": True}}}},
        RING,
        {"ipv6": True, "ipv4": None},
        "the design has no IPv4",
    ),
    ({}, RING, {"scheme": "unnumbered", "ipv6": True, "ipv4": None}, "the design has no IPv4"),
    ({}, {"kind": "switch", "nodes": 3}, {"scheme": "unnumbered"}, "unnumbered addressing needs"),
]


@pytest.mark.parametrize(("nodes", "kind", "addressing", "reason"), REFUSED)
def test_what_has_nothing_to_borrow_is_refused(
    nodes: dict[str, object], kind: dict[str, object], addressing: dict[str, object], reason: str
) -> None:
    given = {key: value for key, value in addressing.items() if value is not None}
    with pytest.raises(DesignError) as error:
        compiled(kind, nodes=nodes, addressing=given)
    assert reason in error.value.message
    assert error.value.hint
