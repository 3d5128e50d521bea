"""The designs of the tutorials on machines that have read their files: every pair pings, and every
cable cut gives what the proof says.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.exporters.machines import machines
from tests.exporters.managers import why_not_loaded
from tests.namespaces import why_missing

from linkwright.design.cluster import Cluster

ROOT = Path(__file__).resolve().parents[2]
REASON = why_missing("tests/exporters")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(REASON), reason=REASON)]


@pytest.mark.parametrize(
    ("design", "target"),
    [
        ("usb4-ring", "ip"),
        ("usb4-ring", "ifupdown2"),
        ("spark-triangle", "netplan"),
        ("proxmox-triangle", "ifupdown2"),
    ],
)
def test_machines_with_their_files_ping(design: str, target: str, tmp_path: Path) -> None:
    if why_not_loaded(target):
        pytest.skip(why_not_loaded(target))
    with machines(Cluster.load(ROOT / f"examples/{design}.yaml"), target, tmp_path) as up:
        up.load()
        up.wait_for_routes()
        up.settle()
        assert list(up.trial.pinged()) == []
        assert up.trial.n_pings == len(up.names) * (len(up.names) - 1)
        assert list(up.disagreements()) == []
