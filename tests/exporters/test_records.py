"""Records of the cables: what they say is what `linkwright import` and networkx read back.

The law holds for every kind of network and for every example.
"""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.kinds import KINDS
from tests.kinds import network as kind

from linkwright.design.cluster import Cluster
from linkwright.design.importers import Drawing, read_drawing
from linkwright.design.importers.drawing import DrawnCable, DrawnDevice, DrawnEnd
from linkwright.network import Network
from linkwright.network import compile as compile_network
from linkwright.plan import export, planned
from linkwright.plan.exporters.cable_graph import CableGraph, cable_graph
from linkwright.plan.exporters.network_plan import NetworkPlan
from linkwright.plan.exporters.xml_text import comments

ROOT = Path(__file__).resolve().parents[2]
NETWORKX = "" if importlib.util.find_spec("networkx") else "networkx: pip install networkx"
RECORDS = ["dot", "graphml", "node-link"]
MACHINES: dict[str, Any] = {
    "topology": {"kind": "ring", "shape": [3]},
    "nodes": {"n1": {"name": "beta", "nics": {"eth0": {"name": "enp1s0"}}}},
}


def drawn(graph: CableGraph) -> Drawing:
    """Return the drawing that an importer must read."""
    cables = (
        DrawnCable(
            DrawnEnd(one.a, one.a_port), DrawnEnd(one.b, one.b_port), float(one.rate_mbps) or None
        )
        for one in graph.cables
    )
    return Drawing({one.name: DrawnDevice(one.kind) for one in graph.devices}, tuple(cables))


def without_rates(drawing: Drawing) -> Drawing:
    """Return a drawing as DOT has it, in the dialect of PTM."""
    cables = tuple(replace(one, rate_mbps=None) for one in drawing.cables)
    return replace(drawing, cables=cables)


def read_back(text: str, suffix: str, folder: Path) -> Drawing:
    path = folder / f"topology.{suffix}"
    path.write_text(text)
    return read_drawing([path])


def records(whole: Network) -> dict[str, str]:
    files = export(whole, RECORDS).files
    return {name: text for name, text in files.items() if name.startswith("nodes/all/")}


def check_round_trip(whole: Network, folder: Path) -> None:
    graph = cable_graph(NetworkPlan(whole))
    wanted, found = drawn(graph), records(whole)
    assert read_back(found["nodes/all/dot/topology.dot"], "dot", folder) == without_rates(wanted)
    assert read_back(found["nodes/all/graphml/topology.graphml"], "graphml", folder) == wanted
    assert read_back(found["nodes/all/node-link/topology.json"], "json", folder) == wanted


@pytest.mark.parametrize("name", KINDS)
def test_every_kind_comes_back_from_its_records(name: str, tmp_path: Path) -> None:
    check_round_trip(kind(name), tmp_path)
    check_table(kind(name), tmp_path)


STUDIES = [ROOT / "examples" / name for name in ("sensitivity", "studies")]
DESIGNS = [file for file in sorted(ROOT.glob("examples/**/*.yaml")) if file.parent not in STUDIES]


@pytest.mark.parametrize("design", DESIGNS, ids=lambda p: p.stem)
def test_every_example_comes_back_from_its_records(design: Path, tmp_path: Path) -> None:
    whole = compile_network(Cluster.load(design))
    check_round_trip(whole, tmp_path)
    check_table(whole, tmp_path)


def check_table(whole: Network, folder: Path) -> None:
    """The table of cables does not say what a device is: `import` has patterns for that."""
    graph = cable_graph(NetworkPlan(whole))
    boxes = {of: [one.name for one in graph.devices if one.kind == of] for of in ("switch", "hub")}
    found = read_back(planned(whole).files["cables.csv"], "csv", folder)
    again = found.with_kinds(**boxes)
    assert again.cables == drawn(graph).cables
    assert again.kinds == drawn(graph).kinds


def test_records_have_the_names_of_machines(tmp_path: Path) -> None:
    whole = compile_network(Cluster.from_fields(MACHINES))
    check_round_trip(whole, tmp_path)
    found = records(whole)
    assert '"n0":"eth0" -- "beta":"eth1"' in found["nodes/all/dot/topology.dot"]
    assert '<data key="node-planned">n1</data>' in found["nodes/all/graphml/topology.graphml"]


@pytest.mark.skipif(not shutil.which("nop"), reason="nop: apt install graphviz")
def test_graphviz_reads_the_dot_file() -> None:
    text = records(kind("custom"))["nodes/all/dot/topology.dot"]
    done = subprocess.run(["nop"], input=text, capture_output=True, text=True, check=True)
    assert done.stdout.count(" -- ") == len(cable_graph(NetworkPlan(kind("custom"))).cables)


@pytest.mark.skipif(bool(NETWORKX), reason=NETWORKX)
@pytest.mark.parametrize("name", KINDS)
def test_networkx_reads_both_forms_as_one_graph(name: str, tmp_path: Path) -> None:
    import networkx as nx

    found = records(kind(name))
    (tmp_path / "g.graphml").write_text(found["nodes/all/graphml/topology.graphml"])
    one = nx.read_graphml(tmp_path / "g.graphml", force_multigraph=True)
    linked = json.loads(found["nodes/all/node-link/topology.json"])
    other = nx.node_link_graph(linked, edges="edges")
    assert dict(one.nodes(data=True)) == dict(other.nodes(data=True))
    assert edges(one) == edges(other)
    assert one.number_of_edges() == len(cable_graph(NetworkPlan(kind(name))).cables)


def edges(graph: Any) -> dict[str, tuple[set[str], dict[str, Any]]]:
    """Return the ends and values of each edge by its key."""
    return {
        key: ({a, b}, {name: value for name, value in values.items() if name != "id"})
        for a, b, key, values in graph.edges(keys=True, data=True)
    }


@settings(max_examples=20)
@given(st.text(st.characters(min_codepoint=32, max_codepoint=126)))
def test_a_comment_of_xml_holds_any_text(text: str) -> None:
    [line] = comments([f"# {text}"])
    assert ET.fromstring(f"<a>{line}</a>").text is None
