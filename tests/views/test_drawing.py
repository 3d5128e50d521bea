"""Drawings: everything is there once, nothing covers anything else, and names cannot break out.

How they look is for eyes; these are the rules that make a drawing readable at any size.
"""

from __future__ import annotations

import math
import re
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from tests.kinds import compiled, examples
from tests.views.sample import network

from linkwright.design.cluster import Cluster
from linkwright.errors import DesignError
from linkwright.network import NODE, Network
from linkwright.network import compile as compile_network
from linkwright.views.drawing import draw, picture_of
from linkwright.views.drawing.between import draw_between
from linkwright.views.drawing.picture import Box, Picture

SVG = "{http://www.w3.org/2000/svg}"
CASES = [
    pytest.param(fields, front_end, id=f"{name}{' with a front end' * front_end}")
    for name, fields in examples(most_nodes=600).items()
    for front_end in (False, True)
]
every_example = pytest.mark.parametrize(("fields", "front_end"), CASES)


def example(fields: dict[str, Any], front_end: bool) -> Network:
    """Return the network of an example, unless it has no place for a front end."""
    try:
        return compiled(fields, front_end=front_end)
    except DesignError as error:
        if "front end" not in error.message:
            raise
        pytest.skip(error.message)


@every_example
def test_every_device_and_cable_is_drawn_once(fields: dict[str, Any], front_end: bool) -> None:
    built = example(fields, front_end)
    drawing = ET.fromstring(draw(built))
    labels = [text.text for text in drawing.iter(f"{SVG}text")]
    for name in built.device_names:
        assert labels.count(name) == 1
    cables = [
        cable
        for path in drawing.iter(f"{SVG}path")
        for cable in (path.findtext(f"{SVG}title") or "").splitlines()
    ]
    assert len(cables) == len(set(cables)) == len(built.wiring.cable_a)


@every_example
def test_no_device_covers_another(fields: dict[str, Any], front_end: bool) -> None:
    expect_no_overlap(picture_of(example(fields, front_end)))


def expect_no_overlap(picture: Picture) -> None:
    boxes = sorted(box.corners for box in picture.boxes.values())
    for index, (_, top, right, bottom) in enumerate(boxes):
        for other in boxes[index + 1 :]:
            if other[0] >= right:
                break
            assert other[1] >= bottom or other[3] <= top, "two devices overlap"


@every_example
def test_every_cable_ends_at_its_devices(fields: dict[str, Any], front_end: bool) -> None:
    built = example(fields, front_end)
    picture = picture_of(built)
    for wire in picture.wires:
        x, y = (
            [float(one) for one in re.findall(r"-?[\d.]+", wire.path)][way::2] for way in (0, 1)
        )
        cable = wire.cables[0]
        boxes = {
            picture.boxes[int(end[cable, 0])]
            for end in (built.wiring.cable_a, built.wiring.cable_b)
        }
        reached = {
            box
            for box in boxes
            for place in (0, -1)
            if abs(x[place] - box.x) <= box.width / 2 + 1
            and abs(y[place] - box.y) <= box.height / 2 + 1
        }
        assert reached == boxes, wire.title


@every_example
def test_everything_lies_inside_the_picture(fields: dict[str, Any], front_end: bool) -> None:
    drawing = ET.fromstring(draw(example(fields, front_end)))
    left, top, width, height = map(float, drawing.attrib["viewBox"].split())
    for rect in drawing.iter(f"{SVG}rect"):
        x, y, w, h = (float(rect.attrib[name]) for name in ("x", "y", "width", "height"))
        assert left <= x
        assert top <= y
        assert x + w <= left + width
        assert y + h <= top + height


def test_a_torus_and_a_mesh_look_like_grids() -> None:
    for kind in ("torus", "mesh"):
        boxes = picture_of(network(kind, shape=[3, 5])).boxes
        assert len({box.x for box in boxes.values()}) == 5
        assert len({box.y for box in boxes.values()}) == 3
        assert boxes[0].x < boxes[1].x
        assert boxes[0].y < boxes[5].y


def test_wraparound_is_curved_and_neighbours_are_joined_straight() -> None:
    wires = picture_of(network("torus", shape=[4, 4])).wires
    assert sum("C" in wire.path for wire in wires) == 8
    assert all("C" not in wire.path for wire in picture_of(network("mesh", shape=[4, 4])).wires)


def test_switches_of_a_p_mesh_stand_at_the_rim() -> None:
    built = network("p-mesh", shape=[3, 4], lines_per_switch=1)
    boxes = picture_of(built).boxes
    right = max(box.x for device, box in boxes.items() if built.wiring.kind[device] == NODE)
    lowest = max(box.y for device, box in boxes.items() if built.wiring.kind[device] == NODE)
    for device, name in enumerate(built.device_names):
        if name.startswith("x"):
            assert boxes[device].x > right
        if name.startswith("y"):
            assert boxes[device].y > lowest


def test_lines_of_the_third_dimension_have_a_track_each() -> None:
    built = network("p-mesh", shape=[3, 4, 5], lines_per_switch=1)
    tracks: dict[int, set[str]] = {}
    for wire in picture_of(built).wires:
        if "dimension-2" in wire.style:
            switch = int(built.wiring.cable_b[wire.cables[0], 0])
            tracks.setdefault(switch, set()).add(wire.path.split("L")[1].split()[1])
    assert len(tracks) == 20
    assert all(len(heights) == 1 for heights in tracks.values())
    assert len(set.union(*tracks.values())) == 20


@pytest.mark.parametrize("kind", ["switched-mesh", "bonded-switched-mesh"])
def test_a_switch_stands_beyond_the_rows_and_one_beyond_the_columns(kind: str) -> None:
    built = network(kind, shape=[3, 4], front_end=True)
    picture = picture_of(built)
    at = {name: picture.boxes[device] for device, name in enumerate(built.device_names)}
    assert len({at[f"x{row}"].x for row in range(3)}) == 1
    assert len({at[f"y{column}"].y for column in range(4)}) == 1
    assert at["n03"].x < at["x0"].x < at["sw0"].x
    assert at["n11"].y < at["y0"].y < at["sw1"].y
    assert at["x0"].y < at["sw0"].y < at["x2"].y
    assert at["y0"].x < at["sw1"].x < at["y3"].x
    assert at["fe"].x < at["n00"].x
    assert at["fe"].y < at["x0"].y < at["n00"].y


def test_buses_are_parallel_bars_with_the_nodes_between() -> None:
    built = network("bonded-dual-net", nodes=9, buses=4)
    picture = picture_of(built)
    at = {name: picture.boxes[device] for device, name in enumerate(built.device_names)}
    assert at["hub2"].y < at["hub0"].y < at["n0"].y < at["n8"].y < at["hub1"].y < at["hub3"].y
    bars = [at[f"hub{bus}"] for bus in range(4)]
    assert len({(bar.x, bar.width) for bar in bars}) == 1
    assert all(bars[0].corners[0] < at[f"n{k}"].x < bars[0].corners[2] for k in range(9))


def test_stages_lie_on_a_circle_and_groups_on_a_grid_with_their_stacks_between() -> None:
    ring = network("stack-ring", stages=5, nodes_per_stage=4)
    picture = picture_of(ring)
    radii = [math.hypot(frame.x, frame.y) for frame in picture.frames]
    assert max(radii) - min(radii) < 1e-6
    for stack, (first, second) in enumerate([(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)]):
        box = picture.boxes[ring.n_nodes + stack]
        near = sorted(range(5), key=lambda k: math.dist((box.x, box.y), _centre(picture.frames[k])))
        assert {first, second} == set(near[:2])
    grid = picture_of(network("stack-mesh", shape=[3, 4], nodes_per_group=2))
    assert len({frame.x for frame in grid.frames}) == 4
    assert len({frame.y for frame in grid.frames}) == 3


def test_cables_of_a_group_meet_at_a_side_and_run_around_the_other_groups() -> None:
    """The last part of the path to a stack is one line for all nodes of a group."""
    built = network("stack-mesh", shape=[3, 4], nodes_per_group=6)
    picture = picture_of(built)
    ends: dict[tuple[int, int], set[str]] = {}
    for wire in picture.wires:
        node, stack = (
            int(end[wire.cables[0], 0]) for end in (built.wiring.cable_a, built.wiring.cable_b)
        )
        ends.setdefault((node // 6, stack), set()).add("L".join(wire.path.split("L")[-2:]))
    assert len(ends) == 48
    assert all(len(ways) == 1 for ways in ends.values())
    for wire in picture.wires:
        points = [float(one) for one in re.findall(r"-?[\d.]+", wire.path)]
        node = int(built.wiring.cable_a[wire.cables[0], 0])
        own = picture.frames[node // 6]
        inner = list(zip(points[::2], points[1::2], strict=True))[:-1]
        for frame in picture.frames:
            left, top, right, bottom = frame.corners
            if frame is not own:
                assert not any(left < x < right and top < y < bottom for x, y in inner)


def _centre(box: Box) -> tuple[float, float]:
    return box.x, box.y


def test_the_root_of_a_tree_is_on_top_and_nodes_at_the_bottom() -> None:
    built = network("tree", nodes=12)
    boxes = picture_of(built).boxes
    heights = {name: boxes[device].y for device, name in enumerate(built.device_names)}
    assert heights["root0"] < heights["sw0"] < heights["n00"]


def test_the_front_end_of_a_switch_above_hubs_stands_beside_it() -> None:
    built = network("hub-switch", nodes=8, density=4, front_end=True)
    picture = picture_of(built)
    boxes = dict(zip(built.device_names, (picture.boxes[i] for i in range(12)), strict=True))
    assert boxes["fe"].y == boxes["sw0"].y < boxes["hub0"].y == boxes["hub1"].y < boxes["n0"].y
    assert boxes["fe"].x > boxes["sw0"].x


@every_example
def test_any_network_fits_the_drawing_for_those_without_one(
    fields: dict[str, Any], front_end: bool
) -> None:
    built = example(fields, front_end)
    picture = draw_between(built)
    expect_no_overlap(picture)
    assert sorted(picture.boxes) == list(range(len(built.device_names)))
    assert sum(len(wire.cables) for wire in picture.wires) == len(built.wiring.cable_a)


def test_a_switch_beside_cables_between_nodes_is_drawn() -> None:
    built = network("switch", nodes=9)
    extra = np.array([[0, 1]], dtype=np.uint32), np.array([[1, 1]], dtype=np.uint32)
    wiring = replace(
        built.wiring,
        cable_a=np.concatenate([built.wiring.cable_a, extra[0]]),
        cable_b=np.concatenate([built.wiring.cable_b, extra[1]]),
    )
    mixed = replace(built, wiring=wiring)
    picture = picture_of(mixed)
    expect_no_overlap(picture)
    assert [wire.cables for wire in picture.wires][-1] == (9,)
    assert 'data-cables="9"' in draw(mixed)


@pytest.mark.parametrize(
    ("kind", "fields", "without"),
    [
        ("tree", {"nodes": 16}, ["sw0"]),
        ("tree", {"nodes": 16}, ["root0", "n03"]),
        ("switch", {"nodes": 6}, ["sw0"]),
        ("hub-switch", {"nodes": 16, "density": 4}, ["hub0"]),
        ("torus", {"shape": [4, 4]}, ["n05"]),
        ("p-mesh", {"shape": [4, 4], "lines_per_switch": 4}, ["chassis0"]),
        ("direct", {}, ["n0"]),
        ("switched-mesh", {"shape": [3, 4]}, ["sw0", "y1", "n05"]),
        ("bonded-dual-net", {"nodes": 6}, ["hub1", "n1", "n2", "n3", "n4"]),
        ("switch", {"nodes": 6, "nfs_switch": True}, ["sw0"]),
    ],
)
def test_what_died_is_drawn_too(kind: str, fields: dict, without: list[str]) -> None:
    parts = {"node": {"slots": None}}
    design = Cluster.from_fields({"topology": {"kind": kind, **fields}, "parts": parts})
    built = compile_network(design, without=without)
    picture = picture_of(built)
    expect_no_overlap(picture)
    assert sorted(picture.boxes) == list(range(len(built.device_names)))
    gone = [device for device, box in picture.boxes.items() if box.style.endswith(" gone")]
    assert sorted(gone) == np.flatnonzero(built.is_dead).tolist()


def test_shapes_say_what_they_stand_for() -> None:
    built = network("tree", nodes=16)
    drawing = ET.fromstring(draw(built))
    devices = [int(g.attrib["data-device"]) for g in drawing.iter(f"{SVG}g")]
    assert devices == list(range(len(built.device_names)))
    names = [g.findtext(f"{SVG}text") for g in drawing.iter(f"{SVG}g")]
    assert names == list(built.device_names)
    cables = [path.attrib["data-cables"].split() for path in drawing.iter(f"{SVG}path")]
    assert sorted(int(one) for some in cables for one in some) == list(
        range(len(built.wiring.cable_a))
    )


def test_a_large_full_mesh_says_what_it_leaves_out() -> None:
    drawing = draw(network("full-mesh", nodes=110))
    assert "only the cables of n000 are drawn" in drawing
    assert drawing.count("<path") == 109


def test_names_are_escaped() -> None:
    built: Network = network("direct")
    spiteful = replace(built, device_names=('<script>alert("1")</script>', "a&b"))
    drawing = draw(spiteful)
    assert "<script" not in drawing
    assert "a&amp;b" in drawing
    ET.fromstring(drawing)


def test_the_same_network_gives_the_same_bytes() -> None:
    assert draw(network("torus", shape=[3, 3])) == draw(network("torus", shape=[3, 3]))


def test_routed_switches_are_drawn_as_switches_above_their_nodes() -> None:
    design = Path(__file__).parents[2] / "examples" / "routed-spines.yaml"
    picture = picture_of(compile_network(Cluster.load(design)))
    places = {box.label: box for box in picture.boxes.values()}
    assert {places[name].style for name in ("spine0", "leaf0", "rack2")} == {"switch"}
    assert places["n0"].style == "node"
    assert places["spine0"].y < places["leaf0"].y < places["n0"].y


def test_devices_are_drawn_at_the_places_of_the_design() -> None:
    text = "topology: {kind: ring, shape: [4]}\nplaces: {n1: {drawn: [300, 20]}, n2: [1, 2]}\n"
    picture = picture_of(compile_network(Cluster.parse(text)))
    box = picture.boxes[1]
    assert (box.x, box.y) == (300, 20)
    plain = picture_of(compile_network(Cluster.parse(text.partition("places")[0])))
    assert {d for d in plain.boxes if plain.boxes[d] != picture.boxes[d]} == {1}
    moved = [new.path for old, new in zip(plain.wires, picture.wires, strict=True) if old != new]
    assert len(moved) == 2
    assert all("300 20" in path for path in moved)


def test_a_place_in_the_drawing_is_no_length_and_no_other_design() -> None:
    plain = "name: x\ntopology: {kind: ring, shape: [4]}\n"
    drawn = Cluster.parse(plain + "places: {n1: {drawn: [300, 20]}}\n")
    assert drawn.design_hash == Cluster.parse(plain).design_hash
    assert compile_network(drawn).places[1].metres is None
    in_room = Cluster.parse(plain + "places: {n1: {metres: [3, 2], drawn: [300, 20]}}\n")
    assert compile_network(in_room).places[1].metres == (3.0, 2.0)
    assert in_room.design_hash == Cluster.parse(plain + "places: {n1: [3, 2]}\n").design_hash


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("{drawn: [1]}", "drawn"),
        ("{drawn: [1, .inf]}", "drawn"),
        ("{}", "neither"),
        ("{drawm: [1, 2]}", "drawm"),
        ("here", "places"),
    ],
)
def test_a_wrong_place_is_named(place: str, said: str) -> None:
    with pytest.raises(DesignError, match=said):
        Cluster.parse(f"topology: {{kind: ring, shape: [3]}}\nplaces: {{n1: {place}}}\n")
