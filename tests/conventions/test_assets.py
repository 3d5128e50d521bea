"""Files that are built and kept are found stale when a source of theirs changes.

That those of this checkout are current is what `make check` says.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

import assets


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout with one source of each kind, and what was built from them."""
    monkeypatch.setattr(assets, "ROOT", tmp_path)
    monkeypatch.setattr(assets, "FRONTEND", tmp_path / "frontend")
    monkeypatch.setattr(assets, "SCRIPTS", [tmp_path / "check.js"])
    names = [f"crates/page/src/{feature}/mod.rs" for feature in ("failures", "play")]
    names += ["crates/page/Cargo.toml", "crates/page/failures.toml", "crates/page/play.toml"]
    for name in (
        *names,
        "crates/network/src/lib.rs",
        "crates/resilience/src/a/mod.rs",
        "frontend/src/a/b.ts",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    for core in assets.CORES:
        core.file.write_bytes(b"\0asm")
        core.digest_file.write_text(f"{assets.digest(assets.core_sources(core))}\n")
    (tmp_path / "check.js").write_text(f"/*! {assets.digest(assets.script_sources())}. */\n")
    return tmp_path


def stale(built: Path) -> list[str]:
    return [finding.path for finding in assets.check()]


def test_what_was_built_from_these_sources_is_in_order(built: Path) -> None:
    assert stale(built) == []


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("crates/resilience/src/a/mod.rs", ["frontend/failures.wasm", "frontend/play.wasm"]),
        ("crates/page/failures.toml", ["frontend/failures.wasm"]),
        ("crates/page/src/play/mod.rs", ["frontend/play.wasm"]),
        ("frontend/src/a/b.ts", ["check.js"]),
        ("frontend/failures.wasm", ["check.js"]),
        ("crates/network/src/lib.rs", ["frontend/play.wasm"]),
        ("crates/flow/src/lib.rs", []),
    ],
)
def test_a_changed_source_is_found_with_the_remedy(
    source: str, expected: list[str], built: Path
) -> None:
    (built / source).parent.mkdir(parents=True, exist_ok=True)
    (built / source).write_text("changed")
    assert stale(built) == expected
    assert all("make assets" in finding.message for finding in assets.check())


def test_a_file_that_is_missing_is_stale(built: Path) -> None:
    (built / "check.js").unlink()
    (built / "frontend/failures.wasm").unlink()
    assert stale(built) == ["frontend/failures.wasm", "check.js"]


def test_a_missing_tool_is_named(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assets, "STANDARD_LIBRARY", built / "nothing")
    with pytest.raises(SystemExit, match="apt-get install rustc-web cargo-web rust-web-src"):
        assets.build_core(assets.CORES[0])


def manifest_of(crate: str) -> dict[str, Any]:
    return tomllib.loads((assets.ROOT / "crates" / crate / "Cargo.toml").read_text())


@pytest.mark.parametrize("core", assets.CORES, ids=lambda core: core.feature)
def test_all_crates_of_a_core_are_its_sources(core: assets.Core) -> None:
    manifest = manifest_of("page")
    optional = {name.removeprefix("dep:") for name in manifest["features"][core.feature]}
    waiting = [
        name
        for name, given in manifest["dependencies"].items()
        if is_ours(name) and (name in optional or not given.get("optional"))
    ]
    found = set(waiting)
    while waiting:
        below = set(filter(is_ours, manifest_of(waiting.pop())["dependencies"]))
        waiting += below - found
        found |= below
    assert found == set(core.builds_on)


def is_ours(name: str) -> bool:
    return (assets.ROOT / "crates" / name).is_dir()
