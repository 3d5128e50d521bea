"""The changes that a plan makes to a machine, and what forbids them, as sentences.

A machine is refused if its management interface or an interface with a default route is among the
ports of the plan, and if something stands on these ports that no plan has put there: another
program or its user may need it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from ipaddress import IPv4Network, IPv6Network, ip_interface, ip_network
from typing import Any

from linkwright.apply.wanted import Wanted

__all__ = ["changes", "refusals"]

WORDS = {
    "addresses": "address",
    "routes": "route",
    "rules": "rule",
    "filters": "rule of the firewall",
}


def changes(present: Mapping[str, Any], state: Mapping[str, Any]) -> list[str]:
    """Return the steps from the present state of a machine to another one, one a line."""
    return [*_of_links(present, state), *_of_values(present, state), *_of_lines(present, state)]


def _of_links(present: Mapping[str, Any], state: Mapping[str, Any]) -> Iterator[str]:
    for name, one in state["links"].items():
        there = present["links"].get(name)
        if there is None:
            yield f"+ interface {name} ({one['kind']})"
            continue
        for key in ("mtu", "is_up", "master"):
            if there[key] != one[key]:
                yield f"~ {name}: {_said(key, there[key])} -> {_said(key, one[key])}"
    for name, one in present["links"].items():
        if name not in state["links"] and one["kind"]:
            yield f"- interface {name} ({one['kind']})"


def _said(key: str, value: object) -> str:
    if key == "is_up":
        return "up" if value else "down"
    return f"{key} {value or 'none'}"


def _of_values(present: Mapping[str, Any], state: Mapping[str, Any]) -> Iterator[str]:
    for name, values in state["offloads"].items():
        for key, is_on in values.items():
            if present["offloads"].get(name, {}).get(key, is_on) != is_on:
                yield f"~ {name}: {key} {'on' if is_on else 'off'}"
    for key, value in state["parameters"].items():
        there = present["parameters"].get(key)
        if there != value:
            yield f"~ {key.replace('/', '.')}: {there or 'not there yet'} -> {value}"


def _of_lines(present: Mapping[str, Any], state: Mapping[str, Any]) -> Iterator[str]:
    for key, noun in WORDS.items():
        yield from (f"- {noun} {_line(one)}" for one in _surplus(present, state, key))
        yield from (f"+ {noun} {_line(one)}" for one in _surplus(state, present, key))


def _surplus(value: Mapping[str, Any], other: Mapping[str, Any], key: str) -> list[list[str]]:
    return [one for one in value[key] if one not in other[key]]


def _line(words: list[str]) -> str:
    return " ".join(one for one in words if one != "-4")


def refusals(
    looked: Mapping[str, Any], present: Mapping[str, Any], plan: Wanted
) -> Iterator[tuple[str, str]]:
    """Yield each reason why a machine must not be changed, with the remedy.

    Parameters
    ----------
    looked : mapping
        The machine's own answer about its management and the plan that it has.
    present : mapping
        Its state within the scope of the plan.
    plan : Wanted
    """
    names = plan.scope["interfaces"]
    for name in names:
        if name in looked["management"]:
            yield f"{name} is the interface that this connection comes by", _ANOTHER
        elif name in looked["default"]:
            yield f"{name} has the default route of the machine", _ANOTHER
    earlier = looked["given"] or {**{key: [] for key in WORDS}, "links": {}}
    for name, one in present["links"].items():
        above = one["master"]
        known = [each["links"].get(name, {}).get("master") for each in (plan.state, earlier)]
        if above and above not in known:
            yield f"{name} is a port of {above}", f"take it out of {above}, or name another NIC"
    for key, noun in WORDS.items():
        for one in present[key]:
            if one not in plan.state[key] and one not in earlier[key]:
                yield (
                    f"the {noun} `{_line(one)}` is there, and no plan has put it there",
                    "remove it, or keep it in the design",
                )
    own = [ip_network(one[1]) for one in plan.state["routes"]]
    own += [ip_interface(one[0]).network for one in plan.state["addresses"]]
    for words in looked["routes"]:
        name = words[words.index("dev") + 1] if "dev" in words[:-1] else ""
        if name not in names and _is_within(words[0], own):
            yield (
                f"the route `{' '.join(words)}` leads the plan's own addresses elsewhere",
                "remove it, or give the design another address block",
            )


def _is_within(text: str, own: Sequence[IPv4Network | IPv6Network]) -> bool:
    """Return whether a destination is one of the plan's own, or a part of one."""
    try:
        there = ip_network(text)
    except ValueError:
        return False
    return any(
        there.version == one.version and one.supernet_of(there)  # type: ignore[arg-type]
        for one in own
    )


_ANOTHER = "name another NIC under 'nodes' of the design"
