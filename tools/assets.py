"""Build the scripts that pages embed, or check that they were built from the sources here.

Three kinds of files are built and kept in git, so that neither users nor most contributors need the
tools: frontend/failures.wasm, the proof of failures for the page of a check; frontend/play.wasm,
the packet engine for the page that plays a run, both from crates/page; and the scripts in
views/assets, from frontend/src and those files. Each has the digest of its sources beside it or in
its first line. `--check` compares these digests; without it what is stale is built, the scripts by
node, the cores by Debian's Rust, which has the standard library as source: rustup's toolchain links
them.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from finding import ROOT, Finding, report

FRONTEND = ROOT / "frontend"
SCRIPTS = [
    ROOT / "python/linkwright/views/assets" / name
    for name in ("check.js", "figures.js", "play.js", "report.js", "workbench.js")
]


@dataclass(frozen=True)
class Core:
    """A feature of crates/page that is compiled to WebAssembly."""

    feature: str
    builds_on: tuple[str, ...]
    """The crates of ours that it depends on."""

    @property
    def file(self) -> Path:
        """The compiled core."""
        return FRONTEND / f"{self.feature}.wasm"

    @property
    def digest_file(self) -> Path:
        """The digest of the sources it was built from."""
        return FRONTEND / f"{self.feature}.wasm.sources"


CORES = (
    Core("failures", ("resilience", "quantity")),
    Core(
        "play",
        (
            *("packet", "simulation", "host", "device", "program"),
            *("network", "resilience", "quantity"),
        ),
    ),
)

RUST = Path("/usr/bin")
STANDARD_LIBRARY = Path("/usr/lib/rustlib/src/rust/library")
NEEDS_RUST = (
    "a core needs Debian's Rust with the source of its standard library: "
    "apt-get install rustc-web cargo-web rust-web-src"
)
NEEDS_LINKER = "a core needs rust-lld, which each toolchain of rustup has: install Rust by rustup"


def main() -> int:
    """Check or build."""
    if sys.argv[1:] == ["--check"]:
        return report("assets", check())
    for core in CORES:
        if is_core_stale(core):
            build_core(core)
    if any(is_script_stale(path) for path in SCRIPTS):
        build_scripts()
    return report("assets", check())


def check() -> Iterator[Finding]:
    """Yield the files that were not built from the sources of this checkout."""
    for core in CORES:
        if is_core_stale(core):
            name = core.file.relative_to(ROOT).as_posix()
            built_on = "crates/page and the crates it builds on"
            yield Finding(name, 1, f"not built from {built_on}: run `make assets`")
    for path in SCRIPTS:
        if is_script_stale(path):
            name = path.relative_to(ROOT).as_posix()
            yield Finding(name, 1, "not built from frontend/: run `make assets`")


def is_core_stale(core: Core) -> bool:
    """Return whether a core is of other sources."""
    is_there = core.file.is_file() and core.digest_file.is_file()
    return not is_there or core.digest_file.read_text().strip() != digest(core_sources(core))


def is_script_stale(path: Path) -> bool:
    """Return whether a script is of other sources."""
    first_line = path.read_text(encoding="utf-8").partition("\n")[0] if path.is_file() else ""
    return digest(script_sources()) not in first_line


def core_sources(core: Core) -> list[Path]:
    """Return the files of ours that a core is built from."""
    page = ROOT / "crates" / "page"
    folders = [ROOT / "crates" / crate for crate in core.builds_on]
    return [
        page / "Cargo.toml",
        page / f"{core.feature}.toml",
        *page.glob("src/*.rs"),
        *page.glob(f"src/{core.feature}/**/*.rs"),
        *(path for folder in folders for path in folder.glob("*.toml")),
        *(path for folder in folders for path in folder.glob("src/**/*.rs")),
    ]


def script_sources() -> list[Path]:
    """Return the files that the scripts are built from."""
    names = ("build.mjs", "package-lock.json", *(core.file.name for core in CORES))
    return [*(FRONTEND / name for name in names), *FRONTEND.glob("src/**/*.ts")]


def digest(paths: list[Path]) -> str:
    """Return a digest of files and their names."""
    found = hashlib.sha256()
    for path in sorted(paths):
        content = path.read_bytes() if path.is_file() else b""
        found.update(f"{path.relative_to(ROOT).as_posix()} {len(content)}\n".encode())
        found.update(content)
    return found.hexdigest()


def build_core(core: Core) -> None:
    """Compile a core to WebAssembly."""
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
    command += ["--no-default-features", "--features", core.feature]
    command += ["--config", f"crates/page/{core.feature}.toml"]
    print(f"Building {core.file.name}; the first time takes a few minutes.", file=sys.stderr)
    subprocess.run(command, cwd=ROOT, env=environment, check=True)
    built = target / "wasm32-unknown-unknown" / "release" / "page.wasm"
    core.file.write_bytes(built.read_bytes())
    core.digest_file.write_text(digest(core_sources(core)) + "\n")


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
