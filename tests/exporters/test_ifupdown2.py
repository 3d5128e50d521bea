"""Files of ifupdown2: `ifup` loads them in each machine, and `ifquery --check` compares."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.exporters.machines import every_design, machines
from tests.exporters.managers import IFUP, IFUPDOWN2
from tests.namespaces import why_missing

from linkwright.design.cluster import Cluster

REASON = why_missing("tests/exporters") or IFUPDOWN2.why_missing
ROOT = Path(__file__).resolve().parents[2]
pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(REASON), reason=REASON)]


@every_design
def test_ifup_brings_the_plan_up(design: str, tmp_path: Path) -> None:
    with machines(Cluster.parse(design), "ifupdown2", tmp_path) as up:
        for node, folder in up.folders.items():
            checked = up.shell(node, IFUP, folder=str(folder))
            assert "[fail]" not in checked, checked
        assert up.wrong_routes() == []
        assert list(up.disagreements()) == []


def test_the_triangle_of_the_tutorial_pings_by_its_files(tmp_path: Path) -> None:
    """The files of the Proxmox tutorial, read by `ifup`; then one cable is cut."""
    cluster = Cluster.load(ROOT / "examples/proxmox-triangle.yaml")
    with machines(cluster, "ifupdown2", tmp_path) as up:
        for node, folder in up.folders.items():
            up.shell(node, IFUP, folder=str(folder))
        assert list(up.disagreements()) == []
        assert "ttl=64" in up.shell("pve1", "ping -n -c 1 -W 2 10.15.15.130")
