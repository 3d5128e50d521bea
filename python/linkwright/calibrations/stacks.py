"""Presets of the network stacks of kernels, which complete calibrations.

A stack is a TOML file in ``stacks/`` with constants of any section, each with its origin. A
calibration that names a stack has its constants, and may override single ones.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import Any

from linkwright.calibrations.tcp import SEND_BUFFERS
from linkwright.errors import DesignError, unknown_name

__all__ = ["completed", "merged", "names", "title"]

ALTERNATIVES = (("tcp", *SEND_BUFFERS),)
"""Section and its constants that exclude each other: the one in the calibration wins."""


@cache
def names() -> tuple[str, ...]:
    """Return the names of the shipped stacks."""
    files = resources.files(__package__).joinpath("stacks").iterdir()
    return tuple(sorted(f.name.removesuffix(".toml") for f in files if f.name.endswith(".toml")))


def title(name: str) -> str:
    """Return the description of a stack, in one line."""
    return str(_stack(name)["title"])


def completed(table: dict[str, Any]) -> dict[str, Any]:
    """Return the table of a calibration with the constants of the stack that it names.

    Raises
    ------
    DesignError
        If there is no such stack.
    """
    name = table.get("stack")
    if name is None:
        return table
    if name not in names():
        raise DesignError(f"there is no stack {name!r}", unknown_name(str(name), names()))
    return merged({k: v for k, v in _stack(name).items() if isinstance(v, dict)}, table)


def merged(base: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """Return two tables of sections as one, in which the constants of `own` win.

    Examples
    --------
    >>> merged({"tcp": {"a": 1, "b": 2}}, {"name": "x", "tcp": {"b": 3}})
    {'tcp': {'a': 1, 'b': 3}, 'name': 'x'}
    """
    sections = {name: dict(section) for name, section in base.items() if isinstance(section, dict)}
    for section, *group in ALTERNATIVES:
        given = own.get(section, {})
        if isinstance(given, dict) and section in sections and any(name in given for name in group):
            for name in group:
                sections[section].pop(name, None)
    result: dict[str, Any] = base | sections
    for name, value in own.items():
        both_are_sections = isinstance(value, dict) and name in sections
        result[name] = sections[name] | value if both_are_sections else value
    return result


@cache
def _stack(name: str) -> dict[str, Any]:
    path = resources.files(__package__).joinpath("stacks", f"{name}.toml")
    return tomllib.loads(path.read_text(encoding="utf-8"))
