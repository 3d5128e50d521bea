"""Files that are built and kept are found stale when a source of theirs changes.

That those of this checkout are current is what `make check` says.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import assets

CORE = assets.Core("page", ("resilience",))


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout with one source of each kind, and what was built from them."""
    monkeypatch.setattr(assets, "ROOT", tmp_path)
    monkeypatch.setattr(assets, "FRONTEND", tmp_path / "frontend")
    monkeypatch.setattr(assets, "SCRIPTS", [tmp_path / "check.js"])
    monkeypatch.setattr(assets, "CORES", [CORE])
    for name in ("crates/page/src/lib.rs", "crates/resilience/src/a/mod.rs", "frontend/src/a/b.ts"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text(name)
    (tmp_path / "frontend/page.wasm").write_bytes(b"\0asm")
    core = assets.digest(assets.core_sources(CORE))
    (tmp_path / "frontend/page.wasm.sources").write_text(f"{core}\n")
    (tmp_path / "check.js").write_text(f"/*! {assets.digest(assets.script_sources())}. */\n")
    return tmp_path


def stale(built: Path) -> list[str]:
    return [finding.path for finding in assets.check()]


def test_what_was_built_from_these_sources_is_in_order(built: Path) -> None:
    assert stale(built) == []


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("crates/resilience/src/a/mod.rs", ["frontend/page.wasm"]),
        ("crates/page/wasm.toml", ["frontend/page.wasm"]),
        ("frontend/src/a/b.ts", ["check.js"]),
        ("frontend/page.wasm", ["check.js"]),
        ("crates/network/src/lib.rs", []),
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
    (built / "frontend/page.wasm").unlink()
    assert stale(built) == ["frontend/page.wasm", "check.js"]


def test_a_missing_tool_is_named(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assets, "STANDARD_LIBRARY", built / "nothing")
    with pytest.raises(SystemExit, match="apt-get install rustc-web cargo-web rust-web-src"):
        assets.build_core(CORE)
