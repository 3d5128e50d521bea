"""The changes that a plan makes to a machine, and what forbids them, as sentences.

A machine is refused if its management interface or an interface with a default route is among the
ports of the plan, and if something stands on these ports that no plan has put there: another
program or its user may need it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from ipaddress import IPv4Network, IPv6Network, ip_interface, ip_network
from typing import Any

from linkwright.apply.placed import is_same
from linkwright.apply.present import plain, surplus
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
    return [
        *_of_files(present, state),
        *_of_links(present, state),
        *_of_values(present, state),
        *_of_lines(present, state),
    ]


def _of_files(present: Mapping[str, Any], state: Mapping[str, Any]) -> Iterator[str]:
    for place, there in present["files"].items():
        value = state["files"].get(place)
        if not is_same(value, there):
            sign = "-" if value is None else "+" if there is None else "~"
            yield f"{sign} {_file(place, value or there)}"


def _file(place: str, value: Mapping[str, Any]) -> str:
    if value["kind"] == "link":
        return f"link {place} to {value['target']}"
    return f"{value['kind']} {place} (root, mode {value['mode']:o})"


def _of_links(present: Mapping[str, Any], state: Mapping[str, Any]) -> Iterator[str]:
    for name, one in state["links"].items():
        there = present["links"].get(name)
        if there is None:
            yield f"+ interface {name} ({one['kind']})"
            continue
        for key in ("mtu", "is_up", "master"):
            if one[key] != there[key] and (key, one[key]) != ("mtu", None):
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
    return surplus(value[key], other[key], plain)


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
    yield from _claimed(looked)
    earlier = looked["given"] or {**{key: [] for key in WORDS}, "links": {}}
    yield from _strange_files(looked, present, plan, earlier)
    for name, one in present["links"].items():
        above = one["master"]
        known = [each["links"].get(name, {}).get("master") for each in (plan.state, earlier)]
        if above and above not in known:
            yield f"{name} is a port of {above}", f"take it out of {above}, or name another NIC"
    for key, noun in WORDS.items():
        for one in surplus(present[key], [*plan.state[key], *earlier[key]], plain):
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


def _claimed(looked: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, file in looked["claims"]:
        yield f"{file} sets {name} up", f"take {name} out of it, or name another NIC"


def _strange_files(
    looked: Mapping[str, Any], present: Mapping[str, Any], plan: Wanted, earlier: Mapping[str, Any]
) -> Iterator[tuple[str, str]]:
    """Yield the files that would be overwritten, and that no plan has written as they are."""
    for place, there in present["files"].items():
        if (
            there is None
            or there["kind"] == "folder"
            or is_same(plan.state["files"].get(place), there)
        ):
            continue
        given = earlier.get("files", {}).get(place)
        if given is None or place in looked["kept"]:
            yield f"{place} is there, and no plan has put it there", "move it elsewhere"
        elif not is_same(given, there):
            yield f"{place} has changed since a plan was put there", "take it back, or move it"


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
