"""DOT: cables with the ports of PTM, subgraphs, chains, comments, and what is only looks.

A mistake is named with its line.
"""

from __future__ import annotations

import pytest
from tests.design.importers.imported import cables, drawn, edges, kinds
from tests.design.wired import refused

from linkwright.errors import DesignError

PTM = """\
// Cables as Prescriptive Topology Manager has them.
strict graph G {
  graph [rankdir=LR]; node [shape=box]
  # switches, as some tools indent such a line
  "leaf1" [function="leaf"];
  "leaf1":"swp1" -- "host1":"eth0" [speed=10] # of 2023
  leaf1:swp2 -- host2:enp5s0f0np0; host1 -- host2 -- "host-3"
}
"""


def test_cables_with_the_ports_of_ptm() -> None:
    assert kinds(PTM, "dot") == {
        "leaf1": "switch", "host1": "node", "host2": "node", "host-3": "node",
    }  # fmt: skip
    assert cables(PTM, "dot") == [
        ("leaf1:swp1", "host1:eth0"),
        ("leaf1:swp2", "host2:enp5s0f0np0"),
        ("host1:eth1", "host2:eth0"),
        ("host2:eth1", "host-3:eth0"),
    ]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("a -- {b c}", ["a - b", "a - c"]),
        ("{a b} -- {c d}", ["a - c", "a - d", "b - c", "b - d"]),
        ("a -- subgraph cluster_rack { label=rack; b -- c }", ["b - c", "a - b", "a - c"]),
        ("subgraph cluster_1 { a; b } subgraph { c } a -- c; b -- c", ["a - c", "b - c"]),
        ("a -- b -- c -- a", ["a - b", "b - c", "c - a"]),
        ("a:p1:ne -- b:s; c:_ -- a", ["a:p1 - b", "c - a"]),
        ('"a":"s" -- b', ["a:s - b"]),
        ("a [label=<<b>big</b> <i>x</i>>] a -- b [label=<x>]", ["a - b"]),
        ('"a \\"b\\"" -- "c\\\nd"', ['a "b" - cd']),
        ('"one " + "name" -- b', ["one name - b"]),
        ("a -- b /* a -- c */ // a -- d\n # a -- e\n c -- a # x", ["a - b", "c - a"]),
        ("graph [a=b] edge [x=y]\n rankdir=LR\n a -- b", ["a - b"]),
        ("a -- b [tailport=p1, headport=p2; weight=2]", ["a:p1 - b:p2"]),
        ("a -- b [taillabel=eth1 headlabel=eth2]", ["a:eth1 - b:eth2"]),
        ("a -- b; a -- b", ["a - b", "a - b"]),
        ("1 -- 2 -- -3.5", ["1 - 2", "2 - -3.5"]),
        ('n0 [label="hestia"] n1 [label="juno"] n0 -- n1', ["hestia - juno"]),
        ('0 [label="{<p0> x|y}"] 0 -- 1', ["0 - 1"]),
        ("höhe -- größe", ["höhe - größe"]),
    ],
)
def test_the_language(body: str, expected: list[str]) -> None:
    assert edges(f"graph g {{ {body}\n}}", "dot") == expected


def test_both_directions_of_a_digraph_are_one_cable() -> None:
    assert edges("digraph { a -> b; b -> a; b -> c; b -> c }", "dot") == ["a - b", "b - c", "b - c"]
    assert edges("digraph { a:p -> b; b:q -> a }", "dot") == ["a:p - b:q"]


def test_a_strict_graph_has_each_edge_once() -> None:
    assert edges("STRICT Graph { a -- b; b -- a; a -- b }", "dot") == ["a - b"]


def test_nodes_have_the_defaults_of_their_graph() -> None:
    text = "graph { node [role=switch] s; { node [role=host] h } s -- h; t -- s }"
    assert kinds(text, "dot") == {"s": "switch", "h": "node", "t": "switch"}


def test_hardware_addresses_and_rates_are_kept() -> None:
    text = 'graph { a:e0 -- b:e1 [left_mac="02:00:00:00:00:01", speed="10G"] }'
    [cable] = drawn(text, "dot").cables
    assert (cable.a.mac, cable.b.mac, cable.rate_mbps) == ("02:00:00:00:00:01", "", 10_000)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("graph {\n a -- \n}", ("line 3", "a name is missing")),
        ("graph {\n a -- b", ("line 2", "'}' is missing")),
        ("graph {\n a [label=<b>\n}", ("line 3", "a name is missing")),
        ("graph {\n a [label=<b]\n}", ("line 2", "'<' is not closed")),
        ('graph {\n a -- "b\n}', ("line 2", "is not closed")),
        ("graph {\n a -- b /* \n}", ("line 2", "is not closed")),
        ("graph {\n a ! b\n}", ("line 2", "'!' is not DOT")),
        ("graph { a -- b }\ngraph { c -- d }", ("line 2", "follows the end")),
        ("hello", ("line 1", "begins with 'graph'")),
        ("graph { " + "{" * 60, ("line 1", "nested")),
        ("graph { a b }", ("has no cable",)),
    ],
)
def test_a_mistake_has_its_line(text: str, words: tuple[str, ...]) -> None:
    with pytest.raises(DesignError) as error:
        drawn(text, "dot")
    refused(error, *words)


def test_too_many_edges_of_subgraphs_are_refused() -> None:
    many = " ".join(f"n{k}" for k in range(600))
    with pytest.raises(DesignError, match="more than 100,000 edges"):
        drawn(f"graph {{ {{{many}}} -- {{{many} x}} }}", "dot")
