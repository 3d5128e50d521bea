"""Every script in examples/ runs and prints exactly the content of its output file.

`make golden` rewrites those files.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = sorted(p for p in (ROOT / "examples").iterdir() if p.suffix in {".sh", ".py"})


def output_of(script: Path) -> str:
    """Run an example from the root of the checkout, as in the README."""
    command = [sys.executable] if script.suffix == ".py" else ["bash"]
    bin_folder = Path(sys.executable).parent
    environment = {
        **os.environ,
        "PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}",
        "COLUMNS": "160",
        "NO_COLOR": "1",
    }
    done = subprocess.run(
        [*command, str(script.relative_to(ROOT))],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_an_example_prints_what_it_should(script: Path, request: pytest.FixtureRequest) -> None:
    expected = script.with_suffix(script.suffix + ".out")
    text = output_of(script)
    if request.config.getoption("--rewrite-golden"):
        if not expected.is_file() or expected.read_text(encoding="utf-8") != text:
            expected.write_text(text, encoding="utf-8")
            pytest.fail(f"{expected.relative_to(ROOT)} was rewritten: read its diff")
        return
    assert text == expected.read_text(encoding="utf-8")


def test_there_are_examples() -> None:
    assert SCRIPTS
