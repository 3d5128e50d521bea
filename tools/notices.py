"""Write THIRD-PARTY-NOTICES.txt, the licences of all that the package contains, or check its list.

The extension module links crates and the standard library of Rust; pages embed a script with parts
of ECharts. `--check` compares the list with Cargo.lock and package-lock.json, offline; without it
the file is written, from the sources of the crates and the documents of the toolchain. Crates that
only run while others are compiled, such as macros, are not in the package.
"""

from __future__ import annotations

import html
import json
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from finding import ROOT, Finding, report

FILE = "THIRD-PARTY-NOTICES.txt"
TREE = (
    "cargo tree --locked --package binding --edges normal,no-proc-macro --prefix none --no-dedupe "
    "--format {p}|{l}"
)
HEADING = """\
The package of Linkwright, which LICENSE is about, contains what is listed here, under the licences
below. Made by tools/notices.py.
"""
CRATES = "Crates that linkwright/_core is linked from:"
STANDARD_LIBRARY = """\
The standard library of Rust, from which it is linked too, and the crates in that:"""
LIBRARIES = """\
Libraries in linkwright/views/assets/report.js. Their notices are at the end of that file, so that
they go with every page that embeds it:"""
MIT = """\
MIT License

Copyright (c) {authors}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and
associated documentation files (the "Software"), to deal in the Software without restriction,
including without limitation the rights to use, copy, modify, merge, publish, distribute,
sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial
portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT
NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND
NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES
OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN
CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
"""
METADATA = "cargo metadata --locked --format-version 1"
IS_NOTICE = re.compile(r"(?:un)?licen[cs]e|copying|copyright|notice", re.IGNORECASE)
RULER = "-" * 80
STANDARD_CRATE = re.compile(r"^\W*([\w-]+?)-(\d[^<]*)</h3>.*?License:</b> (.*?)</p>", re.DOTALL)
STANDARD_TEXT = re.compile(r"<code>(.*?)</code></summary>\s*<pre>(.*?)</pre>", re.DOTALL)
LISTED = re.compile(r"^  (\S+) (\S+): (.+)$", re.MULTILINE)


@dataclass(frozen=True, order=True)
class Component:
    """A crate or a library of scripts that is in the package."""

    name: str
    version: str
    licence: str

    def __str__(self) -> str:
        return f"{self.name} {self.version}: {self.licence}"


def main() -> int:
    """Write the notices, or check their list."""
    check = "--check" in sys.argv[1:]
    crates = crates_of(output_of(*TREE.split(), *(["--offline"] if check else [])))
    lock = json.loads((ROOT / "frontend" / "package-lock.json").read_text(encoding="utf-8"))
    path = ROOT / FILE
    if check:
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        return report("notices", stale(text, [*crates, *libraries_of(lock)]))
    archives, standard = sources(), dict(standard_library())
    texts = {one: texts_of(one, *archives[one.name, one.version]) for one in crates}
    text = notices_text(crates, list(standard), libraries_of(lock), {**texts, **standard})
    path.write_text(text, encoding="utf-8")
    return 0


def output_of(*command: str) -> str:
    """Return the output of a program."""
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout


def crates_of(tree: str) -> list[Component]:
    """Return the crates of a tree, as `cargo tree` prints it, that are not of this workspace."""
    lines = {line for line in tree.splitlines() if line and "(" not in line}
    found = (re.fullmatch(r"(\S+) v(\S+)\|(.+)", line) for line in lines)
    return sorted(Component(*one.groups()) for one in found if one)


def libraries_of(lock: Mapping[str, Any]) -> list[Component]:
    """Return ECharts and what it is made of, as npm's lock has them."""
    found: dict[str, Component] = {}
    left = ["echarts"]
    while left:
        name = left.pop()
        entry = lock["packages"][f"node_modules/{name}"]
        found[name] = Component(name, entry["version"], entry["license"])
        left += [one for one in entry.get("dependencies", ()) if one not in found]
    return sorted(found.values())


def stale(text: str, contained: Iterable[Component]) -> Iterator[Finding]:
    """Yield components without a notice, and notices without a component."""
    listed = {Component(*one) for one in LISTED.findall(text.partition(RULER)[0])}
    remedy = "run `python tools/notices.py` and read the diff"
    for one in sorted(set(contained) - listed):
        yield Finding(FILE, 1, f"{one.name} {one.version} is missing: {remedy}")
    for one in sorted(listed - set(contained)):
        yield Finding(FILE, 1, f"{one.name} {one.version} is not in the package: {remedy}")


def notices_text(
    crates: Sequence[Component],
    standard: Sequence[Component],
    libraries: Sequence[Component],
    texts: Mapping[Component, Sequence[str]],
) -> str:
    """Return the file: what is contained, and every text once, below those that it is for."""
    holders: dict[str, tuple[str, list[str]]] = {}
    for one, written in texts.items():
        for text in written:
            # Some are the same but for their line ends and margins.
            same = " ".join(text.split())
            holders.setdefault(same, (text, []))[1].append(f"{one.name} {one.version}")
    parts = [
        HEADING,
        "\n".join([CRATES, *(f"  {one}" for one in crates)]),
        f"{STANDARD_LIBRARY}\n  {', '.join(f'{one.name} {one.version}' for one in standard)}",
        "\n".join([LIBRARIES, *(f"  {one}" for one in libraries)]),
        *(f"{RULER}\n{', '.join(who)}:\n\n{text}" for text, who in holders.values()),
    ]
    lines = "\n\n".join(part.strip() for part in parts).splitlines()
    return "\n".join(line.rstrip() for line in lines) + "\n"


def texts_of(one: Component, files: Mapping[str, str], authors: str) -> list[str]:
    """Return the licence to ship with a crate; of two, the one that is not the Apache License.

    Parameters
    ----------
    one : Component
        The crate.
    files : mapping of str to str
        Text by name, of the files that its archive holds.
    authors : str
        Who gets the copyright where the archive has no licence.
    """
    spare = "APACHE" if "MIT" in one.licence else None
    names = [name for name in sorted(files) if IS_NOTICE.match(name)]
    found = [files[name] for name in names if spare is None or spare not in name.upper()]
    return found or [MIT.format(authors=authors)]


def sources() -> dict[tuple[str, str], tuple[dict[str, str], str]]:
    """Return the texts in the archive of each crate, and its authors, by name and version."""
    packages = json.loads(output_of(*METADATA.split()))["packages"]
    return {
        (one["name"], one["version"]): (
            texts_in(Path(one["manifest_path"]).parent),
            ", ".join(author.partition(" <")[0] for author in one["authors"]),
        )
        for one in packages
    }


def texts_in(folder: Path) -> dict[str, str]:
    """Return the files of a folder that may be licences."""
    paths = (path for path in folder.iterdir() if path.is_file() and IS_NOTICE.match(path.name))
    return {path.name: path.read_text(encoding="utf-8") for path in paths}


def standard_library() -> Iterator[tuple[Component, list[str]]]:
    """Yield the standard library of this machine's toolchain and its crates, with their texts.

    The document lists those of every platform; the folder of this one says which are there.
    """
    root = Path(output_of("rustc", "--print", "sysroot").strip())
    version = output_of("rustc", "--version").split()[1]
    unicode_tables = root / "share/doc/rust/licenses/Unicode-3.0.txt"
    yield (
        Component("std", version, "MIT OR Apache-2.0"),
        [
            MIT.format(authors="The Rust Project Developers (see https://thanks.rust-lang.org)"),
            unicode_tables.read_text(encoding="utf-8"),
        ],
    )
    built = {
        path.name.removeprefix("lib").rpartition("-")[0]
        for path in root.glob("lib/rustlib/*/lib/*.rlib")
    }
    page = (root / "share/doc/rust/COPYRIGHT-library.html").read_text(encoding="utf-8")
    for section in page.split("<h3>")[1:]:
        ((name, version, licence),) = STANDARD_CRATE.findall(section)
        if name.replace("-", "_") in built:
            one = Component(name, version, licence)
            files = STANDARD_TEXT.findall(section)
            yield one, texts_of(one, {file: html.unescape(text) for file, text in files}, "")


if __name__ == "__main__":
    sys.exit(main())
