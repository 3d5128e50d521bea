"""A table of cables as CSV: a line per cable, with the device and port of both ends.

The columns are those of a plan's `cables.csv`: a_device, a_port, b_device, b_port; a_kind and
b_kind may say what the devices are. Other columns are not read.
"""

from __future__ import annotations

from linkwright.design.importers.drawing import Drawing, DrawnCable, kind_of
from linkwright.errors import DesignError, unknown_name
from linkwright.text.csv_text import CsvError, csv_rows

__all__ = ["read_csv"]

_NEEDED = ("a_device", "b_device")
_KNOWN = ("a_device", "a_port", "b_device", "b_port", "a_kind", "b_kind")


def read_csv(text: str, where: str) -> Drawing:
    """Return the drawing of a table of cables.

    Raises
    ------
    DesignError
        If it is no CSV, or lacks a column or a device; `where` names the file.
    """
    try:
        header, *lines = list(csv_rows(text)) or [[]]
    except CsvError as error:
        raise DesignError(f"{where}, {error}", "shorten the cell, or close its quote") from None
    names = [name.strip() for name in header]
    for column in _NEEDED:
        if column not in names:
            raise DesignError(
                f"{where} has no column '{column}'",
                f"its first line names the columns; {unknown_name('', _KNOWN)}",
            )
    cables, kinds = [], {}
    for number, cells in enumerate(lines, start=2):
        row = {name: cell.strip() for name, cell in zip(names, cells, strict=False)}
        if not any(row.values()):
            continue
        ends = [(row.get(f"{end}_device", ""), row.get(f"{end}_port", "")) for end in "ab"]
        if not all(device for device, _ in ends):
            raise DesignError(f"{where}, line {number}: a cable has two devices", "name both")
        for end, (device, _) in zip("ab", ends, strict=True):
            kind = kind_of({"kind": row.get(f"{end}_kind", "")})
            if kind is not None:
                kinds[device] = kind
        cables.append(DrawnCable(*ends[0], *ends[1]))
    return Drawing(tuple(cables), kinds)
