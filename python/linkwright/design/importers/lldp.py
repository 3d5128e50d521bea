"""Neighbours as `lldpctl -f json` or `-f json0` lists them, of many machines.

The output does not say whose neighbours it lists. That is the name of its file, a line with the
name in front of it, as `head`, `ansible` and `tail` write, or the chassis of the machine itself
(`lldpcli -f json show chassis`) beside it. A neighbour that is a bridge and has no list of its own
is a switch.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from linkwright.design.importers.drawing import Drawing, DrawnEnd
from linkwright.design.importers.importer import GraphFile, Importer
from linkwright.design.importers.json_lines import JsonText, Lined
from linkwright.design.importers.sketch import Sketch
from linkwright.errors import DesignError

__all__ = ["LLDP"]

_REMEDY = (
    "name the file after its machine, or write a line '# NAME' before each list: lldpctl does not "
    "say whose neighbours it lists"
)
_PLAIN = re.compile(r"[\w.-]+")


@dataclass(frozen=True)
class _Neighbours:
    """The list of a machine, and its file."""

    owner: str
    lists: Any
    line: int
    file: GraphFile


def _read_many(files: Sequence[GraphFile]) -> Drawing:
    found = [one for file in files for one in _lists(file)]
    if not found:
        raise DesignError(
            f"{files[0].where} has no neighbours", "give the output of lldpctl -f json"
        )
    owners = {_short(one.owner) for one in found}
    named = {_short(one.owner): one.owner for one in found}
    sketch = Sketch(files[0].where)
    for one in found:
        sketch.where = one.file.where
        sketch.device(named[_short(one.owner)], one.line, "node")
        for interface, values, line in _interfaces(one.lists, one.line):
            _neighbour(
                DrawnEnd(named[_short(one.owner)], interface), values, line, owners, named, sketch
            )
    return sketch.drawing()


def _lists(file: GraphFile) -> Iterator[_Neighbours]:
    """Yield the lists of neighbours in a text, each with its owner."""
    text = JsonText(file.text, file.where)
    place, heading = 0, ""
    pending: list[tuple[str, Any, int]] = []
    chassis = ""
    while place < len(file.text):
        if file.text[place].isspace():
            place += 1
        elif file.text[place] in "{[":
            value, end = text.value(place)
            for owner, lists in _of_document(value):
                pending.append((owner or heading, lists, text.line(place + 1)))
            chassis = _own_name(value) or chassis
            place = end
        else:
            end = (file.text.find("\n", place) + 1) or len(file.text)
            heading, place = _heading(file.text[place:end]), end
    for owner, lists, line in pending:
        name = owner or chassis or (file.stem if len(pending) == 1 else "")
        if not name:
            raise DesignError(
                f"{file.where}, line {line}: a list of neighbours without owner", _REMEDY
            )
        yield _Neighbours(name, lists, line, file)


def _of_document(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield the lists in a value with the name of their owner, empty if it is not there."""
    for one in value if isinstance(value, list) else [value]:
        if not isinstance(one, Lined):
            continue
        if "lldp" in one:
            owner = next((one[key] for key in ("hostname", "host", "name", "system")
                          if isinstance(one.get(key), str)), "")  # fmt: skip
            yield owner, one["lldp"]
        else:
            for name, inner in one.items():
                if isinstance(inner, Lined) and "lldp" in inner:
                    yield name, inner["lldp"]


def _own_name(value: Any) -> str:
    local = _first(value.get("local-chassis")) if isinstance(value, Lined) else None
    return _system(_first(local.get("chassis")))[0] if isinstance(local, Lined) else ""


def _heading(line: str) -> str:
    """Return the machine that a line in front of a list names.

    Examples
    --------
    >>> _heading("==> lldp/gpu1.json <=="), _heading("gpu1 | CHANGED | rc=0 >>"), _heading("# gpu1")
    ('gpu1', 'gpu1', 'gpu1')
    """
    found = _PLAIN.findall(line.strip(" =<>#:-\n\t").split("|")[0].rpartition("/")[2])
    return re.sub(r"\.(json|json0|lldp|txt)$", "", found[0]) if found else ""


def _interfaces(lists: Any, line: int) -> Iterator[tuple[str, Lined, int]]:
    """Yield the interfaces with a neighbour; objects with one entry stand for lists of one."""
    lldp = _first(lists)
    if isinstance(lldp, Lined) and "lldp" in lldp:
        lldp = _first(lldp["lldp"])
    found = lldp.get("interface", []) if isinstance(lldp, Lined) else []
    for one in found if isinstance(found, list) else [found]:
        if not isinstance(one, Lined):
            continue
        if isinstance(one.get("name"), str):
            yield one["name"], one, one.line
        else:
            for name, values in one.items():
                for inner in values if isinstance(values, list) else [values]:
                    if isinstance(inner, Lined):
                        yield name, inner, inner.line or line


def _neighbour(
    own: DrawnEnd, values: Lined, line: int, owners: set[str], named: dict[str, str], sketch: Sketch
) -> None:
    name, chassis = _system(_first(values.get("chassis")))
    port = _first(values.get("port"))
    if not name or not isinstance(port, Lined):
        sketch.leave_out("a neighbour without a name", line, own.port)
        return
    is_machine = _short(name) in owners
    is_bridge = any(
        isinstance(one, Lined)
        and one.get("type") == "Bridge"
        and one.get("enabled") in (True, "on")
        for one in _every(chassis.get("capability"))
    )
    name = named.get(_short(name), name)
    sketch.device(name, line, "switch" if is_bridge and not is_machine else "")
    identity = _first(port.get("id"))
    kind, value = (
        (str(identity.get("type")), str(identity.get("value"))) if isinstance(identity, Lined)
        else ("", "")
    )  # fmt: skip
    described = _value(port.get("descr"))
    if kind == "mac":
        is_name = _PLAIN.fullmatch(described) is not None
        end = DrawnEnd(name, described if is_name else "", value if is_machine else "")
    else:
        end = DrawnEnd(name, value if kind in ("ifname", "local", "ifalias") else described)
    sketch.cable(own, end, line)


def _system(chassis: Any) -> tuple[str, Lined]:
    """Return the name of a chassis and its values: the key of its values, or a value among them."""
    if not isinstance(chassis, Lined):
        return "", Lined()
    if "id" not in chassis and "name" not in chassis and len(chassis) == 1:
        name, values = next(iter(chassis.items()))
        if isinstance(values, Lined):
            return name, values
    return _value(chassis.get("name")) or _value(chassis.get("id")), chassis


def _value(held: Any) -> str:
    held = _first(held)
    if isinstance(held, Lined):
        held = held.get("value")
    return held if isinstance(held, str) else ""


def _first(held: Any) -> Any:
    return (held[0] if held else None) if isinstance(held, list) else held


def _every(held: Any) -> list[Any]:
    return held if isinstance(held, list) else [held]


def _short(name: str) -> str:
    """Return the name of a machine without its domain, in which lists and files may differ."""
    return name.partition(".")[0].lower()


def _read(text: str, where: str) -> Drawing:
    return _read_many([GraphFile(text, where, "")])


def _recognises(text: str) -> bool:
    return bool(re.search(r'"lldp"\s*:', text))


LLDP = Importer(
    source="lldpctl -f json or -f json0 (lldpd), one or many machines",
    read=_read,
    suffixes=("json", "json0", "lldp", "txt"),
    recognises=_recognises,
    read_many=_read_many,
)
