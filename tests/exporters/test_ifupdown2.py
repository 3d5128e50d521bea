"""Files of ifupdown2: `ifup` loads them in each machine, and `ifquery --check` compares."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.exporters.machines import every_design, machines
from tests.exporters.managers import IFUP, IFUPDOWN2
from tests.namespaces import why_missing

from linkwright.design.cluster import Cluster

REASON = why_missing("tests/exporters") or IFUPDOWN2.why_missing
pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(REASON), reason=REASON)]


@every_design
def test_ifup_brings_the_plan_up(design: str, tmp_path: Path) -> None:
    with machines(Cluster.parse(design), "ifupdown2", tmp_path) as up:
        for node, folder in up.folders.items():
            checked = up.shell(node, IFUP, folder=str(folder))
            assert "[fail]" not in checked, checked
        assert up.wrong_routes() == []
        assert list(up.disagreements()) == []
