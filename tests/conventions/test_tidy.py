"""The tidy check passes orderly files and finds every planted disorder.

The trees it reads are made here; that this checkout is in order is what `make check` says.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

import tidy

HEADER = '"""A header."""\n'
PINNED = "actions/checkout@" + 5 * "0123abcd"
LONG_BODY = "def f() -> None:\n" + "    pass\n" * 75


def messages(root: Path, name: str, text: str) -> list[str]:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    subprocess.run(["git", "init", "--quiet"], cwd=root, check=True)
    return [finding.message for finding in tidy.check(root)]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.py", HEADER),
        ("empty/__init__.py", ""),
        ("a.sh", "#!/bin/sh\n# A header.\n"),
        ("a.rs", "//! The parts of a hub.\n"),
        ("a.py", '"""A header.\n\nLong because it is one table.\n"""\n' + LONG_BODY),
        ("a.py", HEADER + "x = 1\n" * 40),
        ("views/assets/report.js", "no(header)"),
        ("a.rs", "//! The parts of a hub.\nconst A: [u8; 2] = [" + "NONE, 4];\n"),
        ("notes.md", "A line of prose may be as long as it likes." * 5 + "\n"),
        ("docs/design/a.md", "A line.\n" * 100),
        (".github/workflows/a.yml", f"steps:\n  - uses: {PINNED} # v4.4.0\n"),
        (".github/workflows/a.yml", "steps:\n  - uses: ./.github/own\n  - run: echo uses: a@v1\n"),
        ("docs/a.yml", "- uses: actions/checkout@v4\n"),
        ("a.rs", "//! Here.\n" + "#[cfg(test)]\nmod tests {\n" + "    // case\n" * 700 + "}\n"),
    ],
)
def test_orderly_files_pass(tmp_path: Path, name: str, text: str) -> None:
    assert messages(tmp_path, name, text) == []


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a.py", "x = 1\n", "no header"),
        ("a.rs", "fn f() {}\n", "no header"),
        ("a.sh", "#!/bin/sh\nls\n", "no header"),
        ("a.py", HEADER + "x = 1\n" * 80, "opens with 2 to 10 lines"),
        ("a.rs", "//! Two\n//! lines.\n" + "const A: u8 = 0;\n" * 600, "602 lines"),
        ("a.py", '"""Two\nlines.\n"""\n' + LONG_BODY, "function of 76 lines"),
        ("a.cc", "// Two\n// lines.\nvoid F()\n{\n" + "    g();\n" * 75 + "}\n", "function of 78"),
        ("a.py", HEADER + "x = '" + "y" * 100 + "'\n", "columns"),
        ("a.py", HEADER + "x = 1  # TO" + "DO\n", "unfinished mark"),
        ("a.rs", "//! Here.\nfn f() {\n    to" + "do!()\n}\n", "unfinished mark"),
        ("a.md", "<" * 7 + " HEAD\n", "mark of a merge conflict"),
        ("a.csv", ">" * 7 + " 0123abc\n", "mark of a merge conflict"),
        (".github/workflows/a.yml", "- uses: actions/checkout@v4\n", "not pinned"),
        (".github/workflows/a.yaml", "- name: x\n  uses: a/b/c@main # v4\n", "not pinned"),
        (".github/workflows/a.yml", f"- uses: {PINNED[:-1]} # v4.4.0\n", "not pinned"),
        (".github/workflows/a.yml", f"- uses: {PINNED}\n", "not pinned"),
        ("a.md", "See /ro" + "ot/notes.\n", "path of one machine"),
        ("docs/design/a.md", "A line.\n" * 101, "one page, one decision"),
        ("a.py", HEADER + "x = 1 \n", "blanks at the end"),
        ("a.py", HEADER + "x = 1", "no end"),
        ("utils/a.py", HEADER, "'utils' says nothing"),
        ("helpers.py", HEADER, "'helpers.py' says nothing"),
        ("a.py", HEADER + "x = 1  # [" + "NOWHERE-2001, table 2]\n", "source 'NOWHERE-2001'"),
        ("crates/gadget/src/lib.rs", "//! A crate.\n", "the code map lacks crates/gadget/"),
    ],
)
def test_disorder_is_found(tmp_path: Path, name: str, text: str, expected: str) -> None:
    found = messages(tmp_path, name, text)
    assert len(found) == 1, found
    assert expected in found[0]


def test_a_source_in_the_references_resolves(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "references.md").write_text("| PMESH | The P-Mesh, 1998 |\n")
    assert messages(tmp_path, "a.py", HEADER + "x = 1  # [PMESH, table 3]\n") == []
