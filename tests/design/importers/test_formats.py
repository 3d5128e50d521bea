"""Tables, GraphML, JSON and the files of laboratories: small ones as the tools write them.

A mistake is named with its line in the file, whatever its format.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.design.importers.imported import cables, drawn, edges, kinds, topology
from tests.design.wired import refused

from linkwright.design.importers import IMPORTERS, read_drawing
from linkwright.errors import DesignError

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
YED = """\
<graphml xmlns:y="http://www.yworks.com/xml/graphml">
  <key for="node" id="d6" yfiles.type="nodegraphics"/>
  <graph edgedefault="directed" id="G">
    <node id="n0" yfiles.foldertype="group"><data key="d6"><y:ProxyAutoBoundsNode>
      <y:GroupNode><y:NodeLabel>rack</y:NodeLabel></y:GroupNode></y:ProxyAutoBoundsNode></data>
      <graph edgedefault="directed" id="n0:">
        <node id="n0::n0"><data key="d6"><y:ShapeNode>
          <y:NodeLabel/><y:NodeLabel>hestia</y:NodeLabel></y:ShapeNode></data></node>
        <node id="n0::n1"><data key="d6"><y:ShapeNode>
          <y:NodeLabel>juno
home</y:NodeLabel></y:ShapeNode></data></node>
      </graph>
    </node>
    <node id="n1"><data key="d6"><y:ShapeNode>
      <y:NodeLabel>hestia</y:NodeLabel></y:ShapeNode></data></node>
    <node id="n2"/>
    <edge id="e0" source="n0::n0" target="n0::n1"/>
    <edge id="e1" source="n0::n1" target="n0::n0"/>
    <edge id="e2" source="n1" target="n2"/>
    <edge id="e3" source="n2" target="n0::n0"/>
  </graph>
</graphml>
"""
CONTAINERLAB = """\
name: x
topology:
  defaults: {kind: linux}
  groups: {lans: {kind: bridge}}
  nodes:
    leaf1: {kind: nokia_srlinux}
    client1:
    br-lan: {group: lans}
    hub1: {labels: {role: hub}}
    alone:
  links:
    - endpoints: ["leaf1:e1-1", "client1:eth1"]
      mtu: 9000
    - type: veth
      endpoints:
        - {node: leaf1, interface: e1-2, mac: "02:00:00:00:00:01"}
        - node: br-lan
          interface: eth1
    - endpoints: [hub1:p0, client1:eth2]
    - endpoints: ["client1:eth3", "host:x"]
    - {type: mgmt-net, endpoint: {node: leaf1, interface: e1-9}, host-interface: y}
"""
NETLAB = """\
nodes:
  r1: {role: router}
  r2:
  s1: {role: bridge}
  h1: {device: linux}
links:
- r1-r2
- [r1, s1]
- r1:
    ifname: eth7
  h1:
  bandwidth: 100000
- interfaces: [{node: r2, ifname: eth3}, {node: h1}, {node: r1}]
- {r2: , type: loopback}
- {type: lan, h1: , r2: }
- group: core
  members: [r1-r2]
- lag.members: [r1-h1, r1-h1]
- lag: {members: [{r2: , s1: }]}
"""


@pytest.mark.parametrize(("form", "text"), [("graphml", GRAPHML), ("cables", CSV)])
def test_the_same_graph_as_graphml_and_as_a_table(form: str, text: str) -> None:
    assert kinds(text, form) == {"one": "node", "two": "node", "lan": "switch"}
    assert cables(text, form) == [
        ("one:enp1s0", "lan:7"), ("two:eth0", "lan"), ("one:eth0", "two:eth1"),
    ]  # fmt: skip


def test_the_labels_of_yed_are_the_names() -> None:
    assert edges(YED, "graphml") == ["hestia - juno\nhome", "hestia 2 - n2", "n2 - hestia"]


@pytest.mark.parametrize(
    ("header", "row", "expected"),
    [
        ("a_device;a_port;b_device;b_port", "x;e0;y;e1", "x:e0 - y:e1"),
        ("A Device\tA Port\tB Device\tB Port", "x\te0\ty\te1", "x:e0 - y:e1"),
        ("Source,Source Port,Target,Target Port", "x,e0,y,e1", "x:e0 - y:e1"),
        ("from,to", "x,y", "x - y"),
        ("source_host,destination_host,source_if", "x,y,e0", "x:e0 - y"),
        ("localDevice,localInterface,remoteDevice,remoteInterface", "x,e0,y,e1", "x:e0 - y:e1"),
        ("Device A,Interface A,Device B,Interface B", "x,e0,y,e1", "x:e0 - y:e1"),
        ("node1,port1,node2,port2", "x,e0,y,e1", "x:e0 - y:e1"),
        ("#a_device,b_device", "x,y", "x - y"),
        (
            "side_a_device,side_a_type,side_a_name,side_b_device,side_b_type,side_b_name,length",
            "x,dcim.interface,e0,y,dcim.interface,e1,",
            "x:e0 - y:e1",
        ),
        (
            "ID,Label,Termination A,Termination B,Device A,Device B,Rack A,Rack B,Status,Length",
            "#7,,e0,e1,x,y,R1,R2,Connected,",
            "x:e0 - y:e1",
        ),
        ('sep=;\n"a device";"b device"', '"x";"y"', "x - y"),
    ],
)
def test_tables_of_cables(header: str, row: str, expected: str) -> None:
    for end in ("\n", "\r\n"):
        text = f"{header}\n{row}\n".replace("\n", end)
        assert edges(text, "cables") == [expected]


def test_a_table_may_have_a_mark_of_its_byte_order_and_lines_in_quotes(tmp_path: Path) -> None:
    file = tmp_path / "g.csv"
    file.write_bytes(b'\xef\xbb\xbfa_device,b_device,note\r\nx,y,"two\r\nlines"\r\n\r\nx,,\r\n')
    with pytest.raises(DesignError) as error:
        read_drawing([file])
    refused(error, "line 5: a cable has two devices")


def test_rates_lengths_and_addresses_of_a_table() -> None:
    text = "a_device,b_device,a_mac,speed,length\nx,y,02:00:00:00:00:01,2.5 Gb/s,3 m\ny,z,,10,\n"
    drawing = drawn(text, "cables")
    assert [one.rate_mbps for one in drawing.cables] == [2500, None]
    assert drawing.cables[0].a.mac == "02:00:00:00:00:01"
    assert drawing.remarks == (
        "left out the length of a cable: 'g', line 2 (3 m)",
        "left out a rate without a unit: 'g', line 3 (10)",
    )


def test_cables_for_power_and_consoles_are_left_out() -> None:
    text = (
        "side_a_device,side_a_type,side_a_name,side_b_device,side_b_type,side_b_name,type\n"
        "x,dcim.interface,e0,y,dcim.interface,e1,cat6\n"
        "x,dcim.powerport,psu1,pdu,dcim.poweroutlet,7,\n"
        "x,dcim.consoleport,con,ts,dcim.consoleserverport,1,\n"
        "y,,psu1,pdu,,8,Power\n"
    )
    assert edges(text, "cables") == ["x:e0 - y:e1"]
    assert drawn(text, "cables").remarks == (
        "left out a cable for power or a console: 'g', line 3; 'g', line 4; 'g', line 5",
    )


def test_rates_of_the_topology_zoo() -> None:
    keys = ("LinkSpeed", "LinkSpeedUnits", "LinkSpeedRaw")
    data = "".join(
        f'<data key="{k}">{v}</data>' for k, v in zip(keys, (10, "G", 1e10), strict=True)
    )
    for text in (data, data.rpartition("<data")[0]):
        graph = (
            f'<graph><node id="a"/><node id="b"/><edge source="a" target="b">{text}</edge></graph>'
        )
        [cable] = drawn(f"<graphml>{graph}</graphml>", "graphml").cables
        assert cable.rate_mbps == 10_000


def test_netlab_makes_nodes_of_groups_and_links_of_vlans() -> None:
    text = (
        "groups:\n  _auto_create: true\n  hosts: {members: [h1, h2, h3]}\n"
        "nodes:\n  s1.id: 7\n  dut: {role: bridge}\nvlans: {red: {links: [s1-h1]}}\n"
        "links:\n- {interfaces: [h1, h2, h3], bridge: dut}\n- s1-dut\n"
    )
    assert edges(text, "netlab") == ["h1 - dut", "h2 - dut", "h3 - dut", "s1 - dut", "s1 - h1"]
    assert edges("nodes: [{name: a}, b]\nlinks: [a-b]", "netlab") == ["a - b"]


def test_a_cable_listed_from_both_sides_is_one() -> None:
    text = "a_device,a_port,b_device,b_port\nx,e0,y,e1\ny,e1,x,e0\n"
    assert edges(text, "cables") == ["x:e0 - y:e1"]


def node_link(key: str, *, is_directed: bool = False) -> str:
    nodes: list[dict[str, Any]] = [{"id": 0}, {"id": 1, "label": "one"}, {"id": [0, 1]}]
    edges_: list[dict[str, Any]] = [
        {"source": 0, "target": 1, "sourceport": "e0", "rate_mbps": 1000.0, "key": 0},
        {"source": 1, "target": [0, 1]},
        {"source": [0, 1], "target": 1},
    ]
    return json.dumps({"directed": is_directed, "nodes": nodes, key: edges_}, indent=1)


@pytest.mark.parametrize("key", ["links", "edges"])
def test_node_link_json_of_both_ages(key: str) -> None:
    text = node_link(key, is_directed=True)
    assert edges(text, "node-link") == ["0:e0 - one", "one - 0, 1"]
    assert drawn(text, "node-link").cables[0].rate_mbps == 1000
    assert list(topology(drawn(text, "node-link"))["nodes"]) == ["n0", "one", "n0-1"]


def test_containerlab() -> None:
    assert edges(CONTAINERLAB, "containerlab") == [
        "leaf1:e1-1 - client1:eth1", "leaf1:e1-2 - br-lan:eth1", "hub1:p0 - client1:eth2",
    ]  # fmt: skip
    assert kinds(CONTAINERLAB, "containerlab") == {
        "leaf1": "router", "client1": "node", "br-lan": "switch", "hub1": "hub",
    }  # fmt: skip
    drawing = drawn(CONTAINERLAB, "containerlab")
    assert drawing.cables[1].a.mac == "02:00:00:00:00:01"
    assert drawing.remarks == (
        "left out a link to the machine of the lab: 'g', line 20 (host); 'g', line 21 (mgmt-net)",
        "left out a device without a cable: 'g', line 10 (alone)",
    )


def test_netlab() -> None:
    assert edges(NETLAB, "netlab") == [
        "r1 - r2", "r1 - s1", "r1:eth7 - h1", "r2:eth3 - lan1", "h1 - lan1", "r1 - lan1",
        "h1 - lan2", "r2 - lan2", "r1 - r2", "r1 - h1", "r1 - h1", "r2 - s1",
    ]  # fmt: skip
    assert drawn(NETLAB, "netlab").cables[2].rate_mbps == 100
    assert kinds(NETLAB, "netlab")["s1"] == kinds(NETLAB, "netlab")["lan1"] == "switch"


def test_a_lab_may_share_values_by_aliases_and_they_are_not_copied() -> None:
    text = "topology:\n  nodes: {a: &a {kind: linux}, b: {<<: *a}}\n  links:\n"
    text += "    - endpoints: [a:e0, b:e0]\n"
    assert edges(text, "containerlab") == ["a:e0 - b:e0"]
    levels = "".join(f"l{k}: &l{k} [{', '.join([f'*l{k - 1}'] * 9)}]\n" for k in range(1, 12))
    bomb = f"l0: &l0 [x]\n{levels}topology: {{nodes: {{a: , b: }}, links: *l11}}\n"
    with pytest.raises(DesignError, match="a link has 2 endpoints"):
        drawn(bomb, "containerlab")
    loop = "nodes: [a, b]\nlinks:\n- &a {lag.members: [*a, a-b]}\n"
    assert set(edges(loop, "netlab")) == {"a - b"}


MISTAKES = [
    ("graphml", "<graphml", ("line 1 is not XML",)),
    ("graphml", "<svg/>", ("holds 'svg'",)),
    ("graphml", "<!DOCTYPE x [<!ENTITY a 'b'>]>\n<graphml/>", ("line 1", "an entity")),
    ("graphml", "<a>" * 200, ("line 1", "nested more than 100 levels")),
    ("graphml", "<graphml>\n<graph>\n<edge source='0' target='1'/></graph></graphml>",
     ("line 3", "no node '0'")),
    ("cables", "x,y\n1,2\n", ("line 1: no columns 'a_device' and",)),
    ("cables", "a_device,b_device\nx,\n", ("line 2: a cable has two devices",)),
    ("cables", "", ("no column",)),
    ("cables", 'a_device,b_device\nx,"' + "y" * 140_000, ("line 2 is not CSV",)),
    ("node-link", "{", ("line 1, column 2 is not JSON",)),
    ("node-link", "[" * 100_000, ("nested too deeply",)),
    ("node-link", "[]", ("no list 'nodes'",)),
    ("node-link", '{"nodes": []}', ("no list 'edges'",)),
    ("node-link", '{"nodes": [\n{"id": 1},\n{"id": 1}], "edges": []}', ("line 3", "a second node")),
    ("node-link", '{"nodes": [{"id": 1}], "edges":\n\n[\n{"source": 1, "target": 2}]}',
     ("line 4", "no node '2'")),
    ("node-link", '{"nodes": [], "edges": []} {}', ("text after the graph",)),
    ("node-link", '{"nodes": [' + "9" * 5000 + '], "edges": []}', ("is not JSON",)),
    ("containerlab", "topology: {}", ("no 'topology.nodes'",)),
    ("containerlab", "", ("no 'topology.nodes'",)),
    ("containerlab", "topology:\n  nodes: {a: , b: }\n  links:\n  - endpoints: [a:e0]\n",
     ("line 4", "2 endpoints, this one 1")),
    ("containerlab", "topology:\n  nodes: {a: , b: }\n  links:\n  - endpoints: [a:e0, c:e0]\n",
     ("line 4", "no node 'c'")),
    ("containerlab", "a: {b\n", ("broken YAML",)),
    ("containerlab", "{{- if x }}\n", ("broken YAML",)),
    ("containerlab", "[" * 30, ("nested more than 20",)),
    ("netlab", "links: [a-b]", ("no 'nodes'",)),
    ("netlab", "nodes: [a, b]\nlinks:\n- a-c\n", ("line 3", "no node 'c'")),
]  # fmt: skip


@pytest.mark.parametrize(("form", "text", "words"), MISTAKES)
def test_a_mistake_is_named_with_its_line(form: str, text: str, words: tuple[str, ...]) -> None:
    with pytest.raises(DesignError) as error:
        drawn(text, form)
    refused(error, *words)


def test_limits_are_held_before_a_design_is_written() -> None:
    many = "a_device,b_device\n" + "".join(f"h{k},h{k + 1}\n" for k in range(1000))
    with pytest.raises(DesignError) as error:
        topology(drawn(many, "cables"))
    refused(error, "nodes with cables is 1,001", "2 to 1,000")
    with pytest.raises(DesignError) as error:
        topology(drawn("a_device,b_device,a_kind\nlan,x,switch\n", "cables"))
    refused(error, "nodes with cables is 1,")
    wide = "a_device,b_device\n" + "".join(f"hub,h{k}\n" for k in range(257))
    with pytest.raises(DesignError) as error:
        topology(drawn(wide, "cables"))
    refused(error, "'g', line 2", "257 cables", "--switch hub")


def test_a_port_with_two_cables_has_both_lines() -> None:
    with pytest.raises(DesignError) as error:
        topology(drawn("a_device,a_port,b_device\nx,e0,y\nx,e0,z\n", "cables"))
    refused(error, "'g', line 3: port 'e0' of 'x' has a cable already, that of 'g', line 2")


FILES = {
    "a.graphml": GRAPHML, "a.csv": CSV, "a.tsv": CSV, "a.json": node_link("edges"),
    "a.clab.yml": CONTAINERLAB, "topology.yml": NETLAB, "a.yaml": NETLAB, "a.xml": GRAPHML,
    "a.gv": "graph { a -- b }", "graph": "// x\ngraph { a -- b }", "table": CSV,
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_the_format_follows_from_suffix_and_content(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(FILES[name])
    assert read_drawing([tmp_path / name]).cables


def test_another_format_is_refused(tmp_path: Path) -> None:
    (tmp_path / "graph.svg").write_text("<svg/>")
    with pytest.raises(DesignError) as error:
        read_drawing([tmp_path / "graph.svg"])
    refused(error, "graph.svg' is of no known format", "--format with cables, dot, graphml")
    with pytest.raises(DesignError) as error:
        read_drawing([tmp_path / "graph.svg"], "dott")
    refused(error, "no format 'dott'", "did you mean 'dot'?")


def test_a_large_file_is_refused_before_it_is_read(tmp_path: Path) -> None:
    file = tmp_path / "g.dot"
    with file.open("wb") as end:
        end.truncate(17 << 20)
    with pytest.raises(DesignError, match="larger than 16 MiB"):
        read_drawing([file])


def test_most_formats_have_their_graph_in_one_file(tmp_path: Path) -> None:
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_text(CSV)
    with pytest.raises(DesignError, match="2 files, and this format"):
        read_drawing([tmp_path])


def test_a_pattern_without_a_device_is_refused() -> None:
    with pytest.raises(DesignError) as error:
        drawn(CSV, "cables").with_kinds(switch=["leaf*"])
    refused(error, "no device of the graph is named as 'leaf*'", "known: one, lan, two")


def test_every_format_says_who_writes_it() -> None:
    assert all(one.source and one.suffixes for one in IMPORTERS.values())
