"""Files of systemd-networkd, read by its daemon in each machine."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.exporters.machines import Machines, every_design, machines
from tests.exporters.managers import NETWORKD, start_networkd
from tests.namespaces import why_missing

from linkwright.design.cluster import Cluster

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


def check_log(up: Machines, node: str) -> None:
    """Check that the daemon understood every line."""
    log = (up.folders[node] / "log").read_text()
    assert not [line for line in log.splitlines() if "ignoring" in line.lower()], log
