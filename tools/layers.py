"""Check that imports point one way, and that each part knows only its permitted parts.

Python: cli -> web -> papers, lessons -> views -> studies -> study -> plan, engines -> results,
emulation -> machines, observations, faults, nodes, placement -> network, program -> design,
workloads -> calibrations -> text, notebook, frames -> files, records, threads -> errors.
Parts of one layer do not know each other. Only text/, version.py, threads.py, network.py,
program.py, emulation/ and engines/ know the compiled core. Crates: binding -> wire, playback ->
analytic, flow, packet -> simulation -> host -> network, program, device, page -> resilience ->
quantity. What clippy refuses by path (clock, files, environment, hash order) is refused here by
module, so that no new function slips through.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

from finding import ROOT, Finding, report

# From the bottom up. A part may import parts of lower layers and itself.
PYTHON_LAYERS: tuple[frozenset[str], ...] = (
    frozenset({"errors", "version", "progress", "choices"}),
    frozenset({"files", "registry", "records", "memory", "threads", "core_errors"}),
    frozenset({"text", "notebook", "frames"}),
    frozenset({"calibrations"}),
    frozenset({"design", "workloads"}),
    frozenset({"network", "program"}),
    frozenset({"placement", "faults", "nodes", "observations"}),
    frozenset({"results", "machines"}),
    frozenset({"emulation"}),
    frozenset({"plan", "engines"}),
    frozenset({"study"}),
    frozenset({"studies"}),
    frozenset({"views"}),
    frozenset({"papers", "lessons"}),
    frozenset({"web"}),
    frozenset({"cli"}),
)
KNOW_THE_CORE = frozenset(
    {"text", "version", "threads", "network", "program", "emulation", "engines"}
)
# Modules that write files; all others return text. Printing is left to cli by ruff's rule T20.
# The first process of the sandbox runs without the package, and writes in a file system of its own.
WRITE_FILES = frozenset({"files/writing.py", "files/folder.py", "emulation/init.py"})
WRITES_A_FILE = re.compile(r"\.write_(?:text|bytes)\(|\bopen\([^)]*[\"'][wax]b?[\"']|\bmkstemp\(")
# The public surface collects names of every part; only people's entrances may use it from inside.
SURFACE = frozenset({"__init__", "__main__"})
USE_THE_SURFACE = frozenset({"cli"})

CRATE_LAYERS: tuple[frozenset[str], ...] = (
    frozenset({"quantity"}),
    frozenset({"resilience"}),
    frozenset({"network", "program", "device", "page"}),
    frozenset({"host"}),
    frozenset({"simulation"}),
    frozenset({"analytic", "flow", "packet"}),
    frozenset({"wire", "playback"}),
    frozenset({"binding"}),
)
OUTSIDE_CRATES = {
    "etherparse",
    "postcard",
    "prefetch-index",
    "rand_xoshiro",
    "rayon",
    "serde",
    "thiserror",
}
WIRE_CRATES = OUTSIDE_CRATES | {
    "hdrhistogram",
    "netlink-packet-core",
    "netlink-packet-route",
    "netlink-sys",
    "nix",
}
BINDING_CRATES = OUTSIDE_CRATES | {"pyo3", "numpy", "serde_json"}

FORBIDDEN_IN_CRATES = {
    r"\bstd::time::(?!Duration\b)|\bstd::\{[^}]*\btime\b": "the clock",
    r"\bstd::fs\b": "files",
    r"\bstd::env\b|\boption_env!": "the environment",
    r"\bstd::net\b": "the network",
    r"\bstd::process\b": "other programs",
    r"\be?print(?:ln)?!|\bdbg!": "printing",
    r"\bHash(?:Map|Set)\b": "collections without an order",
    r"\bthread_rng\b|\brand::rng\b|\bfrom_entropy\b|\bfrom_os_rng\b": "unseeded randomness",
}


def main() -> int:
    """Check the package and the crates of this checkout."""
    findings = [*check_package(ROOT / "python" / "linkwright"), *check_crates(ROOT / "crates")]
    return report("layers", findings)


def check_package(package: Path) -> Iterator[Finding]:
    """Yield imports of the Python package in the wrong direction."""
    for path in sorted(package.rglob("*.py")):
        inside = path.relative_to(package)
        part = inside.parts[0].removesuffix(".py")
        if part in SURFACE:
            continue
        name = f"{package.name}/{inside.as_posix()}"
        if inside.as_posix() not in WRITE_FILES:
            yield from written_files(path, name)
        for line, target in imported_parts(path, package):
            message = refusal(part, target)
            if message:
                yield Finding(name, line, message)


def written_files(path: Path, name: str) -> Iterator[Finding]:
    """Yield calls that write a file."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if WRITES_A_FILE.search(line):
            yield Finding(name, number, "writes a file: return text, and let files/ write it")


def imported_parts(path: Path, package: Path) -> Iterator[tuple[int, str]]:
    """Yield line and part for everything that a file imports from its own package."""
    here = (package.name, *path.relative_to(package).with_suffix("").parts)
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        for module in imported_modules(node, here):
            parts = module.split(".")
            if parts[0] == package.name:
                yield node_line(node), parts[1] if len(parts) > 1 else ""


def node_line(node: ast.AST) -> int:
    """Return the line of a statement."""
    return int(getattr(node, "lineno", 1))


def imported_modules(node: ast.AST, here: tuple[str, ...]) -> list[str]:
    """Return the full dotted names that one statement of the module `here` imports."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if not isinstance(node, ast.ImportFrom):
        return []
    base = ".".join(here[: len(here) - node.level]) if node.level else ""
    module = ".".join(part for part in (base, node.module or "") if part)
    # `from linkwright import design` names a part; `from linkwright.design import Cluster` has it.
    return [f"{module}.{alias.name}" for alias in node.names]


def refusal(part: str, target: str) -> str | None:
    """Return why `part` may not import `target`; None if it may."""
    if target == part:
        return None
    if target == "_core":
        return None if part in KNOW_THE_CORE else f"{part} imports _core: go through its wrappers"
    mine, theirs = layer(part), layer(target)
    if mine is None:
        return f"part '{part}' stands in no layer of tools/layers.py"
    if theirs is None:
        return None if part in USE_THE_SURFACE else f"{part} imports the public surface"
    return None if theirs < mine else f"{part} imports {target}, which is not below it"


def layer(part: str) -> int | None:
    """Return the layer of a Python part, counted from the bottom."""
    return next((i for i, parts in enumerate(PYTHON_LAYERS) if part in parts), None)


def check_crates(folder: Path) -> Iterator[Finding]:
    """Yield dependencies between crates in the wrong direction, and calls no crate may make."""
    for manifest in sorted(folder.glob("*/Cargo.toml")):
        crate = manifest.parent.name
        name = f"crates/{crate}/Cargo.toml"
        for dependency in tomllib.loads(manifest.read_text(encoding="utf-8")).get(
            "dependencies", {}
        ):
            message = crate_refusal(crate, dependency)
            if message:
                yield Finding(name, 1, message)
        yield from forbidden_calls(manifest.parent)


def crate_refusal(crate: str, dependency: str) -> str | None:
    """Return why `crate` may not depend on `dependency`; None if it may."""
    layers = {member: i for i, members in enumerate(CRATE_LAYERS) for member in members}
    if crate not in layers:
        return f"crate '{crate}' stands in no layer of tools/layers.py"
    if dependency in layers:
        is_below = layers[dependency] < layers[crate]
        return None if is_below else f"{crate} depends on {dependency}, which is not below it"
    allowed = {"binding": BINDING_CRATES, "wire": WIRE_CRATES}.get(crate, OUTSIDE_CRATES)
    return None if dependency in allowed else f"{crate} may not depend on {dependency}"


def forbidden_calls(crate: Path) -> Iterator[Finding]:
    """Yield uses of clock, files, environment, printing and hash order in a crate's sources."""
    if crate.name == "wire":  # the one crate that lives in real time
        return
    for path in sorted((crate / "src").rglob("*.rs")):
        name = f"crates/{crate.name}/{path.relative_to(crate).as_posix()}"
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            code = line.split("//")[0]
            for pattern, what in FORBIDDEN_IN_CRATES.items():
                if re.search(pattern, code):
                    yield Finding(name, number, f"crates do not know {what}")


if __name__ == "__main__":
    sys.exit(main())
