"""A table of cables as CSV: a line per cable, with the device and port of both ends.

The columns are those of a plan's `cables.csv`, those of NetBox (import and export of cables), and
the usual names of either end: the words of a column decide, not its spelling. Commas, semicolons,
tabs and bars may separate the cells. Other columns are not read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from linkwright.design.importers.drawing import Drawing, DrawnEnd, kind_of
from linkwright.design.importers.importer import Importer
from linkwright.design.importers.sketch import Sketch
from linkwright.design.importers.values import note_values, rate_of
from linkwright.errors import DesignError
from linkwright.text.csv_text import CsvError, csv_lines

__all__ = ["CABLES_CSV"]

_DELIMITERS = ",;\t|"
_MOST_BEFORE = 20
"""Lines in which the header is looked for."""
_SIDES = {
    "a": frozenset(["a", "1", "source", "src", "from", "local", "left", "near", "start", "tail"]),
    "b": frozenset([
        "b", "2", "target", "tgt", "destination", "dest", "dst", "to", "remote", "right", "far",
        "end", "head", "peer", "neighbor", "neighbour",
    ]),
}  # fmt: skip
_ROLES = {
    "device": frozenset([
        "device", "host", "hostname", "node", "switch", "system", "machine", "server", "router",
    ]),
    "port": frozenset(["port", "interface", "if", "ifname", "nic", "iface", "termination"]),
    "kind": frozenset(["kind", "role"]),
    "mac": frozenset(["mac"]),
    "type": frozenset(["type"]),
}  # fmt: skip
"""Words of a column for each fact of an end, in the order in which they decide."""
_FILLERS = frozenset(["side", "name", "device", "id", "the", "of"])
_VALUES = {
    "speed": "speed", "rate": "rate", "bandwidth": "bandwidth", "ratembps": "rate_mbps",
    "speedmbps": "speed_mbps", "speedgbps": "speed_gbps", "length": "length", "lengthm": "length",
    "cablelength": "length", "type": "type", "cabletype": "type",
}  # fmt: skip
_NO_NETWORK = frozenset([
    "power", *(f"dcim.{own}" for own in ("powerport", "poweroutlet", "powerfeed", "consoleport",
                                         "consoleserverport")),
])  # fmt: skip
"""Types of cables and of their ends in NetBox that carry no network."""
_HINT = (
    "its first line names the columns, such as a_device,a_port,b_device,b_port; known are also "
    "those of NetBox, and source, target and the like"
)


def _read(text: str, where: str) -> Drawing:
    delimiter, columns, first = _header(text, where)
    sketch = Sketch(where)
    try:
        for line, cells in csv_lines(text, delimiter):
            row = {
                column: cell.strip() for column, cell in zip(columns, cells, strict=False) if column
            }
            is_comment = bool(cells) and cells[0].lstrip().startswith("#")
            if line > first and any(row.values()) and not (is_comment and not _has_ends(row)):
                _cable(row, line, sketch)
    except CsvError as error:
        raise DesignError(f"{where}, {error}", "shorten the cell, or close its quote") from None
    return sketch.drawing()


def _header(text: str, where: str) -> tuple[str, list[str], int]:
    """Return the delimiter, the fact that each column has, and the line of the header.

    It is the first line that names both devices, with the delimiter that finds most columns.
    """
    for line, written in enumerate(text.splitlines()[:_MOST_BEFORE], start=1):
        found = [(one, _facts(_cells(written.lstrip("# "), one))) for one in _DELIMITERS]
        delimiter, columns = max(found, key=lambda one: sum(map(bool, one[1])))
        if _n_devices(columns) == len("ab"):
            return delimiter, columns, line
    raise DesignError(f"{where}, line 1: no columns 'a_device' and 'b_device'", _HINT)


def _cells(line: str, delimiter: str) -> list[str]:
    try:
        return next(csv_lines(line, delimiter), (1, []))[1]
    except CsvError:
        return []


def _has_ends(row: Mapping[str, str]) -> bool:
    return bool(row.get("a_device") and row.get("b_device"))


def _n_devices(columns: Sequence[str]) -> int:
    return sum(column in ("a_device", "b_device") for column in columns)


def _facts(names: Sequence[str]) -> list[str]:
    """Return the fact of each column, such as a_device; empty for those that are not read.

    Examples
    --------
    >>> _facts(["side_a_device", "side_a_type", "Source Port", "to", "Length (m)"])
    ['a_device', 'a_type', 'a_port', 'b_device', 'length']
    """
    found: list[str] = []
    for name in names:
        words = re.findall(r"[a-z]+|\d+", re.sub(r"([a-z])([A-Z])", r"\1 \2", name).lower())
        found.append(_fact(words))
    has_device = {side: f"{side}_device" in found for side in "ab"}
    named = {side: f"{side}_" for side in "ab"}
    result = []
    for fact in found:
        side = fact[:1]
        # The name of an end is its device, or its port where another column has the device.
        named_end = f"{side}_port" if has_device.get(side) else f"{side}_device"
        whole = named_end if fact and fact == named.get(side) else fact
        result.append(whole if whole not in result else "")
    return result


def _fact(words: Sequence[str]) -> str:
    joined = "".join(words)
    if joined in _VALUES:
        return _VALUES[joined]
    if joined == "lengthunit":
        return "length_unit"
    sides = [side for side, known in _SIDES.items() if known & set(words)]
    if len(sides) != 1:
        return ""
    rest = [word for word in words if word not in _SIDES[sides[0]]]
    for role in ("port", "mac", "kind", "type", "device"):
        if set(rest) & _ROLES[role] and set(rest) <= _ROLES[role] | _FILLERS:
            return f"{sides[0]}_{role}"
    return f"{sides[0]}_" if len(joined) > 1 and set(rest) <= _FILLERS else ""


def _cable(row: Mapping[str, str], line: int, sketch: Sketch) -> None:
    ends = [
        DrawnEnd(
            row.get(f"{side}_device", ""), row.get(f"{side}_port", ""), row.get(f"{side}_mac", "")
        )
        for side in "ab"
    ]
    if _NO_NETWORK & {row.get(key, "").lower() for key in ("type", "a_type", "b_type")}:
        sketch.leave_out("a cable for power or a console", line)
        return
    if not all(end.device for end in ends):
        raise sketch.wrong(line, "a cable has two devices", "name both, or leave the line out")
    for side, end in zip("ab", ends, strict=True):
        sketch.device(end.device, line, kind_of({"kind": row.get(f"{side}_kind", "")}))
    note_values(row, sketch, line)
    sketch.cable(ends[0], ends[1], line, rate_of(row))


CABLES_CSV = Importer(
    source="spreadsheets, NetBox; `cables.csv` of a plan",
    read=_read,
    suffixes=("csv", "tsv", "txt"),
    recognises=lambda text: any(
        _n_devices(_facts(_cells(line.lstrip("# "), delimiter))) == len("ab")
        for line in text[:65536].splitlines()[:_MOST_BEFORE]
        for delimiter in _DELIMITERS
    ),
)
