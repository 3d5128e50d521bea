"""Switches that route: those that a file calls routers, and those whose cables form a loop.

Bridges cannot form a loop, and a network needs two nodes.
"""

from __future__ import annotations

from tests.design.importers.imported import drawn, kinds

from linkwright.design.cluster import Cluster
from linkwright.design.importers import imported
from linkwright.design.importers.routers import with_routers
from linkwright.network import compile as compile_network
from linkwright.plan import check

CLOS = """\
graph air {
  leaf1 [os="cumulus-vx-5.13"] leaf2 [function=leaf] spine1 [function=spine]
  spine2 [function=spine] rack [function=switch]
  h1:eth1 -- leaf1:swp1; h2:eth1 -- rack; h3:eth1 -- rack; rack -- leaf2:swp1
  leaf1:swp51 -- {spine1 spine2}
}
""".replace(
    "leaf1:swp51 -- {spine1 spine2}",
    """\
leaf1:swp51 -- spine1:swp1; leaf1:swp52 -- spine2:swp1
  leaf2:swp51 -- spine1:swp2; leaf2:swp52 -- spine2:swp2""",
)


def test_leaves_and_spines_route_and_a_switch_of_a_rack_does_not() -> None:
    drawing = with_routers(drawn(CLOS, "dot"))
    assert [name for name, kind in drawing.kinds.items() if kind == "router"] == [
        "leaf1", "leaf2", "spine1", "spine2",
    ]  # fmt: skip
    assert drawing.kinds["rack"] == "switch"
    assert drawing.remarks == (
        "switches whose cables form a loop route: 4, the first is leaf1 of 'g', line 2",
    )


def test_the_design_of_a_leaf_spine_network_is_whole() -> None:
    found = imported(drawn(CLOS, "dot"), name="x", where="'g'", catalogue="ethernet-2026", given={})
    assert "    leaf1: {routed: true}" in found.text
    assert "    rack:\n" in found.text
    network = compile_network(Cluster.parse(found.text))
    assert not [one for one in check(network) if one.severity == "error"]


def test_routers_with_a_rate_get_a_part_that_routes() -> None:
    text = 'graph { r [role=router] a -- r [speed="25G"]; b -- r [speed="25G"] }'
    found = imported(drawn(text, "dot"), name="x", where="'g'", catalogue="ethernet-2026", given={})
    assert "    r: {part: switch-25g-48, routed: true}" in found.text


def test_routers_are_nodes_where_there_are_no_others() -> None:
    lab = "topology:\n  nodes: {a: {kind: nokia_srlinux}, b: {kind: arista_ceos}}\n"
    text = lab + "  links: [{endpoints: [a:e1-1, b:eth1]}]\n"
    assert set(kinds(text, "containerlab").values()) == {"router"}
    drawing = with_routers(drawn(text, "containerlab"))
    assert set(drawing.kinds.values()) == {"node"}
    assert drawing.remarks == (
        "routers are nodes, because a network needs two nodes: 2, the first is a of 'g', line 2",
    )


def test_systems_of_netlab() -> None:
    text = "defaults.device: eos\nlinks: [r-h, r-f, r-b]\n"
    text += "nodes: {r: , h: {device: linux}, f: {device: frr}, b: {role: bridge}}\n"
    assert kinds(text, "netlab") == {"r": "router", "h": "node", "f": "node", "b": "switch"}
