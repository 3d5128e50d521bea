"""YAML 1.2 to plain values, with limits, or an error with its place.

Anchors are refused: a design is short, and aliases can make a small file huge.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, NoReturn

from ruamel.yaml import YAML
from ruamel.yaml.composer import Composer
from ruamel.yaml.constructor import DuplicateKeyError
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import AliasEvent, CollectionStartEvent
from ruamel.yaml.nodes import MappingNode, Node, SequenceNode

from linkwright.errors import DesignError
from linkwright.files import MEBIBYTE

__all__ = ["HINT", "Source", "composed", "read_document"]

_MOST_DEPTH = 20
_NOT_TEXT = r"[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
_PLAIN = re.compile(r"[\t\n\r\x20-\x7e]*")
"""Accepts most designs quickly; the full pattern takes as long to compile as a small run."""
HINT = "give a design file in YAML, for example: topology: {kind: torus, shape: [4, 4]}"
"""Remedy for any other input."""


def read_document(text: str, where: str) -> dict[str, Any]:
    """Return the mapping that a YAML text holds; `where` names it in messages.

    Raises
    ------
    DesignError
        If it is too large, not YAML, nested too deeply, has anchors or duplicate keys, or is not a
        mapping.
    """
    _check_text(text, where)
    with _explained(where):
        value = _loader(where).load(text)
    if not isinstance(value, dict):
        found = "nothing" if value is None else f"a {type(value).__name__}"
        raise DesignError(f"{where} holds {found} where keys and values are needed", HINT)
    return value


def composed(text: str, where: str) -> Node | None:
    """Return the nodes of a YAML text of another tool, with their lines; None if it is empty.

    Aliases are accepted: a node that they share is not copied, so that the tree is as large as the
    text.

    Raises
    ------
    DesignError
        If it is too large, not YAML or nested too deeply.
    """
    _check_text(text, where)
    with _explained(where):
        node: Node | None = _loader(where, has_aliases=True).compose(text)
    return node


@contextmanager
def _explained(where: str) -> Iterator[None]:
    """Turn errors of the YAML library into ours."""
    try:
        yield
    except DuplicateKeyError as error:
        _refuse(error, where, "a key is given twice", "keep one of the two")
    except MarkedYAMLError as error:
        _refuse(error, where, "broken YAML", "check quotes, brackets and indentation there")
    except DesignError:
        raise
    except (YAMLError, ValueError) as error:
        reason = str(error).splitlines()[0]
        raise DesignError(f"{where} is not YAML: {reason}", HINT) from None


def _check_text(text: str, where: str) -> None:
    if len(text) > MEBIBYTE:
        raise DesignError(f"{where} is larger than 1 MiB", HINT)
    strange = None if _PLAIN.fullmatch(text) else re.search(_NOT_TEXT, text)
    if strange is not None:
        place = _place(text[: strange.start()])
        code = ord(strange.group())
        raise DesignError(f"{where} is not text: character 0x{code:02x} at {place}", HINT)


@dataclass(frozen=True)
class Source:
    """The text of a description, in which messages name lines."""

    name: str
    text: str

    def place(self, *keys: str | int) -> str:
        r"""Return the name and the line of a value, for the beginning of a message.

        Parameters
        ----------
        *keys : str or int
            The keys and positions that lead to the value.

        Examples
        --------
        >>> Source("home.yaml", "a: 1\nb:\n  - x\n  - y\n").place("b", 1)
        'home.yaml, line 4: '
        """
        line, node = 0, self._document
        for key in keys:
            if isinstance(node, MappingNode):
                found = [(k, v) for k, v in node.value if str(k.value) == str(key)]
                if not found:
                    break
                line, node = found[0][0].start_mark.line, found[0][1]
            elif isinstance(node, SequenceNode) and isinstance(key, int):
                node = node.value[key]
                line = node.start_mark.line
            else:
                break
        return f"{self.name}, line {line + 1}: "

    @cached_property
    def _document(self) -> Any:
        """The nodes of the text with their lines, composed when the first line is asked for."""
        return _loader(self.name).compose(self.text)


def _loader(where: str, *, has_aliases: bool = False) -> YAML:
    loader = YAML(typ="safe", pure=True)
    composer: Any = partial(_CheckedComposer, where=where, has_aliases=has_aliases)
    loader.Composer = composer
    return loader


class _CheckedComposer(Composer):
    """Composes nodes, and refuses aliases and deep nesting where it meets them."""

    def __init__(self, *, loader: YAML, where: str, has_aliases: bool) -> None:
        super().__init__(loader=loader)
        self._where, self._has_aliases = where, has_aliases
        self._depth = 0

    def compose_node(self, parent: Node | None, index: Any) -> Node:
        event = self.parser.peek_event()
        self._depth += isinstance(event, CollectionStartEvent)
        place = f"line {event.start_mark.line + 1}, column {event.start_mark.column + 1}"
        if self._depth > _MOST_DEPTH:
            raise DesignError(
                f"{self._where}: {place} is nested more than {_MOST_DEPTH} levels deep", HINT
            )
        if isinstance(event, AliasEvent) and not self._has_aliases:
            raise DesignError(
                f"{self._where}: {place} has an alias (*{event.anchor})", "write the value out"
            )
        node: Node = super().compose_node(parent, index)
        self._depth -= isinstance(event, CollectionStartEvent)
        return node


def _refuse(error: MarkedYAMLError, where: str, rule: str, remedy: str) -> NoReturn:
    mark = error.problem_mark or error.context_mark
    place = f"line {mark.line + 1}, column {mark.column + 1}: " if mark else ""
    problem = (error.problem or error.context or "").splitlines()
    detail = f" ({problem[0]})" if problem else ""
    raise DesignError(f"{where}: {place}{rule}{detail}", remedy) from None


def _place(before: str) -> str:
    """Return the line and column that follow `before`."""
    lines = before.split("\n")
    return f"line {len(lines)}, column {len(lines[-1]) + 1}"
