"""From a design to the Network: rates, constants, identities, parts, explicit tables, and refusals.

That every address is reached is a law of all networks (tests/laws).
"""

from __future__ import annotations

import ipaddress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from linkwright.design.cluster import Cluster
from linkwright.errors import DesignError
from linkwright.network import Network
from linkwright.network import compile as compile_design

from .wired import refused


def compiled(kind: str, parts: dict[str, Any] | None = None, **fields: Any) -> Network:
    sections = {key: fields.pop(key) for key in ("addressing", "routing") if key in fields}
    front_end = fields.pop("front_end", False)
    topology = {"kind": kind, **fields}
    return compile_design(
        Cluster.from_fields(
            {"topology": topology, "parts": parts or {}, "front_end": front_end, **sections}
        )
    )


def test_a_whitney_torus() -> None:
    network = compiled("torus", shape=[4, 4], front_end=True)
    assert network.name == "torus-4x4"
    assert (network.n_nodes, network.n_compute, network.front_end) == (17, 16, 16)
    assert network.device_names[:2] == ("n00", "n01")
    assert network.device_names[16] == "fe"
    assert set(network.cable_rate_bps.tolist()) == {100_000_000}
    assert network.port_name(0, 3) == "eth3"
    assert set(network.parts) == {"node", "nic", "cable"}
    assert network.part_of(0).key == "pentium-pro-200"


def test_identities() -> None:
    torus = compiled("torus", shape=[3, 3])
    assert str(torus.addresses.ip[torus.addresses.identity[4]]) == "10.128.0.5/32"
    switch = compiled("switch", nodes=4)
    assert str(switch.addresses.ip[switch.addresses.identity[3]]) == "10.0.0.4/29"
    p_mesh = compiled("p-mesh", shape=[4, 4])
    highest = p_mesh.addresses.port[p_mesh.addresses.identity]
    assert set(highest.tolist()) == {1}


def test_uplinks_run_at_the_rate_of_the_root() -> None:
    tree = compiled("tree", nodes=16)
    assert set(tree.cable_rate_bps[tree.wiring.cable_class == 1].tolist()) == {1_000_000_000}
    assert set(tree.cable_rate_bps[tree.wiring.cable_class == 0].tolist()) == {100_000_000}
    assert tree.wiring.part_role_of(18) == "root_switch"
    assert tree.device_names[16:] == ("sw0", "sw1", "root0")


def test_the_slower_end_of_a_cable_decides() -> None:
    network = compiled("switch", parts={"nic": "gigabit-nic"}, nodes=4)
    assert set(network.cable_rate_bps.tolist()) == {100_000_000}
    network = compiled("direct", parts={"nic": "gigabit-nic"})
    assert network.cable_rate_bps.tolist() == [1_000_000_000]


def test_chassis_have_names_and_parts() -> None:
    network = compiled("p-mesh", shape=[4, 4], lines_per_switch=4)
    assert network.chassis_names == ("chassis0", "chassis1")
    assert network.part_of(16).key == "fast-ethernet-switch"


def test_both_families() -> None:
    network = compiled("p-mesh", shape=[3, 3], addressing={"ipv4": True, "ipv6": True})
    assert len(network.addresses.ip) == 2 * 18
    assert [ip.version for ip in network.addresses.ip] == [4] * 18 + [6] * 18
    low = [int(ip.ip) & 0xFFFF for ip in network.addresses.ip]
    assert low[:18] == low[18:]
    assert not network.addresses.is_v6[network.addresses.identity].any()


def test_the_network_keeps_the_fallback_wish() -> None:
    assert compiled("torus", shape=[4, 4], routing={"fallback": True}).fallback
    assert not compiled("torus", shape=[4, 4]).fallback


BY_INTERFACE = {"fallback": "by-interface"}


@pytest.mark.parametrize(
    ("kind", "fields", "said"),
    [
        ("p-mesh", {"shape": [3, 3]}, ("need cables between nodes", "fallback: true")),
        ("switch", {"nodes": 4}, ("by interface", "identities: loopback")),
        (
            "ring",
            {"shape": [5], "routing": {"scheme": "explicit", "table": "r.csv"}},
            ("explicit",),
        ),
    ],
)
def test_routes_by_interface_need_cables_and_loopbacks(
    kind: str, fields: dict[str, Any], said: tuple[str, ...]
) -> None:
    routing = {**fields.pop("routing", {}), **BY_INTERFACE}
    addressing = {"identities": "loopback"} if kind == "p-mesh" else {}
    with pytest.raises(DesignError) as error:
        compiled(kind, routing=routing, addressing=addressing, **fields)
    refused(error, *said)


@pytest.mark.parametrize("scheme", ["per-link", "per-link-30", "mixed"])
def test_routes_by_interface_take_every_scheme_with_identities_on_loopbacks(scheme: str) -> None:
    network = compiled("ring", shape=[5], addressing={"scheme": scheme}, routing=BY_INTERFACE)
    assert (network.addresses.port[network.addresses.identity] == -1).all()


def test_three_cuts_need_four_cables() -> None:
    with pytest.raises(DesignError) as error:
        compiled("ring", shape=[5], routing={"fallback": {"by": "interface", "failures": 3}})
    refused(error, "no tables to node n0", "any 3 cuts")
    with pytest.raises(DesignError) as error:
        compiled("ring", shape=[5], routing={"fallback": {"by": "interface", "failures": 4}})
    refused(error, "failures", "3")


@pytest.mark.parametrize("failures", [1, 2, 3])
def test_routes_by_interface_keep_the_routes(failures: int) -> None:
    by_interface = {"fallback": {"by": "interface", "failures": failures}}
    plain, tables = (
        compiled("torus", shape=[4, 4], routing=routing).core for routing in ({}, by_interface)
    )
    routes = tables.routes(with_fallback=True)
    best = (routes.table < 0) & (routes.metric == 1)
    assert np.array_equal(routes.port[best], plain.routes().port)
    assert not (tables.routes().table >= 0).any()


def test_too_few_slots() -> None:
    with pytest.raises(DesignError) as error:
        compiled("torus", parts={"node": {"slots": 2}}, shape=[4, 4])
    refused(error, "node 'n00' needs 4 ports", "slots for 2", "parts")
    with pytest.raises(DesignError) as error:
        compiled("full-mesh", nodes=16)
    refused(error, "needs 15 ports", "'pentium-pro-200'", "slots for 5")
    assert compiled("full-mesh", parts={"node": {"slots": None}}, nodes=16).n_nodes == 16


def test_a_catalogue_without_uplinks() -> None:
    with pytest.raises(DesignError) as error:
        compiled("tree", parts={"catalogue": "whitney-1997"}, nodes=96)
    refused(error, "uplink", "uplink_ports: node")
    tree = compiled("tree", parts={"catalogue": "whitney-1997"}, nodes=90, uplink_ports="node")
    assert set(tree.cable_rate_bps.tolist()) == {100_000_000}


@pytest.mark.parametrize(
    ("kind", "fields"), [("hub", {"nodes": 4}), ("tree", {"nodes": 16}), ("switch", {"nodes": 4})]
)
def test_routing_that_does_not_fit(kind: str, fields: dict[str, Any]) -> None:
    if kind == "tree":
        fields = {"leaves": 3, "nodes": 16}
        with pytest.raises(DesignError) as error:
            compiled(kind, **fields, routing={"scheme": "dimension-order"})
        refused(error, "dimension-order", "routing")
    else:
        network = compiled(kind, **fields, routing={"scheme": "dimension-order"})
        assert network.core.reachability().n_unreachable == 0


TABLE = """node,destination,via,nic,metric
n0,10.0.0.4/31,10.0.0.1,eth0,1
n0,10.128.0.2/32,10.0.0.1,eth0,1
n0,10.128.0.3/32,10.0.0.1,eth0,7
n1,10.128.0.1,10.0.0.0,eth1,1
"""


def test_an_explicit_table(tmp_path: Path) -> None:
    network = explicit(tmp_path, TABLE)
    routes = network.core.routes_of(0)
    assert network.routing == "explicit"
    shown = [
        (str(ipaddress.ip_address(bits[12:].tobytes())), int(length), int(port), int(metric))
        for bits, length, port, metric in zip(
            routes.destination, routes.prefix_length, routes.port, routes.metric, strict=True
        )
    ]
    assert sorted(shown) == [
        ("10.0.0.4", 31, 0, 1),
        ("10.128.0.2", 32, 0, 1),
        ("10.128.0.3", 32, 0, 7),
    ]
    via = [str(network.addresses.ip[index].ip) for index in routes.via.tolist()]
    assert via == ["10.0.0.1"] * 3


WITH_SOURCE = "node,destination,via,nic,metric,src\n"
TABLES = [
    ("", ["node,destination,via,nic,metric"]),
    ("node,via\n", ["first line"]),
    (TABLE + "n9,10.0.0.0/31,,eth0,1\n", ["line 6", "'n9'", "known"]),
    (TABLE + "n0,10.0.0.1/31,,eth0,1\n", ["line 6", "host bits"]),
    (TABLE + "n0,10.0.0.0/31,10.9.9.9,eth0,1\n", ["line 6", "10.9.9.9"]),
    (TABLE + "n0,10.0.0.0/31,,eth2,1\n", ["line 6", "'eth2'", "eth1"]),
    (TABLE + "n0,10.0.0.0/31,,eth0,-1\n", ["line 6", "'-1'"]),
    (TABLE + "n0,10.0.0.0/31,,eth0\n", ["line 6", "4 columns"]),
    (TABLE + "n0,10.0.0.2/31,10.0.0.1,eth1,1\n", ["gateway"]),
    (WITH_SOURCE + "n0,10.0.0.0/31,,eth0,1\n", ["line 2", "5 columns", "6"]),
    (WITH_SOURCE + "n0,10.0.0.0/31,,eth0,1,10.0.0.0\n", ["line 2", "'10.0.0.0'", "10.128.0.1"]),
]


@pytest.mark.parametrize(("text", "words"), TABLES)
def test_refuses_a_table(text: str, words: list[str], tmp_path: Path) -> None:
    with pytest.raises(DesignError) as error:
        explicit(tmp_path, text)
    refused(error, *words)


def explicit(folder: Path, table: str) -> Network:
    (folder / "routes.csv").write_text(table, encoding="utf-8")
    design = folder / "design.yaml"
    design.write_text(
        "topology: {kind: torus, shape: [3]}\nrouting: {scheme: explicit, table: routes.csv}\n",
        encoding="utf-8",
    )
    return compile_design(Cluster.load(design))


def test_arrays_are_those_of_the_core() -> None:
    network = compiled("p-mesh", shape=[3, 4], front_end=True, addressing={"grow_to": 7})
    assert network.core.fabric.n_nodes == network.n_nodes == 13
    assert network.core.fabric.n_devices == len(network.device_names)
    assert np.array_equal(np.diff(network.port_start), network.wiring.n_ports)


@pytest.mark.parametrize("kind", ["torus", "mesh"])
def test_stack_routing_needs_two_groups(kind: str) -> None:
    fields = {"topology": {"kind": kind, "shape": [1, 4]}, "routing": {"scheme": "stack"}}
    with pytest.raises(DesignError, match=f"{kind}-1x4: stack routing needs two groups or more"):
        compile_design(Cluster.from_fields(fields))
