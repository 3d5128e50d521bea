"""Files of netplan: its generator writes files of networkd, which the daemon reads in each machine.

Another version of the generator may write other files; the kernel judges what comes out.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from tests.exporters.machines import every_design, machines
from tests.exporters.managers import NETPLAN, NETWORKD, start_networkd
from tests.namespaces import why_missing

from linkwright.design.cluster import Cluster

REASON = why_missing("tests/exporters") or NETWORKD.why_missing or NETPLAN.why_missing
pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(REASON), reason=REASON)]


@every_design
def test_the_generated_files_bring_the_plan_up(design: str, tmp_path: Path) -> None:
    with machines(Cluster.parse(design), "netplan", tmp_path) as up:
        for node, folder in up.folders.items():
            (folder / "etc/netplan/60-linkwright.yaml").chmod(0o600)
            subprocess.run([NETPLAN.place, "--root-dir", str(folder)], check=True)
            start_networkd(up, node, folder)
        up.wait_for_routes()
        assert list(up.disagreements()) == []
