"""Build the scripts that pages embed, or check that they were built from the sources here.

Four files are built and kept in git, so that neither users nor most contributors need the tools:
frontend/page.wasm, the proof of failures for the page of a check, from crates/page,
crates/resilience and crates/quantity; and the scripts in views/assets, from frontend/src and that
file. Each has the digest of its sources beside it or in its first line. `--check` compares these
digests; without it what is stale is built, the scripts by node, page.wasm by Debian's Rust, which
has the standard library as source: rustup's toolchain links it.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from finding import ROOT, Finding, report

FRONTEND = ROOT / "frontend"
SCRIPTS = [
    ROOT / "python/linkwright/views/assets" / name
    for name in ("check.js", "report.js", "workbench.js")
]
CORE = FRONTEND / "page.wasm"
CORE_DIGEST = FRONTEND / "page.wasm.sources"
CORE_CRATES = ("crates/page", "crates/resilience", "crates/quantity")

RUST = Path("/usr/bin")
STANDARD_LIBRARY = Path("/usr/lib/rustlib/src/rust/library")
NEEDS_RUST = (
    "page.wasm needs Debian's Rust with the source of its standard library: "
    "apt-get install rustc-web cargo-web rust-web-src"
)
NEEDS_LINKER = (
    "page.wasm needs rust-lld, which each toolchain of rustup has: install Rust by rustup"
)


def main() -> int:
    """Check or build."""
    if sys.argv[1:] == ["--check"]:
        return report("assets", check())
    if is_core_stale():
        build_core()
    if any(is_script_stale(path) for path in SCRIPTS):
        build_scripts()
    return report("assets", check())


def check() -> Iterator[Finding]:
    """Yield the files that were not built from the sources of this checkout."""
    if is_core_stale():
        name = CORE.relative_to(ROOT).as_posix()
        yield Finding(name, 1, f"not built from {' and '.join(CORE_CRATES)}: run `make assets`")
    for path in SCRIPTS:
        if is_script_stale(path):
            name = path.relative_to(ROOT).as_posix()
            yield Finding(name, 1, "not built from frontend/: run `make assets`")


def is_core_stale() -> bool:
    """Return whether page.wasm is of other sources."""
    is_there = CORE.is_file() and CORE_DIGEST.is_file()
    return not is_there or CORE_DIGEST.read_text().strip() != digest(core_sources())


def is_script_stale(path: Path) -> bool:
    """Return whether a script is of other sources."""
    first_line = path.read_text(encoding="utf-8").partition("\n")[0] if path.is_file() else ""
    return digest(script_sources()) not in first_line


def core_sources() -> list[Path]:
    """Return the files of ours that page.wasm is built from."""
    folders = [ROOT / crate for crate in CORE_CRATES]
    return [
        path
        for folder in folders
        for path in (*folder.glob("*.toml"), *folder.rglob("src/**/*.rs"))
    ]


def script_sources() -> list[Path]:
    """Return the files that the scripts are built from."""
    names = ("build.mjs", "package-lock.json", CORE.name)
    return [*(FRONTEND / name for name in names), *FRONTEND.glob("src/**/*.ts")]


def digest(paths: list[Path]) -> str:
    """Return a digest of files and their names."""
    found = hashlib.sha256()
    for path in sorted(paths):
        content = path.read_bytes() if path.is_file() else b""
        found.update(f"{path.relative_to(ROOT).as_posix()} {len(content)}\n".encode())
        found.update(content)
    return found.hexdigest()


def build_core() -> None:
    """Compile crates/page to WebAssembly."""
    if not (STANDARD_LIBRARY.is_dir() and (RUST / "cargo").is_file()):
        sys.exit(NEEDS_RUST)
    target = ROOT / "target" / "wasm"
    kept = {name: value for name, value in os.environ.items() if "RUST" not in name}
    environment = kept | {
        "PATH": f"{RUST}:{os.environ['PATH']}",
        "RUSTC": str(RUST / "rustc"),
        "RUSTC_BOOTSTRAP": "1",  # the standard library is built along
        "CARGO_TARGET_DIR": str(target),
        "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER": str(linker()),
    }
    command = [str(RUST / "cargo"), "build", "--package", "page", "--release", "--locked"]
    command += ["--config", "crates/page/wasm.toml"]
    print("Building page.wasm; the first time takes a few minutes.", file=sys.stderr)
    subprocess.run(command, cwd=ROOT, env=environment, check=True)
    CORE.write_bytes((target / "wasm32-unknown-unknown/release/page.wasm").read_bytes())
    CORE_DIGEST.write_text(digest(core_sources()) + "\n")


def linker() -> Path:
    """Return the linker of some toolchain of rustup."""
    home = Path(os.environ.get("RUSTUP_HOME") or Path.home() / ".rustup")
    found = sorted(home.glob("toolchains/*/lib/rustlib/*/bin/rust-lld"))
    if not found:
        sys.exit(NEEDS_LINKER)
    return found[-1]


def build_scripts() -> None:
    """Check the types of the scripts and bundle them."""
    subprocess.run(["npm", "ci", "--no-fund", "--no-audit"], cwd=FRONTEND, check=True)
    subprocess.run(["npx", "tsc", "--noEmit"], cwd=FRONTEND, check=True)
    command = ["node", "build.mjs", digest(script_sources())]
    subprocess.run(command, cwd=FRONTEND, check=True)


if __name__ == "__main__":
    sys.exit(main())
