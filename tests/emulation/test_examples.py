"""The examples that need real kernels.

Those that need none are in tests/examples.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from linkwright.emulation.daemons import missing_daemons

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
    found = re.findall(r"^(.+): nothing arrived for (\d+) ms", done.stdout, re.M)
    gap_ms = {name: int(gap) for name, gap in found}
    assert gap_ms["packet engine"] == 201, "one time-out"
    # Time-outs of the kernel end after 0.2, 0.6 and 1.4 s; a busy machine acts late on the cut.
    assert 200 <= gap_ms["real kernels"] < 1600
    assert (tmp_path / "cut.svg").read_text().lstrip().startswith("<?xml")


def test_kernels_with_names_of_their_own_decide_as_the_proof_says() -> None:
    """Four mini PCs whose interfaces have the names of the machines."""
    program = "import sys; from linkwright.cli import main; sys.exit(main())"
    arguments = ["emulate", "examples/usb4-ring-and-lan.yaml", "--verify"]
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "4 kernels" in done.stdout + done.stderr
    assert "All agree with the proofs" in " ".join(done.stdout.split())


@pytest.mark.skipif(not shutil.which("ping"), reason="ping is not installed")
@pytest.mark.parametrize(
    "name",
    [
        "usb4_ring",
        pytest.param("spark_triangle", marks=pytest.mark.slow),
        pytest.param("proxmox_triangle", marks=pytest.mark.slow),
    ],
)
def test_a_tutorial_shows_what_its_commands_print(name: str, request: Any) -> None:
    """The output has all commands of a tutorial, which includes it section by section."""
    script = ROOT / f"examples/live/{name}.sh"
    expected = script.with_suffix(".sh.out")
    done = subprocess.run(
        ["bash", str(script)],
        cwd=ROOT,
        env={**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    if request.config.getoption("--rewrite-golden"):
        expected.write_text(done.stdout, encoding="utf-8")
    assert done.stdout == expected.read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("ping"), reason="ping is not installed")
@pytest.mark.skipif(missing_daemons() is not None, reason="FRR is not installed: apt install frr")
def test_daemons_are_compared_with_fallback_routes() -> None:
    script = ROOT / "examples/live/convergence.py"
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    found = re.findall(r"^(\w.*?) +pulled: +([\d.]+) s, loses all: +([\d.]+) s", done.stdout, re.M)
    silence_s = {name: (float(pulled), float(lossy)) for name, pulled, lossy in found}
    assert set(silence_s) == {"fallback routes", "OSPF", "OpenFabric"}
    assert all(pulled < 2.5 for pulled, _ in silence_s.values())
    assert silence_s["fallback routes"][1] > 5.5
    assert all(2.5 < silence_s[name][1] < 5.5 for name in ("OSPF", "OpenFabric"))
