"""Keyfiles of NetworkManager: read and written again by `nmcli`, and loaded by the daemon in each
machine.

It drops a line that it does not understand without a word, so that the lines that come back are
compared.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from tests.exporters.machines import BOTH, BY_INTERFACE, FALLBACK, every_design, machines
from tests.exporters.managers import NETWORKMANAGER, NMCLI, start_networkmanager
from tests.namespaces import why_missing

from linkwright.design.cluster import Cluster
from linkwright.network import compile as compile_network
from linkwright.plan import export

pytestmark = pytest.mark.skipif(bool(NMCLI.why_missing), reason=NMCLI.why_missing)
REASON = why_missing("tests/exporters") or NETWORKMANAGER.why_missing
PARTS = "parts: {catalogue: ethernet-2026, node: mini-pc, nic: usb4, cable: usb4-cable}\n"
DESIGNS = (
    "topology: {kind: ring, shape: [3]}\nmtu: 9000\n" + PARTS + FALLBACK,
    "topology: {kind: ring, shape: [6]}\n" + BY_INTERFACE,
    "topology: {kind: bonded-dual-net, nodes: 2}\n",
)
DEFAULTS = {"autoconnect=true"}
"""Lines that say what is the default, which it does not write."""


@pytest.mark.parametrize("design", DESIGNS)
def test_every_line_comes_back(design: str) -> None:
    network = compile_network(Cluster.parse(design + BOTH))
    files = export(network, ["networkmanager"]).files
    keyfiles = [text for name, text in files.items() if name.endswith(".nmconnection")]
    assert len(keyfiles) >= network.n_nodes * 3
    for text in keyfiles[:3]:
        read = subprocess.run(
            ["nmcli", "--offline", "connection", "modify", "connection.zone", ""],
            input=text,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        wanted = {line for line in text.splitlines() if line and not line.startswith("#")}
        assert wanted - DEFAULTS - set(read.splitlines()) == set()
    assert any("routing-rule1=" in text for text in keyfiles) == network.by_interface


@pytest.mark.slow
@pytest.mark.skipif(bool(REASON), reason=REASON)
@every_design
def test_the_daemon_brings_the_plan_up(design: str, tmp_path: Path) -> None:
    with machines(Cluster.parse(design), "networkmanager", tmp_path) as up:
        for node, folder in up.folders.items():
            start_networkmanager(up, node, folder)
        up.wait_for_routes()
        assert list(up.disagreements()) == []
