"""The platform of SimGrid: routes, latencies and bandwidths are those of the plan.

SimGrid 3.32 loads it and times streams, where it is installed.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from tests.kinds import KINDS, has_bonds
from tests.kinds import network as kind
from tests.plan.networks import network

from linkwright.design.cluster import Cluster
from linkwright.errors import CapabilityError
from linkwright.network import HUB, NODE, SWITCH, Network
from linkwright.network import compile as compile_network
from linkwright.plan import export
from linkwright.plan.path_model import path_model

SOURCE = Path(__file__).parent / "programs" / "platform_figures.cpp"
HAS_SIMGRID = shutil.which("g++") and Path("/usr/include/simgrid/s4u.hpp").exists()
MISSING = "" if HAS_SIMGRID else "SimGrid: apt install libsimgrid-dev g++"
WITHOUT_BONDS = [name for name in KINDS if not has_bonds(kind(name))]
JUDGED = {
    "p-mesh": {"shape": [2, 3]},
    "ring": {"shape": [4]},
    "hub": {"nodes": 3},
    "hub-switch": {"nodes": 6, "density": 2},
}


def platform(whole: Network) -> str:
    return export(whole, ["simgrid"]).files["nodes/all/simgrid/platform.xml"]


def expected(whole: Network) -> dict[tuple[str, str], tuple[float, float]]:
    """Return latency and bandwidth of each pair by the path model, from the devices of its path."""
    model = path_model(whole.calibration)
    found = {}
    for a in range(whole.n_nodes):
        for b in range(whole.n_nodes):
            if a == b or SWITCH in whole.wiring.kind[[a, b]]:
                continue
            path = whole.core.path(a, int(whole.addresses.identity[b]))
            kinds = [whole.wiring.kind[device] for device, _, _ in path]
            counts = {"n_switches": kinds.count(SWITCH), "n_forwards": kinds.count(NODE) - 2}
            names = whole.device_names[a], whole.device_names[b]
            found[names] = (
                model.path_latency_s(**counts),
                model.path_bandwidth_Bps(**counts) or 0.0,
            )
    return found


@pytest.mark.parametrize("name", WITHOUT_BONDS)
def test_each_route_has_the_links_and_the_figures_of_its_path(name: str) -> None:
    whole = kind(name)
    root = ET.fromstring(platform(whole))
    links = {one.get("id"): one for one in root.iter("link")}
    wanted = expected(whole)
    found = set()
    for route in root.iter("route"):
        ends = str(route.get("src")), str(route.get("dst"))
        parts = [links[one.get("id")] for one in route]
        latency_s = sum(float(str(one.get("latency"))[:-1]) for one in parts)
        assert latency_s == pytest.approx(wanted[ends][0], rel=1e-4)
        # The first link is that of the class; the others are on the way.
        own = float(str(parts[0].get("bandwidth"))[:-3])
        assert own == pytest.approx(wanted[ends][1] or own, rel=1e-4)
        assert len(parts) > 1
        found.add(ends)
    assert found == set(wanted)


def test_a_hub_is_shared_and_a_cable_has_two_directions() -> None:
    for topology, policies in (("hub", {"SHARED"}), ("switch", {"SPLITDUPLEX"})):
        links = ET.fromstring(platform(network(topology, nodes=3))).iter("link")
        assert {one.get("sharing_policy") for one in links} - {"FATPIPE"} == policies
    whole = network("hub-switch", nodes=6, density=2)
    shared = [one for one in ET.fromstring(platform(whole)).iter("link")
              if one.get("sharing_policy") == "SHARED"]  # fmt: skip
    assert len(shared) == int((whole.wiring.kind == HUB).sum())


def test_failed_parts_change_the_routes() -> None:
    cluster = Cluster.from_fields({"topology": {"kind": "ring", "shape": [4]}})
    whole, left = compile_network(cluster), compile_network(cluster, without=["n2"])
    files = export(whole, ["simgrid"], routed=left).files
    assert files["nodes/all/simgrid/hostfile"] == "n0\nn1\nn3\n"
    routes = ET.fromstring(files["nodes/all/simgrid/platform.xml"]).iter("route")
    ends = {(one.get("src"), one.get("dst")): len(one) for one in routes}
    assert ends[("n1", "n3")] == 3
    assert len(ends) == 6


def test_bonds_and_large_networks_are_refused() -> None:
    with pytest.raises(CapabilityError, match="has bonds"):
        platform(network("bonded-dual-net", nodes=3))
    with pytest.raises(CapabilityError, match="129 nodes"):
        platform(network("ring", shape=[129]))


@pytest.mark.slow
@pytest.mark.live
@pytest.mark.skipif(bool(MISSING), reason=MISSING)
@pytest.mark.parametrize("name", JUDGED)
def test_simgrid_reads_the_same_figures(name: str, tmp_path: Path) -> None:
    whole = network(name, **JUDGED[name])
    program, file = tmp_path / "figures", tmp_path / "platform.xml"
    file.write_text(platform(whole))
    subprocess.run(["g++", "-std=c++17", SOURCE, "-o", program, "-lsimgrid"], check=True)
    wanted = expected(whole)
    *routes, one = printed(program, file)
    for line in routes:
        a, b, latency_s, bandwidth = line.split()
        assert float(latency_s) == pytest.approx(wanted[a, b][0], rel=1e-4)
        assert float(bandwidth) == pytest.approx(wanted[a, b][1], rel=1e-4)
    both = printed(program, file, "both")[-1]
    is_half_duplex = bool((whole.wiring.kind == HUB).any())
    assert float(both) / float(one) == pytest.approx(2 if is_half_duplex else 1, rel=0.01)


def printed(program: Path, *words: object) -> list[str]:
    command = [program, *words, "--log=root.thresh:error"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()
