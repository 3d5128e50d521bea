"""The list of calls that clippy.toml forbids to the crates works on a crate that makes them."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MANIFEST = '[package]\nname = "planted"\nedition = "2024"\n[workspace]\n'
CASES = {
    "clock": "pub fn f() { let _ = std::time::Instant::now(); }",
    "file": 'pub fn f() { let _ = std::fs::read("x"); }',
    "environment": 'pub fn f() { let _ = std::env::var("X"); }',
    "printing": 'pub fn f() { println!("x"); }',
    "hash order": "pub fn f() { let _: std::collections::HashMap<u8, u8> = Default::default(); }",
}


def clippy(folder: Path, source: str) -> subprocess.CompletedProcess[str]:
    (folder / "src").mkdir()
    (folder / "Cargo.toml").write_text(MANIFEST)
    (folder / "src" / "lib.rs").write_text(source)
    return subprocess.run(
        ["cargo", "clippy", "--offline", "--quiet", "--", "-D", "warnings"],
        cwd=folder,
        env={
            **os.environ,
            "CLIPPY_CONF_DIR": str(ROOT),
            "CARGO_TARGET_DIR": str(folder / "target"),
        },
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module", autouse=True)
def _needs_cargo() -> None:
    if shutil.which("cargo") is None:
        pytest.skip("cargo is not installed")


@pytest.mark.parametrize("source", CASES.values(), ids=CASES.keys())
def test_a_forbidden_call_is_refused(tmp_path: Path, source: str) -> None:
    outcome = clippy(tmp_path, source)
    assert outcome.returncode != 0
    assert "disallowed" in outcome.stderr


def test_a_crate_without_such_calls_passes(tmp_path: Path) -> None:
    outcome = clippy(tmp_path, "pub fn f() -> std::time::Duration { Default::default() }")
    assert outcome.returncode == 0, outcome.stderr
