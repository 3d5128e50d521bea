"""The design file: what it accepts, its hash, and one clear message for everything else.

Nothing is built here.
"""

from __future__ import annotations

from ipaddress import IPv4Network, IPv6Network
from pathlib import Path

import pytest

from linkwright.design.cluster import Cluster
from linkwright.errors import DesignError

from .wired import refused

WHITNEY = """
name: whitney-16
topology: {kind: p-mesh, shape: [4, 4]}
parts: {catalogue: whitney-1998}
addressing: {scheme: p-mesh, ipv4: 10.0.0.0/8, grow_to: 24}
routing: {scheme: dimension-order, fallback: true}
front_end: true
"""
TORUS = "topology: {kind: torus, shape: [4, 4]}\n"


def test_the_published_example() -> None:
    cluster = Cluster.parse(WHITNEY)
    assert cluster.name == "whitney-16"
    assert cluster.topology.n_nodes == 16
    assert cluster.addressing.bases == (IPv4Network("10.0.0.0/8"),)
    assert cluster.addressing.grow_to == 24
    assert cluster.routing.fallback
    assert cluster.front_end


def test_defaults_suit_the_topology() -> None:
    schemes = {
        kind: (cluster.addressing_scheme, cluster.routing_scheme)
        for kind, fields in {
            "direct": "",
            "hub": ", nodes: 4",
            "switch": ", nodes: 4",
            "tree": ", nodes: 4",
            "fat-tree": ", k: 4",
            "full-mesh": ", nodes: 4",
            "torus": ", shape: [3]",
            "mesh": ", shape: [3]",
            "p-mesh": ", shape: [3, 3]",
        }.items()
        for cluster in [Cluster.parse(f"topology: {{kind: {kind}{fields}}}")]
    }
    assert schemes == {
        "direct": ("per-link", "shortest-path"),
        "hub": ("per-segment", "shortest-path"),
        "switch": ("per-segment", "shortest-path"),
        "tree": ("per-segment", "shortest-path"),
        "fat-tree": ("per-segment", "shortest-path"),
        "full-mesh": ("per-link", "dimension-order"),
        "torus": ("per-link", "dimension-order"),
        "mesh": ("per-link", "dimension-order"),
        "p-mesh": ("p-mesh", "dimension-order"),
    }


@pytest.mark.parametrize(
    ("addressing", "bases"),
    [
        ("{}", [IPv4Network("10.0.0.0/8")]),
        ("{ipv6: true}", [IPv6Network("fd00:6c77::/48")]),
        ("{ipv4: true, ipv6: true}", [IPv4Network("10.0.0.0/8"), IPv6Network("fd00:6c77::/48")]),
        ("{ipv4: false, ipv6: 'fd12::/32'}", [IPv6Network("fd12::/32")]),
        ("{ipv4: 192.168.0.0/16, ipv6: false}", [IPv4Network("192.168.0.0/16")]),
    ],
)
def test_families(addressing: str, bases: list[IPv4Network | IPv6Network]) -> None:
    assert Cluster.parse(f"{TORUS}addressing: {addressing}").addressing.bases == tuple(bases)


def test_the_hash_is_that_of_the_meaning() -> None:
    plain = Cluster.parse(TORUS)
    spelled = Cluster.parse(
        "# the same\nrouting: {fallback: false}\nname: torus-4x4\n"
        "topology:\n  shape:\n  - 4\n  - 4\n  kind: torus\n"
    )
    other = Cluster.parse(TORUS.replace("torus", "mesh"))
    assert plain.design_hash == spelled.design_hash
    assert plain.design_hash != other.design_hash
    assert len(plain.design_hash) == 16


def test_from_fields_is_the_same_door() -> None:
    fields = {"topology": {"kind": "torus", "shape": [4, 4]}}
    assert Cluster.from_fields(fields) == Cluster.parse(TORUS)
    with pytest.raises(DesignError) as error:
        Cluster.from_fields({**fields, "frontend": True})
    refused(error, "frontend", "did you mean 'front_end'")


def test_ties_of_the_paper_need_a_routing_that_knows_rings() -> None:
    routing = {"scheme": "shortest-path", "ties": "paper"}
    with pytest.raises(DesignError) as error:
        Cluster.from_fields({"topology": {"kind": "torus", "shape": [4, 4]}, "routing": routing})
    refused(error, "ties: paper", "shortest-path", "dimension-order")


def test_an_optional_key_that_is_left_out_changes_no_hash() -> None:
    assert Cluster.parse(TORUS).design_hash == "5c6055ee32f8c72a"


REFUSED = [
    # keys
    (
        TORUS + "addressing: {identities: interface}",
        ["'addressing.identities'", "leave it out", "per-segment"],
    ),
    (
        TORUS + "addressing: {scheme: mixed, identities: interface}",
        ["'addressing.identities'", "mixed has identities on the loopback", "per-segment"],
    ),
    ("topolgy: {kind: torus}", ["'topolgy'", "did you mean 'topology'"]),
    ("topology: {kind: torus, shpae: [4]}", ["'topology.shpae'", "did you mean 'shape'"]),
    (TORUS + "routing: {shceme: explicit}", ["'routing.shceme'", "did you mean 'scheme'"]),
    (TORUS + "parts: {swich: x}", ["'parts.swich'", "did you mean 'switch'"]),
    ("name: x", ["'topology' is missing"]),
    ("topology: {shape: [4]}", ["'kind' is missing", "torus"]),
    ("topology: {kind: hub}", ["'topology.nodes' is missing"]),
    (
        "topology: {kind: switched-mesh, shape: [4]}",
        ["'topology.shape[1]' is missing", "value 2 to the list"],
    ),
    ("1: 2", ["'topology' is missing"]),
    # names
    ("topology: {kind: toruss, shape: [4]}", ["'toruss'", "did you mean 'torus'"]),
    ("topology: {kind: p_mesh, shape: [4]}", ["'p_mesh'", "did you mean 'p-mesh'"]),
    (TORUS + "routing: {scheme: shortest}", ["'shortest'", "did you mean 'shortest-path'"]),
    # types and sizes
    ("topology: {kind: torus, shape: [4, 0]}", ["'topology.shape[1]'", "0", "1 or more"]),
    ("topology: {kind: torus, shape: [-4]}", ["-4", "1 or more"]),
    ("topology: {kind: torus, shape: [4.5]}", ["4.5", "whole number"]),
    ("topology: {kind: torus, shape: []}", ["'topology.shape'", "at least 1"]),
    ("topology: {kind: torus, shape: 4}", ["list"]),
    ("topology: {kind: torus, shape: [100000, 100000]}", ["10,000,000,000", "1,000,000"]),
    ("topology: {kind: hub, nodes: 0}", ["0", "2 or more"]),
    ("topology: {kind: hub, nodes: true}", ["whole number"]),
    ("topology: {kind: hub, nodes: 1000000000}", ["1000000000", "1000000 or less"]),
    ("topology: {kind: hub, nodes: '4'}", ["whole number"]),
    ("topology: {kind: hub, nodes: .inf}", ["whole number"]),
    ("topology: torus", ["'topology'", "keys with values"]),
    (TORUS + "front_end: yes", ["'yes'", "true or false"]),
    (TORUS + "name: 3", ["text"]),
    (TORUS + "name: ''", ["'name'", "at least 1"]),
    (TORUS + 'name: "a\\nb"', ["'name'"]),
    (TORUS + "addressing: {grow_to: 0}", ["'addressing.grow_to'", "1 or more"]),
    (TORUS + "addressing: {ipv4: 10.0.0.1/8}", ["10.0.0.1/8", "host bits"]),
    (TORUS + "addressing: {ipv4: 'fd00::/8'}", ["fd00::/8", "10.0.0.0/8"]),
    (TORUS + "addressing: {ipv4: 10}", ["10 is no prefix"]),
    (TORUS + "addressing: {ipv4: 224.0.0.0/4}", ["224.0.0.0/4", "10.0.0.0/8"]),
    (TORUS + "addressing: {ipv4: 0.0.0.0/8}", ["0.0.0.0/8", "without an address"]),
    (TORUS + "addressing: {ipv4: 64.0.0.0/2}", ["127.0.0.0/8", "loopback"]),
    (TORUS + "addressing: {ipv6: '::/64'}", ["::/64", "::/8", "fd00:6c77::/48"]),
    (TORUS + "addressing: {ipv6: 'fe80::/64'}", ["fe80::/10", "one link"]),
    (TORUS + "addressing: {ipv6: '::/0'}", ["::/0", "fd00"]),
    (TORUS + "addressing: {ipv4: false}", ["neither"]),
    (TORUS + "routing: {scheme: explicit}", ["'table'"]),
    (TORUS + "routing: {table: r.csv}", ["'table'"]),
    # text
    ("", ["nothing"]),
    ("- 1", ["list"]),
    ("a: [1", ["line 1", "broken YAML"]),
    ("topology:\n  kind: torus\n shape: [4]", ["line 3", "broken YAML"]),
    ("name: a\nname: b\n" + TORUS, ["line 2", "twice"]),
    ("a: &x [1]\nb: *x", ["line 2", "alias"]),
    ("a: " + "[" * 100, ["nested"]),
    ("a: " + "9" * 5000, ["4300 digits"]),
    ("a: !!python/object:os.system x", ["line 1"]),
    ("? {a: 1}\n: 2", ["line 1"]),
    ("x" * (1 << 21), ["1 MiB"]),
    ("\n\r\r\n\x1c\x00\x00\x00M<+\x1a", ["not text", "0x1c", "line 3, column 1"]),
]


@pytest.mark.parametrize(("text", "words"), REFUSED)
def test_refuses(text: str, words: list[str]) -> None:
    with pytest.raises(DesignError) as error:
        Cluster.parse(text)
    refused(error, *words)
    assert error.value.exit_code == 2


SEVERAL = [
    (
        "topology: {kind: torus, shpae: [4], shape: [4, 0]}\nrouting: {fallbck: true}\nmtu: 3",
        [
            "design has 4 mistakes:",
            "  unknown key 'topology.shpae'; did you mean 'shape'? known: kind, shape",
            "  unknown key 'routing.fallbck'; did you mean 'fallback'? known: scheme, ties",
            "  'topology.shape[1]': 0 is not accepted; give 1 or more",
            "  'mtu': 3 is not accepted; give 1280 or more",
        ],
    ),
    # Rules between keys, and what is wrong inside the parts.
    (
        """
        topology: {kind: tree, leaves: 2}
        addressing: {ipv4: false}
        parts: {nic: {ports: 0}, cable: {delay: 3}}
        """,
        [
            "design has 4 mistakes:",
            "  a tree needs 'nodes', or both 'leaves' and 'nodes_per_leaf'; for example {kind: ",
            "  'addressing' has neither IPv4 nor IPv6; set ipv4: true",
            "  parts.nic: 'ports': 0 is not accepted; give 1 or more",
            "  parts.cable: unknown key 'delay'; did you mean 'delay_us'? known: name, price, ",
        ],
    ),
]


@pytest.mark.parametrize(("text", "lines"), SEVERAL)
def test_all_mistakes_are_listed(text: str, lines: list[str]) -> None:
    with pytest.raises(DesignError) as error:
        Cluster.parse(text)
    said = error.value.message.splitlines()
    assert [line[: len(start)] for line, start in zip(said, lines, strict=True)] == lines
    assert error.value.hint == "correct each as described"
    assert len(error.value.each) == len(lines) - 1


def test_of_many_mistakes_ten_are_listed() -> None:
    with pytest.raises(DesignError) as error:
        Cluster.parse(TORUS + "\n".join(f"key{number}: 1" for number in range(13)))
    lines = error.value.message.splitlines()
    assert lines[0] == "design has 13 mistakes:"
    assert lines[10].startswith("  unknown key 'key9'")
    assert lines[11:] == ["  and 3 more"]


def test_what_a_misspelt_key_explains_is_no_mistake_of_its_own() -> None:
    with pytest.raises(DesignError) as error:
        Cluster.parse("topology: {kind: hub, ndoes: 4}")
    assert error.value.message == "design: unknown key 'topology.ndoes'"
    with pytest.raises(DesignError) as error:
        Cluster.parse("topology: {kind: hub, colour: 4}")
    assert [one.message for one in error.value.each] == [
        "design: unknown key 'topology.colour'",
        "design: 'topology.nodes' is missing",
    ]


def test_a_capture_given_as_design(tmp_path: Path) -> None:
    capture = tmp_path / "trace.pcapng"
    capture.write_bytes(bytes.fromhex("0a0d0d0a1c0000004d3c2b1a01000000ffffffffffffffff1c000000"))
    with pytest.raises(DesignError) as error:
        Cluster.load(capture)
    refused(error, "trace.pcapng", "not text", "line", "column", "design file")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for path in (tmp_path / "none.yaml", tmp_path):
        with pytest.raises(DesignError) as error:
            Cluster.load(path)
        refused(error, str(path), "cannot be read")


def test_paths_are_relative_to_the_design(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(
        "[prices.category-5]\nprice = 7.5\ndate = 2026-01-31\n", encoding="utf-8"
    )
    design = tmp_path / "design.yaml"
    design.write_text(TORUS + "parts: {prices: mine.toml}\n", encoding="utf-8")
    assert Cluster.load(design).resolve_parts()["cable"].price == 7.5
