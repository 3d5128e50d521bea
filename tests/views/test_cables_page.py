"""The page of cables: every cable with both ends, two labels each, the ports of every machine in
their order, and names that stay text. Paper itself is looked at by people.
"""

from __future__ import annotations

import re
from html import unescape

import pytest
from tests.kinds import KINDS, compiled, network
from tests.plan.networks import rows
from tests.views.html import SPITE, Page, outside_references

from linkwright.design.cluster import Cluster
from linkwright.errors import DesignError
from linkwright.network import Network
from linkwright.network import compile as compile_network
from linkwright.plan import export, tables
from linkwright.views.cable_groups import cable_groups
from linkwright.views.cable_sheet import backs_of_boxes, backs_of_nodes, sheet_cables
from linkwright.views.cables_page import MOST_CABLES, cables_page

RING = """
name: ring
topology: {kind: ring, shape: [3]}
nodes:
  n0: {name: alpha, management: 192.168.1.10, nics: {eth0: {name: enp1s0f0np0}}}
"""


@pytest.mark.parametrize("kind", KINDS)
def test_sheet_and_ports_have_the_cables_of_the_plan(kind: str) -> None:
    built = network(kind)
    cables = sheet_cables(built)
    plan = rows(tables(built)["cables.csv"])
    assert [(one.name, f"{one.ends[0]} - {one.ends[1]}") for one in cables] == [
        (row["cable"], row["label"]) for row in plan
    ]
    groups = cable_groups(built)
    assert sorted(number for one in groups for number in one.cables) == list(range(len(plan)))
    wanted = sorted(
        (str(own), one.name, str(far)) for one in cables for own, far in (one.ends, one.ends[::-1])
    )
    backs = [*backs_of_nodes(built, cables), *backs_of_boxes(built, cables)]
    shown = sorted(
        (f"{back.name}:{port.name}", port.cable, f"{port.far_box}:{port.far_port}")
        for back in backs
        for slot in back.slots
        for port in slot.ports
    )
    assert shown == wanted


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        ({"kind": "torus", "shape": [3, 4]}, ["dimension X", "dimension Y"]),
        ({"kind": "hypercube", "dimension": 4},
         ["dimension X", "dimension Y", "dimension Z", "dimension 4"]),
        (
            {"kind": "p-mesh", "shape": [3, 3], "lines_per_switch": 1},
            ["dimension X", "dimension Y"],
        ),
        ({"kind": "bonded-switches", "nodes": 4}, ["to sw0", "to sw1"]),
        ({"kind": "tree", "leaves": 2, "nodes_per_leaf": 3}, ["to switches", "uplinks"]),
        ({"kind": "ring", "shape": [4]}, ["between nodes"]),
    ],
)  # fmt: skip
def test_colours_are_dimensions_or_planes(kind: dict[str, object], names: list[str]) -> None:
    groups = cable_groups(compiled(kind))
    assert [one.name for one in groups] == names
    assert len({one.hue for one in groups}) == len(groups)


def test_cables_of_a_dimension_differ_in_that_coordinate_alone() -> None:
    built = compiled({"kind": "torus", "shape": [3, 4]})
    for axis, group in zip((1, 0), cable_groups(built), strict=True):
        for a, b in built.wiring.joined_devices[list(group.cables)].tolist():
            differs = built.wiring.coordinates[a] != built.wiring.coordinates[b]
            assert differs.tolist() == [axis == 0, axis == 1]


def test_names_are_those_of_the_machines() -> None:
    built = compile_network(Cluster.parse(RING))
    cables = sheet_cables(built)
    assert str(cables[0].ends[0]) == "alpha:enp1s0f0np0"
    back = next(backs_of_nodes(built, cables))
    assert (back.name, back.note) == ("alpha", "n0, 192.168.1.10")
    assert "alpha" in cables_page(built)


@pytest.mark.parametrize("kind", KINDS)
def test_names_of_the_sheet_are_those_of_the_files(kind: str) -> None:
    """`names.csv` maps every NIC of a plan to a name that a kernel takes, and the sheet has it."""
    built = network(kind)
    mapped = rows(export(built, ["hosts"]).files["nodes/names.csv"])
    names = {(row["hostname"], row["interface"]) for row in mapped}
    assert len(names) == len(mapped)
    assert all(0 < len(interface) <= 15 for _, interface in names)
    plan = {(row["node"], row["nic"]) for row in rows(tables(built)["interfaces.csv"])}
    assert plan <= {(row["node"], row["nic"]) for row in mapped}
    ends = (end for one in sheet_cables(built) for end in one.ends)
    assert {(end.box, end.port) for end in ends if end.node >= 0} <= names


def test_a_free_connector_of_a_nic_is_shown() -> None:
    built = compile_network(
        Cluster.parse(
            "topology: {kind: direct}\nparts: {catalogue: ethernet-2026, node: dgx-spark, "
            "nic: nic-dgx-spark, cable: dac-200g}"
        )
    )
    (slot,) = next(backs_of_nodes(built, sheet_cables(built))).slots
    assert (slot.shape, len(slot.ports), slot.n_free) == ("qsfp", 1, 1)


@pytest.mark.parametrize("kind", ["torus", "p-mesh", "stack-ring"])
def test_a_page_needs_nothing_else_and_has_two_labels_per_cable(kind: str) -> None:
    built = network(kind)
    text = cables_page(built)
    assert outside_references(text) == []
    assert Page(text).scripts == []
    assert cables_page(built) == text
    assert "@media screen and (prefers-color-scheme: dark)" in text
    assert "data-theme" not in text, "no script sets a theme"
    labels = text[text.index('<div class="labels">') :]
    ends = [unescape(one) for one in re.findall(r"<b>([^<]*)</b>", labels)]
    owned = [f"{box}:{port}" for box, port in zip(ends[::2], ends[1::2], strict=True)]
    assert owned == [str(end) for one in sheet_cables(built) for end in one.ends]


def test_lengths_are_shown_where_both_places_are_known() -> None:
    design = "topology: {kind: ring, shape: [3]}\nplaces: {n0: [0, 0, 0], n1: [0.6, 0, 0.35]}\n"
    built = compile_network(Cluster.parse(design))
    lengths = {(one.ends[0].node, one.ends[1].node): one.length for one in sheet_cables(built)}
    assert [length for length in lengths.values() if length] == [lengths[0, 1]] == ["1.5 m"]
    assert "<td>1.5 m</td>" in cables_page(built)


@pytest.mark.parametrize("places", ["{n9: [0, 0]}", "{n0: [0, 0], n1: [0, 0, 0]}"])
def test_places_that_make_no_sense_are_refused(places: str) -> None:
    design = f"topology: {{kind: ring, shape: [3]}}\nplaces: {places}\n"
    with pytest.raises(DesignError, match="'places'"):
        compile_network(Cluster.parse(design))


def test_names_stay_text() -> None:
    built = compile_network(
        Cluster.from_fields({"name": SPITE, "topology": {"kind": "ring", "shape": [3]}})
    )
    plain = compile_network(
        Cluster.from_fields({"name": "plain", "topology": {"kind": "ring", "shape": [3]}})
    )
    assert Page(cables_page(built)).elements == Page(cables_page(plain)).elements


def test_a_network_with_too_many_cables_has_no_page() -> None:
    built: Network = compiled({"kind": "torus", "shape": [46, 46]})
    assert len(built.wiring.cable_a) > MOST_CABLES
    assert cables_page(built) == ""


def test_256_nodes_are_light() -> None:
    assert len(cables_page(compiled({"kind": "torus", "shape": [16, 16]}))) < 1_000_000
