"""A kind of an external package meets the laws: a sound one passes, an unsound one fails.

A folder on the path of another process, with the metadata of an installed package, registers it.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MET = ("laws/test_wiring.py", "laws/test_networks.py", "engines/test_every_kind.py")
KIND = '''
from dataclasses import replace
from typing import Literal

from linkwright.design.topologies.torus import Torus


class Planted(Torus):
    """A torus of two dimensions."""

    examples = ({"shape": (2, 3)},)
    kind: Literal["planted"] = "planted"

    def closed_forms(self, limits):
        return replace(super().closed_forms(limits), diameter_hops=2)
'''
"""The smallest torus has a diameter of two hops; the larger ones that are drawn have not."""
SOUND = KIND.partition("    def closed_forms")[0]


@pytest.mark.parametrize(("source", "fails"), [(SOUND, False), (KIND, True)])
def test_a_kind_from_outside_is_held_to_the_laws(source: str, fails: bool, tmp_path: Path) -> None:
    metadata = tmp_path / "planted-1.0.dist-info"
    metadata.mkdir()
    (tmp_path / "planted.py").write_text(source)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: planted\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("[linkwright.topologies]\nx = planted:Planted\n")
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-k",
        "planted",
    ]
    paths = [str(tmp_path), os.environ.get("PYTHONPATH", ""), str(ROOT)]
    run = subprocess.run(
        [*command, *(str(ROOT / "tests" / file) for file in MET)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == fails, run.stdout + run.stderr
    failed = {
        line.split("::")[1].split("[")[0] for line in run.stdout.splitlines() if "FAILED" in line
    }
    assert failed == ({"test_distances_are_the_closed_form"} if fails else set())
    # Each law of these files, and each workload at least once.
    assert int(run.stdout.rpartition(" passed")[0].split()[-1]) > 30
