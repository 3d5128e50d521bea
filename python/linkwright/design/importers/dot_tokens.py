"""The tokens of DOT, after the grammar of graphviz.org, "The DOT Language".

Comments begin with `//`, `/*` or `#`, the latter anywhere outside of quotes, as some tools indent
them. Quoted texts may be joined by `+`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from linkwright.errors import DesignError, shown

__all__ = ["REMEDY", "Token", "tokens"]

REMEDY = 'write edges as "a":"port" -- "b":"port" and attributes as [key=value]'
_TOKEN = re.compile(
    r"(?P<space>\s+|//[^\n]*|/\*.*?\*/|\#[^\n]*)"
    r"|(?P<edge>--|->)"
    r"|(?P<sign>[{}\[\];,=:+])"
    r'|"(?P<quoted>(?:[^"\\]|\\.)*)"'
    r"|(?P<html><)"
    r"|(?P<word>-?(?:\.\d+|\d+(?:\.\d*)?)(?![\w])|[^\W\d]\w*|[\w.-]*\w)",
    re.DOTALL,
)


@dataclass(frozen=True)
class Token:
    """A token: its kind (edge, sign, quoted, html, word or end), its text and its line."""

    kind: str
    text: str
    line: int


def tokens(text: str, where: str) -> list[Token]:
    """Return the tokens of a text, with one of kind "end" after the last.

    Raises
    ------
    DesignError
        If a character begins no token, or a text is not closed.
    """
    return list(_joined(_tokens(text, where)))


def _tokens(text: str, where: str) -> Iterator[Token]:
    place, line = 0, 1
    while place < len(text):
        found = _TOKEN.match(text, place)
        if found is None:
            unclosed = text[place] == '"' or text.startswith("/*", place)
            rule = "is not closed" if unclosed else "is not DOT"
            raise DesignError(f"{where}, line {line}: {shown(text[place])} {rule}", REMEDY)
        kind, end = str(found.lastgroup), found.end()
        if kind == "html":
            end = _end_of_html(text, place)
            if end < 0:
                raise DesignError(f"{where}, line {line}: '<' is not closed", REMEDY)
            yield Token(kind, "", line)
        elif kind == "quoted":
            yield Token(kind, _unescaped(found[kind]), line)
        elif kind != "space":
            yield Token(kind, found[kind], line)
        line += text.count("\n", place, end)
        place = end
    yield Token("end", "", line)


def _end_of_html(text: str, begin: int) -> int:
    """Return the end of a text in HTML, whose angle brackets are balanced, or -1."""
    depth = 0
    for found in re.finditer(r"[<>]", text[begin:]):
        depth += 1 if found[0] == "<" else -1
        if depth == 0:
            return begin + found.end()
    return -1


def _unescaped(text: str) -> str:
    """Return a quoted text: of its escapes, those of quotes, lines and backslashes are used."""
    return re.sub(
        r"\\(\r?\n|.)",
        lambda found: {"n": "\n", "l": "\n", "r": "\n", '"': '"', "\\": "\\", "\n": "", "\r\n": ""}
        .get(found[1], found[0]),
        text,
        flags=re.DOTALL,
    )  # fmt: skip


def _joined(found: Iterator[Token]) -> Iterator[Token]:
    """Yield tokens with quoted texts around a plus sign as one."""
    last: Token | None = None
    is_open = False
    for token in found:
        if last and is_open and token.kind == "quoted":
            last, is_open = Token("quoted", last.text + token.text, last.line), False
        elif last and last.kind == "quoted" and (token.kind, token.text) == ("sign", "+"):
            is_open = True
        else:
            if last:
                yield last
            last = token
    if last:
        yield last
