"""The nodes of a YAML text, whose lines messages name; nothing that aliases share is copied."""

from __future__ import annotations

from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

__all__ = ["fields", "items", "key_lines", "line_of", "text_of"]

_NOTHING = frozenset({"", "~", "null"})


def fields(node: Node | None) -> dict[str, Node]:
    """Return the values of a mapping by key, with those that `<<` adds; none of anything else."""
    if not isinstance(node, MappingNode):
        return {}
    pairs = [(text_of(key), value) for key, value in node.value]
    merged: dict[str, Node] = {}
    for key, value in pairs:
        if key == "<<":
            for other in items(value) or [value]:
                if isinstance(other, MappingNode):
                    merged |= {text_of(inner): found for inner, found in other.value}
    return merged | {key: value for key, value in pairs if key != "<<"}


def key_lines(node: Node | None) -> dict[str, int]:
    """Return the lines of the keys of a mapping, and of the items of a list that are texts."""
    if isinstance(node, MappingNode):
        return {text_of(key): line_of(key) for key, _ in node.value}
    return {text_of(one): line_of(one) for one in items(node)}


def items(node: Node | None) -> list[Node]:
    """Return the items of a list; none of anything else."""
    return list(node.value) if isinstance(node, SequenceNode) else []


def text_of(node: Node | None) -> str:
    """Return a scalar as it is written; empty for nothing and for anything else."""
    found = str(node.value).strip() if isinstance(node, ScalarNode) else ""
    return "" if found in _NOTHING else found


def line_of(node: Node) -> int:
    """Return the line on which a node begins."""
    line: int = node.start_mark.line + 1
    return line
