"""Routing daemons in the nodes: they find all routes, and others after a cut.

FRR is a package of its own; tests that need it are skipped by name where it is missing.
"""

from __future__ import annotations

import subprocess
import time
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from linkwright import calibrations
from linkwright.design.cluster import Cluster
from linkwright.emulation import daemons
from linkwright.emulation.cluster import EmulatedCluster, WireOptions, emulated
from linkwright.emulation.frr import frr_nodes
from linkwright.emulation.kernels import Kernels
from linkwright.errors import CapabilityError
from linkwright.machines.walks import ARRIVED, walk
from linkwright.network import Network
from linkwright.network import compile as compile_network

ADDRESSING = {"IPv4": "{}", "IPv6": "{ipv4: null, ipv6: true}", "both": "{ipv4: true, ipv6: true}"}
ADDRESSING["unnumbered"] = "{scheme: unnumbered}"
MISSING = daemons.missing_daemons()
needs_frr = pytest.mark.skipif(MISSING is not None, reason=": ".join(MISSING or ()))


def network(
    daemon: str, topology: str = "{kind: ring, shape: [4]}", family: str = "IPv4"
) -> Network:
    text = f"""
name: t
topology: {topology}
addressing: {ADDRESSING[family]}
routing: {{daemon: {daemon}}}
parts: {{catalogue: whitney-1998}}
"""
    return compile_network(Cluster.parse(text))


def ways(up: EmulatedCluster) -> list[list[int]]:
    """Return the nodes on the way of every pair, by the kernels' decisions; empty if it is lost."""
    n, identity = up.network.n_nodes, up.network.addresses.identity.astype(np.int64)
    sender, to = (grid.ravel() for grid in np.meshgrid(range(n), range(n), indexing="ij"))
    sender, to = sender[sender != to].astype(np.int64), to[sender != to]
    found = walk(up.kernels, up.network, sender, identity[to])
    passed = zip(found.nodes.tolist(), found.end.tolist(), strict=True)
    return [[one for one in nodes if one >= 0] if end == ARRIVED else [] for nodes, end in passed]


@needs_frr
@pytest.mark.parametrize("family", ["IPv4", "unnumbered"])
@pytest.mark.parametrize("daemon", ["ospf", pytest.param("openfabric", marks=pytest.mark.slow)])
def test_daemons_find_shortest_ways_and_others_after_a_cut(daemon: str, family: str) -> None:
    ring = network(daemon, family=family)
    options = WireOptions(hosts=calibrations.load(ring.calibration))
    of_others = set(Path("/var/tmp").glob("frr/*"))
    with emulated(ring, options) as (up, _):
        assert sorted(len(way) for way in ways(up)) == [2] * 8 + [3] * 4
        asked = ["ip", "-4", "route", "show", "scope", "global"]
        routes = up.sandbox.machine("n0").run(asked).output
        identity = ring.addresses.ip[int(ring.addresses.identity[0])].ip
        assert routes.count(f"src {identity}") == routes.count("metric") > 0
        # The two ends of the first cable.
        table = up.kernels.table
        ports = np.concatenate([ring.wiring.cable_a[:1], ring.wiring.cable_b[:1]])
        cut = [
            np.flatnonzero((table.interface_node == node) & (table.interface_port == port))[0]
            for node, port in ports.tolist()
        ]
        up.kernels.plug(np.array(cut, dtype=np.uint32), has_carrier=False)
        end_s = time.monotonic() + 20
        while not all(found := ways(up)) and time.monotonic() < end_s:
            time.sleep(0.1)
        assert sorted(len(way) for way in found) == [2] * 6 + [3] * 4 + [4] * 2
    assert set(Path("/var/tmp").glob("frr/*")) == of_others


P_MESH, DUAL_NET = "{kind: p-mesh, shape: [2, 2]}", "{kind: bonded-dual-net, nodes: 3}"
CONFIGURED = [
    *product(["ospf"], [P_MESH], ADDRESSING),
    *product(["openfabric"], ["{kind: torus, shape: [3, 3]}"], ADDRESSING),
    # Nodes that share a switch have numbered ports.
    *product(["ospf"], [DUAL_NET], sorted(ADDRESSING.keys() - {"unnumbered"})),
]


@needs_frr
@pytest.mark.parametrize(("daemon", "topology", "family"), CONFIGURED)
def test_frr_takes_the_configuration(
    daemon: str, topology: str, family: str, tmp_path: Path
) -> None:
    design = network(daemon, topology, family)
    for number, node in enumerate(frr_nodes(design, Kernels(design).table)):
        file = tmp_path / f"{number}.conf"
        file.write_text(node.configuration)
        done = subprocess.run(
            ["vtysh", "-C", "-f", str(file)], capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_two_nodes_alone_are_a_link_and_more_a_network() -> None:
    def configuration(topology: str) -> str:
        design = network("ospf", topology)
        return frr_nodes(design, Kernels(design).table)[0].configuration

    assert configuration("{kind: ring, shape: [3]}").count("network point-to-point") == 2
    assert "network point-to-point" not in configuration("{kind: hub, nodes: 3}")


def test_openfabric_on_a_hub_is_refused() -> None:
    design = network("openfabric", "{kind: hub, nodes: 3}")
    with pytest.raises(CapabilityError, match=r"only\nspeaks between two|only speaks between two"):
        frr_nodes(design, Kernels(design).table)


def test_a_machine_without_frr_is_told_the_remedy(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(daemons, "PROGRAMS", tmp_path)
    ring = network("ospf")
    options = WireOptions(hosts=calibrations.load(ring.calibration))
    with (
        pytest.raises(CapabilityError, match="FRR is not installed") as refused,
        emulated(ring, options),
    ):
        pass
    assert "apt install frr" in str(refused.value)
