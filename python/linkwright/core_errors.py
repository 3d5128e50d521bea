"""Messages for the errors of the compiled core, which cross the border as kind, ids and numbers.

The messages are in core_errors.toml, with a row for every rule that the crates check; a test
compares the rows with the sources of the crates. A template names the numbers of its rule, with a
format from `_SHOWN` where a number needs one: ``{from:node}`` is the name of a node, or its number
if names are unknown, and ``{at:time}`` a time given in picoseconds.
"""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from string import Formatter
from typing import Any, TypeVar, cast

from linkwright import errors
from linkwright.errors import LinkwrightError

__all__ = ["in_page", "named", "phrases", "worded", "words"]

MOST_LISTED = 8
"""Unfinished ranks that a message lists with their operations."""

ANY_TAG, COLLECTIVE_TAGS = 2**32 - 1, 2**31
"""The tag of a receive that takes any, and that of the first collective of a program."""

_NO_TAGS: Mapping[int, str] = {}

COLLECTIVE_NUMBERS = 2**32 - 3
"""The first number of the sends and receives of collectives."""

E = TypeVar("E", bound=LinkwrightError)


@cache
def _table() -> dict[str, Any]:
    table = files("linkwright").joinpath("core_errors.toml")
    return tomllib.loads(table.read_text(encoding="utf-8"))


def words() -> dict[str, Any]:
    """Return the rows of core_errors.toml: per family the class of its errors, and its rules."""
    return {family: rows for family, rows in _table().items() if family != "phrases"}


def phrases() -> dict[str, Any]:
    """Return the words that messages have in common."""
    found: dict[str, Any] = _table()["phrases"]
    return found


def in_page(family: str) -> dict[str, Any]:
    """Return the words of a family for a page, where what is left of a message is filled in."""
    rows = {rule: row for rule, row in words()[family].items() if rule != "error"}
    shown = {
        rule: {part: row[part] for part in ("message", "page_hint") if part in row}
        for rule, row in rows.items()
    }
    return {"rules": shown, "phrases": phrases()}


def worded(family: str, data: str) -> LinkwrightError:
    """Return the error for a broken rule; the core calls this to raise it.

    Parameters
    ----------
    family : str
        The family of rules, such as "run".
    data : str
        JSON: the rule, with its ids and numbers by name if it has any.

    Examples
    --------
    >>> print(worded("run", '{"NoRoute": {"from": 3, "to": 7}}'))
    node 3 has no route to node 7
      `linkwright check` shows the break
    """
    rule, numbers = _tagged(json.loads(data))
    return _error(f"{family}.{rule}", numbers, None)


def named(error: E, device_names: Sequence[str], tags: Mapping[int, str] = _NO_TAGS) -> E:
    """Return an error of the core with the names of the devices, and of tags, in its message.

    Other errors stay as they are.

    Examples
    --------
    >>> print(named(worded("run", '{"NoRoute": {"from": 0, "to": 1}}'), ["n00", "n01"]).message)
    node n00 has no route to node n01
    """
    return cast(E, _error(error.kind, error.numbers, device_names, tags)) if error.kind else error


def _error(
    kind: str,
    numbers: Mapping[str, Any],
    names: Sequence[str] | None,
    tags: Mapping[int, str] = _NO_TAGS,
) -> LinkwrightError:
    family, rule = kind.split(".")
    row = words()[family][rule]
    template = _Template(names, tags)
    message, hint = (
        template.vformat(row.get(part, ""), (), numbers) for part in ("message", "hint")
    )
    error: LinkwrightError = getattr(errors, words()[family]["error"])(message, hint)
    error.kind, error.numbers = kind, numbers
    return error


def _tagged(crossed: str | Mapping[str, Any]) -> tuple[str, Any]:
    """Return the name of a variant of an enum of the crates, and its content."""
    return (crossed, {}) if isinstance(crossed, str) else next(iter(crossed.items()))


class _Template(Formatter):
    """Puts numbers, and known names of devices and tags, into the words of a message."""

    def __init__(self, names: Sequence[str] | None, tags: Mapping[int, str] = _NO_TAGS) -> None:
        self.names, self.tags = names, tags

    def format_field(self, value: Any, format_spec: str) -> Any:
        if format_spec == "node":
            return f"node {value if self.names is None else self.names[value]}"
        if format_spec == "tag":
            return self.tags.get(value) or _tag(value)
        if format_spec == "ranks":
            return _ranks(value, self)
        if format_spec == "action":
            return _action(value, self)
        show = _SHOWN.get(format_spec)
        return show(value) if show else super().format_field(value, format_spec)


def _time(ps: int) -> str:
    if ps >= 10**12:
        return f"{ps * 1e-12:.6f} s"
    return f"{ps * 1e-9:.3f} ms" if ps >= 10**9 else f"{ps * 1e-6:.3f} us"


def _ranks(stuck: Sequence[Mapping[str, Any]], template: _Template) -> str:
    phrase = phrases()["stuck"]
    listed = [template.vformat(phrase, (), one) for one in stuck[:MOST_LISTED]]
    return ", ".join(listed) + (", ..." if len(stuck) > MOST_LISTED else "")


def _collective(entered: Mapping[str, Any] | None) -> str:
    """Return the collective that a rank is in, with the ranks of its group if it has one."""
    if entered is None:
        return ""
    kind = _phrase(phrases()["collective"], kind=entered["kind"].replace("_", "-"))
    if entered["group"] == 0:
        return kind
    has_more = entered["n_ranks"] > len(entered["ranks"])
    return kind + _phrase(phrases()["group"], **entered) + (", ..." if has_more else "")


def _action(crossed: str | Mapping[str, Any], template: _Template) -> str:
    kind, numbers = _tagged(crossed)
    return template.vformat(phrases()["actions"][kind], (), numbers)


def _tag(tag: int) -> str:
    if tag == ANY_TAG:
        return _phrase(phrases()["any_tag"])
    if tag < COLLECTIVE_TAGS:
        return _phrase(phrases()["tag"], tag=tag)
    return _phrase(phrases()["collective_tag"], tag=tag - COLLECTIVE_TAGS)


def _source(rank: int | None) -> str:
    return _phrase(phrases()["any_source" if rank is None else "source"], rank=rank)


def _phrase(template: str, **numbers: Any) -> str:
    return _Template(None).vformat(template, (), numbers)


def _requests(number: int) -> str:
    if number >= COLLECTIVE_NUMBERS:
        return _phrase(phrases()["own_requests"])
    return _phrase(phrases()["requests"], number=number)


def _part(crossed: Mapping[str, int]) -> str:
    kind, number = _tagged(crossed)
    return f"{kind.lower()} {number}"


def _longer_ttl(forwards: int) -> str:
    if forwards >= 255:
        return "the largest TTL allows 254 forwards: choose a shape with shorter paths"
    return "set --host links.ttl=255, or choose a shape with shorter paths"


STEPS = {
    "namespace": "make or enter its namespaces",
    "open-tun": "open /dev/net/tun",
    "tap": "make an interface or set its carrier",
    "sysctl": "change a setting",
    "netlink": "answer requests",
    "interface": "switch an interface on or off",
    "address": "add an address",
    "usable": "take its IPv6 addresses into use",
    "route": "change a route",
    "neighbour": "add a neighbour",
    "rule": "add a rule that chooses a table",
    "mark": "mark packets (the kernel needs nf_tables)",
}
"""Steps of the configuration of a node, in words."""

_SHOWN: dict[str, Callable[[Any], str]] = {
    "errno": os.strerror,
    "step": STEPS.__getitem__,
    "time": _time,
    "count": lambda values: str(len(values)),
    "list": lambda values: ", ".join(map(str, values)),
    "requests": _requests,
    "collective": _collective,
    "source": _source,
    "part": _part,
    "forwards": lambda ttl: str(max(ttl - 1, 0)),
    "longer_ttl": _longer_ttl,
    "lost": lambda reason: {"NoRoute": "no route", "WrongSegment": "wrong segment"}.get(
        reason, "loop"
    ),
}
