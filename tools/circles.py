"""Check that no files know each other in a circle, in a crate or in the package.

A file of a crate knows those that define what it names by `crate::`, `self::` or `super::`, a file
of the package those that it imports. Names that a file only passes on are counted where they are
defined, and tests inside of files are left out. `python tools/circles.py --picture` prints who
knows whom.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

from finding import ROOT, Finding, report
from layers import imported_modules

Graph = dict[str, set[str]]

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
    parser = argparse.ArgumentParser(description="circles of files that know each other")
    parser.add_argument("--picture", action="store_true", help="print who knows whom")
    options = parser.parse_args()
    graphs = {f"crates/{crate.parent.name}": of_crate(crate) for crate in crates(ROOT)}
    graphs["python/linkwright"] = of_package(ROOT / "python" / "linkwright")
    if options.picture:
        for folder, graph in graphs.items():
            print(folder)
            for file, known in graph.items():
                print(f"  {file} -> {', '.join(sorted(known)) or '-'}")
    findings = [
        Finding(folder, 1, f"{' and '.join(circle)} know each other in a circle")
        for folder, graph in graphs.items()
        for circle in circles(graph)
    ]
    return report("circles", findings)


def crates(root: Path) -> list[Path]:
    """Return the folder of sources of every crate."""
    return sorted(root.glob("crates/*/src"))


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


def of_package(package: Path) -> Graph:
    """Return which files of a Python package import which, type annotations included."""
    files = {module_of(path, package): path for path in sorted(package.rglob("*.py"))}
    graph: Graph = {}
    for module, path in files.items():
        here = (package.name, *path.relative_to(package).with_suffix("").parts)
        found = {
            target
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            for name in imported_modules(node, here)
            if (target := longest_module(name, files)) not in {None, module}
        }
        graph[module] = {target for target in found if target}
    return graph


def module_of(path: Path, package: Path) -> str:
    """Return the dotted name of a file of a package."""
    parts = path.relative_to(package.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def longest_module(name: str, modules: Mapping[str, Path]) -> str | None:
    """Return the module that a dotted name is of, if it is a file of the package."""
    while name.count(".") and name not in modules:
        name = name.rpartition(".")[0]
    return name if name.count(".") else None


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
