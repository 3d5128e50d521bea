"""Facts of a machine from an archive that the script (script.py) has written there.

The archive is hostile: it is read as a stream, with limits, into memory. Nothing is unpacked to the
disk, and no path in it is used as one: paths only choose the question that a content answers.
"""

from __future__ import annotations

import io
import tarfile
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from os import PathLike
from typing import Any

from linkwright.errors import UsageError, shown_path
from linkwright.facts.fact import Command, EachInterface, Files, Question, Variables
from linkwright.facts.gathering import QUESTIONS, read_answers
from linkwright.facts.machine import MachineFacts
from linkwright.facts.script import FORM, place_of
from linkwright.files import MEBIBYTE, read_bytes

__all__ = ["read_archive"]

HINT = (
    "make one on the machine: `linkwright facts --script > linkwright-facts.sh` here, "
    "`sh linkwright-facts.sh > NAME.tar` there"
)
MOST_BYTES = 64 * MEBIBYTE
MOST_OF_CONTENT = 4 * MEBIBYTE
MOST_ENTRIES = 100_000
MOST_DEPTH = 24

Tree = dict[str, Any]
"""Contents by the parts of their paths; a folder is a mapping."""


def read_archive(name: str, path: str | PathLike[str]) -> MachineFacts:
    """Return the facts of a machine from its archive.

    Parameters
    ----------
    name : str
        Name of the machine.
    path : path
        The archive.

    Raises
    ------
    UsageError
        If it is no archive of the script.
    """
    data = read_bytes(path, "facts", most_bytes=MOST_BYTES, hint=HINT)
    try:
        tree = _tree(data)
    except (tarfile.TarError, ValueError, ArithmeticError, LookupError, EOFError) as error:
        raise UsageError(f"{shown_path(path)} is no tar archive: {error}", HINT) from None
    if not isinstance(tree.get("form"), bytes) or tree["form"].strip() != FORM.encode():
        raise UsageError(f"{shown_path(path)} is no archive of facts of this form", HINT)
    answers = {
        key: _answer(question, _part(tree, place_of(key))) for key, question in QUESTIONS.items()
    }
    return read_answers(name, {"answers": answers, "is_root": tree.get("uid") == b"0\n"})


def _tree(data: bytes) -> Tree:
    """Return the contents of an archive, without links and devices."""
    tree: Tree = {}
    # As a stream, sizes that are negative or wrong end in an error, never in a loop.
    with tarfile.open(fileobj=io.BytesIO(data), mode="r|") as archive:
        for number, entry in enumerate(archive):
            parts = [part for part in entry.name.split("/") if part not in ("", ".")]
            if number >= MOST_ENTRIES or len(parts) > MOST_DEPTH:
                raise ValueError("it has too many entries")
            if not parts or ".." in parts:
                continue
            content = archive.extractfile(entry) if entry.isreg() else None
            if content is not None:
                _put(tree, parts, content.read(MOST_OF_CONTENT))
            elif entry.isdir():
                _put(tree, parts, {})
    return tree


def _put(tree: Tree, parts: list[str], value: Any) -> None:
    """Put a content or a folder at its place, unless something else is there."""
    for part in parts[:-1]:
        inner = tree.setdefault(part, {})
        if not isinstance(inner, dict):
            return
        tree = inner
    tree.setdefault(parts[-1], value)


def _answer(question: Question, tree: Tree) -> Any:
    """Return the answer to a question, in the form of the collector."""
    match question:
        case Command():
            return _output(tree)
        case EachInterface():
            return {name: _output(part) for name, part in tree.items() if isinstance(part, dict)}
        case Files(pattern):
            pattern = "*" + pattern[1:] if pattern.startswith("~") else pattern
            return {path: text for path, text in _files(tree) if fnmatchcase(path, pattern)}
        case Variables(prefixes):
            lines = (line.partition("=") for line in _text(tree, "output").split("\n"))
            return {key: value for key, _, value in lines if key.startswith(prefixes)}
        case _:
            return None


def _output(tree: Tree) -> list[Any] | None:
    """Return code, output and errors of a command; None if the machine has no such program."""
    code = _text(tree, "code").strip()
    if not code.isdecimal() or len(code) > 3:
        return None
    return [int(code), _text(tree, "output"), _text(tree, "errors")[:2000]]


def _files(tree: Tree, before: str = "") -> Iterator[tuple[str, str | None]]:
    """Yield paths and contents; None for a file that could not be read."""
    for name, value in tree.items():
        path = f"{before}/{name}"
        if isinstance(value, bytes):
            yield path, value.decode("utf-8", "replace")
        elif value:
            yield from _files(value, path)
        else:
            yield path, None


def _part(tree: Tree, name: str) -> Tree:
    found = tree.get(name)
    return found if isinstance(found, dict) else {}


def _text(tree: Mapping[str, Any], name: str) -> str:
    found = tree.get(name)
    return found.decode("utf-8", "replace") if isinstance(found, bytes) else ""
