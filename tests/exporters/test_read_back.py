"""Records, laboratories and platforms that a plan exports are the same graph when imported.

NetBox and containerlab have every cable with the ports of nodes; netlab has segments; SimGrid has
the cables that routes take, and neither names of switches nor of ports.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from tests.kinds import KINDS, has_bonds
from tests.kinds import network as kind

from linkwright.design.importers import IMPORTERS, Drawing
from linkwright.network import HUB, NODE, Network
from linkwright.plan import export

WITHOUT_BONDS = [name for name in KINDS if not has_bonds(kind(name))]
HAVE_HUBS = [name for name in WITHOUT_BONDS if HUB in kind(name).wiring.kind]


def read_back(whole: Network, target: str, file: str) -> tuple[str, Drawing]:
    text = export(whole, [target]).files[f"nodes/all/{target}/{file}"]
    return text, IMPORTERS[target].read(text, "'g'")


def cables(whole: Network) -> list[list[tuple[str, int]]]:
    """Return device and port of both ends of each cable."""
    return [
        [(whole.device_names[device], port) for device, port in ends]
        for ends in zip(whole.wiring.cable_a.tolist(), whole.wiring.cable_b.tolist(), strict=True)
    ]


def kinds(whole: Network) -> dict[str, str]:
    names = {NODE: "node", HUB: "hub"}
    used = {device for ends in cables(whole) for device, _ in ends}
    return {
        name: names.get(code, "router" if number < whole.n_nodes else "switch")
        for number, (name, code) in enumerate(zip(whole.device_names, whole.wiring.kind.tolist(),
                                                  strict=True))
        if name in used
    }  # fmt: skip


@pytest.mark.parametrize("name", KINDS)
def test_containerlab(name: str) -> None:
    whole = kind(name)
    _, drawing = read_back(whole, "containerlab", "topology.clab.yml")
    assert drawing.kinds == kinds(whole)
    numbers = {device: number for number, device in enumerate(whole.device_names)}
    wanted = Counter(
        frozenset(
            (device, whole.port_name(numbers[device], port) if numbers[device] < whole.n_nodes
             else f"p{port}")
            for device, port in ends
        )
        for ends in cables(whole)
    )  # fmt: skip
    found = (frozenset((end.device, end.port) for end in one.ends) for one in drawing.cables)
    assert Counter(found) == wanted


def segments(pairs: Iterable[tuple[Any, Any]], boxes: set[str]) -> Counter[frozenset[Any]]:
    """Return the ends of nodes on each segment: boxes that cables join are one."""
    group = {box: box for box in boxes}

    def root(box: str) -> str:
        while group[box] != box:
            box = group[box]
        return box

    pairs = list(pairs)
    for (a, _), (b, _) in pairs:
        if a in boxes and b in boxes:
            group[root(a)] = root(b)
    found: dict[Any, set[Any]] = {}
    for number, (a, b) in enumerate(pairs):
        nodes = [end for end in (a, b) if end[0] not in boxes]
        if nodes:
            box = next((root(end[0]) for end in (a, b) if end[0] in boxes), number)
            found.setdefault(box, set()).update(nodes)
    return Counter(frozenset(ends) for ends in found.values())


@pytest.mark.parametrize("name", WITHOUT_BONDS)
def test_netlab(name: str) -> None:
    whole = kind(name)
    _, drawing = read_back(whole, "netlab", "topology.yml")
    boxes = {device for device, own in drawing.kinds.items() if own != "node"}
    found = segments((tuple((end.device, end.port) for end in one.ends) for one in drawing.cables),
                     boxes)  # fmt: skip
    planned = [[(device, f"eth{port + 1}") for device, port in ends] for ends in cables(whole)]
    own_boxes = set(whole.device_names[whole.n_nodes :])
    wanted = segments(((a, b) for a, b in planned), own_boxes)
    assert found == Counter({ends: n for ends, n in wanted.items() if len(ends) > 1})


def shape(pairs: list[tuple[str, str]], nodes: set[str]) -> Counter[Any]:
    """Return a graph without the names of its boxes: the cables between nodes, and for the others
    the surroundings of their ends.
    """
    sign = {name: name if name in nodes else "" for pair in pairs for name in pair}
    for _ in range(4):
        beside: dict[str, list[str]] = {name: [] for name in sign}
        for a, b in pairs:
            beside[a].append(sign[b])
            beside[b].append(sign[a])
        sign = {name: old if name in nodes else f"({','.join(sorted(beside[name]))})"
                for name, old in sign.items()}  # fmt: skip
    return Counter(frozenset(Counter((sign[a], sign[b])).items()) for a, b in pairs)


@pytest.mark.parametrize("name", [name for name in WITHOUT_BONDS if name not in HAVE_HUBS])
def test_simgrid(name: str) -> None:
    whole = kind(name)
    text, drawing = read_back(whole, "simgrid", "platform.xml")
    used = {one.get("id") for one in ET.fromstring(text).iter("link_ctn")}
    nodes = {name for name, own in kinds(whole).items() if own == "node"}
    wanted = [(a, b) for k, ((a, _), (b, _)) in enumerate(cables(whole)) if f"link-c{k}" in used]
    found = [(one.a.device, one.b.device) for one in drawing.cables]
    assert shape(found, nodes) == shape(wanted, nodes)


def test_simgrid_hubs() -> None:
    _, drawing = read_back(kind("hub"), "simgrid", "platform.xml")
    assert Counter(drawing.kinds.values()) == Counter(kinds(kind("hub")).values())
    assert len(drawing.cables) == len(cables(kind("hub")))


@pytest.mark.parametrize("name", KINDS)
def test_netbox(name: str) -> None:
    whole = kind(name)
    text = export(whole, ["netbox"]).files["nodes/all/netbox/7-cables.csv"]
    found = IMPORTERS["cables"].read(text, "'g'").cables
    records = IMPORTERS["dot"].read(
        export(whole, ["dot"]).files["nodes/all/dot/topology.dot"], "'g'"
    )
    ends = [{(end.device, end.port) for end in one.ends} for one in records.cables]
    assert [{(end.device, end.port) for end in one.ends} for one in found] == ends
