"""The rules for English of CONTRIBUTING.md that a pattern can check, in sources and pages.

An editor shows a docstring alone, a terminal the help of an option, and a comment stands beside
code, so none of them begins with a relative pronoun; and prose avoids the phrases below. Quoted
text and names are left alone. Whether a sentence is good is for its reader to judge.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterable, Iterator

from finding import Finding

OPENING = re.compile(r"(?:(?:Returns?|Yields?) )?(?:[Ww]hat|[Ww]ho|[Ww]hose|[Ww]hom|Of)\b")
"""Beginning of a docstring, help text or comment that has no subject of its own."""

PHRASES = {
    r"unless (?:one is )?given": "write 'default: X'",
    r"for ever": "write 'forever'",
    r"(?:no|every|any|some)body": "name the rank, the node or the user",
    r"who(?:m?)ever": "name the subject",
    r"so many": "give the number a name",
    r"anew": "write 'again', or name the change",
    r"(?:is|are|be|been|was|were|gets?) told(?! apart)": "write what it receives or learns",
}
"""Pattern of a phrase -> the remedy."""

QUOTING_FILES = frozenset(
    {"CONTRIBUTING.md", "tools/wording.py", "tests/conventions/test_wording.py"}
)
"""Files that quote the phrases."""

_COMMENT = re.compile(r"\s*(?:///|//!|//|/\*+|\*(?!/))(?P<prose>.*?)(?:\*/)?$")
_QUOTED = re.compile(r"`[^`]*`|\"[^\"]*\"")


def check_wording(name: str, text: str) -> Iterator[Finding]:
    """Yield openings without a subject, and phrases to avoid, in a source or a page."""
    if name in QUOTING_FILES:
        return
    if name.endswith(".md"):
        yield from _phrases(name, enumerate(text.splitlines(), start=1))
    elif name.endswith(".py"):
        yield from _prose(name, [*docstrings(text), *help_texts(text), *hash_comments(text)])
    elif name.endswith((".rs", ".ts", ".c", ".h", ".cc")):
        yield from _prose(name, comments(text))


def _prose(name: str, paragraphs: Iterable[tuple[int, str]]) -> Iterator[Finding]:
    paragraphs = list(paragraphs)
    for line, prose in paragraphs:
        opening = OPENING.match(prose)
        if opening:
            yield Finding(name, line, f"'{opening[0]}' has no subject: begin with one")
    yield from _phrases(name, paragraphs)


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


def hash_comments(text: str) -> Iterator[tuple[int, str]]:
    """Yield first line and text of each comment of Python; comments on successive lines are one."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    yield from _joined(
        (token.start[0], token.string.lstrip("#"))
        for token in tokens
        if token.type == tokenize.COMMENT
    )


def comments(text: str) -> Iterator[tuple[int, str]]:
    """Yield first line and text of each comment of whole lines in Rust, TypeScript or C."""
    lines = ((number, line) for number, line in enumerate(text.splitlines(), start=1))
    found = ((number, _COMMENT.match(line)) for number, line in lines)
    yield from _joined((number, match["prose"]) for number, match in found if match)


def _joined(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Yield first line and text of lines that follow each other."""
    paragraph: list[str] = []
    last = 0
    for number, prose in lines:
        if paragraph and number != last + 1:
            yield last + 1 - len(paragraph), " ".join(paragraph).strip()
            paragraph = []
        paragraph.append(prose)
        last = number
    if paragraph:
        yield last + 1 - len(paragraph), " ".join(paragraph).strip()
