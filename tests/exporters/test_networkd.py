"""Files of systemd-networkd, read by its daemon in each machine.

A file without one of its settings must fail, so that every setting is known to be needed.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from tests.exporters.machines import DESIGNS, Machines, every_design, machines
from tests.exporters.managers import NETWORKD, UDEVADM, start_networkd
from tests.namespaces import why_missing

from linkwright.design.cluster import Cluster
from linkwright.network import compile as compile_network
from linkwright.plan import export

MUTANTS = {
    "address without carrier": ("ring", r"(?:ConfigureWithoutCarrier|IgnoreCarrierLoss)=yes"),
    "metric": ("ring", r"Metric=\d+"),
    "source": ("ring", r"PreferredSource=\S+"),
    "gateway": ("ring", r"Gateway=\S+"),
    "MTU": ("ring", r"MTUBytes=\d+"),
    "identity": ("ring", r"Kind=\w+"),
    "forwarding": ("ring", r"net/ipv4/ip_forward = 1"),
    "backup routes": ("ring", r"net/ipv4/conf/eth\d/ignore_routes_with_linkdown = 1"),
    "filters": ("torus", r"net/ipv4/conf/\w+/rp_filter = \d"),
}
"""Settings whose absence a test must notice, by design. It cannot notice the absence of those that
repeat a default that another version may not have (DHCP, LinkLocalAddressing, IPv6AcceptRA), that
matter at the start of a machine alone (RequiredForOnline, DuplicateAddressDetection), or that only
frames meet (send_redirects, accept_ra, the forwarding of IPv6).
"""

REASON = why_missing("tests/exporters") or NETWORKD.why_missing
pytestmark = pytest.mark.skipif(bool(REASON), reason=REASON)


@every_design
def test_the_daemon_brings_the_plan_up(design: str, tmp_path: Path) -> None:
    with machines(Cluster.parse(design), "networkd", tmp_path) as up:
        for node, folder in up.folders.items():
            start_networkd(up, node, folder)
        up.wait_for_routes()
        assert list(up.disagreements()) == []
        for node in up.names:
            check_log(up, node)


@pytest.mark.slow
@pytest.mark.parametrize("name", MUTANTS)
def test_every_setting_is_needed(name: str, tmp_path: Path) -> None:
    design, pattern = MUTANTS[name]
    with machines(Cluster.parse(f"name: t\n{DESIGNS[design]}"), "networkd", tmp_path) as up:
        up.leave_out(pattern)
        for node, folder in up.folders.items():
            start_networkd(up, node, folder)
        try:
            up.wait_for_routes()
        except AssertionError:
            return
        assert any(up.disagreements())


def check_log(up: Machines, node: str) -> None:
    """Check that the daemon understood every line."""
    log = (up.folders[node] / "log").read_text()
    assert not [line for line in log.splitlines() if "ignoring" in line.lower()], log


UDEV = """
mount -t tmpfs tmpfs /run
mkdir -p /run/systemd/network
cp "$folder"/*.link /run/systemd/network
SYSTEMD_LOG_LEVEL=debug udevadm test-builtin net_setup_link /sys/class/net/lo 2>&1 || true
"""


@pytest.mark.skipif(bool(UDEVADM.why_missing), reason=UDEVADM.why_missing)
@pytest.mark.parametrize("wrong", ["", "Nonsense=1\n"])
def test_udev_reads_every_line(wrong: str, tmp_path: Path) -> None:
    nics = "{eth0: {mac: '02:00:00:00:00:01'}, eth1: {path: 'pci-0000:03:00.0', name: west}}"
    parts = "parts: {catalogue: ethernet-2026, node: mini-pc, nic: usb4, cable: usb4-cable}\n"
    design = f"name: t\n{DESIGNS['ring']}{parts}nodes: {{n0: {{nics: {nics}}}}}"
    files = export(compile_network(Cluster.parse(design)), ["networkd"]).files
    links = {name: text for name, text in files.items() if name.endswith(".link")}
    assert len(links) == 6
    for name, text in links.items():
        (tmp_path / Path(name).name).write_text(text + wrong)
    command = ["unshare", "--net", "--mount", "env", f"folder={tmp_path}", "sh", "-euc", UDEV]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "linkwright-west.link" in told
    assert bool(re.search(r"linkwright-.*ignoring", told)) == bool(wrong), told
