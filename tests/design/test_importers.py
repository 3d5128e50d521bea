"""Graphs of other tools become designs: the cables of a plan are read back, errors name a line.

Names from a file never become more than names in the design.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from tests.design.wired import refused
from tests.laws.test_custom import built, graphs

from linkwright.design.cluster import Cluster
from linkwright.design.importers import IMPORTERS, Drawing, design_text, read_drawing
from linkwright.errors import DesignError
from linkwright.plan import plan

PTM = """\
// Cables as Prescriptive Topology Manager has them.
strict graph G {
  graph [rankdir=LR]; node [shape=box]
  "leaf1" [function="leaf"];
  "leaf1":"swp1" -- "host1":"eth0" [speed=10]
  leaf1:swp2 -- host2:enp5s0f0np0; host1 -- host2 -- "host-3"
}
"""
GRAPHML = """\
<?xml version="1.0"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="d0" for="node" attr.name="label" attr.type="string"/>
  <key id="d1" for="node" attr.name="type" attr.type="string"/>
  <key id="d2" for="edge" attr.name="b_port" attr.type="string"/>
  <graph edgedefault="undirected">
    <node id="0"><data key="d0">one</data></node>
    <node id="1"><data key="d0">two</data></node>
    <node id="lan"><data key="d1">switch</data></node>
    <edge source="0" target="lan" sourceport="enp1s0"><data key="d2">7</data></edge>
    <edge source="1" target="lan"/>
    <edge source="0" target="1"/>
  </graph>
</graphml>
"""
CSV = """\
a_device,a_port,b_device,b_port,a_kind,b_kind
one,enp1s0,lan,7,,switch
two,,lan,,,

one,,two,,,
"""


def ends(drawing: Drawing) -> list[tuple[str, str]]:
    design = Cluster.parse(design_text(drawing, name="x", catalogue="ethernet-2026"))
    found: list[tuple[str, str]] = design.model_dump()["topology"]["cables"]
    return [tuple(one) for one in found]


def test_dot_with_the_ports_of_ptm() -> None:
    drawing = IMPORTERS["dot"](PTM, "g.dot")
    assert drawing.devices == {
        "leaf1": "switch", "host1": "node", "host2": "node", "host-3": "node",
    }  # fmt: skip
    assert ends(drawing) == [
        ("leaf1:swp1", "host1:eth0"),
        ("leaf1:swp2", "host2:enp5s0f0np0"),
        ("host1:eth1", "host2:eth0"),
        ("host2:eth1", "host-3:eth0"),
    ]


@pytest.mark.parametrize(("suffix", "text"), [("graphml", GRAPHML), ("csv", CSV)])
def test_the_same_graph_as_graphml_and_as_csv(suffix: str, text: str) -> None:
    drawing = IMPORTERS[suffix](text, f"g.{suffix}")
    assert drawing.devices == {"one": "node", "two": "node", "lan": "switch"}
    assert ends(drawing) == [("one:enp1s0", "lan:7"), ("two:eth0", "lan"), ("one:eth0", "two:eth1")]


@settings(max_examples=8)
@given(graphs())
def test_the_cables_of_a_plan_make_the_same_cables(topology: dict[str, Any]) -> None:
    files = plan(built(topology))
    patterns = [*topology["switches"]], [*topology["hubs"]]
    drawing = IMPORTERS["csv"](files["cables.csv"], "cables.csv").with_kinds(*patterns)
    text = design_text(drawing, name="again", catalogue="ethernet-2026")
    again = Cluster.parse(text).model_dump()["topology"]
    drawn = files["cables.csv"].splitlines()[1:]
    written = [tuple(line.split(",")[1:5]) for line in drawn]
    assert [
        tuple(part for end in cable for part in end.split(":")) for cable in again["cables"]
    ] == written


@pytest.mark.parametrize(
    ("suffix", "text", "words"),
    [
        ("dot", "graph {\n a -- b\n subgraph x { }\n}", ("line 3", "subgraphs are not read")),
        ("dot", "graph {\n a -- \n}", ("line 3", "a name is missing")),
        ("dot", "graph {\n a -- b", ("line 2", "a name is missing")),
        ("dot", "graph {\n a [label=<b>]\n}", ("line 2", "'<' is not plain DOT")),
        ("dot", "hello", ("line 1", "begins with 'graph'")),
        ("graphml", "<graphml", ("g.graphml is not XML",)),
        ("graphml", "<svg/>", ("holds 'svg'",)),
        ("graphml", "<!DOCTYPE x [<!ENTITY a 'b'>]><graphml/>", ("has a document type",)),
        ("csv", "a,b\n1,2\n", ("no column 'a_device'", "known: a_device, a_port")),
        ("csv", "a_device,b_device\nx,\n", ("line 2: a cable has two devices",)),
        ("csv", "", ("no column",)),
    ],
)
def test_a_mistake_is_named_with_its_line(suffix: str, text: str, words: tuple[str, ...]) -> None:
    with pytest.raises(DesignError) as error:
        IMPORTERS[suffix](text, f"g.{suffix}")
    refused(error, *words)


def test_another_format_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DesignError) as error:
        read_drawing(tmp_path / "graph.svg")
    refused(error, "graph.svg' is of no known format", "known: csv, dot, gv, graphml")


def test_names_never_leave_their_place_in_the_design() -> None:
    """A device with a name that YAML would read as more is refused as a host name."""
    text = 'graph { "a: {x: 1}\\n" -- "b" -- "yes" -- "null" }'
    with pytest.raises(DesignError, match="is no host name"):
        ends(IMPORTERS["dot"](text, "g.dot"))
    assert [one for one, _ in ends(IMPORTERS["dot"]("graph { yes -- null }", "g.dot"))] == [
        "yes:eth0"
    ]


def test_a_pattern_without_a_device_is_refused() -> None:
    with pytest.raises(DesignError) as error:
        IMPORTERS["csv"](CSV, "g.csv").with_kinds(["leaf*"], [])
    refused(error, "no device of the graph is named as 'leaf*'", "known: lan, one, two")
