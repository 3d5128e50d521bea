"""The examples that need real kernels."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_a_cable_is_pulled_under_a_stream(tmp_path: Path) -> None:
    script = ROOT / "examples/live/pull_a_cable.py"
    done = subprocess.run(
        [sys.executable, str(script), "cut.svg"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    gaps = re.findall(
        r"^(real kernels|packet engine): nothing arrived for (\d+) ms", done.stdout, re.M
    )
    assert [name for name, _ in gaps] == ["real kernels", "packet engine"]
    # A time-out of TCP is 200 ms or more, and the second one comes after 600 ms.
    assert all(190 < int(gap_ms) < 1500 for _, gap_ms in gaps)
    assert (tmp_path / "cut.svg").read_text().lstrip().startswith("<?xml")
