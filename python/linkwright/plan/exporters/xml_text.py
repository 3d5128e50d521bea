"""XML whose texts and comments hold any name of a design."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

__all__ = ["attributes", "comments", "escape"]


def attributes(**values: str) -> str:
    """Return attributes of an element, each with a space before it.

    Examples
    --------
    >>> attributes(id="a", name="<b>")
    ' id="a" name="&lt;b&gt;"'
    """
    return "".join(f" {key}={quoteattr(value)}" for key, value in values.items())


def comments(lines: Sequence[str], indent: str = "") -> list[str]:
    """Return lines of comment as XML, in which two hyphens would end a comment.

    Examples
    --------
    >>> comments(["# Give --for."])
    ['<!-- Give - -for. -->']
    """
    texts = [re.sub("-(?=-)", "- ", line.removeprefix("# ")) for line in lines]
    return [f"{indent}<!-- {text}{' ' if text.endswith('-') else ''} -->" for text in texts]
