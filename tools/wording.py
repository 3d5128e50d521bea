"""The rules for English of CONTRIBUTING.md that a pattern can check: Python, Rust and pages.

An editor shows a docstring alone, and a terminal the help of an option, so neither begins with a
relative pronoun; and prose avoids the phrases below. Quoted text and names are left alone. Whether
a sentence is good is for its reader to judge.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterable, Iterator

from finding import Finding

OPENING = re.compile(r"(?:(?:Returns?|Yields?) )?(?:[Ww]hat|[Ww]ho|[Ww]hose|[Ww]hom|Of)\b")
"""Beginning of a docstring or help text that has no subject of its own."""

PHRASES = {
    r"unless (?:one is )?given": "write 'default: X'",
    r"for ever": "write 'forever'",
    r"(?:no|every|any|some)body": "name the rank, the node or the user",
    r"who(?:m?)ever": "name the subject",
    r"planned anew": "write 'recomputed'",
    r"so many": "give the number a name",
}
"""Pattern of a phrase -> the remedy."""

QUOTING_FILES = frozenset(
    {"CONTRIBUTING.md", "tools/wording.py", "tests/conventions/test_wording.py"}
)
"""Files that quote the phrases."""

_RUST_COMMENT = re.compile(r"\s*(?P<mark>///|//!|//)(?P<prose>.*)")
_QUOTED = re.compile(r"`[^`]*`|\"[^\"]*\"")


def check_wording(name: str, text: str) -> Iterator[Finding]:
    """Yield openings without a subject, and phrases to avoid, in a Python file or a page."""
    if name in QUOTING_FILES:
        return
    if name.endswith(".md"):
        yield from _phrases(name, enumerate(text.splitlines(), start=1))
    elif name.endswith(".py"):
        yield from _prose(name, [*docstrings(text), *help_texts(text)], comments(text))
    elif name.endswith(".rs"):
        yield from _prose(name, rust_comments(text, ("///", "//!")), rust_comments(text, ("//",)))


def _prose(
    name: str, shown_alone: Iterable[tuple[int, str]], others: Iterable[tuple[int, str]]
) -> Iterator[Finding]:
    shown_alone = list(shown_alone)
    for line, prose in shown_alone:
        opening = OPENING.match(prose)
        if opening:
            yield Finding(name, line, f"'{opening[0]}' has no subject: begin with one")
    yield from _phrases(name, [*shown_alone, *others])


def _phrases(name: str, lines: Iterable[tuple[int, str]]) -> Iterator[Finding]:
    for line, prose in lines:
        bare = _QUOTED.sub("", " ".join(prose.split()))
        for pattern, remedy in PHRASES.items():
            found = re.search(rf"\b{pattern}\b", bare, re.IGNORECASE)
            if found:
                yield Finding(name, line, f"'{found[0]}': {remedy}")


def docstrings(text: str) -> Iterator[tuple[int, str]]:
    """Yield line and text of each string that is a statement, such as the docstring of a field."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr):
            yield from _constant(node.value)


def help_texts(text: str) -> Iterator[tuple[int, str]]:
    """Yield line and text of each argument `help` of a call."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.keyword) and node.arg == "help":
            yield from _constant(node.value)


def _constant(node: ast.expr) -> Iterator[tuple[int, str]]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.lineno, node.value.strip()


def comments(text: str) -> Iterator[tuple[int, str]]:
    """Yield line and text of each comment."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def rust_comments(text: str, marks: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    """Yield first line and text of each comment of whole lines that begin with one of the marks."""
    comment: list[str] = []
    for number, line in enumerate([*text.splitlines(), ""], start=1):
        found = _RUST_COMMENT.match(line)
        if found and found["mark"] in marks:
            comment.append(found["prose"])
        elif comment:
            yield number - len(comment), " ".join(comment).strip()
            comment.clear()
