"""Keyfiles of NetworkManager, read and written again by `nmcli`.

It drops a line that it does not understand without a word, so that the lines that come back are
compared.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from tests.exporters.machines import BOTH, BY_INTERFACE, FALLBACK
from tests.exporters.managers import LOADINGS, NMCLI, why_not_loaded, why_not_run
from tests.namespaces import why_missing

from linkwright.design.cluster import Cluster
from linkwright.network import compile as compile_network
from linkwright.plan import export
from linkwright.plan.exporters.loading import TOP

pytestmark = pytest.mark.skipif(bool(why_not_run(NMCLI)), reason=why_not_run(NMCLI))
REASON = why_missing("tests/exporters") or why_not_loaded("networkmanager")
PARTS = "parts: {catalogue: ethernet-2026, node: mini-pc, nic: usb4, cable: usb4-cable}\n"
WRITTEN = (
    "topology: {kind: ring, shape: [3]}\nmtu: 9000\n" + PARTS + FALLBACK,
    "topology: {kind: ring, shape: [6]}\n" + BY_INTERFACE,
    "topology: {kind: bonded-dual-net, nodes: 2}\n",
)
DEFAULTS = {"autoconnect=true"}
"""Lines that say what is the default, which it does not write."""


@pytest.mark.parametrize("design", WRITTEN)
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


CUT = """
for port in eth0 eth1; do
    ip link add dev $port type veth peer name far-$port
    ip link set dev far-$port up
done
ip link set dev lo up
(
    for _ in $(seq 100); do
        [ -z "$(ip -4 route show 10.128.0.2)" ] || break
        sleep 0.1
    done
    ip link set dev far-eth0 down
    sleep 10
    ip -oneline -4 address show dev eth0 > "$folder/after"
    kill $$
) &
"""
"""Shell commands that cut a cable, and end NetworkManager after the time in which it would take the
connection down.
"""


@pytest.mark.slow
@pytest.mark.skipif(bool(REASON), reason=REASON)
@pytest.mark.parametrize("left_out", ["", "ignore-carrier=yes\n"])
def test_addresses_stay_while_a_link_is_dark(left_out: str, tmp_path: Path) -> None:
    """It takes connections of Ethernet devices down; those of TAPs it leaves alone."""
    network = compile_network(Cluster.parse(f"topology: {{kind: ring, shape: [3]}}\n{FALLBACK}"))
    for name, text in export(network, ["networkmanager"]).files.items():
        if name.startswith("nodes/n0/"):
            file = tmp_path / name.removeprefix("nodes/n0/networkmanager/")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text.replace("type=dummy", "type=generic").replace(left_out, ""))
    words = ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
    script = TOP + CUT + LOADINGS["networkmanager"].script
    words += ["sh", "-euc", script, "load", str(tmp_path)]
    subprocess.run(words, capture_output=True, check=False, timeout=60)
    assert ("10.0.0.0/31" in (tmp_path / "after").read_text()) == (not left_out)
