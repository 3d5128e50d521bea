"""XML as a tree of elements with their lines, by Python's expat.

Entities are refused, because they can make a small file huge; a document type that only names a
schema is passed over. Nothing outside the text is read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from xml.parsers import expat

from linkwright.errors import DesignError

__all__ = ["Element", "parsed"]

_MOST_DEPTH = 100


@dataclass
class Element:
    """An element; its tag has no namespace."""

    tag: str
    attributes: dict[str, str]
    line: int
    text: str = ""
    children: list[Element] = field(default_factory=list)

    def every(self, *tags: str) -> Iterator[Element]:
        """Yield the elements inside, at any depth, with one of the tags, in the order of the
        text.
        """
        for child in self.children:
            if child.tag in tags:
                yield child
            yield from child.every(*tags)

    def get(self, *names: str) -> str:
        """Return the first of several attributes that is given, or an empty text."""
        found = (self.attributes.get(name, "").strip() for name in names)
        return next((value for value in found if value), "")


class _RefusedError(Exception):
    """A rule that the text breaks."""


def parsed(text: str, where: str, root: str) -> Element:
    """Return the root element of a text.

    Parameters
    ----------
    text : str
        The XML.
    where : str
        Name of the file, for messages.
    root : str
        Tag that the root has.

    Raises
    ------
    DesignError
        If it is no XML, has entities, is nested too deeply or has another root.
    """
    remedy = f"give a file whose root is '{root}'"
    parser = expat.ParserCreate()
    top = Element("", {}, 0)
    _connect(parser, [top])
    try:
        # A text has no encoding any more, whatever its declaration says.
        parser.Parse(text.encode("utf-8", errors="surrogatepass"), True)
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code)
        raise DesignError(f"{where}, line {error.lineno} is not XML: {reason}", remedy) from None
    except _RefusedError as error:
        line = parser.CurrentLineNumber
        raise DesignError(f"{where}, line {line}: {error}", "leave it out") from None
    found = top.children[0]
    if found.tag != root:
        raise DesignError(f"{where}, line {found.line} holds '{found.tag}', not '{root}'", remedy)
    return found


def _connect(parser: Any, stack: list[Element]) -> None:
    """Make a parser build a tree below the element on the stack."""

    def start(tag: str, attributes: dict[str, str]) -> None:
        if len(stack) > _MOST_DEPTH:
            raise _RefusedError(f"elements are nested more than {_MOST_DEPTH} levels deep")
        element = Element(tag.rpartition(":")[2], attributes, parser.CurrentLineNumber)
        stack[-1].children.append(element)
        stack.append(element)

    def end(_tag: str) -> None:
        stack.pop()

    def data(text: str) -> None:
        stack[-1].text += text

    def entity(*_values: object) -> None:
        raise _RefusedError("it declares an entity, which can make a small file huge")

    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler, parser.EntityDeclHandler = data, entity
