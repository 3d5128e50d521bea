"""Graphs of one's own: names as the machines have them, parts of single devices, and mistakes.

The laws that hold for all of them are in tests/laws.
"""

from __future__ import annotations

from collections import Counter
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from tests.design.wired import refused

from linkwright.design import document
from linkwright.design.cluster import Cluster
from linkwright.design.names import nic_names
from linkwright.errors import DesignError, LinkwrightError
from linkwright.network import Network
from linkwright.network import compile as compile_design
from linkwright.plan import check, plan, price

EXAMPLES = Path(__file__).parents[2] / "examples"
NODES = "a: {nics: {eth0: , eth1: }}\n    b: {nics: {eth0: , eth1: }}"


def design(cables: str, nodes: str = NODES, more: str = "") -> str:
    return (
        f"topology:\n  kind: custom\n  nodes:\n    {nodes}\n  switches: {{lan: }}\n"
        f"  cables:\n    - {cables}\nparts: {{catalogue: ethernet-2026}}\n{more}"
    )


def built(text: str) -> Network:
    return compile_design(Cluster.parse(text))


def test_names_and_parts_are_those_of_the_design() -> None:
    network = compile_design(Cluster.load(EXAMPLES / "usb4-ring-and-lan.yaml"))
    assert network.device_names == ("pve1", "pve2", "pve3", "pve4", "lan")
    assert nic_names(network.wiring, 3) == ["thunderbolt0", "thunderbolt1", "enp2s0"]
    assert network.part_of(0).key == "mini-pc-2-5g"
    assert network.cable_rate_bps.tolist() == [26_000_000_000] * 4 + [2_500_000_000] * 4
    bought = {line.part: line.quantity for line in price(network).units_bought}
    assert bought == {
        "usb4": 8, "nic-2-5g-onboard": 4, "switch-2-5g": 1, "usb4-cable": 4, "cat-6a": 4,
    }  # fmt: skip


def test_a_ring_of_fast_cables_is_taken_before_a_slow_switch() -> None:
    """Also over two of its cables; the switch has the backup routes."""
    network = compile_design(Cluster.load(EXAMPLES / "usb4-ring-and-lan.yaml"))
    rows = [line.split(",") for line in plan(network)["routes.csv"].splitlines()[1:]]
    identities = {str(network.addresses.ip[one].ip) for one in network.addresses.identity.tolist()}
    to_identities = [row for row in rows if row[1].split("/")[0] in identities]
    best = [nic for _, _, _, nic, metric, *_ in to_identities if metric == "1"]
    assert len(best) == 12
    assert set(best) == {"thunderbolt0", "thunderbolt1"}
    assert "enp2s0" in {row[3] for row in to_identities}


def test_a_nic_without_a_cable_is_left_out() -> None:
    network = built(design("[a:eth1, b:eth0]"))
    assert nic_names(network.wiring, 0) == ["eth1"]
    assert "eth0" not in plan(network)["interfaces.csv"].split("b,eth0")[0]


def test_a_front_end_has_a_free_name_on_the_first_node() -> None:
    text = design("[a:eth1, b:eth0]", more="front_end: true\n").replace("  switches: {lan: }\n", "")
    assert nic_names(built(text).wiring, 0) == ["eth1", "eth2"]


def test_ports_of_switches_have_names_or_the_next_free_one() -> None:
    network = built(design("[a:eth0, lan]\n    - [b:eth0, lan:p1]\n    - [a:eth1, lan:Gi1/0/7]"))
    assert [network.port_name(2, port) for port in range(3)] == ["p2", "p1", "Gi1/0/7"]
    two = design("[a:eth0, lan]\n    - [b:eth0, san]\n    - [a:eth1, san]\n    - [b:eth1, lan]")
    network = built(two.replace("{lan: }", "{lan: , san: }"))
    assert [network.port_name(box, port) for box in (2, 3) for port in (0, 1)] == ["p1", "p2"] * 2


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (design("[a:eth0, c:eth0]"), ("line 8: cable 'a:eth0 - c:eth0': there is no device 'c'",)),
        (design("[a:eth7, b:eth0]"), ("line 8", "node 'a' has no NIC 'eth7'", "known: eth0, eth1")),
        (design("[a, b:eth0]"), ("line 8", "write NODE:NIC")),
        (design("[a:eth0, a:eth1]"), ("line 8", "connects 'a' with itself", "no cable")),
        (
            design("[a:eth0, b:eth0]\n    - [a:eth0, lan]"),
            ("line 9", "port 'eth0' of 'a' has a cable already, 'a:eth0 - b:eth0'"),
        ),
        (design("[a:eth0, lan]"), ("line 5: node 'b' has no cable", "leave the node out")),
        (design("[a:eth0, lan: ]"), ("'topology.cables[0][1]'",)),
        (
            design("[c1:x, b:eth0]", "c1: {nics: {x: }}\n    b: {nics: {eth0: }}").replace(
                "c1", "c0"
            ),
            ("line 4: 'c0' under 'nodes' is the name of a cable in the plan",),
        ),
    ],
)
def test_a_mistake_names_node_port_line_and_remedy(text: str, words: tuple[str, ...]) -> None:
    with pytest.raises(DesignError) as error:
        Cluster.parse(text)
    refused(error, *words)


@pytest.mark.parametrize(
    "name", ["-a", "a b", "a_b", "12", "a/b", "ä", "fe", "localhost", "a" * 64, "$(x)", "lan", "B"]
)
def test_a_name_that_no_host_has_is_refused(name: str) -> None:
    fields = {
        "kind": "custom",
        "nodes": {name: {"nics": {"eth0": None}}, "b": {"nics": {"eth0": None}}},
        "switches": {"lan": None},
        "cables": [[f"{name}:eth0", "lan"], ["b:eth0", "lan"]],
    }
    with pytest.raises(DesignError, match=r"is no host name|is given twice"):
        Cluster.from_fields({"topology": fields})


@pytest.mark.parametrize(
    "name", ["a" * 16, "a/b", "a b", "a:b", ".", "..", "", "lo", "id0", "bond0", "all", "%d", "é"]
)
def test_a_name_that_no_interface_has_is_refused(name: str) -> None:
    fields = {
        "kind": "custom",
        "nodes": {"a": {"nics": {"eth0": None, name: None}}, "b": {"nics": {"eth0": None}}},
        "cables": [["a:eth0", "b:eth0"]],
    }
    with pytest.raises(DesignError, match="is no name of a NIC"):
        Cluster.from_fields({"topology": fields})


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({"a": {"nics": {"eth0": "usb-4"}}}, ("no part 'usb-4'", "did you mean 'usb4'?")),
        ({"a": {"nics": {"eth0": "crs309"}}}, ("is a switch, not a nic",)),
        ({"a": {"part": "mac-six", "nics": {"eth0": None}}}, ("no part 'mac-six'",)),
        (
            {"a": {"part": "dgx-spark", "nics": dict.fromkeys("xyz", "nic-10g")}},
            (
                "node 'a' needs 3 ports of 'nic-10g'",
                "'dgx-spark' has none built in and no free slot",
            ),
        ),
    ],
)
def test_a_part_that_does_not_fit_is_refused(parts: dict[str, Any], words: tuple[str, ...]) -> None:
    nics = parts["a"]["nics"]
    other = {f"e{k}": None for k in range(len(nics))}
    fields = {
        "kind": "custom",
        "nodes": {**parts, "b": {"nics": other}},
        "cables": [[f"a:{nic}", f"b:{end}"] for nic, end in zip(nics, other, strict=True)],
    }
    with pytest.raises(LinkwrightError) as error:
        compile_design(
            Cluster.from_fields({"topology": fields, "parts": {"catalogue": "ethernet-2026"}})
        )
    refused(error, *words)  # type: ignore[arg-type]


def test_a_switch_with_too_few_ports_is_refused() -> None:
    nodes = {f"n{k}": {"nics": {"eth0": None}} for k in range(5)}
    fields = {
        "kind": "custom",
        "nodes": nodes,
        "switches": {"lan": "crs305"},
        "cables": [[f"{node}:eth0", "lan"] for node in nodes],
    }
    with pytest.raises(DesignError, match=r"switch 'lan' needs 5 ports, .* has at most 4"):
        compile_design(
            Cluster.from_fields({"topology": fields, "parts": {"catalogue": "ethernet-2026"}})
        )


def test_parts_of_one_catalogue_may_differ_in_the_number_of_connectors() -> None:
    """Two ports of one NIC are bought once, beside a port of another."""
    text = design(
        "[a:p0, b:p0]\n    - [a:p1, b:p1]\n    - [a:x, b:x]",
        "a: {part: dgx-spark, nics: {p0: nic-dgx-spark, p1: nic-dgx-spark, x: nic-10g-onboard}}\n"
        "    b: {part: server, nics: {p0: nic-200g-dual, p1: nic-200g-dual, x: nic-10g}}",
    )
    cost = price(built(text))
    nics = {line.part: line.quantity for line in cost.units_bought if line.part_role == "nic"}
    assert nics == {
        "nic-dgx-spark": 1, "nic-10g-onboard": 1, "nic-200g-dual": 1, "nic-10g": 1,
    }  # fmt: skip


def test_a_cable_that_does_not_fit_is_named() -> None:
    network = built(design("[a:eth0, b:eth0, cat-6a]\n    - [a:eth1, lan]"))
    found = {(one.place, one.rule): one.reason for one in check(network)}
    assert found["c0", "connectors"] == (
        "part 'nic-10g' has sfp connectors, cable 'cat-6a' has rj45"
    )


@pytest.mark.parametrize(("first", "message"), [("e0: ", None), ("'e 0': ", "line 4: node 'h0'")])
def test_the_text_is_read_as_often_for_many_cables_as_for_few(
    first: str, message: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The time to read a graph grows like its size: lines come from one reading, and only if a
    mistake needs them.
    """
    loader, readings = document._loader, []
    monkeypatch.setattr(document, "_loader", lambda where: readings.append(1) or loader(where))

    def readings_of(n_nodes: int) -> int:
        nics = [f"{{nics: {{{first}, e1: }}}}", *["{nics: {e0: , e1: }}"] * (n_nodes - 1)]
        nodes = "\n    ".join(f"h{i}: {own}" for i, own in enumerate(nics))
        cables = (f"[h{i}:e1, h{i + 1}:e0]" for i in range(n_nodes - 1))
        readings.clear()
        with pytest.raises(DesignError, match=message) if message else nullcontext():
            Cluster.parse(design("\n    - ".join(cables), nodes))
        return len(readings)

    assert readings_of(3) == readings_of(30)


ROUTED = """
topology:
  kind: custom
  nodes:
    a: {nics: {eth0: }}
    b: {nics: {eth0: }}
    c: {nics: {eth0: }}
  switches:
    leaf: {routed: true}
    spine: {part: switch-10g-48, routed: true}
    rack:
  cables:
    - [a:eth0, leaf:swp1]
    - [b:eth0, rack]
    - [rack, spine]
    - [c:eth0, rack]
    - [leaf, spine]
parts: {catalogue: ethernet-2026}
"""


def test_a_routed_switch_is_a_forwarder_with_an_address_per_port() -> None:
    network = built(ROUTED)
    assert network.device_names == ("a", "b", "c", "leaf", "spine", "rack")
    assert (network.n_compute, network.n_nodes) == (3, 5)
    files = plan(network)
    devices = [line.split(",")[:4] for line in files["devices.csv"].splitlines()[4:]]
    assert devices == [
        ["leaf", "switch", "forwarder", "crs309"],
        ["spine", "switch", "forwarder", "switch-10g-48"],
        ["rack", "switch", "", "crs309"],
    ]
    rows = [line.split(",") for line in files["interfaces.csv"].splitlines()[1:]]
    assert [(row[1], row[4]) for row in rows if row[0] in {"leaf", "spine"}] == [
        ("lo", "32"), ("swp1", "31"), ("p1", "31"), ("lo", "32"), ("p1", "29"), ("p2", "31"),
    ]  # fmt: skip
    routes = [line.split(",") for line in files["routes.csv"].splitlines()[1:]]
    gateway = next(row[3] for row in rows if row[:2] == ["spine", "p1"])
    of_c = next(row[3] for row in rows if row[:2] == ["c", "eth0"])
    assert {row[2] for row in routes if row[0] == "b"} == {gateway, of_c}
    kinds = [line.split(",")[5] for line in files["cables.csv"].splitlines()[1:]]
    assert kinds == ["straight", "straight", "uplink", "straight", "uplink"]
    assert network.summary.startswith("custom-3: custom, 3 nodes, 3 hubs and switches")


def test_a_routed_switch_costs_its_part_and_has_no_nics() -> None:
    bought: Counter[str] = Counter()
    for line in price(built(ROUTED)).units_bought:
        bought[line.part] += int(line.quantity)
    assert bought == {"nic-10g": 3, "crs309": 2, "switch-10g-48": 1, "dac-10g": 5}


@pytest.mark.parametrize(
    ("was", "becomes", "rule"),
    [
        ("{routed: true}", "{part: switch-10g-24, routed: true}", "'leaf' is routed"),
        ("leaf:swp1", "leaf:Ethernet1/1", "is no name of an interface"),
        ("leaf:swp1", "leaf:lo", "is no name of an interface"),
        ("    rack:", "    rack:\n    lone: {routed: true}", "'lone' has no cable"),
        ("{routed: true}", "{routd: true}", "did you mean 'routed'"),
        ("{routed: true}", "{routed: 1}", "'topology.switches.leaf.routed'"),
        ("{routed: true}", "[crs309]", "'topology.switches.leaf'"),
        ("parts:", "routing: {fallback: by-interface}\nparts:", "looks up one table"),
    ],
)
def test_mistakes_with_routed_switches_are_said(was: str, becomes: str, rule: str) -> None:
    with pytest.raises(LinkwrightError) as refused_:
        built(ROUTED.replace(was, becomes, 1))
    assert rule in f"{refused_.value.message} {refused_.value.hint}"


def test_the_front_end_is_on_a_switch_that_does_not_route() -> None:
    network = built(ROUTED + "front_end: true\n")
    assert network.device_names[network.front_end or 0] == "fe"
    assert network.device_names.index("fe") == 5
    assert plan(network)["cables.csv"].splitlines()[-1].split(",")[1:5] == [
        "fe",
        "eth0",
        "rack",
        "p4",
    ]
    alone = (
        ROUTED.replace("    rack:\n", "").replace("rack]", "leaf]").replace("[rack,", "[leaf:x,")
    )
    only = built(alone.replace("    - [leaf:x, spine]\n", "") + "front_end: true\n")
    assert plan(only)["cables.csv"].splitlines()[-1].split(",")[5] == "straight"


def test_packets_take_routed_switches_before_a_node_at_the_same_distance() -> None:
    text = ROUTED.replace("b: {nics: {eth0: }}", "b: {nics: {eth0: , eth1: }}").replace(
        "    - [leaf, spine]\n",
        "    - [leaf, spine]\n    - [b:eth1, leaf]\n",
    )
    network = built(text)
    identities = network.addresses.identity.tolist()
    for a, b in ((0, 2), (2, 0)):
        way = [device for device, _, _ in network.core.path(a, identities[b])]
        assert [network.device_names[one] for one in way[1:-1] if one != 5] in (
            ["leaf", "spine"],
            ["spine", "leaf"],
        )
