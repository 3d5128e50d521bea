"""Check the crates: no files of a crate know each other in a circle, crates depend only on crates
below them, and none uses the clock, files, the environment, the network or printing.

A file of a crate knows those that define what it names by `crate::`, `self::` or `super::`. Names
that a file only passes on are counted where they are defined, and tests inside of files are left
out. `python tools/crates.py --picture` prints who knows whom. Cargo refuses circles of crates, and
clippy.toml single functions; modules are refused here, so that no new function slips through.
import-linter checks the Python package (pyproject.toml).
"""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

from finding import ROOT, Finding, report

Graph = dict[str, set[str]]

# From the bottom up. A crate may depend on crates of lower layers.
CRATE_LAYERS: tuple[frozenset[str], ...] = (
    frozenset({"quantity"}),
    frozenset({"resilience"}),
    frozenset({"network", "program", "device"}),
    frozenset({"host"}),
    frozenset({"simulation"}),
    frozenset({"analytic", "flow", "packet"}),
    frozenset({"wire", "page"}),
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
ALSO_OUTSIDE = {
    "binding": {"pyo3", "numpy", "serde_json"},
    "page": {"serde_json"},
    "wire": {"hdrhistogram", "netlink-packet-core", "netlink-packet-route", "netlink-sys", "nix"},
}
"""Crates of others that one crate alone may use."""

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

COMMENT = re.compile(r"//[^\n]*")
TESTS = re.compile(r"#\[cfg\(test\)\]\s*mod \w+ \{.*", re.DOTALL)
USE = re.compile(r"\b(pub(?:\([^)]*\))? +)?use ([^;]+);")
PATH = re.compile(r"\b(?:crate|super|self)(?:::\w+)+")
DEFINES = re.compile(
    r"^(?:pub(?:\([^)]*\))? +)?(?:const +)?(?:unsafe +)?"
    r"(?:struct|enum|union|trait|type|fn|const|static|macro_rules!) +(\w+)",
    re.MULTILINE,
)
NAMED_IN_BRACES = re.compile(r"[^{},]+|[{},]")


def main() -> int:
    """Check this checkout."""
    parser = argparse.ArgumentParser(description="circles of files, layers of crates")
    parser.add_argument("--picture", action="store_true", help="print who knows whom")
    folders = sorted(path.parent for path in ROOT.glob("crates/*/Cargo.toml"))
    if parser.parse_args().picture:
        for folder in folders:
            print(folder.name)
            for file, known in of_crate(folder / "src").items():
                print(f"  {file} -> {', '.join(sorted(known)) or '-'}")
    return report("crates", [finding for folder in folders for finding in check_crate(folder)])


def check_crate(crate: Path) -> Iterator[Finding]:
    """Yield the findings of the crate in a folder."""
    name = f"crates/{crate.name}"
    for circle in circles(of_crate(crate / "src")):
        yield Finding(name, 1, f"{' and '.join(circle)} know each other in a circle")
    manifest = tomllib.loads((crate / "Cargo.toml").read_text(encoding="utf-8"))
    for dependency in manifest.get("dependencies", {}):
        message = refusal(crate.name, dependency)
        if message:
            yield Finding(f"{name}/Cargo.toml", 1, message)
    yield from forbidden_calls(crate)
    yield from forgotten_tests(crate)


def forgotten_tests(crate: Path) -> Iterator[Finding]:
    """Yield files of tests that the binary of all tests leaves out."""
    main = crate / "tests" / "main.rs"
    if main.is_file():
        modules = set(re.findall(r"^mod (\w+);", main.read_text(encoding="utf-8"), re.MULTILINE))
        for path in sorted(main.parent.glob("*.rs")):
            if path.stem not in {*modules, "main"}:
                yield Finding(f"crates/{crate.name}/tests/main.rs", 1, f"lacks mod {path.stem};")


def refusal(crate: str, dependency: str) -> str | None:
    """Return why `crate` may not depend on `dependency`; None if it may."""
    layers = {member: i for i, members in enumerate(CRATE_LAYERS) for member in members}
    if crate not in layers:
        return f"crate '{crate}' stands in no layer of tools/crates.py"
    if dependency in layers:
        is_below = layers[dependency] < layers[crate]
        return None if is_below else f"{crate} depends on {dependency}, which is not below it"
    allowed = OUTSIDE_CRATES | ALSO_OUTSIDE.get(crate, set())
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


def circles(graph: Mapping[str, set[str]]) -> Iterator[list[str]]:
    """Yield a circle of files, then one of what is left without it, until there is none."""
    left = {file: set(known) for file, known in graph.items()}
    while True:
        try:
            TopologicalSorter(left).prepare()
        except CycleError as error:
            circle = component(left, error.args[1][0])
            yield circle
            left = {file: known - set(circle) for file, known in left.items() if file not in circle}
        else:
            return


def component(graph: Mapping[str, set[str]], start: str) -> list[str]:
    """Return the files that know `start` and are known by it, by any path."""
    backward: Graph = {}
    for file, known in graph.items():
        for other in known:
            backward.setdefault(other, set()).add(file)
    return sorted(reached(graph, start) & reached(backward, start))


def reached(graph: Mapping[str, set[str]], start: str) -> set[str]:
    """Return all files that can be reached from `start`."""
    seen, stack = {start}, [start]
    while stack:
        more = graph.get(stack.pop(), set()) - seen
        seen |= more
        stack.extend(more)
    return seen


def of_crate(source: Path) -> Graph:
    """Return which files of a crate name what which others define."""
    modules = {rust_module(path, source): Module(path) for path in sorted(source.rglob("*.rs"))}
    graph: Graph = {}
    for name, module in modules.items():
        known = (resolved(path, name, modules) for path in module.names)
        graph[name] = {other for other in known if other and other != name}
    return graph


class Module:
    """A file of a crate: what it defines, passes on and names."""

    def __init__(self, path: Path) -> None:
        text = TESTS.sub("", COMMENT.sub("", path.read_text(encoding="utf-8")))
        self.defines = set(DEFINES.findall(text))
        self.passed_on: dict[str, str] = {}
        self.names: set[str] = set()
        for public, tree in USE.findall(text):
            for full, alias in expanded(tree):
                self.passed_on[alias] = full
                if not public:
                    self.names.add(full)
        self.names |= set(PATH.findall(USE.sub("", text)))


def expanded(tree: str) -> Iterator[tuple[str, str]]:
    """Yield path and name of everything that a `use` brings, braces multiplied out."""
    prefixes, last = [""], ""
    for token in NAMED_IN_BRACES.findall(tree):
        if token == "{":
            prefixes.append(last)
            last = ""
        elif token in ",}":
            yield from named_by(last)
            last = ""
            if token == "}":
                prefixes.pop()
        elif token.strip():
            last = prefixes[-1] + token.strip()
    yield from named_by(last)


def named_by(path: str) -> Iterator[tuple[str, str]]:
    """Yield path and name of one leaf of a `use`."""
    if path:
        full, _, alias = path.partition(" as ")
        full = full.removesuffix("::self")
        yield full, alias or full.rpartition("::")[2]


def rust_module(path: Path, source: Path) -> str:
    """Return the path of the module that a file is."""
    parts = path.relative_to(source).with_suffix("").parts
    parts = parts[:-1] if parts[-1] in {"mod", "lib"} else parts
    return "::".join(("crate", *parts))


def resolved(path: str, here: str, modules: Mapping[str, Module], depth: int = 0) -> str | None:
    """Return the module that defines what `path` means inside of the module `here`."""
    first, *rest = path.split("::")
    if first == "super":
        return resolved("::".join((here.rpartition("::")[0], *rest)), here, modules, depth)
    if first == "self":
        return resolved("::".join((here, *rest)), here, modules, depth)
    if first != "crate":
        inner = f"{here}::{first}"
        return (
            resolved("::".join((inner, *rest)), here, modules, depth) if inner in modules else None
        )
    module = path
    names: list[str] = []
    while module not in modules:
        module, _, name = module.rpartition("::")
        names.insert(0, name)
    target = modules[module]
    if not names or names[0] in target.defines or names[0] not in target.passed_on or depth > 9:
        return module
    onward = "::".join((target.passed_on[names[0]], *names[1:]))
    return resolved(onward, module, modules, depth + 1) or module


if __name__ == "__main__":
    sys.exit(main())
