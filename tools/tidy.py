"""Check the form of every file: header, lengths, names, unfinished marks, sources, wording, code
map, and that workflows pin their actions.

The rules are those of CONTRIBUTING.md that neither rustfmt, clippy, ruff nor mypy knows. A file may
be longer than the limit, or hold a longer function, when its header says why after the words
"Long because". Formatting is left to the formatters.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from finding import ROOT, Finding, report, source_files
from wording import check_wording

MOST_LINES = 600
MOST_FUNCTION_LINES = 70
MOST_COLUMNS = 100
MOST_DESIGN_LINES = 100
LONG_FILE_NEEDS_TWO = 60
REASON = "Long because"

CODE = {".rs", ".py", ".ts", ".js", ".mjs", ".css", ".sh", ".cc", ".c", ".h"}
TEXT = CODE | {".md", ".toml", ".yml", ".yaml", ".pyi", ".cff", ".csv"}
# Made by another command from sources that are checked themselves.
BUILT_FOLDERS = {"assets"}
EMPTY_NAMES = {"utils", "util", "common", "helpers", "helper", "misc", "manager"}
# Spelled with a class of one letter each, so that this file does not find itself.
UNFINISHED = re.compile(r"\b(?:[T]ODO|[F]IXME|[X]XX)\b|\b[t]odo!\(|\b[u]nimplemented!\(")
CONFLICT = re.compile(r"[<]{7} |[>]{7} ")
ONE_MACHINE = re.compile(r"(?<![\w.])/(?:[w]ork|[r]oot|[f]arm|[h]ome/\w+)/")
# A tag can be moved to other code, a commit cannot; the comment says which version it is.
ACTION = re.compile(r"^\s*(?:- )?uses:\s*(.*)$")
PINNED_ACTION = re.compile(r"\./\S+|[\w.-]+(?:/[\w.-]+)+@[0-9a-f]{40} +# v\d+(?:\.\d+)*")
SOURCE_MARK = re.compile(r"\[([A-Z][A-Z0-9]+(?:-[A-Z0-9]+)*), (?:[a-z]|\d)[^\]]*\]")


def main() -> int:
    """Check the whole project."""
    return report("tidy", check(ROOT))


def check(root: Path) -> Iterator[Finding]:
    """Yield the findings under `root`."""
    known = known_sources(root)
    for path in source_files(root):
        name = path.relative_to(root).as_posix()
        yield from check_name(name)
        is_text = path.suffix in TEXT or path.name == "Makefile"
        if not is_text or BUILT_FOLDERS & set(path.parts):
            continue
        text = path.read_text(encoding="utf-8")
        yield from check_lines(name, text)
        yield from check_source_marks(name, text, known)
        yield from check_actions(name, text)
        yield from check_design_page(name, text)
        yield from check_wording(name, text)
        if path.suffix in CODE or path.name == "Makefile":
            yield from check_header(name, text)
            yield from check_lengths(name, text)
    yield from check_code_map(root)


def check_name(name: str) -> Iterator[Finding]:
    """Yield names without a meaning."""
    for part in Path(name).parts:
        if part.split(".")[0] in EMPTY_NAMES:
            yield Finding(name, 1, f"'{part}' says nothing: name the one thing that is inside")


def check_lines(name: str, text: str) -> Iterator[Finding]:
    """Yield unfinished marks, unsolved conflicts, paths of one machine, stray blanks and lines that
    are too long.
    """
    is_code = Path(name).suffix in CODE
    for number, line in enumerate(text.splitlines(), start=1):
        if UNFINISHED.search(line):
            yield Finding(name, number, "unfinished mark: finish it, or file an issue")
        if CONFLICT.match(line):
            yield Finding(name, number, "mark of a merge conflict: choose a side, or join both")
        if ONE_MACHINE.search(line):
            yield Finding(name, number, "path of one machine")
        if line != line.rstrip():
            yield Finding(name, number, "blanks at the end of the line")
        if is_code and len(line) > MOST_COLUMNS:
            yield Finding(name, number, f"{len(line)} columns, {MOST_COLUMNS} are allowed")
    if text and not text.endswith("\n"):
        yield Finding(name, text.count("\n") + 1, "the last line has no end")


def check_actions(name: str, text: str) -> Iterator[Finding]:
    """Yield actions of workflows that are not pinned by the hash of a commit and its version."""
    if not name.startswith(".github/workflows/"):
        return
    for number, line in enumerate(text.splitlines(), start=1):
        action = ACTION.match(line)
        if action and not PINNED_ACTION.fullmatch(action[1]):
            yield Finding(name, number, f"'{action[1]}' is not pinned: write NAME@HASH # vVERSION")


def check_design_page(name: str, text: str) -> Iterator[Finding]:
    """Yield design pages that are too long for one decision."""
    n_lines = text.count("\n")
    if name.startswith("docs/design/") and n_lines > MOST_DESIGN_LINES:
        message = f"{n_lines} lines, {MOST_DESIGN_LINES} are allowed: one page, one decision"
        yield Finding(name, 1, message)


def known_sources(root: Path) -> set[str]:
    """Return the keys that docs/references.md resolves."""
    page = root / "docs" / "references.md"
    text = page.read_text(encoding="utf-8") if page.is_file() else ""
    return set(re.findall(r"\b[A-Z][A-Z0-9]+(?:-[A-Z0-9]+)*\b", text))


def check_source_marks(name: str, text: str, known: set[str]) -> Iterator[Finding]:
    """Yield marks such as `[PMESH, table 3]` whose key is not in docs/references.md."""
    for number, line in enumerate(text.splitlines(), start=1):
        # In Rust an array of constants looks the same.
        written = line.partition("//")[2] if name.endswith(".rs") else line
        for key in SOURCE_MARK.findall(written):
            if key not in known:
                yield Finding(name, number, f"source '{key}' is not in docs/references.md")


def check_header(name: str, text: str) -> Iterator[Finding]:
    """Yield files that do not open by saying what is in them."""
    length = header_length(name, text)
    if not text.strip():
        return
    if length == 0:
        yield Finding(name, 1, "no header: say what is here, and what is deliberately not")
    elif length < 2 and text.count("\n") > LONG_FILE_NEEDS_TWO:
        yield Finding(name, 1, "a file of this length opens with 2 to 10 lines")


def header_length(name: str, text: str) -> int:
    """Return how many lines of comment or docstring a file opens with."""
    return len(header(name, text))


def header(name: str, text: str) -> list[str]:
    """Return the lines of comment or docstring that a file opens with."""
    if name.endswith(".py") and not text.startswith("#!"):
        docstring = ast.get_docstring(ast.parse(text)) or ""
        return docstring.splitlines()
    lines = text.splitlines()
    if lines and lines[0].startswith("#!"):
        lines = lines[1:]
    opening = []
    for line in lines:
        if not line.strip().startswith(("//", "#", "/*", "*", "<!--")):
            break
        opening.append(line)
    return [line for line in opening if line.strip(" /!#*<->")]


def check_lengths(name: str, text: str) -> Iterator[Finding]:
    """Yield files and functions that are longer than a reader can hold."""
    if REASON in " ".join(header(name, text)):
        return
    n_lines = (
        len(without_rust_tests(text).splitlines()) if name.endswith(".rs") else text.count("\n")
    )
    if n_lines > MOST_LINES:
        yield Finding(name, 1, f"{n_lines} lines, {MOST_LINES} are allowed: split, or say why not")
    for line, length in function_lengths(name, text):
        if length > MOST_FUNCTION_LINES:
            yield Finding(name, line, f"function of {length} lines, {MOST_FUNCTION_LINES} allowed")


def function_lengths(name: str, text: str) -> Iterable[tuple[int, int]]:
    """Return first line and length of every function of a Python, C or C++ file; clippy knows those
    of Rust.
    """
    if name.endswith(".py"):
        return [
            (node.lineno, (node.end_lineno or node.lineno) - node.lineno + 1)
            for node in ast.walk(ast.parse(text))
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        ]
    return c_function_lengths(text) if name.endswith((".cc", ".c", ".h")) else []


def c_function_lengths(text: str) -> Iterator[tuple[int, int]]:
    """Yield the same for C and C++, where the braces of a function are in the first column."""
    for match in re.finditer(r"^\S[^\n]*\)[^\n;]*\n\{$.*?^\}$", text, re.DOTALL | re.MULTILINE):
        yield text.count("\n", 0, match.start()) + 1, match.group().count("\n") + 1


def without_rust_tests(text: str) -> str:
    """Return a Rust file up to its trailing module of unit tests."""
    return re.split(r"\n#\[cfg\(test\)\]\nmod \w+ \{", text)[0]


def check_code_map(root: Path) -> Iterator[Finding]:
    """Yield parts of the project that the code map of ARCHITECTURE.md does not name."""
    page = root / "ARCHITECTURE.md"
    text = page.read_text(encoding="utf-8") if page.is_file() else ""
    for folder in ("crates", "python/linkwright"):
        for part in sorted((root / folder).glob("*")):
            is_part = part.is_dir() and part.name != "__pycache__"
            if is_part and f"{part.name}/" not in text:
                yield Finding("ARCHITECTURE.md", 1, f"the code map lacks {folder}/{part.name}/")


if __name__ == "__main__":
    sys.exit(main())
