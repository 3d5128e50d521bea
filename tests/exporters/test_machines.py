"""Files for machines, loaded by the programs that read them in machines with nothing set up.

Another version of a program may do otherwise; the kernel judges the result.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.exporters.machines import DESIGNS, machines
from tests.exporters.managers import LOADINGS, why_not_loaded
from tests.namespaces import why_missing

from linkwright.design.cluster import Cluster
from linkwright.verification.connections import on_wires

REASON = why_missing("tests/exporters")
pytestmark = pytest.mark.skipif(bool(REASON), reason=REASON)
FAST = {("ip", "ring by interface"), ("networkd", "ring"), ("frr", "unnumbered")}
"""Targets and designs that every run of the tests tries."""


@pytest.mark.parametrize(
    ("target", "design"),
    [
        pytest.param(target, design, marks=() if (target, design) in FAST else pytest.mark.slow)
        for target in LOADINGS
        for design in DESIGNS
        if not (target == "frr" and "interface" in design + DESIGNS[design])
    ],
)
def test_files_bring_the_plan_up(target: str, design: str, tmp_path: Path) -> None:
    if why_not_loaded(target):
        pytest.skip(why_not_loaded(target))
    with machines(Cluster.parse(f"name: t\n{DESIGNS[design]}"), target, tmp_path) as up:
        up.load()
        up.wait_for_routes()
        assert list(up.disagreements()) == []
        assert list(on_wires(up.trial)) == []
        for folder in up.folders.values():
            check_log(folder / "log")


def check_log(log: Path) -> None:
    """Check that a daemon understood every line."""
    if log.exists():
        lines = log.read_text().splitlines()
        wrong = [line for line in lines if "ignoring" in line.lower() or "failure to" in line]
        assert not wrong, wrong
