"""Files of udev for NICs that are found by an address or a place: udev knows every line."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from tests.exporters.machines import DESIGNS
from tests.exporters.managers import UDEVADM, why_not_run

from linkwright.design.cluster import Cluster
from linkwright.network import compile as compile_network
from linkwright.plan import export

UDEV = """
mount -t tmpfs tmpfs /run
mkdir -p /run/systemd/network
cp "$folder"/*.link /run/systemd/network
SYSTEMD_LOG_LEVEL=debug udevadm test-builtin net_setup_link /sys/class/net/lo 2>&1 || true
"""


@pytest.mark.skipif(bool(why_not_run(UDEVADM)), reason=why_not_run(UDEVADM))
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
